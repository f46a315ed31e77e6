"""A model that goes wrong at a known rate, so that what is done about it can be measured."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from random import Random

from reactlab.errors import ContextOverflow, LLMError, RateLimited, Refused, Unavailable
from reactlab.faults import Counts, Draws, Injected, Kind, Rates
from reactlab.llm.protocol import as_llm
from reactlab.llm.recorded import key
from reactlab.llm.spoiling import goes_on, spoiled
from reactlab.types import Completion, Request
from reactlab.wording import say

MODEL_FAULTS: Mapping[str, Kind] = {
    "broken_format": Kind("prose in place of the action", "the reply holds no step"),
    "invented_observation": Kind("goes on with a result of its own", "text behind the action"),
    "several_actions": Kind("a second action at once", "two actions in one reply"),
    "unknown_tool": Kind("calls a tool that nobody offered", "the name is not registered"),
    "wrong_arguments": Kind("leaves the arguments out or misnames them", "they do not fit"),
    "repeated_action": Kind("calls once more what it just called", "the same call, same result"),
    "truncation": Kind("is cut at the length limit", 'finish is "length"'),
    "empty": Kind("says nothing", "neither text nor calls"),
    "refusal": Kind("declines to answer", "error Refused"),
    "rate_limit": Kind("is refused for now (429)", "error RateLimited"),
    "timeout": Kind("does not answer in time", "error Unavailable"),
    "server_error": Kind("fails inside the server (500)", "error Unavailable"),
    "context_overflow": Kind("finds the history too long", "error ContextOverflow"),
    "wrong_value": Kind("a plausible wrong value in the answer", "nowhere", recoverable=False),
}
"""All that `FaultyLLM` does wrong. `docs/faults.md` has it with examples."""

_ERRORS: Mapping[str, tuple[type[LLMError], str]] = {
    "refusal": (Refused, "The model declined to answer."),
    "rate_limit": (RateLimited, "Too many requests (HTTP 429)."),
    "timeout": (Unavailable, "The model did not answer in time."),
    "server_error": (Unavailable, "The server failed (HTTP 500)."),
    "context_overflow": (ContextOverflow, "The request is too long (HTTP 400)."),
}
_WAITING = (RateLimited, Unavailable)


class FaultyLLM:
    """Any model, with faults injected at a rate for each kind in `MODEL_FAULTS`.

    `rates` is a mapping such as {"rate_limit": 0.2}, or one rate for all recoverable kinds in
    equal shares. A call gets at most one fault, and which one is a pure function of `seed`, the
    request, and how often this very request was made before: threads change nothing, and a retry
    may be lucky. A fault that does not apply to a reply leaves it as it is; `faults` lists the
    others in the order in which they happened. `retry_after` is what a server asks to wait, in
    seconds. Raises `ConfigError` for unknown kinds and impossible rates.
    """

    def __init__(
        self, llm: object, rates: Rates, seed: object = 0, *, retry_after: float = 0.0
    ) -> None:
        self.llm = as_llm(llm)
        self.model = self.llm.model
        self.faults: list[Injected] = []
        self.seed, self.retry_after = seed, retry_after
        self._draws = Draws(MODEL_FAULTS, rates, seed)
        self._counts = Counts()

    @property
    def rates(self) -> Mapping[str, float]:
        """The rate of each kind that may happen."""
        return self._draws.rates

    def complete(self, request: Request) -> Completion:
        """The model's reply, or what became of it; raises an `LLMError` for some kinds."""
        fault, chance = self._draw(request)
        return self._reply(request, self.llm.complete(request), fault, chance)

    @property
    def acomplete(self) -> Callable[[Request], Awaitable[Completion]]:
        """The async twin of `complete`; only there if the model has one."""
        ask: Callable[[Request], Awaitable[Completion]] = self.llm.acomplete  # type: ignore[attr-defined]

        async def acomplete(request: Request) -> Completion:
            fault, chance = self._draw(request)
            return self._reply(request, await ask(request), fault, chance)

        return acomplete

    def _draw(self, request: Request) -> tuple[Injected, Random]:
        """What happens to this request; raises the error if it is one."""
        asked = key(request)
        before = self._counts.before(asked)
        kind, chance = self._draws.draw(asked, before)
        if kind == "context_overflow" and not goes_on(request):
            kind = ""
        fault = Injected(kind, request.prompt[-80:], before)
        if kind in _ERRORS:
            self.faults.append(fault)
            error, told = _ERRORS[kind]
            wait = self.retry_after if issubclass(error, _WAITING) else None
            raise error(say(told), retry_after=wait)
        return fault, chance

    def _reply(
        self, request: Request, reply: Completion, fault: Injected, chance: Random
    ) -> Completion:
        changed = spoiled(fault.kind, request, reply, chance) if fault.kind else None
        if changed is None:
            return reply
        self.faults.append(fault)
        return changed

    def __repr__(self) -> str:
        rates = ", ".join(f"{name} {rate:g}" for name, rate in self.rates.items())
        return f"FaultyLLM({self.llm!r}, {rates or 'no faults'})"
