"""Trying again: it heals chance and nothing else, so each policy names what chance may heal."""

from __future__ import annotations

from functools import partial

from reactlab.errors import (
    ContextOverflow,
    EmptyReply,
    ModelError,
    RateLimited,
    Refused,
    RunError,
    ToolFailed,
    Unavailable,
)
from reactlab.policies import Policy, Retry

Error = ModelError | RunError


def wait_when_limited(attempts: int = 3, longest: float = 60.0) -> Policy:
    """Retry a rate limit as the server asked (1 s if it named no time), `attempts` times in all.

    A wait over `longest` seconds is not waited for.
    """
    return partial(_wait_when_limited, attempts, longest)


def _wait_when_limited(attempts: int, longest: float, error: Error, attempt: int) -> Retry | None:
    if not isinstance(error, RateLimited):
        return None
    pause = 1.0 if error.retry_after is None else error.retry_after
    return Retry(pause) if attempt < attempts and pause <= longest else None


def retry_when_down(attempts: int = 3, pause: float = 1.0, longest: float = 60.0) -> Policy:
    """Retry a server that is down or out of reach, `attempts` times in all.

    The first wait is `pause` seconds, or what the server asked for; each next one is twice as long.
    """
    return partial(_retry_when_down, attempts, pause, longest)


def _retry_when_down(
    attempts: int, pause: float, longest: float, error: Error, attempt: int
) -> Retry | None:
    if not isinstance(error, Unavailable) or attempt >= attempts:
        return None
    wait = pause * 2 ** (attempt - 1) if error.retry_after is None else error.retry_after
    return Retry(wait) if wait <= longest else None


def ask_again_when_empty(attempts: int = 2) -> Policy:
    """Ask again when a reply is empty, `attempts` times in all."""
    return partial(_ask_again, EmptyReply, attempts)


def ask_again_when_refused(attempts: int = 3) -> Policy:
    """Ask again when the model declines, `attempts` times in all: a refusal is sampled too."""
    return partial(_ask_again, Refused, attempts)


def _ask_again(kind: type[ModelError], attempts: int, error: Error, attempt: int) -> Retry | None:
    return Retry() if isinstance(error, kind) and attempt < attempts else None


def use_again(attempts: int = 3, pause: float = 0.0) -> Policy:
    """Use a tool again that could not do it now, `attempts` times in all.

    Only a tool that changes nothing, and only if it was unavailable, ran out of time, or returned
    nothing or what cannot be read: its considered answer would be the same again. Waits `pause`
    seconds before the second attempt, twice as long before the third.
    """
    return partial(_use_again, attempts, pause)


PASSING = frozenset(("unavailable", "timeout", "empty", "garbled"))
"""Kinds of failures of a tool that may pass."""


def _use_again(attempts: int, pause: float, error: Error, attempt: int) -> Retry | None:
    if not isinstance(error, ToolFailed) or error.kind not in PASSING:
        return None
    return Retry(pause * 2 ** (attempt - 1)) if error.repeatable and attempt < attempts else None


def shorten_when_too_long() -> Policy:
    """Ask again with older steps shortened when the model's context overflows."""
    return _shorten_when_too_long


def _shorten_when_too_long(error: Error, attempt: int) -> Retry | None:
    return Retry() if isinstance(error, ContextOverflow) else None


DEFAULT_POLICIES: tuple[Policy, ...] = (
    wait_when_limited(),
    retry_when_down(),
    ask_again_when_empty(),
)
"""What every agent does unless it is given other policies."""
