"""ReAct: think, act, observe, until the question is answered (Yao et al., arXiv 2210.03629)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from reactlab.agents.base import Agent
from reactlab.dialects import Dialect, DialectName, Older, make_dialect
from reactlab.effects import Approve, Program, Together, Use
from reactlab.errors import ConfigError, ModelError, ParseError, ProgramError
from reactlab.events import Failure, StopReason
from reactlab.policies import NO_MORE_ATTEMPTS, Policy, Tell, first_answer
from reactlab.prompts import PromptTemplate
from reactlab.trace import Trace
from reactlab.types import Completion, Decision, Request, ToolCall
from reactlab.wording import say, tell

T = TypeVar("T")


class ReActAgent(Agent):
    """The ReAct loop.

    At most `max_steps` turns of the model. The last `max_context` steps are shown to it in full,
    older ones as one line each (`older="digest"`) or not at all ("drop"); None shows all.
    `dialect` says how model and agent write to each other: "bracket", "action_input", "json",
    "tools" (function calling), or a `Dialect`. `prompt` replaces the dialect's own template.
    Tools that change something need `approve`: "always", or a function of the call.
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
        temperature: float | None = None,
        policies: Iterable[Policy] | None = None,
    ) -> None:
        super().__init__(llm, tools, policies=policies)
        self.max_steps = positive("max_steps", max_steps)
        if not (approve in (None, "always", "never") or callable(approve)):
            raise ConfigError(f'approve is "always", "never" or a function, not {approve!r}.')
        self.approve = approve
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
                continue
            if self.is_finished(decision):
                return self.extract_final_answer(decision)
            yield Together([self.execute_tool(call) for call in decision.calls])
        self.give_up(trace)
        return None

    def decide(self, trace: Trace) -> Program[Decision | None]:
        """Ask the model for a step; None where it has to be told that it could not be read."""
        try:
            request = _returned(Request, self.build_prompt(trace), "build_prompt")
            completion = yield from self.ask(trace, request)
            decision = _returned(Decision, self.parse_response(completion), "parse_response")
        except ModelError as error:
            trace.add(self._correction(error))
            return None
        trace.add(decision)
        return decision

    def give_up(self, trace: Trace) -> None:
        """State that the steps are used up, and whether any of them could be read."""
        unread = all(step.decision is None for step in trace.steps)
        reason = StopReason.UNREADABLE if unread else StopReason.MAX_STEPS
        told = say("{count} steps without an answer", count=len(trace))
        trace.stop(reason, tell(told, self.tools.language))

    def build_prompt(self, trace: Trace) -> Request:
        """What the model gets to see next."""
        request = self.dialect.render(trace, self.tools)
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
        return Use(self.tools, call, self.approve)

    def _correction(self, error: ModelError) -> Failure:
        """What the model is told about its reply; raises the error where there is nothing to tell.

        Policies come first; a reply that could not be read is answered in any case.
        """
        told = first_answer(self.policies, error, NO_MORE_ATTEMPTS)
        if isinstance(told, Tell):
            return Failure.of(error, told.text)
        if not isinstance(error, ParseError):
            raise error
        return Failure.of(error, self.dialect.correction(error, self.tools))


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
