"""What ReAct is compared with: thinking alone, acting alone, one tool call.

Chain of thought after Wei et al. (arXiv 2201.11903); acting without thoughts is the "Act" ablation
of Yao et al. (arXiv 2210.03629).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.budget import Budget
from reactlab.dialects import TextDialect
from reactlab.effects import Approve, Permit, Program
from reactlab.errors import ParseError
from reactlab.events import StopReason
from reactlab.policies import Policy
from reactlab.prompts import PromptTemplate, load
from reactlab.trace import Trace
from reactlab.types import Completion, Decision
from reactlab.wording import say, tell


class CoTAgent(ReActAgent):
    """Chain of thought: one call of the model, no tools, reasoning before the answer."""

    def __init__(
        self,
        llm: Any = None,
        *,
        language: str = "en",
        prompt: PromptTemplate | str | None = None,
        temperature: float | None = None,
        policies: Iterable[Policy] | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(
            llm,
            max_steps=1,
            language=language,
            prompt=prompt or load("cot", language),
            temperature=temperature,
            policies=policies,
            budget=budget,
        )

    def parse_response(self, completion: Completion) -> Decision:
        """The answer after its marker; a whole reply without any marker is the answer."""
        try:
            decision = super().parse_response(completion)
        except ParseError:
            if completion.finish == "length":
                raise
            return Decision("", (), completion.text.strip())
        if decision.answer is None:
            told = say("The reply uses a tool, and there is none.")
            raise ParseError(tell(told, self.dialect.language))
        return decision


class ActAgent(ReActAgent):
    """Acting without thoughts: the loop of ReAct with the reasoning taken out of the prompt."""

    def __init__(
        self,
        llm: Any = None,
        tools: Iterable[Any] = (),
        max_steps: int = 10,
        max_context: int | None = 5,
        *,
        language: str = "en",
        approve: Approve = None,
        permit: Permit = None,
        temperature: float | None = None,
        policies: Iterable[Policy] | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(
            llm,
            tools,
            max_steps,
            max_context,
            language=language,
            prompt=load("act", language),
            approve=approve,
            permit=permit,
            temperature=temperature,
            policies=policies,
            budget=budget,
        )
        assert isinstance(self.dialect, TextDialect)
        self.dialect = replace(self.dialect, thoughts=False)


class SingleCallAgent(ReActAgent):
    """At most one turn of tools, then the answer: what a single function call can do."""

    def __init__(
        self,
        llm: Any = None,
        tools: Iterable[Any] = (),
        *,
        language: str = "en",
        approve: Approve = None,
        permit: Permit = None,
        temperature: float | None = None,
        policies: Iterable[Policy] | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(
            llm,
            tools,
            max_steps=2,
            language=language,
            prompt=load("single", language),
            approve=approve,
            permit=permit,
            temperature=temperature,
            policies=policies,
            budget=budget,
        )

    def program(self, trace: Trace) -> Program[str | None]:
        """Decide, use the tools once, decide again."""
        decision = yield from self.decide(trace)
        if decision is not None and decision.calls:
            yield from self.act(trace, decision)
            decision = yield from self.decide(trace)
        if decision is not None and self.is_finished(decision):
            return self.extract_final_answer(decision)
        told = say("the one tool call did not lead to an answer")
        trace.stop(StopReason.MAX_STEPS, tell(told, self.dialect.language))
        return None
