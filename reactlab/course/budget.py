"""A limit for the calls that a notebook makes to a model that costs money or time."""

from __future__ import annotations

from typing import Any

from reactlab.course.texts import stored_runs
from reactlab.course.words import Both, current
from reactlab.errors import ConfigError
from reactlab.llm.default import around_default, default_llm, describe
from reactlab.llm.simulated import SimulatedLLM
from reactlab.types import LLM, Completion, Request, Usage
from reactlab.wording import foreign, tell

CALLS = 200
_ASK = ("acomplete", "stream", "as_sent", "models", "check")


class Budget:
    """How many calls were made, and how many may be."""

    def __init__(self, most: int) -> None:
        self.most, self.used = most, 0

    def spend(self) -> None:
        """Count one call; raises `ConfigError` where it would be one too many."""
        if self.used >= self.most:
            raise ConfigError(_SPENT.format(self.most, 2 * self.most))
        self.used += 1


class Limited:
    """A model whose calls are counted against a budget; everything else is the model's own."""

    def __init__(self, llm: LLM, budget: Budget) -> None:
        self._llm, self._budget = llm, budget
        self.model = llm.model

    def complete(self, request: Request) -> Completion:
        """The model's reply, while the budget lasts."""
        self._budget.spend()
        return self._llm.complete(request)

    def __getattr__(self, name: str) -> Any:
        """What belongs to the model; where it asks the server, the call is counted first."""
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self._llm, name)
        if name == "anew":
            return lambda *model: Limited(found(*model), self._budget)

        def ask(*given: Any) -> Any:
            self._budget.spend()
            return found(*given)

        return ask if name in _ASK else found

    def __repr__(self) -> str:
        return repr(self._llm)


def begin(notebook: str, calls: int) -> list[str]:
    """Start a budget for the model in use; what to tell the reader, nothing if it is embedded.

    Raises `ConfigError` if the model cannot be used, in the edition's language.
    """
    around_default()
    try:
        llm, budget = default_llm(), Budget(calls)
    except ConfigError as error:
        raise type(error)(tell(foreign(error.message), current())) from None
    if isinstance(llm, SimulatedLLM):
        return []
    around_default(lambda llm: Limited(llm, budget))
    runs = stored_runs(notebook) if notebook else []
    asked = sum(len(step.model_calls) for run in runs for step in run.steps)
    usage = sum((run.usage for run in runs), Usage())
    tokens = f"{usage.input_tokens:,} + {usage.output_tokens:,}"
    cost = [_COST.format(len(runs), notebook, asked, tokens)] if runs else []
    return [describe(llm, current()), *cost, _LIMIT.format(calls)]


_COST = Both(
    "The {0} stored run(s) of notebook {1} took {2} calls and about {3} tokens (in + out); "
    "other cells that ask the model add their own.",
    "第 {1} 课的 {0} 次存档运行共用了 {2} 次调用，约 {3} 个 token（输入 + 输出）；"
    "其他请求模型的单元格另计。",
)
_LIMIT = Both(
    "At most {} calls until the first cell is run again; edition(..., calls=N) changes it.",
    "在再次运行第一个单元格之前，最多调用 {} 次；用 edition(..., calls=N) 可以更改。",
)
_SPENT = Both(
    "The model in use has been called {} times by this notebook, which is its budget. If that is "
    "what you want, run the first cell again, or raise it there: edition(..., calls={}).",
    "本课已调用正在使用的模型 {} 次，预算用完了。如果这正是你要的，请再次运行第一个单元格，"
    "或在那里提高预算：edition(..., calls={})。",
)
