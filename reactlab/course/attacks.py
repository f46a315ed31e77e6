"""What came of texts that a model might write, tool by tool, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reactlab.course.table import table
from reactlab.course.texts import Texts
from reactlab.render.html import shown
from reactlab.render.rows import clean, one_line
from reactlab.types import Observation


class Attacks:
    """A table of texts and what came of each: an observation, or None where it was not run."""

    def __init__(self, rows: Mapping[str, Sequence[Observation | None]]) -> None:
        self.words = Texts("04")["attacks"]
        self.rows = {name: [self._word(seen) for seen in row] for name, row in rows.items()}

    def _word(self, seen: Observation | None) -> str:
        if seen is None:
            return str(self.words["not_run"])
        line = one_line(str(seen), 90)
        return str(self.words["refused"]).format(line) if seen.error else line

    def __repr__(self) -> str:
        heads = self.words["head"][1:]
        lines = []
        for name, row in self.rows.items():
            lines += [name, *(f"  {word} | {told}" for word, told in zip(heads, row, strict=False))]
        return clean("\n".join(lines))

    def _repr_html_(self) -> str:
        rows = (
            (f"<code>{shown(name)}</code>", *map(shown, row)) for name, row in self.rows.items()
        )
        return table(map(shown, self.words["head"]), rows)
