"""Numbers with their units, and dates, in digits or in words, in either language."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from .tables import rows

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {word: float(number) for number, word in enumerate(_ONES)}
_WORDS |= {word: 10.0 * number for number, word in enumerate(_TENS, start=2)}
_WORDS |= {"dozen": 12, "half": 0.5, "twice": 2, "double": 2, "triple": 3, "thrice": 3}
_ZH = {char: at for at, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_ZH_UNITS = {"十": 10, "百": 100, "千": 1000}
_BIG = {"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_BIG |= {"万": 1e4, "亿": 1e8, "千": 1e3, "百": 100}
_BIG_EN = "hundred|thousand|million|billion|trillion"
_NUMBER = re.compile(
    r"(?<![\w.])(?P<minus>minus |零下)?(?P<digits>\d{1,15}(?:,\d{3})*(?:\.\d+)?)"
    rf"(?:\s?(?P<big>{_BIG_EN})\b|(?P<wan>[万亿千百](?![一二三])))?"
    r"|(?<=[\u3400-\u9fff：，])(?P<cjk>\d{1,15}(?:,\d{3})*(?:\.\d+)?)(?P<wan2>[万亿千百])?"
    r"|\b(?P<word>" + "|".join(_WORDS) + r")(?:-(?P<ones>" + "|".join(_ONES[1:10]) + r"))?"
    rf"(?:\s(?P<big2>{_BIG_EN})\b)?\b"
    r"|(?P<zh>[零一二三四五六七八九十百千两]{1,9})(?P<zhbig>[万亿])?(?![一号共些样起次])(?=[^\W\d_])",
    re.IGNORECASE,
)
MONTHS = (
    "january february march april may june july august september october november december"
).split()
_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS)
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m>{_MONTH})\.?,?\s+(?P<y>\d{{3,4}})\b",
        rf"\b(?P<m>{_MONTH})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})\b",
        rf"\b(?P<m>{_MONTH})\s+(?:of\s+)?(?P<y>\d{{4}})\b",
        r"(?<!\d)(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?!\d)",
        r"(?P<y>\d{3,4})年(?:(?P<m>\d{1,2})月)?(?:(?P<d>\d{1,2})[日号])?",
        rf"\b(?P<d>\d{{1,2}})\s(?P<m>{_MONTH})\b(?!\s\d)",
        r"(?<![\d年])(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号]",
        r"(?<![\d.,])(?P<y>1[0-9]\d\d|20\d\d)(?![\d,]|\.\d|[\-–]\w|\s?[\u3400-\u9fff\w%])",
        r"(?<![\d.,])(?P<y>1[0-9]\d\d|20\d\d)(?=s?\s(?:and|to|until|till|or|film|movie|when|with"
        r"|for|in|by|together|from|he|she|it|the|was|picture|for|at|after|before|near|on|his)\b)",
        r"\b(?:in|by|around|since|until|of|from)\s+(?P<y>\d{3})\b(?!\s+\w)",
    )
)


class Unit(NamedTuple):
    """A unit of measure: its kind, and its size in the kind's base unit."""

    name: str
    kind: str
    size: float


class Quantity(NamedTuple):
    """A number as written, from `start` to `end`; `unit` ends at `stop`."""

    value: float
    start: int
    end: int
    unit: Unit | None
    stop: int


class Date(NamedTuple):
    """A calendar date as far as it was given: what was not given is 0."""

    year: int
    month: int
    day: int
    start: int
    end: int


@cache
def _units() -> tuple[dict[str, Unit], re.Pattern[str]]:
    named: dict[str, Unit] = {}
    for name, kind, size, english, chinese in rows("units"):
        for word in [*english.split(), *chinese.split()]:
            named[word.replace("-", " ")] = Unit(name, kind, float(size))
    words = sorted(named, key=lambda word: (-len(word), word))
    edged = (re.escape(w) + (r"(?![A-Za-z])" if w.isascii() else "") for w in words)
    return named, re.compile(r"[ \-]?(" + "|".join(edged) + ")")


def unit_at(text: str, at: int) -> tuple[Unit | None, int]:
    """The unit that is written at a place of a text, and where it ends."""
    named, pattern = _units()
    found = pattern.match(text, at)
    return (named[found[1]], found.end()) if found else (None, at)


def units_in(text: str) -> list[tuple[Unit, int]]:
    """Every unit that a text names in full, with its place."""
    named, pattern = _units()
    found = [m for m in pattern.finditer(text) if len(m[1]) > 1 or not m[1].isascii()]
    whole = [m for m in found if not m[1].isascii() or not text[m.start(1) - 1 : m.start(1)].isalnum()]
    return [(named[m[1]], m.start()) for m in whole]


def _chinese(text: str) -> float | None:
    """`一百二十` as 120; None for what is no number."""
    if all(char in _ZH for char in text):
        return float("".join(str(_ZH[char]) for char in text))
    total, digit = 0, None
    for char in text:
        if char in _ZH_UNITS:
            total += (1 if digit is None else digit) * _ZH_UNITS[char]
            digit = None
        else:
            digit = _ZH[char]
    return float(total + (digit or 0))


def _value(match: re.Match[str]) -> float | None:
    big = next((match[g] for g in ("big", "wan", "wan2", "big2", "zhbig") if match[g]), "").lower()
    factor = _BIG.get(big, 1)
    if digits := match["digits"] or match["cjk"]:
        return round(float(digits.replace(",", "")) * factor, 6) * (-1 if match["minus"] else 1)
    if match["word"]:
        return (_WORDS[match["word"].lower()] + _WORDS.get((match["ones"] or "").lower(), 0)) * factor
    value = _chinese(match["zh"])
    return None if value is None else value * factor


def quantities(text: str, *, dated: bool = False) -> list[Quantity]:
    """Every number of a text that is no part of a date; with `dated`, those too."""
    taken = [] if dated else dates(text)
    found = []
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        value = _value(match)
        if value is not None and all(end <= d.start or start >= d.end for d in taken):
            unit, stop = unit_at(text, end)
            found.append(Quantity(value, start, end, unit, stop))
    return found


def dates(text: str) -> list[Date]:
    """Every date of a text, in order; a bare year counts as a date."""
    found: list[Date] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            start, end = match.span()
            if all(end <= date.start or start >= date.end for date in found):
                parts = match.groupdict()
                month = (parts.get("m") or "0").lower()
                number = int(month) if month.isdigit() else _month(month)
                year, day = int(parts.get("y") or 0), int(parts.get("d") or 0)
                found.append(Date(year, number, day, start, end))
    return sorted(found, key=lambda date: date.start)


def _month(name: str) -> int:
    return next(at for at, month in enumerate(MONTHS, start=1) if month.startswith(name))


def plain(value: float) -> str:
    """A number for a sum: no `.0`, no exponent for ordinary sizes."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.12g}"


def readable(value: str) -> str:
    """A result as people write it: `1082.67716535433` as `1,082.68`; else as it is."""
    try:
        number = float(value)
    except ValueError:
        return value
    if number == int(number):
        return f"{int(number):,}" if abs(number) < 1e15 else value
    shown = f"{number:,.2f}" if abs(number) >= 1 else f"{number:.4g}"
    return shown.rstrip("0").rstrip(".") if "." in shown and "e" not in shown else shown
