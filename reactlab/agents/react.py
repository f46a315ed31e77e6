"""ReAct: think, act, observe, until the question is answered (Yao et al., arXiv 2210.03629)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from reactlab.agents.base import Agent
from reactlab.agents.fitting import fitted
from reactlab.budget import Budget
from reactlab.dialects import Dialect, DialectName, Older, make_dialect
from reactlab.effects import Approve, Permit, Program, Together, Use
from reactlab.errors import (
    ConfigError,
    ContextOverflow,
    ModelError,
    ParseError,
    ProgramError,
    ToolFailed,
)
from reactlab.events import Failure, StopReason
from reactlab.policies import NO_MORE_ATTEMPTS, Policy, Retry, Tell, first_answer
from reactlab.policies.retrying import DEFAULT_POLICIES
from reactlab.prompts import PromptTemplate
from reactlab.tools.text import flaw_of
from reactlab.trace import Trace
from reactlab.types import Completion, Decision, Observation, Request, ToolCall
from reactlab.wording import say, tell

T = TypeVar("T")


class ReActAgent(Agent):
    """The ReAct loop.

    At most `max_steps` turns of the model. The last `max_context` steps are shown to it in full,
    older ones as one line each (`older="digest"`) or not at all ("drop"); None shows all.
    `dialect` says how model and agent write to each other: "bracket", "action_input", "json",
    "tools" (function calling), or a `Dialect`. `prompt` replaces the dialect's own template.
    Tools that change something need `approve`: "always", or a function of the call. `permit` is
    asked about every call, with the trace so far, and may forbid it.
    """

    def __init__(
        self,
        llm: Any = None,
        tools: Iterable[Any] = (),
        max_steps: int = 10,
        max_context: int | None = 5,
        *,
        dialect: DialectName | Dialect = "bracket",
        language: str = "en",
        older: Older = "digest",
        prompt: PromptTemplate | str | None = None,
        approve: Approve = None,
        permit: Permit = None,
        temperature: float | None = None,
        policies: Iterable[Policy] | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(llm, tools, policies=policies, budget=budget)
        self.max_steps = positive("max_steps", max_steps)
        if not (approve in (None, "always", "never", "dry_run") or callable(approve)):
            words = '"always", "never", "dry_run" or a function'
            raise ConfigError(f"approve is {words}, not {approve!r}.")
        if not (permit is None or callable(permit)):
            raise ConfigError(f"permit is a function of a call and the trace, not {permit!r}.")
        self.approve = approve
        self.permit = permit
        self.temperature = temperature
        self.dialect = (
            dialect
            if isinstance(dialect, Dialect)
            else make_dialect(
                dialect,
                prompt=PromptTemplate(prompt) if isinstance(prompt, str) else prompt,
                language=language,
                max_context=max_context,
                older=older,
            )
        )
        self.tools = self.tools.speaking(self.dialect.language)

    def program(self, trace: Trace) -> Program[str | None]:
        """Think, act, observe."""
        while len(trace) < self.max_steps:
            decision = yield from self.decide(trace)
            if decision is None:
                self.look_back(trace)
                continue
            if self.is_finished(decision):
                return self.extract_final_answer(decision)
            yield from self.act(trace, decision)
            self.look_back(trace)
        self.give_up(trace)
        return None

    def decide(self, trace: Trace) -> Program[Decision | None]:
        """Ask the model for a step; None where it has to be told that it could not be read."""
        try:
            completion = yield from self.ask_fitting(trace)
            decision = _returned(Decision, self.parse_response(completion), "parse_response")
        except ModelError as error:
            trace.add(self._correction(error))
            return None
        trace.add(decision)
        return decision

    def ask_fitting(self, trace: Trace) -> Program[Completion]:
        """Ask, with a shorter prompt where the whole one overflows and a policy says so."""
        request = _returned(Request, self.build_prompt(trace), "build_prompt")
        while True:
            try:
                return (yield from self.ask(trace, request))
            except ContextOverflow as error:
                again = isinstance(first_answer(self.policies, error, 1), Retry)
                longer, request = request, self.build_prompt(trace)
                if not again or request == longer:
                    raise

    def act(self, trace: Trace, decision: Decision) -> Program[None]:
        """Use the tools that the model asked for, and again those that a policy has used again."""
        effects = [self.execute_tool(call) for call in decision.calls]
        while effects:
            seen = yield Together([self._limited(effect, trace) for effect in effects])
            failed = [
                (error, effect)
                for effect, observation in zip(effects, seen, strict=True)
                if (error := _failure(effect, observation))
            ]
            effects = yield from self._to_use_again(trace, failed)

    def _to_use_again(
        self, trace: Trace, failed: list[tuple[ToolFailed, Use]]
    ) -> Program[list[Use]]:
        """The effects that a policy wants used again, after its pause."""
        again, pauses = [], {0.0: ""}
        for error, effect in failed:
            answer = first_answer(self.policies, error, effect.attempt)
            if isinstance(answer, Retry) and error.repeatable:
                again.append(replace(effect, attempt=effect.attempt + 1))
                pauses[answer.after] = error.message
            elif isinstance(answer, Tell):
                trace.add(Failure.of(error, tell(answer.text, self.tools.language)))
        yield from self.pause(trace, max(pauses), pauses[max(pauses)])
        return again

    def _limited(self, effect: Use, trace: Trace) -> Use:
        """The effect with the time that is left to the run; raises `OverBudget` if none is."""
        left = self.budget.seconds_left(trace) if self.budget else None
        if left is None or not isinstance(effect, Use):
            return effect
        return replace(effect, seconds=left or self.time_left(trace))

    def give_up(self, trace: Trace) -> None:
        """State that the steps are used up, and whether any of them could be read."""
        unread = all(step.decision is None for step in trace.steps)
        reason = StopReason.UNREADABLE if unread else StopReason.MAX_STEPS
        told = say("{count} steps without an answer", count=len(trace))
        trace.stop(reason, tell(told, self.tools.language))

    def build_prompt(self, trace: Trace) -> Request:
        """What the model gets to see next."""
        limit = self.budget.request_tokens if self.budget else None
        if limit is None and self.policies == DEFAULT_POLICIES:  # nothing asks for a shorter one
            request = self.dialect.render(trace, self.tools)
        else:
            request = fitted(self.dialect, trace, self.tools, limit)
        if self.temperature is None:
            return request
        return replace(request, temperature=self.temperature)

    def parse_response(self, completion: Completion) -> Decision:
        """What the reply means; raises `ParseError` where no step can be trusted."""
        return self.dialect.parse(completion, self.tools)

    def is_finished(self, decision: Decision) -> bool:
        """Whether the model has answered."""
        return decision.answer is not None

    def extract_final_answer(self, decision: Decision) -> str | None:
        """The answer in a decision that finishes."""
        return decision.answer

    def execute_tool(self, call: ToolCall) -> Use:
        """The effect that carries out a call."""
        return Use(self.tools, call, self.approve, self.permit)

    def _correction(self, error: ModelError) -> Failure:
        """What the model is told about its reply; raises the error where there is nothing to tell.

        Policies come first; a reply that could not be read is answered in any case.
        """
        told = first_answer(self.policies, error, NO_MORE_ATTEMPTS)
        if isinstance(told, Tell):
            return Failure.of(error, tell(told.text, self.tools.language))
        if not isinstance(error, ParseError):
            raise error
        return Failure.of(error, self.dialect.correction(error, self.tools))


def _failure(effect: Use, observation: Observation) -> ToolFailed | None:
    """What is wrong with a tool's result: it failed for now, or it is empty or garbled."""
    kind = observation.error or flaw_of(observation.text)
    if not kind or not isinstance(effect, Use) or kind in NOT_FAILED:
        return None
    tool = effect.tools.get(effect.call.name)
    repeatable = tool is not None and not tool.effects
    return ToolFailed(observation.text, kind=kind, repeatable=repeatable)


NOT_FAILED = frozenset(
    ("unknown_tool", "bad_arguments", "forbidden", "denied", "dry_run", "interrupted")
)
"""Observations of calls that no tool has carried out."""


def _returned(kind: type[T], value: T, hook: str) -> T:
    """What a hook returned, which may be somebody else's code."""
    if not isinstance(value, kind):
        made = type(value).__name__
        raise ProgramError(f"{hook}() returned {made}; it has to return a {kind.__name__}.")
    return value


def positive(name: str, value: int) -> int:
    """`value`, or a `ConfigError` that says what it has to be."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(f"{name} has to be a whole number from 1 on, not {value!r}.")
    return value
