"""Finding figures and working with them: ages, time between events, sums, shares, other units."""

from __future__ import annotations

import re
from datetime import date as day

from .combine import Value, measure, options
from .evidence import measures
from .find import find
from .numbers import MONTHS, Unit, dates, plain, quantities, readable, units_in
from .question import STRICT, Ask, Term, about, understand
from .run import Move, Run
from .tables import cue
from .text import capital


def age(run: Run, ask: Ask) -> Move | None:
    """How old somebody was at death or at another event."""
    if not cue("age").search(ask.text) or not ask.subjects:
        return None
    last = [f.id for f in ask.families if f.kind == "date" or f.id in ("die", "win", "marry")]
    others = ask.subjects[1:2] or ask.subjects[:1]
    born = measure(run, about(ask.subject, ["born"], ask.lang, "date"))
    if born is None and ask.subjects[1:]:
        others, born = ask.subjects[:1], measure(run, about(ask.subjects[1], ["born"], ask.lang, "date"))
    name = others[0] if others != ask.subjects[:1] or last[:1] != ["die"] else ask.subject
    more = tuple(t for t in ask.terms if not t.family)
    end = measure(run, about(name, last[:1] or ["die"], ask.lang, "date", more)) if born else None
    if born is None or end is None:
        return None
    a, b = born.date, end.date
    early = a.month and b.month and (b.month, b.day or 31) < (a.month, a.day)
    return _spanned(run, born, end, b.year - a.year - bool(early), "years")


def interval(run: Run, ask: Ask) -> Move | None:
    """How much time lies between two events."""
    unit = cue("interval").search(ask.text)
    parts = _events(ask) if unit else []
    if unit is None or len(parts) != 2:
        return None
    found = [measure(run, part) for part in parts]
    if found[0] is None or found[1] is None:
        return None
    a, b = sorted((v.date for v in found if v), key=lambda d: (d.year, d.month, d.day))
    word = next((name for name in ("days", "months") if unit[name]), "years")
    count = b.year - a.year
    if word == "days" and a.day and b.day:
        count = (day(b.year, b.month, b.day) - day(a.year, a.month, a.day)).days
    elif word == "months":
        count = 12 * count + b.month - a.month
    return _spanned(run, found[0], found[1], count, word)


def _events(ask: Ask) -> list[Ask]:
    """The events that a question names, each asked for its date; what one lacks it shares."""
    asked = []
    for clause in cue("connectors").split(ask.text):
        part = understand(clause, ask.lang)
        own = [f.id for f in part.families if f.kind == "date" or f.id in ("born", "die", "build", "invent", "bury")]
        if own or part.subjects or dates(clause):
            asked.append((part, own))
    every = [ident for _, own in asked for ident in own]
    events = []
    for part, own in asked:
        if part.subjects or own:
            more = tuple(t for t in part.terms if not t.family and len(t.word) > 2)
            names = part.subjects or ask.subjects
            wanted = (own or every)[-1:]
            events.append(about(names[0] if names else "", wanted, ask.lang, "date", more))
    return list(dict.fromkeys(events))[:2] if len(events) >= 2 else []


def _spanned(run: Run, first: Value, last: Value, count: int, unit: str) -> Move:
    answer = run.say(unit, count=abs(count))
    return Move(run.say("counted", first=first.shown, last=last.shown, value=answer), answer)


def figure(run: Run, ask: Ask) -> Move | None:
    """A figure that has to be found first, and then to be worked with."""
    if cue("money").search(ask.text) and not re.search(r"\bcost\b", ask.text):
        return _product(run, ask._replace(kind="", terms=about("", ["sold", "price"], ask.lang, "").terms))
    if ask.has("area") and (move := _product(run, ask._replace(kind="", terms=about("", ["height", "width"], ask.lang, "").terms), "length")):
        return move
    for operation in (_sum_of_months, _of_two, _share, _scaled):
        if move := operation(run, ask):
            return move
    return None


def _product(run: Run, ask: Ask, kind: str = "") -> Move | None:
    """Two figures of one sentence, multiplied: copies and price, height and width."""
    fact = find(run, ask)
    found = quantities(fact.text) if fact else []
    found = [q for q in found if not kind or (q.unit and q.unit.kind == kind)]
    if len(found) < 2:
        return None
    return _worked(run, f"{plain(found[0].value)} * {plain(found[1].value)}")


def _worked(run: Run, expression: str, value: Value | None = None, unit: str = "") -> Move | None:
    """The result; put in the place of the figure that it was made of, if there is one."""
    result = run.compute(expression)
    if not result:
        return None
    shown = readable(result)
    rounded = "" if shown.replace(",", "") == result else run.say("about")
    answer = f"{rounded}{shown}{' ' if unit.isascii() and unit else ''}{unit}"
    if value:
        text = value.fact.text
        before = re.sub(r"(?:about|around|约|大约)\s*$", "", text[: value.start])
        answer = f"{before}{answer}{text[value.end :]}"
    return Move(run.say("computed", sum=expression, value=shown), answer)


