"""A text with its parts bordered and named: what fills a prompt, what a pattern took out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reactlab.course.words import current
from reactlab.render.html import shell, shown
from reactlab.render.labels import labels
from reactlab.render.rows import COLOURS, Kind, clean

_TEXT = "white-space:pre-wrap;overflow-wrap:anywhere;font-family:monospace;line-height:1.9"
_MARK = (
    "border:2px solid {};border-radius:4px;padding:1px 4px;"
    "-webkit-box-decoration-break:clone;box-decoration-break:clone"
)


@dataclass(frozen=True)
class Mark:
    """A part of a text, `text[start:end]`, with the word for it and the colour of its border."""

    start: int
    end: int
    word: str
    kind: Kind = "question"


class Xray:
    """A text whose marked parts stand in a border with their word; they may not overlap.

    `notes` are lines below, for what the picture cannot show. `str()` is the version in text:
    each part as `⟦word: its text⟧`.
    """

    def __init__(self, text: str, marks: Iterable[Mark], notes: Sequence[str] = ()) -> None:
        self.text, self.notes = text, tuple(notes)
        self.marks = sorted(marks, key=lambda mark: (mark.start, mark.end))
        ends = [0, *(mark.end for mark in self.marks)]
        if any(mark.start < end for mark, end in zip(self.marks, ends, strict=False)):
            raise ValueError("The marked parts overlap; give parts of which none is in another.")

    @property
    def segments(self) -> list[tuple[Mark | None, str]]:
        """The text cut at the marks, in order; joined, the pieces are the text."""
        made: list[tuple[Mark | None, str]] = []
        at = 0
        for mark in self.marks:
            made += [(None, self.text[at : mark.start]), (mark, self.text[mark.start : mark.end])]
            at = mark.end
        made.append((None, self.text[at:]))
        return [(mark, piece) for mark, piece in made if mark or piece]

    def __repr__(self) -> str:
        parts = [
            f"⟦{mark.word}: {piece}⟧" if mark else piece
            for mark, piece in ((mark, clean(piece)) for mark, piece in self.segments)
        ]
        return "\n".join(["".join(parts), *self.notes])

    def _repr_html_(self) -> str:
        return shell(self.html, labels(current()))

    @property
    def html(self) -> str:
        """The markup without its frame, to be put into a larger picture."""
        spans = "".join(self._span(mark, piece) for mark, piece in self.segments)
        below = "".join(f"<p>{shown(note)}</p>" for note in self.notes)
        return f'<div style="{_TEXT}" dir="auto">{spans}</div>{below}'

    def _span(self, mark: Mark | None, piece: str) -> str:
        if mark is None:
            return shown(piece)
        border = _MARK.format(COLOURS[mark.kind])
        return f'<span style="{border}"><b>{shown(mark.word)}</b> {shown(piece)}</span>'
