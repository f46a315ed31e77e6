"""The embedded model: rules in place of a network, with a model's interface."""

from __future__ import annotations

import random
from dataclasses import replace

from reactlab.llm.protocol import cut
from reactlab.prompts.tokens import beginning, estimate_tokens
from reactlab.types import Completion, Request, ToolCall, Usage

from .answering import next_move
from .explain import Explanation, explained
from .prompt import read
from .run import Run
from .writing import calls, written


class SimulatedLLM:
    """Rules that read a request and write what a model would write; no network, no downloads.

    A pure function of the request and `seed`. `temperature` (0..2) is used where a request gives
    none: above 0 it picks among wordings, and among memories where it has no tools.
    """

    model = "reactlab-simulated"

    def __init__(self, seed: int = 0, temperature: float | None = None) -> None:
        self.seed = seed
        self.temperature = temperature

    def complete(self, request: Request) -> Completion:
        """The next step of the conversation; never raises, whatever the request holds."""
        run = self._run(request)
        move = next_move(run)
        whole = written(run.reading, move), calls(run.reading, move)
        text, called, finish = _ended(*whole, request)
        usage = Usage(estimate_tokens(request.prompt), estimate_tokens(text), estimated=True)
        return Completion(text, called, finish, usage, self.model)

    def explain(self, request: Request) -> Explanation:
        """What it reads in a request, what matched, and why it moves as it does."""
        run = self._run(request)
        return explained(run, next_move(run))

    def __repr__(self) -> str:
        return f"SimulatedLLM(seed={self.seed})"

    def _run(self, request: Request) -> Run:
        warm = self.temperature if request.temperature is None else request.temperature
        key = f"{self.seed}|{request.prompt[-4000:]}".encode("utf-8", "replace")
        rng = random.Random(key) if warm else None
        return Run(read(request), rng)


def _ended(
    text: str, called: tuple[ToolCall, ...], request: Request
) -> tuple[str, tuple[ToolCall, ...], str]:
    """Cut at stop sequences and at `max_tokens`, as a server would: a call comes after the text."""
    text, limit = cut(text, request.stop), request.max_tokens
    written = [text, *(f"{call.name}{call.arguments}" for call in called)]
    if limit is None or sum(map(estimate_tokens, written)) <= limit:
        return text, called, "tool_calls" if called else "stop"
    begun = []
    for call in called:
        room = limit - estimate_tokens(text) - estimate_tokens(call.name)
        cut_off = replace(call, arguments=beginning(str(call.arguments), max(room, 0)))
        begun += [cut_off] if room >= 0 else []
    return beginning(text, limit), tuple(begun), "length"
