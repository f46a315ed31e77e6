"""Staged models for notebook 07: one is eager, one has a short limit, one begins badly."""

from __future__ import annotations

import re
from dataclasses import replace

from reactlab.types import LLM, Completion, Request, ToolCall

NUMBER = re.compile(r"(?<!\d)\d{5}(?!\d)")


class Eager:
    """Another model that asks for all order numbers of a question in one turn.

    Where `llm` begins with a call that holds one five-digit number, the same call is made for every
    other such number of the question. All other turns are those of `llm`.
    """

    def __init__(self, llm: LLM) -> None:
        self.llm = llm
        self.model = llm.model

    def complete(self, request: Request) -> Completion:
        """The reply of `llm`, with more calls of the same kind in its first turn."""
        reply = self.llm.complete(request)
        if len(reply.calls) != 1 or any(message.role == "tool" for message in request.messages):
            return reply
        call = reply.calls[0]
        found, asked = NUMBER.findall(str(call.arguments)), request.messages[-1].content or ""
        numbers = dict.fromkeys([*found, *NUMBER.findall(asked)]) if len(found) == 1 else {}
        calls = (
            ToolCall(call.name, str(call.arguments).replace(found[0], number), f"call_{place}")
            for place, number in enumerate(numbers, 1)
        )
        return replace(reply, text="", calls=tuple(calls)) if len(numbers) > 1 else reply


class Limited:
    """Another model that may write `max_tokens` tokens a turn, whatever the request says."""

    def __init__(self, llm: LLM, max_tokens: int) -> None:
        self.llm = llm
        self.model = llm.model
        self.max_tokens = max_tokens

    def complete(self, request: Request) -> Completion:
        """The reply of `llm`, cut where the limit is reached."""
        return self.llm.complete(replace(request, max_tokens=self.max_tokens))


class Once:
    """Another model that makes this call in its first turn; all other turns are those of `llm`."""

    def __init__(self, llm: LLM, call: ToolCall) -> None:
        self.llm = llm
        self.model = llm.model
        self.call = call

    def complete(self, request: Request) -> Completion:
        """The call at first, then what `llm` replies."""
        if any(message.role == "assistant" for message in request.messages):
            return self.llm.complete(request)
        return Completion(calls=(self.call,), finish="tool_calls", model=self.model)
