"""What a probe found, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reactlab.render.html import shell, shown
from reactlab.render.labels import labels
from reactlab.render.rows import clean
from reactlab.render.table import table
from reactlab.wording import say, tell

Outcome = Literal["yes", "no", "refused", "ignored", "not tried", "failed"]

NAMES = {
    "answers": "answers",
    "usage": "reports tokens",
    "reasoning": "reasoning in a field of its own",
    "listed": "is in the server's list of models",
    "stop": "stop sequences",
    "temperature": "accepts a temperature",
    "limit": "token limit",
    "system": "system message",
    "tools": "tool calls",
    "parallel": "several calls in one turn",
    "result": "goes on after a tool's result",
    "stream": "streaming",
    "stream_usage": "reports tokens in a stream",
    "unknown": "refuses an unknown model",
    "text": "writes steps as text (bracket prompt)",
}


@dataclass(frozen=True)
class Row:
    """One capability: `name` is a key of `NAMES`, `seen` the sign of the outcome in one line."""

    name: str
    outcome: Outcome
    seen: str = ""


@dataclass(frozen=True, repr=False)
class Probe:
    """What one probe found; `probe["stop"]` is a row, the whole a table in `language`.

    `quirks` is what the server refused, as `OpenAILLM` takes it; `requests` counts what was asked.
    """

    model: str
    rows: tuple[Row, ...]
    quirks: Mapping[str, str | None] = field(default_factory=dict)
    requests: int = 0
    language: str = "en"

    def __getitem__(self, name: str) -> Row:
        """The row of that name."""
        return {row.name: row for row in self.rows}[name]

    def __repr__(self) -> str:
        lines = [f"{name}: {outcome}{seen and ' · ' + seen}" for name, outcome, seen in self._cells]
        return clean("\n".join([self._title, *lines]))

    def _repr_html_(self) -> str:
        heads = [say("Capability"), say("Outcome"), say("Seen")]
        rows = [[shown(cell) for cell in cells] for cells in self._cells]
        inside = table([tell(head, self.language) for head in heads], rows, self.language)
        title = shown(self._title)
        return shell(f"<p><b>{title}</b></p>\n{inside}", labels(self.language), self._title)

    @property
    def _title(self) -> str:
        asked = say("{model}, asked {count} times", model=self.model, count=self.requests)
        return tell(asked, self.language)

    @property
    def _cells(self) -> list[tuple[str, str, str]]:
        tongue = self.language
        return [
            (tell(say(NAMES[row.name]), tongue), tell(say(row.outcome), tongue), row.seen)
            for row in self.rows
        ]
