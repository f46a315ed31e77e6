"""What a real small model said to one-hop questions in four ways, and a grid of what was right."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reactlab.course.table import table
from reactlab.course.texts import Texts
from reactlab.course.words import current
from reactlab.prompts import words
from reactlab.render.html import shell, shown
from reactlab.render.labels import labels
from reactlab.tools.builtin import builtin_tools

FOLDER = Path(__file__).parents[1] / "data" / "course"
VARIANTS = {"raw": "form", "grammar": "form", "examples": "plain", "naming": "naming"}
say = Texts("A1")
_WHOLE = "white-space:nowrap"


@dataclass(frozen=True)
class Asked:
    """One question asked in one way: what was expected, and all that the model replied."""

    variant: str
    group: str
    id: str
    question: str
    gold: str
    tool: str
    replies: tuple[str, ...]
    about: str


class Recorded(list[Asked]):
    """Recorded runs; `of("raw")` are those of one variant, of the group "report" by default."""

    def of(self, variant: str, group: str = "report") -> list[Asked]:
        """The runs of one variant, in the order of the questions."""
        return [row for row in self if (row.variant, row.group) == (variant, group)]

    def __repr__(self) -> str:
        return say("recorded", runs=len(self), about=self[0].about)


def kit(language: str = "en") -> list[Any]:
    """Three of the built-in tools."""
    wanted = ("Search", "Calculator", "ReadFile")
    return [tool for tool in builtin_tools(language=language) if tool.name in wanted]


@cache
def questions(language: str = "en") -> Mapping[str, Any]:
    """The prompt, its examples, and the questions of each group."""
    path = FOLDER / f"A1.questions.{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def prompt_of(shape: str, language: str = "en") -> str:
    """The prompt without examples ("form"), with eight ("plain"), or with thoughts ("naming")."""
    texts, word, blocks = questions(language), words(language), [""]
    for at, (question, thought, action, seen, answer) in enumerate(texts["plain"]):
        said = texts["naming"][at] if shape == "naming" else thought
        enough = texts["enough"].format(answer=answer)
        lines = [word.question + question, word.thought + said, word.action + action]
        lines += [word.observation + seen, word.thought + enough, word.answer + answer]
        blocks.append("\n".join(lines) + "\n")
    shown = "" if shape == "form" else "\n".join(blocks)
    return str(texts["prompt"]).strip().replace("{shown}", shown)


def recorded(language: str = "en") -> Recorded:
    """All recorded runs in one language."""
    asked = questions(language)
    known = {row[0]: (group, row) for group in ("tune", "report") for row in asked.get(group, ())}
    lines = (FOLDER / f"A1.replies.{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return Recorded(_asked(row, *known[row["id"]]) for row in map(json.loads, lines))


def _asked(row: Mapping[str, Any], group: str, asked: Sequence[str]) -> Asked:
    key, question, gold, tool = asked
    about = say("about", model=row["model"], day=row["recorded"])
    replies = tuple(row["replies"])
    return Asked(row["variant"], group, key, question, gold, tool, replies, about)


class Grid:
    """Questions down, variants across, in each place whether the answer was right."""

    def __init__(self, variants: Sequence[str], rows: Iterable[tuple[str, Sequence[bool]]]) -> None:
        self.variants, self.rows = (
            tuple(variants),
            [(name, tuple(map(bool, r))) for name, r in rows],
        )

    @property
    def totals(self) -> list[int]:
        """How many were right in each column."""
        return [sum(marks[at] for _, marks in self.rows) for at in range(len(self.variants))]

    def __repr__(self) -> str:
        lines = [f"{_marks(marks)}  {name}" for name, marks in self.rows]
        return "\n".join([" | ".join(self.variants), *lines, f"{say('sum')} {self._sums()}"])

    def _repr_html_(self) -> str:
        rows = [(shown(name), *(_sign(mark) for mark in marks)) for name, marks in self.rows]
        rows.append((shown(say("sum")), *map(str, self.totals)))
        head = ("", *(str(number) for number, _ in enumerate(self.variants, 1)))
        legend = " · ".join(f"{number} {name}" for number, name in enumerate(self.variants, 1))
        inside = f"<p>{shown(legend)}</p>{table(head, rows)}"
        return shell(inside, labels(current()), say("grid"))

    def _sums(self) -> str:
        return " | ".join(map(str, self.totals))


def _marks(marks: Iterable[bool]) -> str:
    return " ".join("✓" if mark else "·" for mark in marks)


def _sign(mark: bool) -> str:
    told = f"<b>✓ {shown(say('right'))}</b>" if mark else f"· {shown(say('wrong_sign'))}"
    return f'<span style="{_WHOLE}">{told}</span>'
