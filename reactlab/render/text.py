"""Rows as plain text and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reactlab.render.labels import Labels
from reactlab.render.rows import Box, Sheet, clean, shorten


def text(sheet: Sheet) -> str:
    """The sheet as plain text, without a line break at its end."""
    lines = [indented(line_of(box, sheet.labels, sheet.limit), "") for box in sheet.opening]
    for part in sheet.parts:
        lines += ["", clean(part.heading)]
        lines += [indented(line_of(box, sheet.labels, sheet.limit)) for box in part.boxes]
    return "\n".join([*lines, "", facts_line(sheet.facts)]).rstrip()


def line_of(box: Box, labels: Labels, limit: int | None) -> str:
    """A box as a word, a colon and its text, which may have further lines."""
    note = labels.note.format(note=box.note) if box.note else ""
    body = shorten(box.text.strip("\n"), limit, labels)
    return clean(f"{box.word}{note}{labels.colon}{body}").rstrip()


def indented(lines: str, by: str = "  ") -> str:
    """All lines `by` this and those after the first by more, so that none passes for a label."""
    first, *others = lines.split("\n")
    return "\n".join([by + first, *(f"{by}  {line}".rstrip() for line in others)])


def facts_line(facts: Iterable[str]) -> str:
    """All facts in one line."""
    return clean(" · ".join(facts)).replace("\n", " ")


def printable(words: str, encoding: str | None) -> str:
    """The text with everything replaced that `encoding` cannot write."""
    try:
        words.encode(encoding or "utf-8")
        return words
    except LookupError:
        return printable(words, "ascii")
    except UnicodeEncodeError:
        codec = encoding or "utf-8"
        plain = words.replace("……", "...").replace("…", "...").replace(" · ", " | ")
        return plain.encode(codec, "replace").decode(codec)


def markdown(sheet: Sheet) -> str:
    """The sheet as Markdown in which the texts of the boxes are text and nothing else."""
    blocks = [_item(box, sheet) for box in sheet.opening]
    for part in sheet.parts:
        items = [f"- {_item(box, sheet)}" for box in part.boxes]
        blocks.append("\n".join([f"**{literal(part.heading)}**", "", *items]).rstrip())
    return "\n\n".join([*blocks, literal(" · ".join(sheet.facts))]) + "\n"


def _item(box: Box, sheet: Sheet) -> str:
    notes = " · ".join(literal(note) for note in (box.author, box.note) if note)
    note = sheet.labels.note.format(note=notes) if notes else ""
    body = literal(shorten(box.text.strip(), sheet.limit, sheet.labels))
    body = f"<code>{body}</code>" if box.kind == "action" else body
    return f"**{literal(box.word)}**{note}{sheet.labels.colon}{body}".rstrip()


_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~$^&@=!]|:(?=//|\w+:)")
_WIDE = re.compile("(?<= ) | (?=\t)|\t")


def literal(words: str) -> str:
    """Text for Markdown: marks that any common dialect reads become character references.

    Backslashes would not do: in notebooks formulas are looked for before they are read, and once
    more in the finished page, though not across elements.
    """
    safe = _SPECIAL.sub(lambda found: _reference(found[0]), clean(words))
    return _WIDE.sub("&nbsp;", safe).replace("\n", "<br>")


def _reference(mark: str) -> str:
    code = f"&#{ord(mark)};"
    return f"<span>{code}</span>" if mark in "$\\" else code
