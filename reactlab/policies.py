"""What an agent does about a model that fails: ask again, tell it, or give up.

A policy is a function of the error and of how many of its kind there were in this step, 1 for
the first. It returns `Retry`, `Tell`, or None to leave the error to the next policy; when none
answers, the run ends.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from reactlab.errors import EmptyReply, ModelError, RateLimited, Unavailable

NO_MORE_ATTEMPTS = sys.maxsize


@dataclass(frozen=True)
class Retry:
    """Ask again within the same step, after a pause in seconds."""

    after: float = 0.0


@dataclass(frozen=True)
class Tell:
    """Let the step count, and show the model this text as its observation."""

    text: str


Policy = Callable[[ModelError, int], Retry | Tell | None]


def wait_when_limited(attempts: int = 3, longest: float = 60.0) -> Policy:
    """Retry a rate limit as the server asked (1 s if it named no time), `attempts` times in all.

    A wait over `longest` seconds is not waited for.
    """
    return partial(_wait_when_limited, attempts, longest)


def _wait_when_limited(
    attempts: int, longest: float, error: ModelError, attempt: int
) -> Retry | None:
    pause = 1.0 if error.retry_after is None else error.retry_after
    again = isinstance(error, RateLimited) and attempt < attempts and pause <= longest
    return Retry(pause) if again else None


def retry_when_down(attempts: int = 3, pause: float = 1.0, longest: float = 60.0) -> Policy:
    """Retry a server that is down or out of reach, `attempts` times in all.

    The first wait is `pause` seconds, or what the server asked for; each next one is twice as long.
    """
    return partial(_retry_when_down, attempts, pause, longest)


def _retry_when_down(
    attempts: int, pause: float, longest: float, error: ModelError, attempt: int
) -> Retry | None:
    if not isinstance(error, Unavailable) or attempt >= attempts:
        return None
    wait = pause * 2 ** (attempt - 1) if error.retry_after is None else error.retry_after
    return Retry(wait) if wait <= longest else None


def ask_again_when_empty(attempts: int = 2) -> Policy:
    """Ask again when a reply is empty, `attempts` times in all."""
    return partial(_ask_again_when_empty, attempts)


def _ask_again_when_empty(attempts: int, error: ModelError, attempt: int) -> Retry | None:
    return Retry() if isinstance(error, EmptyReply) and attempt < attempts else None


DEFAULT_POLICIES: tuple[Policy, ...] = (
    wait_when_limited(),
    retry_when_down(),
    ask_again_when_empty(),
)
"""What every agent does unless it is given other policies."""


def first_answer(
    policies: tuple[Policy, ...], error: ModelError, attempt: int
) -> Retry | Tell | None:
    """The first answer that a policy has."""
    answers = (policy(error, attempt) for policy in policies)
    return next((answer for answer in answers if answer is not None), None)
