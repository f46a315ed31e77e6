"""Sums told in words: the numbers in their order, and what is done with each."""

from __future__ import annotations

import re

from .compute import by_shape, countable, mixed
from .numbers import Quantity, dates, plain
from .tables import cue

_SIGNS = {"divide": "/", "multiply": "*", "subtract": "-", "add": "+"}
_CLAUSE = re.compile(r"[.;?!。；？！]")


def told_sum(text: str) -> str:
    """The expression that a text asks for, as `(24 * 15) - 38`; "" where the rules see none."""
    numbers = countable(text)
    dated = any(date.year > 999 or date.month for date in dates(text))
    undated = not dated or cue("operation").search(text)
    if len(numbers) < 2 or not undated or cue("function").search(text):
        return ""
    if shaped := by_shape(text):
        return shaped
    if cue("average").search(text) and len(numbers) > 2:
        count = len(numbers) - 1
        listed = [q for q in numbers if q.value != count or text[q.end : q.end + 1] in "、,，"]
        return f"({' + '.join(plain(q.value) for q in listed)}) / {len(listed)}"
    return _chained(text, numbers)


def _chained(text: str, numbers: list[Quantity]) -> str:
    """One step for each number after the first, in their order."""
    total, lead, used = plain(numbers[0].value), text[: numbers[0].start], ""
    for at, number in enumerate(numbers[1:], start=1):
        ends = numbers[at + 1].start if at + 1 < len(numbers) else len(text)
        between, after = text[numbers[at - 1].end : number.start], text[number.end : ends]
        value = plain(number.value)
        if share := _share(text, between, after, total, value):
            total = share
            continue
        step = _nearest("" if between == used else between) or (_any(lead) if at == 1 else "")
        if not step:
            step = next(filter(None, map(_any, [*_CLAUSE.split(after), lead, text])), "")
            used = after if step == "multiply" else ""
        if not step or (step in ("add", "subtract") and mixed(text, numbers)):
            return ""
        swaps = cue("reversed").search(f"{lead} {between}") if step == "subtract" else None
        shares = step == "divide" and cue("shared").search(text) and at == 1
        if swaps or (shares and number.value > numbers[0].value):
            total, value = value, total
        total = f"({total})" if " " in total and step in ("multiply", "divide") else total
        total = f"{total} {_SIGNS[step]} {value}"
    last = text[numbers[-1].end :]
    tail = next((f for name, f in (("twice", "2"), ("half", "0.5")) if cue(name).search(last)), "")
    return f"({total}) * {tail}" if tail else total


def _nearest(between: str) -> str:
    """The operation that is named closest before a number."""
    return max(
        ((m.end(), name) for name in _SIGNS for m in cue(name).finditer(between)), default=(0, "")
    )[1]


def _any(place: str) -> str:
    return next((name for name in _SIGNS if cue(name).search(place)), "")


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
