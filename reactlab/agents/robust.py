"""ReAct that holds: the same loop with patient policies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.budget import Budget
from reactlab.dialects import Dialect, DialectName, Older
from reactlab.effects import Approve, Permit
from reactlab.policies import Policy
from reactlab.policies.patience import patient
from reactlab.prompts import PromptTemplate


class RobustReActAgent(ReActAgent):
    """`ReActAgent` with `patient(max_retries)` as its policies.

    What chance may heal is tried again, `max_retries` times in all; the model is told of loops,
    of steps that bring nothing and of its last step. Any other agent takes the same `policies=`.
    """

    def __init__(
        self,
        llm: Any = None,
        tools: Iterable[Any] = (),
        max_steps: int = 10,
        max_context: int | None = 5,
        *,
        max_retries: int = 3,
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
        super().__init__(
            llm,
            tools,
            max_steps,
            max_context,
            dialect=dialect,
            language=language,
            older=older,
            prompt=prompt,
            approve=approve,
            permit=permit,
            temperature=temperature,
            policies=patient(max_retries, max_steps) if policies is None else policies,
            budget=budget,
        )
