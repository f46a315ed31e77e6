"""What goes over the wire to an OpenAI-compatible server and comes back, as our own nouns."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reactlab.errors import LLMError, Refused
from reactlab.types import Completion, Delta, Message, Request, ToolCall, Usage

Quirks = Mapping[str, str | None]


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
    made: dict[str, Any] = {"role": role, "content": message.content}
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
        return call.arguments.strip() or "{}"
    return json.dumps(dict(call.arguments), ensure_ascii=False, default=str)


def from_reply(reply: Any, model: str) -> Completion:
    """The first choice of a chat completion.

    Raises `Refused` for a refusal or a filtered reply, `LLMError` for a choice without a message.
    """
    choice = reply.choices[0]
    message, finish = choice.message, choice.finish_reason or "stop"
    whole = Completion(
        text=_text(message.content),
        calls=tuple(_call(call) for call in message.tool_calls or ()),
        finish=finish,
        usage=_usage(reply.usage),
        model=reply.model or model,
        reasoning=_reasoning(message),
    )
    return _checked(whole, getattr(message, "refusal", None) or "")


def _checked(whole: Completion, refusal: str) -> Completion:
    if refusal:
        raise Refused(f"{whole.model} declined to answer: {refusal}")
    if whole.finish == "content_filter":
        raise Refused(f"The server's content filter stopped the reply of {whole.model}.")
    return whole


@dataclass
class Assembly:
    """A reply that grows piece by piece; calls are told apart by index, else by id."""

    model: str
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    refusal: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    finish: str = ""
    usage: Usage | None = None

    def take(self, chunk: Any) -> list[Delta]:
        """Add a chunk and return what is new in it."""
        self.model = getattr(chunk, "model", None) or self.model
        self.usage = _usage(getattr(chunk, "usage", None)) or self.usage
        if not getattr(chunk, "choices", None):
            return []
        choice = chunk.choices[0]
        self.finish = choice.finish_reason or self.finish
        return list(self._new(choice.delta)) if choice.delta else []

    def _new(self, delta: Any) -> Iterable[Delta]:
        text, reasoning = _text(delta.content), _reasoning(delta)
        self.refusal += getattr(delta, "refusal", None) or ""
        if reasoning:
            self.reasoning.append(reasoning)
            yield Delta(reasoning=reasoning)
        if text:
            self.text.append(text)
            yield Delta(text)
        for piece in delta.tool_calls or ():
            yield Delta(call=self._add(piece))

    def _add(self, piece: Any) -> ToolCall:
        index, new = getattr(piece, "index", None), _call(piece)
        known = self._known(index, new)
        if known is None:
            self.calls.append({"index": index, "id": new.id, "name": new.name, "text": ""})
            known = self.calls[-1]
        elif new.name and not known["name"]:
            known["name"] = new.name
        given = new.arguments  # a few servers send an object instead of a piece of text
        known["text"] += given if isinstance(given, str) else json.dumps(given)
        return ToolCall(new.name, new.arguments, known["id"])

    def _known(self, index: int | None, new: ToolCall) -> dict[str, Any] | None:
        """The call that a piece belongs to; None begins another.

        Some servers give no index, or the same one to every call; then another id, with a name, is
        another call, and a piece with neither belongs to the newest. So is a name after the whole
        arguments of the call before.
        """
        fits = [call for call in self.calls if index is not None and call["index"] == index]
        same = [call for call in self.calls if new.id and call["id"] == new.id]
        fits = fits or [call for call in same if index is None or call["index"] is None]
        if index is None and not new.id and not new.name:
            fits = fits or self.calls
        last = fits[-1] if fits else None
        ended = last and new.name and _is_whole(last["text"])
        another = last and new.name and new.id and last["id"] not in ("", new.id)
        return None if ended or another else last

    def whole(self) -> Completion:
        """The finished completion; raises `LLMError` if the stream broke off before its end."""
        if not self.finish:
            raise LLMError(f"The stream of {self.model} broke off before the end of the reply.")
        made = Completion(
            text="".join(self.text),
            calls=tuple(ToolCall(call["name"], call["text"], call["id"]) for call in self.calls),
            finish=self.finish,
            usage=self.usage,
            model=self.model,
            reasoning="".join(self.reasoning),
        )
        return _checked(made, self.refusal)


def assemble(chunks: Iterable[Any], model: str) -> Generator[Delta, None, Completion]:
    """Yield what is new in each chunk of a streamed reply, and return the whole.

    Raises `LLMError` if the connection is lost on the way.
    """
    reply = Assembly(model)
    chunks = iter(chunks)
    while True:
        try:
            chunk = next(chunks, None)
        except Exception as error:  # the SDK lets errors of its transport through here
            cause = f"{type(error).__name__}: {error}"
            raise LLMError(f"The stream of {reply.model} broke off ({cause}).") from error
        if chunk is None:
            return reply.whole()
        yield from reply.take(chunk)


def _is_whole(arguments: str) -> bool:
    """Whether these are the arguments of a call to their end."""
    try:
        return isinstance(json.loads(arguments), dict)
    except ValueError:
        return False


def whole_reply(response: Any) -> Any:
    """The chat completion in an HTTP response that was to be a stream and is none."""
    from openai.types.chat import ChatCompletion

    return ChatCompletion.model_construct(**response.json()) if response.read() else None


def _call(call: Any) -> ToolCall:
    """A call as far as the server stated it; one without a name is an unknown tool to the agent."""
    function = getattr(call, "function", None)
    name, arguments = (getattr(function, part, None) or "" for part in ("name", "arguments"))
    return ToolCall(name, arguments, getattr(call, "id", None) or "")


def _text(content: Any) -> str:
    """The text of a message, which some servers send in parts."""
    if not isinstance(content, list):
        return content or ""
    return "".join(part.get("text") or "" for part in content if isinstance(part, dict))


def _reasoning(message: Any) -> str:
    """What a reasoning model thought, in either of the two fields that servers use for it."""
    fields = map(_fields(message).get, ("reasoning_content", "reasoning"))
    return next((text for text in fields if isinstance(text, str) and text), "")


def _fields(part: Any) -> dict[str, Any]:
    """All that the server sent of a part of its reply, what the SDK does not know included."""
    return {**getattr(part, "__dict__", {}), **(getattr(part, "model_extra", None) or {})}


def _usage(used: Any) -> Usage | None:
    """What the server counted; None where it left out either count."""
    fields = _fields(used)
    given, made = fields.get("prompt_tokens"), fields.get("completion_tokens")
    if not (isinstance(given, int) and isinstance(made, int)):
        return None
    return Usage(given, made, estimated=fields.get("estimated") is True)
