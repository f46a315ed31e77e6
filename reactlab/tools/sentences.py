"""Where sentences end, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reactlab.tools.shipped import words

_STOP = re.compile(
    r"[。！？]+[”’」』）)】]*"  # Chinese ends a sentence without a blank
    r"|(?<![.!?])[.!?]+[\"'”’)\]»]*(?=\s)"
    r"|(?<![!?])[!?]+(?=[\u3040-\u30ff\u3400-\u9fff])"
)
_HEADING = re.compile(r"^\s*#{1,6}\s.*$", re.MULTILINE)
_UNIT = re.compile(r"\n\s*\n|^[ \t]*(?:[-*+•]|[0-9]+[.)])\s+", re.MULTILINE)  # or an item
_WIDE = "[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef“”‘’]"
_LAST_WORD = re.compile(r"([^\s(\[\"'“‘]+)\.[\"'”’)\]»]*$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")  # J or U.S


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of `text` in order, without blanks at their ends.

    Blank lines and list items end a sentence; other line breaks are ordinary blanks (nothing
    between Chinese characters). Markdown headings are left out unless there is nothing else.
    """
    body = _HEADING.sub("\n\n", text)
    units = _UNIT.split(body if body.strip() else text.replace("#", " "))
    lines = (re.sub(f"(?<={_WIDE}) (?={_WIDE})", "", " ".join(unit.split())) for unit in units)
    return tuple(part for line in lines for part in _split_line(line))


def join_sentences(sentences: Iterable[str]) -> str:
    """Join with a blank, or with nothing where a sentence ends in full-width punctuation."""
    return re.sub(f"({_WIDE})\n", r"\1", "\n".join(sentences)).replace("\n", " ")


def _split_line(line: str) -> Iterator[str]:
    start = 0
    for stop in _STOP.finditer(line):
        end = stop.end()
        if _ends(line[max(start, end - 60) : end], line[end : end + 40].lstrip()):
            yield line[start:end].strip()
            start = end
    if rest := line[start:].strip():
        yield rest


def _ends(before: str, after: str) -> bool:
    """Whether a sentence ends here, or goes on after an abbreviation, an initial or a title."""
    if before.count("《") > before.count("》") or after[:1].islower():
        return False
    last = _LAST_WORD.search(before)
    word = last[1] if last else ""
    if word == "I" or not (word.casefold() in words("abbreviations") or _INITIALS.fullmatch(word)):
        return True
    next_words = re.findall(r"(?:[^\W\d_]\.)+|\w+", after) or [""]  # an initial is no starter
    return next_words[0].casefold() in words("starters")
