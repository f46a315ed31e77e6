"""What goes over the wire to an OpenAI-compatible server and comes back, as our own nouns."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from reactlab.errors import Refused, Unavailable
from reactlab.llm.failures import Reported
from reactlab.types import Completion, Message, Request, ToolCall, Usage

Quirks = Mapping[str, str | None]
FINISHES = {
    "function_call": "tool_calls",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
}
"""Why replies end, as some servers call it, in the words of the API."""
THOUGHT = re.compile(r"\s*<(?P<tag>think|thinking)>(?P<thought>.*?)</(?P=tag)>\s*", re.DOTALL)
BROKEN = ("error", "insufficient_system_resource")
"""Ends of replies that the server itself gave up."""


def to_body(
    model: str, request: Request, quirks: Quirks, *, reasoning: bool = False
) -> dict[str, Any]:
    """The request as the API wants it; what is not set, or would be refused, is not sent.

    With `reasoning`, what the model reasoned in earlier turns is sent back.
    """
    fields = {
        "model": model,
        "messages": [_message(message, quirks, reasoning) for message in request.messages],
        "tools": list(request.tools),
        "stop": list(request.stop),
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
    }
    named = {quirks.get(name, name): value for name, value in fields.items()}
    return {name: value for name, value in named.items() if name and value not in (None, [])}


def sent(body: Mapping[str, Any]) -> set[str]:
    """What a server might refuse: the names of the parameters and the roles of the messages."""
    return {*body, *(message["role"] for message in body["messages"])}


def _message(message: Message, quirks: Quirks, reasoning: bool) -> dict[str, Any]:
    role = quirks.get(message.role) or message.role
    content = message.content and _sendable(message.content)
    made: dict[str, Any] = {"role": role, "content": content}
    if message.calls:
        made["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _arguments(call)},
            }
            for call in message.calls
        ]
    if reasoning and message.reasoning:
        made["reasoning_content"] = message.reasoning
    if message.role == "tool":
        made["tool_call_id"] = message.call_id
    return made


def _arguments(call: ToolCall) -> str:
    if isinstance(call.arguments, str):
        return _sendable(call.arguments.strip() or "{}")
    return _sendable(json.dumps(dict(call.arguments), ensure_ascii=False, default=str))


def _sendable(text: str) -> str:
    """The text with "?" for halves of characters, which JSON can hold and UTF-8 cannot."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def first_choice(reply: Any) -> Any:
    """The first choice of a chat completion, None if it holds no message."""
    choice = next(iter(parts(get(reply, "choices"))), None)
    return choice if parts(get(choice, "message")) else None


def from_reply(reply: Any, model: str) -> Completion:
    """The first choice of a chat completion that has one.

    Raises `Refused` for a refusal or a filtered reply, `Unavailable` or `Reported` for one that
    the server gave up.
    """
    choice = first_choice(reply)
    message = get(choice, "message")
    calls = parts(get(message, "tool_calls")) or [
        {"function": old} for old in parts(get(message, "function_call"))
    ]
    whole = Completion(
        text=text_of(get(message, "content")),
        calls=tuple(map(call_of, calls)),
        finish=finish_of(choice) or "stop",
        usage=usage_of(get(reply, "usage")),
        model=name_of(reply) or model,
        reasoning=reasoning_of(message),
    )
    return checked(whole, text_of(get(message, "refusal")), get(choice, "error"))


def checked(whole: Completion, refusal: str, error: Any = None) -> Completion:
    """The completion, unless it is none: declined, filtered, or given up by the server.

    A block of thought at its beginning, which servers without a field for it send, is reasoning.
    """
    if refusal:
        raise Refused(f"{whole.model} declined to answer: {refusal}")
    if whole.finish.startswith("content_filter"):
        raise Refused(f"The server's content filter stopped the reply of {whole.model}.")
    if whole.finish in BROKEN:
        if error:
            raise Reported(error)
        raise Unavailable(f"The server gave up the reply of {whole.model} ({whole.finish}).")
    block = None if whole.reasoning else THOUGHT.match(whole.text)
    if block is None:
        return whole
    return replace(whole, text=whole.text[block.end() :], reasoning=block["thought"].strip())


def get(part: Any, name: str) -> Any:
    """A field of a part of a reply; what it did not expect, the SDK leaves as it came."""
    return part.get(name) if isinstance(part, dict) else getattr(part, name, None)


def parts(value: Any) -> list[Any]:
    """The objects in a list, or a single one; anything else is none."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, dict) or hasattr(item, "__dict__")]


def call_of(call: Any) -> ToolCall:
    """A call as far as the server stated it; one without a name is an unknown tool to the agent."""
    function = next(iter(parts(get(call, "function"))), call)
    name, given, id = get(function, "name"), get(function, "arguments"), get(call, "id")
    if given is None:
        given = ""
    elif not isinstance(given, str | dict):
        given = json.dumps(given, ensure_ascii=False)
    id = str(id) if isinstance(id, str | int) else ""
    return ToolCall(name if isinstance(name, str) else "", given, id)


def text_of(content: Any) -> str:
    """The text of a message, which some servers send in parts, or as another value than text."""
    if isinstance(content, str):
        return content
    if content is None or isinstance(content, bool):
        return ""
    if not isinstance(content, list):
        return json.dumps(content, ensure_ascii=False, default=str)
    texts = (part.get("text") if isinstance(part, dict) else part for part in content)
    return "".join(text for text in texts if isinstance(text, str))


def finish_of(choice: Any) -> str:
    """Why the reply ended, in the API's words; "" if that is not said."""
    finish = get(choice, "finish_reason")
    return FINISHES.get(finish.lower(), finish) if isinstance(finish, str) else ""


def name_of(reply: Any) -> str:
    """The model that answered, "" if that is not said."""
    name = get(reply, "model")
    return name if isinstance(name, str) else ""


def reasoning_of(message: Any) -> str:
    """What a reasoning model thought, in either of the two fields that servers use for it."""
    fields = map(_fields(message).get, ("reasoning_content", "reasoning"))
    return next((text for text in fields if isinstance(text, str) and text), "")


def _fields(part: Any) -> dict[str, Any]:
    """All that the server sent of a part of its reply, what the SDK does not know included."""
    if isinstance(part, dict):
        return part
    return {**getattr(part, "__dict__", {}), **(getattr(part, "model_extra", None) or {})}


def usage_of(used: Any) -> Usage | None:
    """What the server counted; None where it left out either count."""
    fields = _fields(used)
    given, made = fields.get("prompt_tokens"), fields.get("completion_tokens")
    if not (_is_count(given) and _is_count(made)):
        return None
    return Usage(given, made, estimated=fields.get("estimated") is True)


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
