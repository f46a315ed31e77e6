"""The server's side of the OpenAI chat API: a body read as a request, a completion written back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from reactlab.errors import ReactlabError
from reactlab.types import Completion, Message, Request, Role, ToolCall


class BadBody(ReactlabError):
    """The client's request cannot be carried out; `parameter` is what is wrong with it."""

    def __init__(self, message: str, parameter: str = "") -> None:
        super().__init__(message)
        self.parameter = parameter


def read_request(body: Any) -> Request:
    """The request in a client's JSON body; raises `BadBody`."""
    if not isinstance(body, Mapping):
        raise BadBody("The body has to be a JSON object.")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadBody("messages has to be a list with at least one message.", "messages")
    read = tuple(_message(number, message) for number, message in enumerate(messages))
    _check_ids(read)
    stop = body.get("stop") or ()
    return Request(
        messages=read,
        tools=tuple(body.get("tools") or ()),
        stop=(stop,) if isinstance(stop, str) else tuple(stop),
        temperature=_number(body, "temperature", 0, 2),
        max_tokens=_limit(body),
    )


def _message(number: int, message: Any) -> Message:
    where = f"messages[{number}]"
    if not isinstance(message, Mapping):
        raise BadBody(f"{where} has to be an object.", where)
    role = {"developer": "system"}.get(str(message.get("role")), message.get("role"))
    if role not in ("system", "user", "assistant", "tool"):
        raise BadBody(f"{where} has the unknown role {message.get('role')!r}.", f"{where}.role")
    calls = tuple(_call(call) for call in message.get("tool_calls") or ())
    call_id = str(message.get("tool_call_id") or "")
    return Message(cast(Role, role), _text(message.get("content")), calls, call_id)


def _text(content: Any) -> str | None:
    if not isinstance(content, list):
        return content if content is None else str(content)
    return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))


def _call(call: Any) -> ToolCall:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping):
        raise BadBody("Each tool call needs a function with name and arguments.", "tool_calls")
    name, arguments = str(function.get("name") or ""), str(function.get("arguments") or "")
    return ToolCall(name, arguments, str(call.get("id") or ""))


def _check_ids(messages: tuple[Message, ...]) -> None:
    """Each call has to be answered directly after it, under its id, as the hosted API demands."""
    open_ids: list[str] = []
    for number, message in enumerate(messages):
        if message.role == "tool":
            if message.call_id not in open_ids:
                raise BadBody(
                    f"messages[{number}] answers the call {message.call_id!r}, which was not made "
                    "directly before it.",
                    f"messages[{number}].tool_call_id",
                )
            open_ids.remove(message.call_id)
            continue
        if open_ids:
            break
        open_ids = [call.id for call in message.calls]
    if open_ids:
        raise BadBody(
            "An assistant message with tool_calls must be followed by a tool message for each "
            f"tool_call_id; without one: {', '.join(open_ids)}.",
            "messages",
        )


def _number(body: Mapping[str, Any], name: str, least: float, most: float) -> float | None:
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise BadBody(f"{name} has to be a number from {least} to {most}.", name)
    return value


def _limit(body: Mapping[str, Any]) -> int | None:
    for name in ("max_completion_tokens", "max_tokens"):
        value = body.get(name)
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise BadBody(f"{name} has to be a whole number of 1 or more.", name)
            return value
    return None


def whole(completion: Completion, model: str, number: int) -> dict[str, Any]:
    """A chat completion as one JSON object."""
    message: dict[str, Any] = {"role": "assistant", "content": completion.text or None}
    if completion.calls:
        message["tool_calls"] = [_written(call) for call in completion.calls]
    if completion.reasoning:
        message["reasoning_content"] = completion.reasoning
    choice = {"index": 0, "message": message, "finish_reason": _finish(completion)}
    return {
        **_head("chat.completion", model, number),
        "choices": [choice],
        "usage": _usage(completion),
    }


def chunks(
    completion: Completion, model: str, number: int, *, with_usage: bool
) -> Iterator[dict[str, Any]]:
    """The same in pieces: role, words of text, each call in two pieces, the end, the usage."""
    head = _head("chat.completion.chunk", model, number)

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": ""})
    if completion.reasoning:
        yield chunk({"reasoning_content": completion.reasoning})
    for piece in _pieces(completion.text):
        yield chunk({"content": piece})
    for place, call in enumerate(completion.calls):
        written = _written(call)
        text = written["function"]["arguments"]
        begun = {**written, "index": place, "function": {"name": call.name, "arguments": ""}}
        yield chunk({"tool_calls": [begun]})
        for piece in _pieces(text):
            yield chunk({"tool_calls": [{"index": place, "function": {"arguments": piece}}]})
    yield chunk({}, _finish(completion))
    if with_usage:
        yield {**head, "choices": [], "usage": _usage(completion)}


def _pieces(text: str, size: int = 12) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))


def _written(call: ToolCall) -> dict[str, Any]:
    arguments = call.arguments
    if not isinstance(arguments, str):
        arguments = json.dumps(dict(arguments), ensure_ascii=False, default=str)
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    }


def _finish(completion: Completion) -> str:
    return "tool_calls" if completion.calls and completion.finish == "stop" else completion.finish


def _head(kind: str, model: str, number: int) -> dict[str, Any]:
    return {"id": f"chatcmpl-{number}", "object": kind, "created": 0, "model": model}


def _usage(completion: Completion) -> dict[str, int]:
    used = completion.usage
    given, made = (used.input_tokens, used.output_tokens) if used else (0, 0)
    return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}


def error_body(message: str, kind: str, parameter: str = "", code: str = "") -> dict[str, Any]:
    """An error in the shape that the SDK reads."""
    error = {"message": message, "type": kind, "param": parameter or None, "code": code or None}
    return {"error": error}
