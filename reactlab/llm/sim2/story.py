"""Sums told in words: the numbers in their order, and what is done with each."""

from __future__ import annotations

import re

from .numbers import Quantity, dates, plain, quantities
from .tables import cue

_SIGNS = {"multiply": "*", "divide": "/", "subtract": "-", "add": "+"}
_ORDER = ("divide", "multiply", "subtract", "add")


def told_sum(text: str) -> str:
    """The expression that a text asks for, as `(24 * 15) - 38`; "" where the rules see none."""
    numbers = [
        q
        for q in quantities(text, dated=True)
        if text[q.start : q.end].lower() not in ("一", "one", "half", "double", "twice")
    ]
    if len(numbers) < 2 or (dates(text) and not cue("operation").search(text)):
        return ""
    values = [plain(q.value) for q in numbers]
    if cue("average").search(text) and len(numbers) > 2:
        counted = str(len(values) - 1)
        listed = [v for v in values if v != counted] if values.count(counted) == 1 else values
        return f"({' + '.join(listed)}) / {len(listed)}"
    if cue("perimeter").search(text):
        return f"2 * ({values[0]} + {values[1]})"
    if cue("area").search(text):
        return " * ".join(values[:2])
    if rated := _rated(text, numbers):
        return rated
    if len(numbers) == 3 and cue("same_rate").search(text):
        return f"{values[1]} / {values[0]} * {values[2]}"
    return _chained(text, numbers)


def _rated(text: str, numbers: list[Quantity]) -> str:
    """Way, time and speed: any two give the third."""
    kinds = {q.unit.kind: q for q in numbers[:2] if q.unit}
    way, time, speed = (kinds.get(kind) for kind in ("length", "duration", "speed"))
    if way and speed:
        return f"{plain(way.value)} / {plain(speed.value)}"
    if time and speed:
        return f"{plain(speed.value)} * {plain(time.value)}"
    if way and time and cue("speed").search(text):
        return f"{plain(way.value)} / {plain(time.value)}"
    return ""


def _chained(text: str, numbers: list[Quantity]) -> str:
    total, first = plain(numbers[0].value), numbers[0]
    lead, used = text[: first.start], ""
    for at, number in enumerate(numbers[1:], start=1):
        ends = numbers[at + 1].start if at + 1 < len(numbers) else len(text)
        between, after = text[numbers[at - 1].end : number.start], text[number.end : ends]
        value = plain(number.value)
        if share := _share(text, between, after, total, value):
            total = share
            continue
        step = _step(between if between != used else "", after, lead, text)
        used = after if step == "multiply" else ""
        if not step:
            return ""
        if step == "subtract" and cue("reversed").search(lead + " " + between):
            total, value = value, total
        elif (
            step == "divide"
            and cue("shared").search(text)
            and at == 1
            and number.value > first.value
        ):
            total, value = value, total
        total = f"({total})" if " " in total and step in ("multiply", "divide") else total
        total = f"{total} {_SIGNS[step]} {value}"
    last = text[numbers[-1].end :]
    tail = next((f for name, f in (("twice", "2"), ("half", "0.5")) if cue(name).search(last)), "")
    return f"({total}) * {tail}" if tail else total


def _step(between: str, after: str, lead: str, text: str) -> str:
    """What is done with a number: the closest word before it, else after it, else anywhere."""
    found = [(m.end(), name) for name in _ORDER for m in cue(name).finditer(between)]
    if found:
        return max(found)[1]
    clause, *rest = re.split(r"[.;?!。；？！]", after)
    for place in (clause, *rest, lead, text):
        if name := next((name for name in _ORDER if cue(name).search(place)), ""):
            return name
    return ""


def _share(text: str, between: str, after: str, total: str, value: str) -> str:
    """Percents and discounts: `15 percent off`, `18% of`, 打七五折."""
    if cue("tenths").match(after):
        paid = f"{value} / {100 if len(value) > 1 else 10}"
        return f"{total} * {paid}"
    if re.match(r"\s*(?:%|percent|per cent)", between) and re.search(r"\bof\b|的", between):
        return f"{total} / 100 * {value}"
    if not re.match(r"\s*(?:%|percent|per cent)", after) and not between.endswith("百分之"):
        return ""
    sign = "-" if cue("cheaper").search(text) else "+" if cue("dearer").search(text) else ""
    part = f"(1 {sign} {value} / 100)" if sign else f"{value} / 100"
    return f"({total}) * {part}" if " " in total else f"{total} * {part}"
