"""The embedded model: rules in place of a network, with a model's interface."""

from __future__ import annotations

import random

from reactlab.llm.protocol import cut
from reactlab.llm.simulated import writing
from reactlab.llm.simulated.answering import next_move, not_found
from reactlab.llm.simulated.asking import understand
from reactlab.llm.simulated.explain import Explanation, explained
from reactlab.llm.simulated.planner import Move, Run
from reactlab.llm.simulated.reading import read
from reactlab.llm.simulated.text import language
from reactlab.types import Completion, Request, Usage


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
        reading = read(request)
        move = self._moved(Run(reading, self._rng(request)))
        text, calls = writing.text(reading, move), writing.calls(reading, move)
        text, finish = _ended(text, request)
        return Completion(
            text,
            calls,
            "tool_calls" if calls else finish,
            Usage(_tokens(request.prompt), _tokens(text), estimated=True),
            self.model,
        )

    def explain(self, request: Request) -> Explanation:
        """What it reads in a request, what matched, and why it moves as it does."""
        run = Run(read(request), self._rng(request))
        return explained(run, understand(run.reading.question, run.lang), self._moved(run))

    def _moved(self, run: Run) -> Move:
        """The next move; whatever a question does to the rules, a model does not crash."""
        try:
            return next_move(run)
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ):
            return not_found(run)

    def __repr__(self) -> str:
        return f"SimulatedLLM(seed={self.seed})"

    def _rng(self, request: Request) -> random.Random | None:
        warm = self.temperature if request.temperature is None else request.temperature
        seed = f"{self.seed}|{request.prompt[-4000:]}".encode("utf-8", "replace")
        return random.Random(seed) if warm else None


def _ended(text: str, request: Request) -> tuple[str, str]:
    """Cut at stop sequences and at `max_tokens`, as a server would."""
    text = cut(text, request.stop)
    limit = request.max_tokens
    if limit is None or _tokens(text) <= limit:
        return text, "stop"
    return text[: round(limit * (1.5 if language(text) == "zh" else 4))], "length"


def _tokens(text: str) -> int:
    return round(len(text) / (1.5 if language(text) == "zh" else 4))
