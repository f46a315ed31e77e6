"""Why the simulated model does what it does: its advantage over a network."""

from __future__ import annotations

from typing import NamedTuple

from .question import understand
from .run import Move, Run
from .tables import rows
from .writing import input_text


class Explanation(NamedTuple):
    """What was read from a request, what was considered, and the move: rows of (what, value)."""

    rows: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        width = max(len(what) for what, _ in self.rows)
        return "\n".join(f"{what:{width}}  {value}" for what, value in self.rows)

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        """A table, with everything from the request escaped."""
        lines = [f"| {_cell(what)} | {_cell(value)} |" for what, value in self.rows]
        return "\n".join(["| | |", "|---|---|", *lines])


def explained(run: Run, move: Move) -> Explanation:
    """Collect what a finished run knows about itself."""
    reading, ask = run.reading, understand(run.reading.question, run.lang)
    words = [f"{term.family.id}*" if term.family else term.word for term in ask.terms]
    moved = f"{move.tool.name}[{input_text(move)}]" if move.tool else f"answer: {move.answer}"
    used = [f"{step.tool}[{step.args}]" for step in dict.fromkeys(run.used)]
    rows = [
        ("dialect", reading.dialect + ("" if reading.thoughts else ", without thoughts")),
        ("language", reading.lang),
        ("question", reading.question),
        ("about", ", ".join(ask.subjects) or "(nothing with a name)"),
        ("kind of answer", ask.kind or "(not said)"),
        ("telling words (*: with their synonyms)", ", ".join(words) or "(none)"),
        ("tools by role", ", ".join(f"{r}: {t.name}" for r, t in run.roles.items()) or "(none)"),
        *dict.fromkeys(run.log),
        ("observations used", ", ".join(used) or "(none yet)"),
        ("move", moved),
        ("because", move.thought or "(it writes no thoughts)"),
    ]
    return Explanation(tuple(map(_in_chinese, rows) if run.lang == "zh" else rows))


def _in_chinese(row: tuple[str, str]) -> tuple[str, str]:
    what, value = row
    if what.startswith("match "):
        what = f"与 {what[6:]} 的匹配"
    known = {row[0]: row[1] for row in rows("explain")}
    return known.get(what, what), known.get(value, value)


def _cell(text: str) -> str:
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
    return text.replace("`", "&#96;").replace("[", "&#91;").replace("*", "\\*").replace("_", "\\_")
