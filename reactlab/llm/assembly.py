"""A reply that comes in pieces, put together again."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from reactlab.errors import LLMError
from reactlab.llm.failures import Reported
from reactlab.llm.wire import (
    call_of,
    checked,
    finish_of,
    get,
    name_of,
    parts,
    reasoning_of,
    text_of,
    usage_of,
)
from reactlab.types import Completion, Delta, ToolCall, Usage

T = TypeVar("T")
_END = object()
_OLD = "function_call"


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
    choice: Any = None
    begun: bool = False

    def take(self, chunk: Any) -> list[Delta]:
        """Add a chunk and return what is new in it; raises `Reported` for an error."""
        if get(chunk, "object") == "error":
            raise Reported({name: get(chunk, name) for name in ("message", "code", "type")})
        self.begun = True
        self.model = name_of(chunk) or self.model
        usage = usage_of(get(chunk, "usage"))
        self.usage = usage or self.usage
        choice = next(iter(parts(get(chunk, "choices"))), None)
        if choice is None:
            # Tokens without a choice come last, also where no server said why it ended.
            self.finish = self.finish or ("stop" if usage and (self.text or self.calls) else "")
            return []
        at = get(choice, "index")
        self.choice = at if self.choice is None else self.choice
        if at != self.choice:  # another reply beside the first
            return []
        self.finish = finish_of(choice) or self.finish
        deltas = parts(get(choice, "delta")) or parts(get(choice, "message"))
        return [new for delta in deltas[:1] for new in self._new(delta)]

    def _new(self, delta: Any) -> Iterable[Delta]:
        text, reasoning = text_of(get(delta, "content")), reasoning_of(delta)
        self.refusal += text_of(get(delta, "refusal"))
        if reasoning:
            self.reasoning.append(reasoning)
            yield Delta(reasoning=reasoning)
        if text:
            self.text.append(text)
            yield Delta(text)
        for piece in parts(get(delta, "tool_calls")):
            yield Delta(call=self._add(piece, get(piece, "index")))
        for piece in parts(get(delta, _OLD)):
            yield Delta(call=self._add({"function": piece}, _OLD))

    def _add(self, piece: Any, index: Any) -> ToolCall:
        new = call_of(piece)
        given = new.arguments  # a few servers send an object instead of a piece of text
        text = given if isinstance(given, str) else json.dumps(given)
        known = self._known(index, new)
        if known is None:
            known = {"index": index, "id": new.id, "name": new.name, "text": ""}
            self.calls.append(known)
        elif new.name and (not known["name"] or not (new.id or known["text"])):
            known["name"] += new.name if new.name != known["name"] else ""
        known["id"] = known["id"] or new.id
        if known["text"] == "{}" and text.startswith("{"):  # an empty beginning, and then all
            known["text"] = ""
        known["text"] += text
        return ToolCall(new.name, new.arguments, known["id"])

    def _known(self, index: Any, new: ToolCall) -> dict[str, Any] | None:
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
        return checked(made, self.refusal)


def assemble(
    chunks: Iterable[Any], model: str, *, events: bool = True
) -> Generator[Delta, None, Completion | None]:
    """Yield what is new in each chunk of a streamed reply, and return the whole.

    None is returned where no chunk came and the server promised no `events`. Raises `LLMError` if
    the connection is lost on the way, and `Reported` for an error in the place of a chunk.
    """
    reply = Assembly(model)
    chunks = iter(chunks)
    while True:
        chunk = _read(lambda: next(chunks, _END), reply.model)
        if chunk is _END:
            return reply.whole() if reply.begun or events else None
        yield from reply.take(chunk)


def _is_whole(arguments: str) -> bool:
    """Whether these are the arguments of a call to their end."""
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


def whole_reply(response: Any, model: str) -> Any:
    """The chat completion in an HTTP response that was to be a stream and is none."""
    from openai.types.chat import ChatCompletion

    given = _read(lambda: json.loads(response.read() or b"null"), model)
    return ChatCompletion.model_construct(**given) if isinstance(given, dict) else None


def _read(read: Callable[[], T], model: str) -> T:
    """What comes next of a reply; whatever the SDK and its transport raise means that it ends."""
    from openai import APIError

    try:
        return read()
    except Exception as error:
        if type(error) is APIError:  # the server's own words
            raise Reported(error.body or str(error)) from None
        below = error.__cause__ or error
        cause = f"{type(below).__name__}: {below}"
        raise LLMError(f"The stream of {model} broke off ({cause}).") from error
