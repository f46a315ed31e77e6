"""Working with figures that have to be found first: spans, ages, sums, shares, units."""

from __future__ import annotations

import re
from datetime import date as day
from functools import reduce

from . import figures
from .compare import compare
from .evidence import Fact
from .figures import Value
from .find import find
from .numbers import Quantity, dates, plain, quantities, readable, units_in
from .question import Ask, about
from .run import Move, Run
from .tables import cue, word_set

_SIGNS = (("ratio", " / "), ("sum_of", " + "), ("difference", " - "))


def work(run: Run, ask: Ask) -> Move | None:
    """The answer made of several figures; None if the question asks for no such thing."""
    plans = (_span, _joined, _product, _share, _changed, compare)
    counts = cue("counting").search(ask.text)
    made = (plan(run, ask) for plan in (plans if counts else plans[::-1]))
    return next((move for move in made if move), None)


def unfound(run: Run) -> Move:
    """Say so: no answer is better than a wrong one."""
    if "search" not in run.roles:
        return Move(run.say("unsure"), run.say("nomemory"))
    missing = run.lacking[1]
    return Move(run.say("nothing"), run.say("lacking" if missing else "notfound", what=missing))


def worked_out(run: Run, expression: str, unit: str = "", value: Value | None = None) -> Move:
    """The value of an expression, in the place of the figure that it was made of, if given."""
    result = run.compute(expression)
    if not result:
        return unfound(run)
    shown = readable(result)
    answer = f"{shown} {unit}".strip()
    if value:
        near = run.say("about") + " " if "." in shown else ""
        before = re.sub(r"(?:about|around|约|大约)\s*$", "", value.fact.text[: value.start])
        answer = f"{before}{near}{answer}{value.fact.text[value.end :]}"
    return Move(run.say("computed", sum=expression, value=shown), answer)


def _span(run: Run, ask: Ask) -> Move | None:
    """How old somebody was at an event, or how much time lies between two."""
    unit, aged = cue("interval").search(ask.text), cue("age").search(ask.text)
    if not ask.subjects or not (unit or aged) or (aged and len(figures.options(ask)) > 1):
        return None
    asked = [] if aged else figures.events(ask)
    found = _life(run, ask) if aged else [_dated(run, event) for event in asked]
    values = [value for value in found if value]
    if len(asked) == 1 and values:
        values = [v for v in figures.all_in(asked[0], values[0].fact) if v.date.year]
    if len(values) != 2 or (len(found) != 2 and len(asked) != 1):
        sure = len(found) == 2 and unit and (unit["years"] or "how long")[:8] == "how many"
        sure = sure or (len(found) == 2 and unit and unit["y2"])
        return unfound(run) if sure else None
    if values[0].size == values[1].size:
        return unfound(run)
    word = next((w for w in ("days", "months") if unit and unit[w]), "years")
    answer = run.say("aged" if aged else word, count=_count(values, word, bool(aged)))
    shown = {"first": values[0].shown, "last": values[1].shown}
    return Move(run.say("counted", value=answer, **shown), answer)


def _dated(run: Run, event: Ask) -> Value | None:
    """The date of an event; a year that the question gives needs no search."""
    given = [d for term in event.terms if term.word.isdigit() for d in dates(f"in {term.word} x")]
    if given and not event.families:
        shown = str(given[0].year)
        return Value(figures.days(given[0]), f"{shown}年", Fact(shown, shown, 1.0), 0, 4)
    return figures.measure(run, event)


def _count(values: list[Value], word: str, aged: bool) -> int:
    a, b = sorted((v.date for v in values), key=lambda d: (d.year, d.month, d.day))
    years, months = b.year - a.year, b.month - a.month
    if word == "days" and a.day and b.day:
        return (day(b.year, b.month, b.day) - day(a.year, a.month, a.day)).days
    if word == "months":
        return 12 * years + months
    early = aged and a.month and b.month and (b.month, b.day or 31) < (a.month, a.day)
    return years - bool(early)


def _life(run: Run, ask: Ask) -> list[Value | None]:
    """Birth, and the event that is asked about: of the person, or of what else is named."""
    last = [i for i in figures.events_in(ask) if i != "born"][:1] or ["die"]
    named = {"born", "die", *last}
    more = tuple(
        t for t in ask.terms if not (t.family and t.family.id in named) and t.word != "year"
    )
    for person in ask.subjects[:2]:
        others = [name for name in ask.subjects[:2] if name != person and last != ["die"]]
        if born := figures.measure(run, about(person, ["born"], ask.lang, "date")):
            event = about([*others, person][0], last, ask.lang, "date", more)
            return [born, figures.measure(run, event)]
    return []


