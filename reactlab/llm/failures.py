"""The SDK's errors as ours, each with a line that says what to do."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn

from reactlab.errors import ConfigError, LLMError, RateLimited, ReactlabError, Unavailable
from reactlab.llm.connection import NO_KEY, Connection

UNPAID = ("insufficient_quota", "insufficient_balance", "billing_hard_limit_reached")
"""Codes of refusals that come with a rate limit's status, and that no waiting ends."""


def told(error: Any, server: Connection) -> str:
    """The server's own words in one line, without what they repeat of the key."""
    return hide(words_of(error), server.key())


def translated(error: Any, server: Connection, model: str) -> ReactlabError:
    """What an error of the SDK means; `error` is an `openai.OpenAIError`."""
    import openai

    words = told(error, server)
    match error:
        case openai.RateLimitError() if {error.code, error.type} & {*UNPAID}:
            return LLMError(f"{server} takes no more requests until they are paid for: {words}")
        case openai.RateLimitError():
            return RateLimited(words, retry_after=retry_after(error))
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            return ConfigError(f"{server} refuses the key: {words}")
        case openai.NotFoundError():
            return ConfigError(
                f"{server} knows no model {model!r}, or its address lacks the version path such "
                f"as /v1: {words}"
            )
        case openai.APITimeoutError():
            return Unavailable(f"{server} did not answer within {server.timeout} s.")
        case openai.APIConnectionError():
            cause = hide(str(error.__cause__ or error), server.key())
            return Unavailable(f"{server} cannot be reached ({cause}); is the server running?")
        case openai.APIStatusError() if error.status_code >= 500:
            what = f"{server} failed with status {error.status_code}: {words}"
            return Unavailable(what, retry_after=retry_after(error))
    return LLMError(f"{server} failed: {words}")


def no_message(reply: Any, server: Connection) -> NoReturn:
    """Raise what a reply without a message means."""
    error = hide(str(getattr(reply, "error", None) or ""), server.key())
    address = server.server.address
    if error and address and not re.search(r"/v\d", address):
        raise ConfigError(
            f"{server} answered: {error}; its address lacks the version path, try {address}/v1"
        )
    choices = getattr(reply, "choices", None)
    finish = getattr(choices[0], "finish_reason", None) if choices else None
    cause = "; ".join(filter(None, [error, finish and f"finish reason {finish}"]))
    raise LLMError(
        f"{server} answered without a message"
        + (f" ({cause})" if cause else "")
        + "; does its address end in the version path, such as /v1?"
    )


def words_of(error: Any) -> str:
    """The server's own words, in one line."""
    body = getattr(error, "body", None)
    message = body.get("message") if isinstance(body, dict) else None
    return " ".join(str(message or getattr(error, "message", error)).split())[:300]


def hide(text: str, key: str) -> str:
    """The text with a bullet for each sign that belongs to a piece of the key of 6 or more."""
    pieces = set() if key == NO_KEY else {key[at : at + 6] for at in range(len(key) - 5)}
    found = {at for at in range(len(text)) if text[at : at + 6] in pieces}
    covered = {at + step for at in found for step in range(6)}
    return "".join("•" if at in covered else sign for at, sign in enumerate(text))


def retry_after(error: Any) -> float | None:
    """Seconds from the Retry-After header, a number or a date; None where there is neither."""
    told = error.response.headers.get("retry-after") or ""
    try:
        return max(0.0, float(told))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
