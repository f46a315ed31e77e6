"""A model that is being probed: what it is asked counts, and replies show as they were sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reactlab.llm.protocol import CallableLLM
from reactlab.llm.recorded import RecordedLLM
from reactlab.llm.simulated import SimulatedLLM
from reactlab.types import LLM, Completion, Message, Request

_SETTINGS = frozenset({"reasoning", "stop", "temperature", "limit", "system"})
_NO_SENSE: Mapping[type, frozenset[str]] = {
    SimulatedLLM: _SETTINGS,
    CallableLLM: _SETTINGS | {"usage", "tools", "parallel", "result"},
}
"""What is not tried, because the answer would say nothing about the model."""


class Asked:
    """A model that is probed: counts requests, and shows replies as the server sent them.

    `quirks` is what the server has refused so far; `no_sense` are capabilities not worth trying.
    """

    def __init__(self, llm: Any, record: str | Path | None) -> None:
        hosted = hasattr(llm, "anew")  # an `OpenAILLM`, perhaps behind a budget
        self.llm: Any = llm.anew() if hosted else llm
        self.model = llm.model
        self.quirks: Mapping[str, str | None] = getattr(self.llm, "quirks", {})
        self._asked: LLM = _AsSent(self.llm)
        if record:
            self._asked = RecordedLLM(record, record=self._asked)
        self.requests = 0
        self.no_sense = set(_NO_SENSE.get(type(llm), ()))
        self.no_sense |= set() if hasattr(llm, "stream") else {"stream", "stream_usage"}
        self.no_sense |= set() if hosted else {"listed", "unknown"}

    def complete(self, request: Request) -> Completion:
        """Ask once."""
        self.requests += 1
        return self._asked.complete(request)

    def say(self, text: str, *before: Message, **options: Any) -> Completion:
        """Ask once, in words."""
        return self.complete(Request((*before, Message("user", text)), **options))


class _AsSent:
    """A model whose replies are not ended on our side, so that it shows whether a server did."""

    def __init__(self, llm: Any) -> None:
        self.model: str = llm.model
        self.complete: Callable[[Request], Completion] = getattr(llm, "as_sent", llm.complete)