def _joined(run: Run, ask: Ask) -> Move | None:
    """The difference, ratio or sum of the same figure of several things, or of two figures."""
    sign = next((sign for name, sign in _SIGNS if cue(name).search(ask.text)), "")
    several = sign and len(figures.occasions(ask, "", "")) > 1
    values = figures.collect(run, ask, figures.guesses(ask)) if several else None
    if not values:
        return None if values is None else unfound(run)
    ordered = values if sign == " + " else sorted(values, key=lambda v: -v.size)
    own = values[0].quantity
    size = own.unit.size if own and own.unit else 1.0
    unit = re.sub(r"^[-\d.,\s]+(?:million|billion)?|^\w+ |^[万亿]", "", values[0].shown).strip()
    expression = sign.join(plain(value.size / size) for value in ordered)
    return worked_out(run, expression, "" if sign == " / " else unit)


def _product(run: Run, ask: Ask) -> Move | None:
    """Two figures of one sentence, multiplied: copies and price, height and width."""
    for name, idents in (("money", ["sold", "price"]), ("area", ["height", "width"])):
        if cue(name).search(ask.text):
            fact = find(run, ask._replace(kind="", terms=about("", idents, ask.lang, "").terms))
            found = quantities(fact.text) if fact else []
            if len(found) > 1:
                return worked_out(run, " * ".join(plain(q.value) for q in found[:2]))
    return None


def _share(run: Run, ask: Ask) -> Move | None:
    """`130 of 134` in percent."""
    if not cue("percent").search(ask.text) or quantities(ask.text):
        return None
    fact = find(run, ask._replace(kind=""))
    parts = cue("of").search(fact.text) if fact else None
    numbers = sorted(float(n.replace(",", "")) for n in parts.groups() if n) if parts else []
    if not numbers:
        return None
    return worked_out(run, f"{plain(numbers[0])} / {plain(numbers[1])} * 100", "%")


def _changed(run: Run, ask: Ask) -> Move | None:
    """A figure in another unit, a part or a multiple of it, or a sum that is told about it."""
    ident, kind = figures.guesses(ask)[0]
    bare = reduce(lambda text, name: text.replace(name, " "), ask.subjects, ask.text)
    units = [unit for unit, _ in units_in(bare) if unit.kind != "duration"]
    factor, others = _factor(ask.text), units or quantities(ask.text)
    if not (factor or (ident and others)):
        return None
    side = tuple(t for t in ask.terms if t.family and t.family.id in word_set("ranks", "zh"))
    asked = about(ask.subject, [ident], ask.lang, kind, side) if ident and ask.subjects else ask
    value = figures.measure(run, asked._replace(kind=kind or "count"), "search")
    own = value.quantity if value else None
    if value is None or own is None:
        return None
    if factor:
        number, unit = re.fullmatch(r"([\d.,]*)(.*)", value.shown).groups()  # type: ignore[union-attr]
        return worked_out(run, f"{number.replace(',', '') or plain(own.value)} * {factor}", unit)
    return _converted(run, ask, value, own)


def _converted(run: Run, ask: Ask, value: Value, own: Quantity) -> Move | None:
    """The figure in the unit that is asked for, at the rate that is given, if one is."""
    kind = own.unit.kind if own.unit and own.unit.kind != "duration" else None
    kin = [pair for pair in units_in(ask.text) if pair[0].kind == kind and pair[0] != own.unit]
    if not kin or own.unit is None:
        return None
    given = {q.unit: q.value for q in quantities(ask.text) if q.unit}
    rate = (given.get(kin[0][0], own.unit.size), given.get(own.unit, kin[0][0].size))
    steps = [f" {sign} {plain(n)}" for sign, n in zip("*/", rate, strict=True) if n != 1]
    unit = "feet" if kin[0][1] == "ft" else kin[0][1]
    return worked_out(run, plain(own.value) + "".join(steps), unit, value)


def _factor(text: str) -> str:
    """What a figure is to be multiplied with: `15% of`, `a quarter of`, `round trip`."""
    if found := re.search(r"(\d+(?:\.\d+)?)\s?(?:%|percent|per cent)|百分之(\d+)", text):
        return f"{found[1] or found[2]} / 100"
    pairs = (("half", "0.5"), ("quarter", "0.25"), ("third", "1 / 3"), ("twice", "2"))
    return next((number for name, number in pairs if cue(name).search(text)), "")
