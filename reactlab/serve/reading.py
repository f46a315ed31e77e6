"""The server's side of the OpenAI chat API, going in: a client's JSON body read as a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from reactlab.errors import ReactlabError
from reactlab.types import Message, Request, Role, ToolCall

ROLES = ("system", "user", "assistant", "tool")
MOST_STOPS = 4
UNSERVED: Mapping[str, tuple[Any, ...]] = {
    "n": (1,),
    "response_format": ({"type": "text"},),
    "modalities": (["text"],),
    "audio": (),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "functions": ([],),
    "function_call": ("auto", "none"),
    "web_search_options": (),
}
"""What would change the reply and no model here can do, with the values that ask for nothing.

Any other field that is not read here is ignored.
"""


class Rejected(ReactlabError):
    """The client's request is not carried out; the fields are those of the API's errors."""

    def __init__(
        self,
        message: str,
        parameter: str = "",
        *,
        status: int = 400,
        code: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.parameter, self.status, self.code = parameter, status, code
        self.headers = dict(headers or {})


@dataclass(frozen=True)
class Asked:
    """A chat request as it was read: what goes to the model, and how the reply is wanted.

    `must_call` says that a reply without a call is none; `one_call` that one call is enough.
    """

    request: Request
    stream: bool = False
    usage: bool = False
    must_call: bool = False
    one_call: bool = False


def read(body: Any) -> Asked:
    """The request in a client's JSON body; raises `Rejected`."""
    if not isinstance(body, Mapping):
        raise Rejected("The body has to be a JSON object.")
    if not isinstance(body.get("model"), str) or not body["model"]:
        raise Rejected("You must provide a model parameter.", "model")
    for name, harmless in UNSERVED.items():
        if (value := body.get(name)) not in (None, *harmless):
            told = f"This server cannot honour {name} = {str(value)[:60]!r}."
            raise Rejected(told, name, code="unsupported_value")
    tools, must_call = _choice(body.get("tool_choice"), _tools(body.get("tools")))
    request = Request(
        messages=_messages(body.get("messages")),
        tools=tools,
        stop=_stop(body.get("stop")),
        temperature=_number(body, "temperature", 0, 2),
        max_tokens=_limit(body),
    )
    usage = _object(body.get("stream_options"), "stream_options").get("include_usage")
    return Asked(
        request,
        stream=bool(body.get("stream")),
        usage=bool(usage),
        must_call=must_call,
        one_call=body.get("parallel_tool_calls") is False,
    )


def _messages(given: Any) -> tuple[Message, ...]:
    if not isinstance(given, list) or not given:
        raise Rejected("messages has to be a list with at least one message.", "messages")
    read = tuple(_message(f"messages[{number}]", message) for number, message in enumerate(given))
    _check_ids(read)
    return read


def _message(where: str, given: Any) -> Message:
    message = _object(given, where)
    role = "system" if message.get("role") == "developer" else message.get("role")
    if role not in ROLES:
        raise Rejected(f"{where} has the unknown role {role!r}.", f"{where}.role")
    calls = _list(message.get("tool_calls"), f"{where}.tool_calls")
    content = _text(message.get("content"), f"{where}.content")
    content = message.get("refusal") if content is None else content
    if content is None and not calls:
        raise Rejected(f"{where}.content has to be a text, or a list of parts.", f"{where}.content")
    return Message(
        role=cast(Role, role),
        content=content,
        calls=tuple(_call(f"{where}.tool_calls[{at}]", call) for at, call in enumerate(calls)),
        call_id=_word(message, "tool_call_id", where) if role == "tool" else "",
        reasoning=_reasoning(message),
    )


def _reasoning(message: Mapping[str, Any]) -> str:
    """What a reasoning model thought before, in either of the fields that clients use for it."""
    found = message.get("reasoning_content") or message.get("reasoning")
    return found if isinstance(found, str) else ""


