"""What several servers can do, side by side: one column for each probe, outcomes in words."""

from __future__ import annotations

from collections.abc import Mapping

from reactlab.course.table import table
from reactlab.course.words import Both, current
from reactlab.probe import Probe
from reactlab.probe.report import NAMES
from reactlab.render.html import shell, shown
from reactlab.render.labels import labels
from reactlab.render.rows import clean
from reactlab.wording import say, tell


class Capabilities:
    """Probes by name as one table; `str()` has a line for each capability."""

    def __init__(self, probes: Mapping[str, Probe]) -> None:
        self.probes = dict(probes)

    def __repr__(self) -> str:
        head = " | ".join(["", *self.probes]).strip()
        return clean("\n".join([head, *(" | ".join(line) for line in self._lines())]))

    def _repr_html_(self) -> str:
        head = [shown(_word("Capability")), *map(shown, self.probes)]
        rows = [[shown(name), *map(_bold, words)] for name, *words in self._lines()]
        return shell(table(head, rows), labels(current()), str(_NAME))

    def _lines(self) -> list[list[str]]:
        found = [{row.name: row for row in probe.rows} for probe in self.probes.values()]
        return [
            [_word(NAMES[name]), *(_word(rows[name].outcome) for rows in found)] for name in NAMES
        ]


def side_by_side(probes: Mapping[str, Probe]) -> Capabilities:
    """Several servers, by the names of their columns, as `probe` found them."""
    return Capabilities(probes)


def _bold(word: str) -> str:
    """An outcome as markup; what needs attention is bold as well."""
    calm = {_word("yes"), _word("not tried")}
    weight = "normal" if word in calm else "bold"
    return f'<span style="white-space:nowrap;font-weight:{weight}">{shown(word)}</span>'


def _word(text: str) -> str:
    return tell(say(text), current())


_NAME = Both("What each server can do", "各服务器的能力")
