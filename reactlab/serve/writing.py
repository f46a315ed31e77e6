"""The server's side of the OpenAI chat API, going out: a completion written whole or in pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reactlab.types import Completion, Delta, ToolCall

SIZE = 12
"""Characters in a piece of a reply that was not streamed by its model."""


@dataclass
class Writer:
    """Writes one reply; `ids=False` leaves out the ids of calls, as some servers do."""

    model: str
    id: str
    ids: bool = True
    usage: bool = False
    _calls: list[str] = field(default_factory=list)
    _begun: bool = False

    def whole(self, completion: Completion) -> dict[str, Any]:
        """A chat completion as one JSON object; usage is left out where none is known."""
        message: dict[str, Any] = {"role": "assistant", "content": completion.text or None}
        if completion.reasoning:
            message["reasoning_content"] = completion.reasoning
        if completion.calls:
            message["tool_calls"] = [self._written(call) for call in completion.calls]
        choice = {"index": 0, "message": message, "finish_reason": _finish(completion)}
        made = {**self._head("chat.completion"), "choices": [choice]}
        return {**made, "usage": _usage(completion)} if completion.usage else made

    def chunks(self, piece: Delta | Completion) -> Iterator[dict[str, Any]]:
        """The chunks for a piece of a stream; a completion is its end."""
        if not self._begun:
            self._begun = True
            yield self._chunk({"role": "assistant", "content": ""})
            if isinstance(piece, Completion):  # nothing of it was streamed
                for part in pieces(piece):
                    yield from self.chunks(part)
        if isinstance(piece, Completion):
            yield self._chunk({}, _finish(piece))
            if self.usage and piece.usage:
                head = self._head("chat.completion.chunk")
                yield {**head, "choices": [], "usage": _usage(piece)}
            return
        if piece.reasoning:
            yield self._chunk({"reasoning_content": piece.reasoning})
        if piece.text:
            yield self._chunk({"content": piece.text})
        if piece.call is not None:
            yield from self._call_chunk(piece.call)

    def _call_chunk(self, call: ToolCall) -> Iterator[dict[str, Any]]:
        """A piece belongs to the newest call of its id, unless it begins one."""
        found = [at for at, id in enumerate(self._calls) if id == call.id]
        new = not found or (call.name and not call.id)
        at = len(self._calls) if new else found[-1]
        if new:
            self._calls.append(call.id)
            call = replace(call, id=call.id or _fresh(self.id, at))
            written = {**self._written(call), "index": at}
        else:
            written = {"index": at, "function": {"arguments": arguments(call)}}
        yield self._chunk({"tool_calls": [written]})

    def _written(self, call: ToolCall) -> dict[str, Any]:
        function = {"name": call.name, "arguments": arguments(call)}
        return {"id": call.id if self.ids else "", "type": "function", "function": function}

    def _chunk(self, delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": 0, "model": self.model}


def with_ids(completion: Completion, id: str) -> Completion:
    """The completion `id` with an id of its own for each call that has none, or another's."""
    calls: list[ToolCall] = []
    for at, call in enumerate(completion.calls):
        taken = not call.id or call.id in [other.id for other in calls]
        calls.append(replace(call, id=_fresh(id, at)) if taken else call)
    return replace(completion, calls=tuple(calls))


def pieces(completion: Completion) -> Iterator[Delta]:
    """A whole reply, its calls with ids, as a model that streams would have sent it."""
    if completion.reasoning:
        yield Delta(reasoning=completion.reasoning)
    for text in _split(completion.text):
        yield Delta(text)
    for call in completion.calls:
        yield Delta(call=replace(call, arguments=""))
        for text in _split(arguments(call)):
            yield Delta(call=ToolCall("", text, call.id))


def arguments(call: ToolCall) -> str:
    """The arguments of a call as the text that goes over the wire."""
    if isinstance(call.arguments, str):
        return call.arguments
    return json.dumps(dict(call.arguments), ensure_ascii=False, default=str)


def _fresh(id: str, at: int) -> str:
    return f"call_{id.partition('-')[2]}_{at + 1}"


def _split(text: str) -> Iterator[str]:
    return (text[at : at + SIZE] for at in range(0, len(text), SIZE))


def _finish(completion: Completion) -> str:
    return "tool_calls" if completion.calls and completion.finish == "stop" else completion.finish


def _usage(completion: Completion) -> dict[str, Any]:
    """The counts of the model; those that are estimated say so in a field of their own."""
    used = completion.usage
    given, made = (used.input_tokens, used.output_tokens) if used else (0, 0)
    counts = {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}
    return {**counts, "estimated": True} if used and used.estimated else counts
