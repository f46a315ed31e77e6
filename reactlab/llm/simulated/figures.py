"""Figures that have to be found first and then worked with: differences, sums, parts, units."""

from __future__ import annotations

import re

from .combine import Value, measure, options
from .find import find
from .numbers import plain, quantities, readable, units_in
from .question import STRICT, Ask, Term, about
from .run import Move, Run
from .tables import cue, rows

_SIGNS = (("ratio", " / "), ("difference", " - "), ("sum_of", " + "))


def figure(run: Run, ask: Ask) -> Move | None:
    """The result of working with figures; None if the question asks for no such thing."""
    for name, idents in (("money", ["sold", "price"]), ("area", ["height", "width"])):
        if cue(name).search(ask.text) and (move := _product(run, ask, idents)):
            return move
    return _joined(run, ask) or _share(run, ask) or _scaled(run, ask)


def _worked(run: Run, expression: str, value: Value | None = None, unit: str = "") -> Move | None:
    """The result, in the place of the figure that it was made of, if there is one."""
    result = run.compute(expression)
    if not result:
        return None
    shown = readable(result)
    answer = (run.say("about") + " " if "." in shown else "") + f"{shown} {unit}".strip()
    if value:
        before = re.sub(r"(?:about|around|约|大约)\s*$", "", value.fact.text[: value.start])
        answer = f"{before}{answer}{value.fact.text[value.end :]}"
    return Move(run.say("computed", sum=expression, value=shown), answer)


def _product(run: Run, ask: Ask, idents: list[str]) -> Move | None:
    """Two figures of one sentence, multiplied: copies and price, height and width."""
    terms = about("", idents, ask.lang, "").terms
    fact = find(run, ask._replace(kind="", terms=terms))
    found = quantities(fact.text) if fact else []
    pair = " * ".join(plain(q.value) for q in found[:2])
    return _worked(run, pair) if len(found) > 1 else None


def _joined(run: Run, ask: Ask) -> Move | None:
    """The difference, ratio or sum of the same figure of several things, or of two figures."""
    sign = next((sign for name, sign in _SIGNS if cue(name).search(ask.text)), "")
    asks = _parts(ask) if sign else []
    found = [measure(run, each) for each in asks] if len(asks) > 1 else []
    values = [value for value in found if value]
    if not values or len(values) != len(asks):
        return None
    ordered = sorted(values, key=lambda v: -v.size) if sign == " - " else values
    own = _quantity(values[0])
    size = own.unit.size if own and own.unit else 1.0
    unit = re.sub(r"^[-\d.,\s]+(?:million|billion)?|^\w+ |^[万亿]", "", values[0].shown).strip()
    expression = sign.join(plain(value.size / size) for value in ordered)
    return _worked(run, expression, unit="" if sign == " / " else unit)


def _parts(ask: Ask) -> list[Ask]:
    """What is asked of each: of several months, of several things, or several figures of one."""
    numeric = [f for f in ask.families if f.kind in STRICT - {"date", "year"}]
    kind = numeric[0].kind if numeric else ask.kind
    wanted = [numeric[0].id] if numeric else ["length"] if kind == "length" else []
    months = [m for m in re.findall(r"[A-Z][a-z]+|\d{1,2}月", ask.text) if m.lower() in _months()]
    if first := cue("first_months").search(ask.text):
        months = [f"{n + 1}月" for n in range(int(quantities(f"{first[0]}x")[0].value))]
    if len(months) > 1:
        terms = [(Term(1.2, None, m.lower()),) for m in months]
        return [about(ask.subject, wanted, ask.lang, kind, t) for t in terms]
    if len(ask.subjects) == 1 and len(numeric) > 1:
        return [about(ask.subject, [f.id], ask.lang, f.kind) for f in numeric[:2]]
    return [about(name, wanted, ask.lang, kind) for name in options(ask)]


def _months() -> set[str]:
    return {row[0] for row in rows("values")[-23:]} | {f"{n}月" for n in range(1, 13)}


def _quantity(value: Value):  # type: ignore[no-untyped-def]
    return next((q for q in quantities(value.fact.text) if q.start == value.start), None)


def _share(run: Run, ask: Ask) -> Move | None:
    """`130 of 134` in percent."""
    if not cue("percent").search(ask.text) or quantities(ask.text):
        return None
    fact = find(run, ask._replace(kind=""))
    parts = cue("of").search(fact.text) if fact else None
    numbers = sorted(float(n.replace(",", "")) for n in parts.groups() if n) if parts else []
    return (
        _worked(run, f"{plain(numbers[0])} / {plain(numbers[1])} * 100", unit="%")
        if numbers
        else None
    )


def _scaled(run: Run, ask: Ask) -> Move | None:
    """A figure in another unit, or a part or a multiple of it."""
    factor = _factor(ask.text)
    targets = [pair for pair in units_in(ask.text) if pair[0].kind != "duration"]
    kinds = {unit.kind for unit, _ in targets} or STRICT
    family = next((f for f in ask.families if f.kind in kinds), None)
    if family is None or not ask.subjects or not (factor or targets):
        return None
    value = measure(run, about(ask.subject, [family.id], ask.lang, family.kind), "search")
    own = _quantity(value) if value else None
    if value is None or own is None:
        return None
    if factor:
        return _worked(run, f"{plain(own.value)} * {factor}")
    kin = [
        (u, word) for u, word in targets if own.unit and u.kind == own.unit.kind and u != own.unit
    ]
    if not kin:
        return None
    given = {q.unit: q.value for q in quantities(ask.text) if q.unit}
    rate = (given.get(kin[0][0], own.unit.size), given.get(own.unit, kin[0][0].size))
    steps = [f" {sign} {plain(n)}" for sign, n in zip("*/", rate, strict=True) if n != 1]
    expression = plain(own.value) + "".join(steps)
    return _worked(run, expression, value, "feet" if kin[0][1] == "ft" else kin[0][1])


def _factor(text: str) -> str:
    """What a figure is to be multiplied with: `15% of`, `a quarter of`, `round trip`."""
    if found := re.search(r"(\d+(?:\.\d+)?)\s?(?:%|percent|per cent)", text):
        return f"{found[1]} / 100"
    pairs = (("half", "0.5"), ("quarter", "0.25"), ("third", "1 / 3"), ("twice", "2"))
    return next((number for name, number in pairs if cue(name).search(text)), "")
