"""Which steps of a run come back: a grid of steps against steps, half and full marks."""

from __future__ import annotations

from collections.abc import Iterable

from reactlab.course.table import table
from reactlab.course.words import Both, current
from reactlab.prompts.digest import one_line
from reactlab.render.html import shell, shown
from reactlab.render.labels import labels
from reactlab.samecall import same_call

NONE, HALF, FULL = "·", "◐", "●"
_NAME = Both("Steps that come back", "重现的步")
_LEGEND = Both(
    "◐ the same call as in that step, ● the same result too. A loop is a diagonal of ●.",
    "◐ 与那一步调用相同，● 结果也相同。死循环就是一条由 ● 组成的斜线。",
)
_STEP = Both("step", "步")


class Recurrence:
    """Steps, each a pair (call, result), compared with all steps before them."""

    def __init__(self, steps: Iterable[tuple[str, str]]) -> None:
        self.steps = [(str(call), str(result)) for call, result in steps]

    def marks(self) -> list[list[str]]:
        """For each step one mark for each step before it."""
        return [
            [_mark(step, other) for other in self.steps[:number]]
            for number, step in enumerate(self.steps)
        ]

    def __repr__(self) -> str:
        rows = [
            f"{number:>2} {' '.join(marks):<{2 * len(self.steps)}}{_said(step)}"
            for number, (marks, step) in enumerate(zip(self.marks(), self.steps, strict=True), 1)
        ]
        return "\n".join([f"{_NAME}", *(row.rstrip() for row in rows), f"{_LEGEND}"])

    def _repr_html_(self) -> str:
        head = [str(_STEP), *(str(number) for number in range(1, len(self.steps))), ""]
        rows = []
        for number, (marks, step) in enumerate(zip(self.marks(), self.steps, strict=True), 1):
            blank = [""] * (len(self.steps) - 1 - len(marks))
            rows.append([str(number), *marks, *blank, shown(_said(step))])
        inside = f"{table(head, rows)}\n<p>{shown(str(_LEGEND))}</p>"
        return shell(inside, labels(current()), str(_NAME))


def _mark(one: tuple[str, str], other: tuple[str, str]) -> str:
    if not same_call(one[0], other[0]):
        return NONE
    return FULL if one[1] == other[1] else HALF


def _said(step: tuple[str, str]) -> str:
    return f"{one_line(step[0], 40)} → {one_line(step[1], 30)}"