def _text(content: Any, where: str) -> str | None:
    """The text of a message; parts are joined, and a part of another kind is refused."""
    if content is None or isinstance(content, str):
        return content
    texts = []
    for number, given in enumerate(_list(content, where)):
        part = _object(given, f"{where}[{number}]")
        kind = str(part.get("type"))
        if kind not in ("text", "refusal"):
            told = f"{where}[{number}] is of type {kind!r}; this server reads text only."
            raise Rejected(told, f"{where}[{number}].type", code="unsupported_value")
        texts.append(_word(part, kind, f"{where}[{number}]", empty=True))
    return "".join(texts)


def _call(where: str, given: Any) -> ToolCall:
    call = _object(given, where)
    function = _object(call.get("function"), f"{where}.function")
    arguments = _word(function, "arguments", f"{where}.function", empty=True)
    name = _word(function, "name", f"{where}.function")
    return ToolCall(name, arguments, _word(call, "id", where))


def _check_ids(messages: tuple[Message, ...]) -> None:
    """Each call has to be answered directly after it, under its id, as the hosted API demands."""
    open_ids: list[str] = []
    for number, message in enumerate(messages):
        if message.role == "tool":
            if message.call_id not in open_ids:
                raise Rejected(
                    f"messages[{number}] with role 'tool' must be a response to a preceding "
                    f"message with 'tool_calls'; {message.call_id!r} is no open call.",
                    f"messages[{number}].tool_call_id",
                )
            open_ids.remove(message.call_id)
            continue
        if open_ids:
            break
        open_ids = [call.id for call in message.calls]
    if open_ids:
        raise Rejected(
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            + ", ".join(open_ids),
            "messages",
        )


def _tools(given: Any) -> tuple[Mapping[str, Any], ...]:
    tools = _list(given, "tools")
    for number, tool in enumerate(tools):
        where = f"tools[{number}]"
        if _object(tool, where).get("type") != "function":
            raise Rejected(f"{where}.type has to be 'function'.", f"{where}.type")
        _word(_object(tool.get("function"), f"{where}.function"), "name", f"{where}.function")
    return tuple(tools)


def _choice(
    choice: Any, tools: tuple[Mapping[str, Any], ...]
) -> tuple[tuple[Mapping[str, Any], ...], bool]:
    """The tools that the model is offered, and whether it has to call one."""
    if choice is not None and not tools:
        raise Rejected("tool_choice is only allowed when tools are specified.", "tool_choice")
    if choice in (None, "auto", "required", "none"):
        return (() if choice == "none" else tools), choice == "required"
    name = _object(_object(choice, "tool_choice").get("function"), "tool_choice.function")
    named = tuple(tool for tool in tools if tool["function"]["name"] == name.get("name"))
    if not named:
        raise Rejected("tool_choice names none of the tools.", "tool_choice")
    return named, True


def _stop(given: Any) -> tuple[str, ...]:
    stop = [given] if isinstance(given, str) else _list(given, "stop")
    if len(stop) > MOST_STOPS or not all(isinstance(word, str) and word for word in stop):
        raise Rejected(f"stop has to be a text, or up to {MOST_STOPS} texts.", "stop")
    return tuple(stop)


def _number(body: Mapping[str, Any], name: str, least: float, most: float) -> float | None:
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise Rejected(f"{name} has to be a number from {least} to {most}.", name)
    return value


def _limit(body: Mapping[str, Any]) -> int | None:
    for name in ("max_completion_tokens", "max_tokens"):
        value = body.get(name)
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise Rejected(f"{name} has to be a whole number of 1 or more.", name)
            return value
    return None


def _object(value: Any, where: str) -> Mapping[str, Any]:
    """The value as an object; None is an empty one."""
    if value is not None and not isinstance(value, Mapping):
        raise Rejected(f"{where} has to be an object.", where)
    return value or {}


def _list(value: Any, where: str) -> list[Any]:
    if value is not None and not isinstance(value, list):
        raise Rejected(f"{where} has to be a list.", where)
    return value or []


def _word(given: Mapping[str, Any], name: str, where: str, *, empty: bool = False) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not (value or empty):
        raise Rejected(f"{where}.{name} has to be a text.", f"{where}.{name}")
    return value