def _sum_of_months(run: Run, ask: Ask) -> Move | None:
    """The figures of several months together."""
    names = [m.capitalize() for m in MONTHS if re.search(rf"\b{m}\b", ask.text, re.I)]
    names += [f"{m}月" for m in re.findall(r"(?<!\d)(\d{1,2})月", ask.text)]
    if first := cue("first_months").search(ask.text):
        number = quantities(first[0] + "x")[:1]
        names = [f"{n}月" for n in range(1, int(number[0].value) + 1)] if number else []
    if len(names) < 2:
        return None
    wanted = [f.id for f in ask.families if f.kind == "count"][:1]
    asks = [about(ask.subject, wanted, ask.lang, "count", (Term(1.2, None, n if "月" in n else n.lower()),)) for n in names]
    found = [measure(run, each._replace(text=f"{each.text} {n}")) for each, n in zip(asks, names, strict=True)]
    figures = [plain(value.size) for value in found if value]
    sign = " - " if cue("difference").search(ask.text) else " + "
    return _worked(run, sign.join(figures)) if len(figures) == len(names) else None


def _of_two(run: Run, ask: Ask) -> Move | None:
    """The difference, ratio or sum of the same figure of two things."""
    signs = (("ratio", " / "), ("difference", " - "), ("sum_of", " + "))
    sign = next((sign for name, sign in signs if cue(name).search(ask.text)), "")
    names = options(ask)
    numeric = [f for f in ask.families if f.kind in STRICT - {"date", "year"}]
    if sign and len(ask.subjects) == 1 and len(numeric) > 1:
        both = [measure(run, about(ask.subject, [f.id], ask.lang, f.kind)) for f in numeric[:2]]
        return _worked(run, sign.join(plain(v.size) for v in both if v)) if all(both) else None
    if not sign or len(names) != 2:
        return None
    kind = next((f.kind for f in ask.families if f.kind not in ("-", "date", "name", "place", "person")), ask.kind)
    wanted = [f.id for f in ask.families if f.kind == kind][:1] or _likely(ask, kind)
    found = [measure(run, about(name, wanted, ask.lang, kind)) for name in names]
    if found[0] is None or found[1] is None:
        return None
    unit, size = _unit(ask, found[0])
    values = [value.size / size for value in found if value]
    values = sorted(values, reverse=True) if sign == " - " else values
    return _worked(run, sign.join(map(plain, values)), unit="" if sign == " / " else unit)


def _likely(ask: Ask, kind: str) -> list[str]:
    return ["length"] if kind == "length" else ["population"] if kind == "people" else []


def _unit(ask: Ask, value: Value) -> tuple[str, float]:
    """The unit to answer in: one that the question names, else that of the figure."""
    own = next((q.unit for q in quantities(value.fact.text) if q.start == value.start), None)
    asked = [(ask.text[at:], unit) for unit, at in units_in(ask.text) if own and unit.kind == own.kind]
    if asked:
        return re.match(r"[ \-]?([A-Za-z]+|[^A-Za-z]{1,2})", asked[0][0])[1].strip(), asked[0][1].size
    return re.sub(r"^[-\d.,\s万亿]+(?:million|billion)?\s*", "", value.shown), own.size if own else 1.0


def _share(run: Run, ask: Ask) -> Move | None:
    """`130 of 134` in percent."""
    if not cue("percent").search(ask.text) or quantities(ask.text):
        return None
    fact = find(run, ask._replace(kind=""))
    parts = cue("of").search(fact.text) if fact else None
    if not parts:
        return None
    one, other = sorted((n for n in parts.groups() if n), key=lambda n: float(n.replace(",", "")))
    move = _worked(run, f"{one} / {other} * 100".replace(",", ""))
    return move._replace(answer=move.answer + "%") if move else None


def _scaled(run: Run, ask: Ask) -> Move | None:
    """A figure in another unit, or a part or multiple of it."""
    factor = _factor(ask.text)
    found = quantities(ask.text)
    given = [q for q in found if q.unit]
    targets = [u for u, _ in units_in(ask.text)]
    if not ask.subjects or not (factor or targets):
        return None
    kind = next((f.kind for f in ask.families if f.kind in {u.kind for u in targets}), "") or (targets[0].kind if targets else ask.kind)
    wanted = [f.id for f in ask.families if f.kind == kind][:1]
    value = measure(run, ask._replace(kind=kind) if not wanted else about(ask.subject, wanted, ask.lang, kind), "search")
    own = next((q for q in quantities(value.fact.text) if q.start == value.start), None) if value else None
    if value is None or own is None:
        return None
    if factor:
        return _worked(run, f"{plain(own.value)} * {factor}")
    if own.unit is None:
        return None
    if len(given) == 2 and given[0].unit and given[1].unit:
        return _by_rate(run, own.value, own.unit, given, value)
    target = next((u for u in targets if u.kind == own.unit.kind and u != own.unit), None)
    if target is None:
        return None
    name = next(ask.text[at:].strip(" -").split()[0] for u, at in units_in(ask.text) if u == target)
    sum_ = f"{plain(own.value)} * {plain(own.unit.size)} / {plain(target.size)}"
    return _worked(run, sum_, value, re.sub(r"[^\w]", "", name))


def _by_rate(run: Run, number: float, unit: Unit, given: list, value: Value) -> Move | None:
    one, other = given if given[0].unit == unit else given[::-1]
    if one.unit != unit:
        return None
    name = other.unit.name
    return _worked(run, f"{plain(number)} / {plain(one.value)} * {plain(other.value)}", value, name)


def _factor(text: str) -> str:
    """What a figure is to be multiplied with: `15% of`, `a quarter of`, `round trip`."""
    if found := re.search(r"(\d+(?:\.\d+)?)\s?(?:%|percent|per cent)", text):
        return f"{found[1]} / 100"
    pairs = (("half", "0.5"), ("quarter", "0.25"), ("third", "1 / 3"), ("twice", "2"))
    return next((number for name, number in pairs if cue(name).search(text)), "")
