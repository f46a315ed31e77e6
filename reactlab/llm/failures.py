"""The SDK's errors as ours, each with a line that says what to do."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from reactlab.errors import ConfigError, LLMError, RateLimited, ReactlabError, Unavailable
from reactlab.llm.connection import Connection
from reactlab.llm.wire import hide, retry_after, words_of

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
