"""Split prose into sentences, in English and Chinese, without breaking abbreviations or numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

_STOP = re.compile(
    r"[。！？]+[”’」』）)】]*"  # Chinese ends a sentence without a blank
    r"|(?<![.!?])[.!?]+[\"'”’)\]»]*(?=\s)"
    r"|(?<![!?])[!?]+(?=[\u3040-\u30ff\u3400-\u9fff])"
)
_CLOSING = "\"'”’)]»"
_BLOCK = re.compile(r"\n\s*\n")
BULLET = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")
_HEADING = re.compile(r"\s*#{1,6}\s")
_WIDE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef“”‘’]")
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]+$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]\.")  # J. or U.S.
_NEXT_WORD = re.compile(r"\s*[\"'“‘(\[]*(?![^\W\d_]\.)([^\W_]+)")  # no initial


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEVER = _words(
    "dr mr mrs ms prof st mt gen col capt lt sgt rev hon gov sen rep messrs mme mlle"
    " e.g i.e cf vs viz ca approx"
)
_BEFORE_NUMBER = _words("no nos nr fig figs vol p pp ch sec eq art")
_MAYBE = _words(
    "etc jr sr inc ltd co corp bros al ph.d m.d b.a m.a"
    " jan feb mar apr jun jul aug sep sept oct nov dec"
)
# After an abbreviation, these words nearly always begin a new sentence.
_STARTERS = _words(
    "the a an it its he his she her they their there this that these those we our you your i in on"
    " at for from by with after before since when while as but and however although though both"
    " one some many most no other all each if today later then who what where which how"
)


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of `text` in order, without blanks at their ends.

    Blank lines and list items end a sentence; other line breaks are ordinary blanks (nothing
    between Chinese characters). Markdown headings are left out unless there is nothing else.
    """
    found = tuple(part for unit in _units(text) for part in _split_unit(unit))
    bare = " ".join(text.replace("#", " ").split())
    return found or ((bare,) if bare else ())


def join_sentences(sentences: tuple[str, ...]) -> str:
    """Join with a blank, or with nothing where a sentence ends in full-width punctuation."""
    joined = ""
    for sentence in sentences:
        joined += sentence if not joined or _WIDE.match(joined[-1]) else " " + sentence
    return joined


def _units(text: str) -> Iterator[str]:
    """Yield paragraphs and list items, each on one line."""
    for block in _BLOCK.split(text):
        lines: list[str] = []
        for line in block.splitlines():
            starts_item = BULLET.match(line)
            if starts_item or _HEADING.match(line):
                yield _one_line(lines)
                lines = [line[starts_item.end() :]] if starts_item else []
            else:
                lines.append(line)
        yield _one_line(lines)


def _one_line(lines: list[str]) -> str:
    joined = ""
    for line in (" ".join(line.split()) for line in lines):
        touching = joined and line and _WIDE.match(joined[-1]) and _WIDE.match(line[0])
        joined += line if touching or not joined or not line else " " + line
    return joined


def _split_unit(unit: str) -> Iterator[str]:
    start = 0
    for stop in _STOP.finditer(unit):
        if _ends(unit, start, stop):
            yield unit[start : stop.end()].strip()
            start = stop.end()
    if rest := unit[start:].strip():
        yield rest


def _ends(unit: str, start: int, stop: re.Match[str]) -> bool:
    """Whether the punctuation at `stop` closes the sentence that began at `start`."""
    recent = unit[max(start, stop.start() - 60) : stop.start()]
    if recent.count("《") > recent.count("》"):  # inside a Chinese title
        return False
    after = unit[stop.end() :].lstrip()[:1] if stop.end() < len(unit) else ""
    if after.islower():
        return False
    return (
        not stop[0].startswith(".")
        or len(stop[0].rstrip("\"'”’)]»")) > 1
        or _full_stop(unit, start, stop)
    )


def _full_stop(unit: str, start: int, stop: re.Match[str]) -> bool:
    """Tell a full stop from the point of an abbreviation, an initial or a list number."""
    word_match = _LAST_WORD.search(unit, max(start, stop.start() - 40), stop.start())
    word = word_match[0] if word_match else ""
    plain = word.casefold()
    following = _NEXT_WORD.match(unit, stop.end())
    next_word = following[1] if following else ""
    if plain in _NEVER or unit[start : stop.start()].strip().isdigit():
        return False
    if plain in _BEFORE_NUMBER and word != "P":
        return not next_word[:1].isdigit()
    if plain in _MAYBE or (_INITIALS.fullmatch(word + ".") and word != "I"):
        return next_word.casefold() in _STARTERS
    return True
