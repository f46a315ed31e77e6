"""What a run may use: calls of the model, tokens, seconds, money, and tokens in one request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reactlab.errors import ConfigError, OverBudget
from reactlab.events import ModelCall, Step, ToolUse, Waited
from reactlab.prompts.tokens import tokens_of
from reactlab.trace import Trace
from reactlab.types import Usage
from reactlab.wording import say

if TYPE_CHECKING:  # loaded by those who set a limit in dollars
    from decimal import Decimal

    from reactlab.cost import Price


@dataclass(frozen=True)
class Budget:
    """Limits of one run; None is no limit. A run that has used one of them up ends with "budget".

    `calls` counts the calls of the model, failed ones too. `tokens` counts input and output as
    reported, or as estimated where nothing was reported. `seconds` is the time spent in models,
    tools and pauses; a call that is under way when it is used up is given up. `dollars` needs a
    price for the model, from `prices` (as in `cost`) or from the package's table. The limit is
    looked at before each call, so that tokens and dollars may be passed by one call.
    `request_tokens` bounds a single request, as estimated: steps are shortened until it fits, and
    where that is not enough the run ends with "context".
    """

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    dollars: Decimal | float | None = None
    request_tokens: int | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("calls", "tokens", "seconds", "dollars", "request_tokens"):
            limit = getattr(self, name)
            number = hasattr(limit, "__float__") and not isinstance(limit, bool)
            if limit is not None and not (number and limit > 0):
                raise ConfigError(f"{name}= has to be a number above 0, or None, not {limit!r}.")

    def check(self, trace: Trace) -> None:
        """Raise `OverBudget` if the run has used up one of its limits.

        Raises `ConfigError` if `dollars` is set and the model has no price.
        """
        for what, used, limit in self._limits(trace):
            if limit is not None and used >= limit:
                raise OverBudget(say(OVER, what=say(what), limit=limit, used=f"{used:.6g}"))

    def seconds_left(self, trace: Trace) -> float | None:
        """How long the run may still take, in seconds; None if there is no limit."""
        return None if self.seconds is None else max(0.0, self.seconds - seconds_of(trace))

    def _limits(self, trace: Trace) -> Iterator[tuple[str, Any, Any]]:
        calls = [event for event in trace.events if isinstance(event, ModelCall)]
        yield "calls of the model", len(calls), self.calls
        if self.tokens is not None:
            used = map(usage_of, calls)
            yield "tokens", sum(u.input_tokens + u.output_tokens for u in used), self.tokens
        if self.seconds is not None:
            yield "seconds", seconds_of(trace), self.seconds
        if self.dollars is not None:
            yield "dollars", *self._dollars(trace, calls)

    def _dollars(self, trace: Trace, calls: list[ModelCall]) -> tuple[Decimal, Decimal]:
        """What the calls cost, and the limit; the model has to have a price before it is asked."""
        from decimal import Decimal

        self._price(trace.model)
        spent = Decimal(0)
        for call in calls:
            model = (call.completion.model if call.completion else "") or trace.model
            spent += self._price(model).of(usage_of(call)) or 0
        return spent, Decimal(str(self.dollars))

    def _price(self, model: str) -> Price:
        from reactlab.cost import price_of

        price = price_of(model, self.prices)
        if price is None:
            raise ConfigError(f"dollars= needs a price: give prices={{{model!r}: Price(...)}}.")
        return price


OVER = "The budget of {limit} {what} is used up ({used})."


def usage_of(call: ModelCall) -> Usage:
    """The tokens of a call, estimated where none were reported; a failed call counts nothing."""
    if call.completion is None:
        return Usage()
    given = tokens_of(call.request)
    return call.completion.usage or Usage(given, tokens_of(call.completion), estimated=True)


def seconds_of(trace: Trace) -> float:
    """Seconds spent in models, tools and pauses; tools that ran side by side count once."""
    return sum(map(_seconds, trace.steps))


def _seconds(step: Step) -> float:
    tools: dict[int, float] = {}
    others = 0.0
    for event in step.events:
        if isinstance(event, ToolUse):
            tools[event.attempt] = max(tools.get(event.attempt, 0.0), event.seconds)
        elif isinstance(event, ModelCall | Waited):
            others += event.seconds
    return others + sum(tools.values())
