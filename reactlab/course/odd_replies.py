"""What servers answer when all is not well: made from a seed, as plain dicts with their causes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reactlab.course.words import current, value_shown

CAUSES = (
    *("ok", "empty", "cut", "refused", "path", "key", "wait", "quota"),
    *("tools", "parameter", "model", "server", "proxy"),
)


@dataclass(frozen=True)
class Odd:
    """A response, {"status", "headers", "body"}, and what caused it."""

    cause: str
    response: dict[str, Any]


class Replies(dict[str, dict[str, Any]]):
    """Responses by letter; `causes` keeps what caused them, `str()` shows them short."""

    def __init__(self, odd: dict[str, Odd]) -> None:
        super().__init__({name: one.response for name, one in odd.items()})
        self.causes = {name: one.cause for name, one in odd.items()}

    def __str__(self) -> str:
        return "\n".join(f"{name}  {_short(response)}" for name, response in self.items())

    __repr__ = __str__


def shown_replies() -> Replies:
    """The eight that the notebook shows, A to H."""
    html = "<!DOCTYPE html><html><body><h1>Sign in to the guest network</h1></body></html>"
    eight = [
        Odd("path", _json(200, {"error": "Unexpected endpoint. (POST /chat/completions)"})),
        Odd("cut", _chat(None, "length")),
        Odd("ok", _chat(None, "tool_calls", tool_calls=[_call("SearchBooking")])),
        Odd("path", _json(200, {"id": "7", "choices": []})),
        Odd("wait", _wait(7)),
        Odd("quota", _quota("You exceeded your current quota, please check your plan.")),
        Odd("tools", _error(400, "smol:135m does not support tools")),
        Odd("proxy", _page(200, html)),
    ]
    return Replies(dict(zip("ABCDEFGH", eight, strict=True)))


def hidden_replies(seed: int) -> Iterator[Odd]:
    """Replies of every cause, in words that the notebook does not show."""
    chance = random.Random(seed)
    name, number = chance.choice(("pine", "heron", "quartz")), chance.randrange(2, 90)
    made = [*_answered(chance, number), *_empty_handed(name), *_failed(chance, name, number)]
    chance.shuffle(made)
    yield from made


def _answered(chance: random.Random, number: int) -> Iterator[Odd]:
    """Status 200 with a message in it."""
    yield Odd("ok", _chat(f"Platform {number}.", "stop"))
    yield Odd("ok", _chat("", "tool_calls", tool_calls=[_call("Lookup")]))
    yield Odd("empty", _chat(chance.choice(("", None)), "stop"))
    yield Odd("empty", _chat(None, "stop", tool_calls=[]))
    yield Odd("cut", _chat("", "length", reasoning_content="The user wants to know"))
    yield Odd("cut", _chat(f"Thought: platform {number} was", "length"))
    yield Odd("refused", _chat(chance.choice(("", None)), "content_filter"))
    yield Odd("refused", _chat(None, "stop", refusal="I cannot help with that."))


def _empty_handed(name: str) -> Iterator[Odd]:
    """No message in it: the request went to a place that does not chat."""
    yield Odd("path", _json(200, {"choices": None, "error": {"message": "no such route"}}))
    yield Odd("path", _json(200, {"object": "list", "data": [{"id": name}]}))
    yield Odd("path", _json(404, {"detail": "Not Found"}))


def _failed(chance: random.Random, name: str, number: int) -> Iterator[Odd]:
    """A status that says so."""
    refused = f"Incorrect API key provided: sk-{number}."
    yield Odd("key", _error(401, refused, code="invalid_api_key"))
    yield Odd("key", _error(403, f"This key may not use {name}."))
    yield Odd("wait", _wait(number))
    yield Odd("quota", _quota("Your account's quota is used up; add credit to go on."))
    yield Odd("tools", _error(400, f"Function calling is not available for {name}."))
    yield Odd("tools", _error(400, '"auto" tool choice requires --enable-auto-tool-choice'))
    parameter = chance.choice(("stop", "temperature", "max_tokens"))
    told = f"Unsupported parameter: '{parameter}' is not supported with {name}."
    yield Odd("parameter", _error(400, told, param=parameter, code="unsupported_parameter"))
    missing = f"The model '{name}' does not exist."
    yield Odd("model", _error(404, missing, code="model_not_found"))
    yield Odd("model", _error(404, f'model "{name}" not found, try pulling it first'))
    yield Odd("server", _error(chance.choice((500, 503, 529)), "The server is overloaded."))
    status = chance.choice((403, 404, 502))
    yield Odd("proxy", _page(status, f"\n<html><h1>{status}</h1><hr>gateway</html>"))


def _json(status: int, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return {
        "status": status,
        "headers": {"Content-Type": "application/json", **given},
        "body": body,
    }


def _page(status: int, text: str) -> dict[str, Any]:
    return {"status": status, "headers": {"Content-Type": "text/html"}, "body": text}


def _chat(content: str | None, finish: str, **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, **more}
    return _json(200, {"choices": [{"message": message, "finish_reason": finish}]})


def _call(name: str) -> dict[str, Any]:
    function = {"name": name, "arguments": '{"order_id": "12346"}'}
    return {"id": "call_1", "type": "function", "function": function}


def _error(status: int, message: str, **more: str) -> dict[str, Any]:
    return _json(status, {"error": {"message": message, **more}})


def _wait(seconds: int) -> dict[str, Any]:
    body = {"error": {"message": "Rate limit reached.", "code": "rate_limit_exceeded"}}
    return _json(429, body, Retry_After=str(seconds))


def _quota(message: str) -> dict[str, Any]:
    return _error(429, message, code="insufficient_quota")


def _short(response: dict[str, Any]) -> str:
    """Status, the header that matters, and the body, on one line."""
    wait = response["headers"].get("Retry-After")
    told = [str(response["status"]), f"Retry-After: {wait}" if wait else ""]
    return "  ".join([*filter(None, told), str(response["body"])])


def one_line(response: dict[str, Any]) -> str:
    """A response as a hint shows it."""
    body = value_shown(response["body"])
    said = f"status {response['status']}, body {body}"
    return said if current() == "en" else f"状态码 {response['status']}，正文 {body}"
