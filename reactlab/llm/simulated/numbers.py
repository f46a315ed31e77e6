"""Numbers with their units, and dates, in digits or in words, in either language."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from .tables import cue, patterns, rows


class Unit(NamedTuple):
    """A unit of measure: its kind, and its size in the kind's base unit."""

    name: str
    kind: str
    size: float


class Quantity(NamedTuple):
    """A number as written, from `start` to `end`; its unit ends at `stop`."""

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
def _values() -> dict[str, float]:
    return {word: float(value) for word, value in rows("values")}


@cache
def _units() -> tuple[dict[str, Unit], re.Pattern[str]]:
    named: dict[str, Unit] = {}
    for name, kind, size, english, chinese in rows("units"):
        for word in f"{english} {chinese}".split():
            named[word.replace("-", " ")] = Unit(name, kind, float(size))
    words = sorted(named, key=lambda word: (-len(word), word))
    edged = (re.escape(w) + (r"(?![A-Za-z])" if w.isascii() else "") for w in words)
    return named, re.compile(r"[ \-]?(" + "|".join(edged) + ")")


def units_in(text: str) -> list[tuple[Unit, str]]:
    """Every unit that a text names, as it is written there."""
    named, pattern = _units()
    found = [m for m in pattern.finditer(text) if len(m[1]) > 1 or not m[1].isascii()]
    before = ((m, text[: m.start(1)][-1:]) for m in found)  # 哪里 names no length
    edge = [m for m, char in before if not (char.isalnum() if m[1].isascii() else char in "哪这那")]
    return [(named[m[1]], m[1]) for m in edge]


def _chinese(text: str) -> float:
    """`一百二十` as 120, `七五` as 75."""
    digits = [int(_values()[char]) for char in text]
    if max(digits) < 10:
        return float("".join(map(str, digits)))
    total, digit = 0, 0
    for value in digits:
        total, digit = (total + (digit or 1) * value, 0) if value >= 10 else (total, value)
    return float(total + digit)


def _value(match: re.Match[str]) -> float:
    big = next((match[g] for g in ("big", "wan", "wan2", "big2", "zhbig") if match[g]), "").lower()
    factor, values = _values().get(big, 1.0), _values()
    if digits := match["digits"] or match["cjk"]:
        return round(float(digits.replace(",", "")) * factor, 6) * (-1 if match["minus"] else 1)
    if match["word"]:
        ones = values.get((match["ones"] or "").lower(), 0)
        return (values[match["word"].lower()] + ones) * factor
    return _chinese(match["zh"]) * factor


def quantities(text: str, *, dated: bool = False) -> list[Quantity]:
    """Every number of a text that is no part of a date; with `dated`, those too."""
    taken = [] if dated else dates(text)
    named, pattern = _units()
    found = []
    for match in cue("number").finditer(text):
        start, end = match.span()
        if all(end <= d.start or start >= d.end for d in taken):
            unit = pattern.match(text, end)
            stop = unit.end() if unit else end
            own = named[unit[1]] if unit else None
            found.append(Quantity(_value(match), start, end, own, stop))
    return found


def dates(text: str) -> list[Date]:
    """Every date of a text, in order; a bare year counts as a date."""
    found: list[Date] = []
    for pattern, _ in patterns("dates"):
        for match in pattern.finditer(text):
            start, end = match.span()
            if all(end <= date.start or start >= date.end for date in found):
                year, month, day = (str(match.groupdict().get(part) or 0) for part in "ymd")
                number = int(month) if month.isdigit() else int(_values()[month.lower()])
                found.append(Date(int(year), number, int(day), start, end))
    return sorted(found, key=lambda date: date.start)


def months(text: str) -> list[tuple[str, int]]:
    """Every month that a text names, as it is written there, and its number."""
    found = [match[0] for match in cue("month").finditer(text)]
    return [(word, int(_values().get(word.lower()) or word[:-1])) for word in found]


def plain(value: float) -> str:
    """A number for a sum: no `.0`, no exponent for ordinary sizes."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.12g}"


def readable(value: str) -> str:
    """A result as people write it: `1082.67716535433` as `1,082.68`; else as it is."""
    whole, _, rest = value.partition(".")
    if not re.fullmatch(r"-?\d{1,15}", whole) or not (rest or "0").isdigit():
        return value
    shown = f"{float(value):,.2f}" if abs(float(value)) >= 1 else f"{float(value):.4g}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown
