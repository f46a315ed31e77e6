"""Questions to close a notebook with: every option, right or wrong, has an explanation."""

from __future__ import annotations

from typing import Any

from reactlab.course.lesson import chosen
from reactlab.course.texts import Texts
from reactlab.course.words import Both, current, plain
from reactlab.render.html import shown


class Quiz:
    """Questions to unfold; works without a kernel, and reads as text where HTML is not shown."""

    def __init__(self, questions: list[dict[str, Any]]) -> None:
        self.questions = questions

    def __repr__(self) -> str:
        lines: list[str] = []
        for number, question in enumerate(self.questions, 1):
            lines.append(f"{number}. {question['text']}")
            signed = list(zip("abcdef", question["options"], strict=False))
            lines += [f"   {sign}) {one['text']}" for sign, one in signed]
            lines += [f"      {sign}: {_mark(one)}{one['why']}" for sign, one in signed]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [f'<div class="rl-quiz" lang="{current()}"><ol>']
        for question in self.questions:
            parts.append(f"<li><p><b>{shown(question['text'])}</b></p>")
            parts += [
                f"<details><summary>{shown(one['text'])}</summary>"
                f"<p>{_mark(one)}{shown(one['why'])}</p></details>"
                for one in question["options"]
            ]
            parts.append("</li>")
        return "\n".join([*parts, "</ol></div>"])


def quiz(number: object) -> Quiz:
    """The three closing questions of a notebook, such as "05", to unfold."""
    (found,) = chosen(plain(number) or "''")
    return Quiz(Texts(found)["quiz"])


def _mark(option: dict[str, Any]) -> str:
    return str(Both("✓ Yes. ", "✓ 对。") if option.get("right") else Both("✗ No. ", "✗ 不对。"))
