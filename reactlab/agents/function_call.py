"""ReAct by function calling: the same loop, with calls and results as messages with ids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.budget import Budget
from reactlab.dialects import Older
from reactlab.effects import Approve, Permit
from reactlab.errors import ConfigError
from reactlab.llm.protocol import CallableLLM, as_llm
from reactlab.policies import Policy
from reactlab.prompts import PromptTemplate


class ReActAgentFunctionCall(ReActAgent):
    """`ReActAgent` with the dialect "tools": the model returns calls instead of writing them.

    Several calls of one turn run side by side, and each is answered under its id. Text without
    calls is the answer. `llm` may also be an `openai.OpenAI` client together with `model`, a name.
    Raises `ConfigError` for a plain function `prompt -> str`, which cannot return calls.
    """

    def __init__(
        self,
        llm: Any = None,
        tools: Iterable[Any] = (),
        max_steps: int = 10,
        max_context: int | None = 5,
        *,
        model: str | None = None,
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
            _able(llm, model),
            tools,
            max_steps,
            max_context,
            dialect="tools",
            language=language,
            older=older,
            prompt=prompt,
            approve=approve,
            permit=permit,
            temperature=temperature,
            policies=policies,
            budget=budget,
        )


def _able(llm: Any, model: str | None) -> Any:
    """A model that can return calls, from what was given; the SDK's client needs a model's name."""
    if hasattr(llm, "chat") and hasattr(llm, "base_url"):
        from reactlab.llm.openai import OpenAILLM

        if not model:
            raise ConfigError('An OpenAI client needs a model: give model="NAME" as well.')
        return OpenAILLM(model, client=llm)
    if model is not None:
        raise ConfigError("model= belongs to an openai.OpenAI client; other models have a name.")
    able = as_llm(llm)
    if isinstance(able, CallableLLM):
        raise ConfigError(
            f"{able.model} is a plain function and cannot return tool calls; use ReActAgent, "
            "whose dialects are text."
        )
    return able
