"""What came of an evaluation, worked out from its items."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from reactlab.evaluation.intervals import mean_interval
from reactlab.evaluation.item import Item
from reactlab.events import ModelCall, ToolUse, total_usage
from reactlab.types import Usage


@dataclass(frozen=True, repr=False)
class Results:
    """The items of an evaluation in the order of the samples, and their sums.

    `settings` stands for the agent's settings. `language` ("en" or "zh") is that of the table.
    """

    task: str
    agent: str
    model: str
    settings: str
    items: tuple[Item, ...]
    language: str = "en"

    @property
    def n(self) -> int:
        """How many distinct tasks there are; repeats and variants of one task count once."""
        return len(self.clusters)

    @cached_property
    def clusters(self) -> dict[str, list[float]]:
        """The score of each item, by distinct task."""
        found: defaultdict[str, list[float]] = defaultdict(list)
        for item in self.items:
            found[item.sample.distinct].append(item.value)
        return dict(found)

    @property
    def errors(self) -> tuple[Item, ...]:
        """The items that broke: an exception, a model that failed for good, a broken scorer."""
        return tuple(item for item in self.items if item.error)

    @property
    def all_failed(self) -> bool:
        """Whether every single run broke, so that nothing about the agent was measured."""
        return bool(self.items) and len(self.errors) == len(self.items)

    @property
    def unfinished(self) -> tuple[Item, ...]:
        """The items that ended without an answer, though nothing broke."""
        return tuple(item for item in self.items if not item.error and not item.answered)

    @property
    def stop_reasons(self) -> dict[str, int]:
        """Why the runs ended, and how many of each."""
        return dict(Counter(str(item.trace.stop_reason or "unfinished") for item in self.items))

    @property
    def score(self) -> float | None:
        """The mean score over all items, in 0..1; errors and missing answers count.

        None if there is no item, or if every run broke.
        """
        if not self.items or self.all_failed:
            return None
        return sum(item.value for item in self.items) / len(self.items)

    @cached_property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the score, by distinct tasks; None where there is no score."""
        return None if self.score is None else mean_interval(self.clusters.values())

    @property
    def calls(self) -> list[ModelCall]:
        """All calls of the model, failed ones too."""
        return [e for item in self.items for e in item.trace.events if isinstance(e, ModelCall)]

    @property
    def tool_calls(self) -> int:
        """How many calls of tools were carried out, further attempts too."""
        return sum(isinstance(e, ToolUse) for item in self.items for e in item.trace.events)

    @property
    def usage(self) -> Usage:
        """All tokens that were reported; `unreported` says how many calls are missing in it."""
        return total_usage(self.calls)

    @property
    def unreported(self) -> int:
        """How many calls of the model came without a count of tokens, failed ones too."""
        return sum(not (call.completion and call.completion.usage) for call in self.calls)

    def by_sample(self) -> dict[str, float]:
        """The mean score of each sample over its epochs, by the sample's id."""
        found: defaultdict[str, list[float]] = defaultdict(list)
        for item in self.items:
            found[item.sample.id].append(item.value)
        return {name: sum(values) / len(values) for name, values in found.items()}

    def ordered(self) -> Results:
        """The same, each sample at its place, whatever order the items finished in."""
        items = sorted(self.items, key=lambda item: (item.place, item.epoch))
        return replace(self, items=tuple(items))

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __repr__(self) -> str:
        from reactlab.evaluation.report import as_text, result_rows

        return as_text(result_rows(self))

    def _repr_html_(self) -> str:
        from reactlab.evaluation.report import as_html, result_rows

        return as_html(result_rows(self), self.language)
