"""Rows as a picture: text stays text, on light and dark pages."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape

from reactlab.render.rows import COLOURS, Box, Sheet, clean, shorten

_SANS = (
    "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC','Microsoft YaHei',"
    "'Noto Sans CJK SC','WenQuanYi Micro Hei',sans-serif"
)
_MONO = (
    "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',"
    "'Noto Sans Mono CJK SC',monospace"
)
_STYLE = f"""
.rl-svg text {{ fill: #1f2328; font: 14px {_SANS}; white-space: pre; }}
.rl-svg .rl-s {{ font-size: 12px; }}
.rl-svg .rl-b {{ font-weight: 600; }}
.rl-svg .rl-m {{ font: 13px {_MONO}; }}
.rl-svg .rl-paper {{ fill: #fff; stroke: #d0d7de; }}
.rl-svg .rl-soft {{ fill: #f5f6f8; }}
@media (prefers-color-scheme: dark) {{
.rl-svg text {{ fill: #e6edf3; }}
.rl-svg .rl-paper {{ fill: #14171c; stroke: #3d444d; }}
.rl-svg .rl-soft {{ fill: #1e2228; }}
}}"""
_EDGE, _PAD, _LINE = 16, 12, 20
_NO_START = frozenset("，。、；：？！）》」』】〕〉…—,.;:?!)]}%")  # never at a line's beginning


def svg(sheet: Sheet, width: int) -> str:
    """The sheet as an SVG document with a title and a description for screen readers."""
    drawing = _Drawing(width)
    for box in sheet.opening:
        drawing.box(box, sheet)
    for part in sheet.parts:
        drawing.heading(part.heading)
        for box in part.boxes:
            drawing.box(box, sheet)
    drawing.small(" · ".join(sheet.facts))
    return _document(drawing, sheet)


def _document(drawing: _Drawing, sheet: Sheet) -> str:
    width, height = drawing.width, drawing.y + _EDGE
    inside = "\n".join(drawing.parts)
    name = "reactlab-" + sha256(inside.encode()).hexdigest()[:12]
    question = shorten(sheet.opening[-1].text, 200, sheet.labels) if sheet.opening else ""
    title = _safe(f"{sheet.labels.trace}{sheet.labels.colon}{question}")
    told = _safe(". ".join([*(f"{p.heading}: {p.gist}" for p in sheet.parts), *sheet.facts]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rl-svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" lang="{sheet.labels.language}"'
        f' aria-labelledby="{name}-title {name}-text">\n'
        f'<title id="{name}-title">{title}</title>\n<desc id="{name}-text">{told}</desc>\n'
        f"<style>{_STYLE}\n</style>\n"
        f'<rect class="rl-paper" fill="#fff" stroke="#d0d7de" x="0.5" y="0.5" rx="8"'
        f' width="{width - 1}" height="{height - 1}"/>\n{inside}\n</svg>\n'
    )


@dataclass
class _Drawing:
    """Shapes under each other; `y` is where the next one begins."""

    width: int
    y: int = _EDGE
    parts: list[str] = field(default_factory=list)

    def heading(self, words: str) -> None:
        self.y += 8
        self.text(_EDGE, words, "rl-b")
        self.y += 4

    def small(self, words: str) -> None:
        self.y += 6
        for line in wrapped(words, 12, self.width - 2 * _EDGE):
            self.text(_EDGE, line, "rl-s")

    def box(self, box: Box, sheet: Sheet) -> None:
        mono = box.aligned
        body = shorten(box.text.strip("\n"), sheet.limit, sheet.labels)
        room = self.width - 2 * _EDGE - 2 * _PAD - 4
        lines = list(wrapped(body, 13 if mono else 14, room, mono=mono))
        height = 2 * 8 + _LINE * (1 + len(lines))
        self.shape("rl-soft", "#f5f6f8", _EDGE, self.width - 2 * _EDGE, height)
        self.shape("", COLOURS[box.kind], _EDGE, 4, height)
        self.y += 8
        self.label(box)
        for line in lines:
            style = "rl-m" if mono else "rl-b" if box.kind == "answer" else ""
            self.text(_EDGE + 4 + _PAD, line, style)
        self.y += 8 + 8

    def label(self, box: Box) -> None:
        """The word in bold and who wrote the box, in one line."""
        notes = "".join(f" · {note}" for note in (box.author, box.note) if note)
        first, *others = wrapped(box.word + notes, 12, self.width - 2 * _EDGE - 2 * _PAD - 16)
        notes = first.removeprefix(box.word) + ("…" if others else "")
        self.parts.append(
            f'<text class="rl-s" x="{_EDGE + 4 + _PAD}" y="{self.y + 14}">'
            f'<tspan class="rl-b">{_safe(box.word)}</tspan>{_safe(notes)}</text>'
        )
        self.y += _LINE

    def text(self, x: int, words: str, style: str) -> None:
        kind = f' class="{style}"' if style else ""
        if words.strip():
            self.parts.append(f'<text{kind} x="{x}" y="{self.y + 14}">{_safe(words)}</text>')
        self.y += _LINE

    def shape(self, style: str, fill: str, x: int, width: int, height: int) -> None:
        kind = f'class="{style}" ' if style else ""
        self.parts.append(
            f'<rect {kind}fill="{fill}" x="{x}" y="{self.y}" width="{width}" height="{height}"/>'
        )


def wrapped(words: str, size: int, room: int, *, mono: bool = False) -> Iterator[str]:
    """The text in lines that are at most `room` pixels wide in letters of `size` pixels."""
    for paragraph in clean(words).expandtabs(4).split("\n"):
        start, end, width = 0, 0, 0.0
        for at, letter in enumerate(paragraph):
            if _may_break(paragraph, at):
                end = at
            width += size * _em(letter, mono)
            if width > room and at > start:
                end = end if end > start else at
                yield paragraph[start:end].rstrip()
                start = end
                width = size * sum(_em(each, mono) for each in paragraph[start : at + 1])
        yield paragraph[start:].rstrip()


def _may_break(words: str, at: int) -> bool:
    if at == 0 or words[at] in _NO_START or words[at] == " ":
        return False
    before = words[at - 1]
    return before in " -/" or _wide(before) or _wide(words[at])


def _wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def _em(letter: str, mono: bool) -> float:
    """About how wide a letter is, rather too wide than too narrow; fonts differ."""
    if unicodedata.combining(letter) or letter in "\u200d\ufe0f":
        return 0.0
    if _wide(letter):
        return 1.25 if ord(letter) > 0x1F000 else 1.0
    if mono:
        return 0.61
    if letter in " iljtfrI.,:;'\"`|!()[]{}-/\\":
        return 0.42
    if letter in "mwMW<>=+~#@%&—…" or ord(letter) > 0x24F:
        return 0.9
    return 0.74 if letter.isupper() else 0.63


def _safe(words: str) -> str:
    return escape(clean(words)).replace("\n", " ")
