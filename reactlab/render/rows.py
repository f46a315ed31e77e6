"""What a display consists of: boxes of text in parts, with a few facts below."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from reactlab.render.labels import Labels

Kind = Literal["question", "thought", "action", "observation", "answer", "failure", "pause"]

COLOURS: dict[Kind, str] = {
    "question": "#7d8590",
    "thought": "#8a6fd1",
    "action": "#2f7fd0",
    "observation": "#1f8a70",
    "answer": "#b0760f",
    "failure": "#d1483f",
    "pause": "#7d8590",
}
"""Borders only; each has a contrast of at least 3:1 to white and to a nearly black page."""


_ALIGNED = re.compile(r"\t|\S {2,}\S|^ {2,}\S|^\|", re.MULTILINE)


@dataclass(frozen=True)
class Box:
    """One thing that somebody wrote. `author` and `note` are words shown beside `word`."""

    kind: Kind
    word: str
    text: str
    author: str = ""
    note: str = ""

    @property
    def aligned(self) -> bool:
        """Whether it should stand in letters of one width: code, tables, indented lines."""
        return self.kind == "action" or bool(_ALIGNED.search(self.text))


@dataclass(frozen=True)
class Part:
    """The boxes of one step."""

    heading: str
    boxes: tuple[Box, ...]

    @property
    def gist(self) -> str:
        """A part in one short line: what was done, else what was written first."""
        kinds: tuple[Kind, ...] = ("action", "answer", "failure")
        main = [box for kind in kinds for box in self.boxes if box.kind == kind]
        return one_line((main or [*self.boxes, Box("pause", "", "")])[0].text, 72)


@dataclass(frozen=True)
class Sheet:
    """A whole display: what comes before the first part, the parts, and facts of one line each.

    `limit` is how many characters of a box are shown at once; None shows all.
    """

    labels: Labels
    opening: tuple[Box, ...]
    parts: tuple[Part, ...]
    facts: tuple[str, ...]
    limit: int | None = None


_BREAK = re.compile("\r\n?|[\u2028\u2029]")
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def clean(text: str) -> str:
    r"""Make text fit for any display: what could steer a terminal or a page becomes `\x1b`.

    That is control characters, overrides of the writing direction, halves of characters, and
    what XML forbids. Line breaks of all kinds become one kind.
    """
    return _UNSAFE.sub(lambda found: _code(found[0]), _BREAK.sub("\n", text))


def _code(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"


def cut(text: str, limit: int | None) -> tuple[str, str]:
    """Split a text that is too long, at a space or line break if one is near."""
    if limit is None or len(text) <= limit + limit // 10:
        return text, ""
    near = max(text.rfind(" ", 0, limit), text.rfind("\n", 0, limit)) + 1
    end = near if near > limit * 3 // 4 else limit
    return text[:end].rstrip(), text[end:]


def shorten(text: str, limit: int | None, labels: Labels) -> str:
    """The text, or its beginning and how much more there is."""
    head, rest = cut(text, limit)
    return f"{head} {more(rest, labels)}" if rest else head


def more(rest: str, labels: Labels) -> str:
    """Say how long the rest is."""
    return labels.more.format(count=f"{len(rest):,}")


def one_line(text: str, limit: int) -> str:
    """The beginning of a text in one line of at most `limit` characters."""
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
