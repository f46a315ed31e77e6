"""The SDK's errors as ours, each with a line that says what to do."""

from __future__ import annotations

import re
import time
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn

from reactlab.errors import (
    ConfigError,
    ContextOverflow,
    LLMError,
    RateLimited,
    ReactlabError,
    Refused,
    Unavailable,
)
from reactlab.llm.connection import NO_KEY, Connection

UNPAID = frozenset(
    ("insufficient_quota", "insufficient_balance", "billing_hard_limit_reached", "402")
)
"""Codes of refusals that may come with a rate limit's status, and that no waiting ends."""
FILTERED = frozenset(("content_filter", "content_policy_violation", "data_inspection_failed"))
"""Codes of a filter that turned the request away."""
TOO_LONG = frozenset(
    ("context_length_exceeded", "exceed_context_size_error", "string_above_max_length")
)
"""Codes of requests that are longer than the model takes."""

_KEY = re.compile(
    r"(invalid|incorrect|wrong|expired|missing|no) (\w+ )?api[ _-]?key"
    r"|api[ _-]?key (is |was )?(not |in|expired|missing)",
    re.IGNORECASE,
)
_PATH = re.compile(r"endpoint|unknown (request )?(url|path)|no (such )?route", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context.?(length|size|window)|(prompt|input|request) (is |are )?too (long|large)"
    r"|(input|prompt)\b.{0,40} exceeds?\b.{0,40} (maximum|limit)|range of input length"
    r"|reduce the length of the (messages|prompt|input)",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^<>]*>")


class Reported(Exception):
    """An error that a server reports inside a reply of status 200; `body` is what it sent."""

    def __init__(self, body: Any) -> None:
        super().__init__("An error came in the place of a reply.")
        fields = body if isinstance(body, dict) else {}
        self.body = body
        self.code, self.type, self.param = map(fields.get, ("code", "type", "param"))


def told(error: Any, server: Connection) -> str:
    """The server's own words in one line, without what they repeat of the key."""
    return hide(words_of(error), server.key())


def translated(error: Any, server: Connection, model: str) -> ReactlabError:
    """What an error means; `error` is an `openai.OpenAIError` or `Reported`."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return Unavailable(f"{server} did not answer within {server.timeout} s.")
    if isinstance(error, openai.APIConnectionError):
        cause = hide(str(error.__cause__ or error), server.key())
        return Unavailable(f"{server} cannot be reached ({cause}); is the server running?")
    words, status, codes = told(error, server), status_of(error), {*_codes(error)}
    if status == 402 or codes & UNPAID:
        return LLMError(f"{server} takes no more requests until they are paid for: {words}")
    if codes & FILTERED:
        return Refused(f"The content filter of {server} turned the request away: {words}")
    overflow = codes & TOO_LONG or _TOO_LONG.search(words)
    if overflow and (status in (0, 400, 413, 422) or codes & TOO_LONG):
        return ContextOverflow(f"The request is too long for {model}: {words}")
    if status == 429:
        return RateLimited(words, retry_after=retry_after(error))
    if status in (401, 403) or (status < 500 and _KEY.search(words)):
        return ConfigError(f"{server} refuses the key: {words}")
    if status in (404, 405) or (not status and _PATH.search(words)):
        return ConfigError(
            f"{server} knows no model {model!r}, or its address lacks the version path such "
            f"as /v1: {words}"
        )
    if status in (408, 409, 425) or status >= 500:
        what = f"{server} failed with status {status}: {words}"
        return Unavailable(what, retry_after=retry_after(error))
    return LLMError(f"{server} failed: {words}")


def no_message(reply: Any, server: Connection) -> NoReturn:
    """Raise what a reply without a message means: `Reported` if there is an error in it."""
    error, choices = getattr(reply, "error", None), getattr(reply, "choices", None)
    address = server.server.address
    if address and not choices and not re.search(r"/v\d", address):
        what = hide(_words(error), server.key()) or "something that is no chat completion"
        raise ConfigError(
            f"{server} answered: {what}; its address lacks the version path, try {address}/v1"
        )
    if error:
        raise Reported(error)
    first = choices[0] if isinstance(choices, list) and choices else None
    finish = getattr(first, "finish_reason", None)
    raise LLMError(
        f"{server} answered without a message"
        + (f" (finish reason {finish})" if finish else "")
        + "; does its address end in the version path, such as /v1?"
    )


def status_of(error: Any) -> int:
    """The HTTP status of a failure; for one inside a reply, what its code means; 0 if nothing."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return status
    codes = _codes(error)
    numbers = [int(code) for code in codes if re.fullmatch(r"[45]\d\d", code)]
    if not numbers and re.search("rate_?limit", " ".join(codes)):
        return 429
    down = re.search("overloaded|server_?error|internal|unavailable|timeout", " ".join(codes))
    return numbers[0] if numbers else 503 if down else 0


def _codes(error: Any) -> list[str]:
    """What the server calls the error, in lower case."""
    return [str(getattr(error, name, None) or "").lower() for name in ("code", "type")]


def words_of(error: Any) -> str:
    """The server's own words, in one line."""
    words = _words(getattr(error, "body", None)) or str(getattr(error, "message", error))
    return " ".join(words.split())[:300]


def _words(body: Any, depth: int = 5) -> str:
    """The message in an error's body, which servers wrap in many ways; the text of a page."""
    if isinstance(body, str):
        page = body.lstrip().startswith("<")
        return _TAG.sub(" ", body[:5000]).strip() if page else body
    if isinstance(body, list) and depth:
        return "; ".join(filter(None, (_words(one, depth - 1) for one in body[:5])))
    if not isinstance(body, dict) or not depth:
        return ""
    inner = (_words(body.get(name), depth - 1) for name in ("error", "message", "detail", "msg"))
    words = next(filter(None, inner), "")
    place = body.get("loc")
    return f"{'.'.join(map(str, place))}: {words}" if isinstance(place, list) else words


def hide(text: str, key: str) -> str:
    """The text with a bullet for each sign that belongs to a piece of the key of 6 or more."""
    pieces = set() if key == NO_KEY else {key[at : at + 6] for at in range(len(key) - 5)}
    found = {at for at in range(len(text)) if text[at : at + 6] in pieces}
    covered = {at + step for at in found for step in range(6)}
    return "".join("•" if at in covered else sign for at, sign in enumerate(text))


def retry_after(error: Any) -> float | None:
    """Seconds from the headers retry-after-ms and Retry-After, a number or a date; else None."""
    headers = getattr(getattr(error, "response", None), "headers", {})
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers.get(name) or "")) * unit
        except ValueError:
            continue
    try:
        date = parsedate_to_datetime(headers.get("retry-after") or "")
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        return max(0.0, date.timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
