"""Collecting figures: a number or a date for every thing or occasion that a question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from .evidence import Fact, measures
from .find import find
from .numbers import Date, Quantity, dates, months, quantities, units_in
from .question import STRICT, Ask, Term, about, understand
from .run import Run
from .subjects import general, masked, subjects
from .tables import cue, families, hits, patterns, word_set
from .text import tokens

_BREAK = re.compile(r"[,;，；、]|\band\b|\bbut\b")


class Value(NamedTuple):
    """A figure that was found: in base units (dates: days, roughly), as written, and where."""

    size: float
    shown: str
    fact: Fact
    start: int
    end: int

    @property
    def date(self) -> Date:
        """The figure as a date."""
        return dates(self.shown)[0]

    @property
    def quantity(self) -> Quantity | None:
        """The figure as a number with its unit."""
        return next((q for q in quantities(self.fact.text) if q.start == self.start), None)


def measure(run: Run, ask: Ask, why: str = "part") -> Value | None:
    """The figure of the asked kind in the sentence that answers, closest to the words asked for."""
    fact = find(run, ask, why, what=ask.subject)
    found = all_in(ask, fact) if fact else []
    if not found:
        return None
    run.found = run.say("known", what=ask.subject or found[0].fact.title, value=found[0].shown)
    return found[0]


def all_in(ask: Ask, fact: Fact) -> list[Value]:
    """The figures of the asked kind in a sentence, those nearest to the words asked for first."""
    if ask.kind in ("date", "year"):
        found = [(days(d), d.start, d.end) for d in dates(fact.text) if d.year]
    else:
        found = measures(fact.text, ask.kind)
    held = hits(fact.text, ask.lang, inner=True)
    asked = [h.start for h in held if h.family in ask.families]
    words = [t.word for t in ask.terms if t.word]
    asked += [t.start for t in tokens(fact.text) if t.stem in words or t.text.lower() in words]

    def far(figure: tuple[float, int, int]) -> int:
        spans = (sorted((figure[1], at)) for at in asked)
        return min((b - a + 40 * len(_BREAK.findall(fact.text[a:b])) for a, b in spans), default=0)

    found.sort(key=far)
    if ask.kind in ("date", "year") and ask.has("first", "oldest", "last"):
        found.sort(reverse=ask.has("last"))
    return [Value(n, fact.text[a:b], fact, a, b) for n, a, b in found]


def days(date: Date) -> float:
    """A date as a number to sort by."""
    return date.year * 372 + max(date.month - 1, 0) * 31 + date.day


def options(ask: Ask) -> list[str]:
    """The things named side by side: names, else what stands on both sides of an `or`."""
    chain = list(ask.subjects[:1])
    for name in ask.subjects[1:]:
        gap = ask.text.partition(chain[-1])[2].partition(name)[0]
        chain += [name] if cue("linked").search(gap) else []
    if len(chain) > 1 or len(ask.subjects) > 1 or ask.lang == "zh":
        return chain[:4] if len(chain) > 1 else []
    listed = cue("listed").search(ask.text)
    sides = re.split(r", | or | and ", listed[1]) if listed else []
    small = word_set("stop", "en")
    named = [" ".join(t.text for t in tokens(s) if t.stem not in small) for s in sides]
    return [" ".join(side.split()[-3:]) for side in named if side]


def guesses(ask: Ask) -> list[tuple[str, str]]:
    """What a question may measure, each with its kind, best guess first."""
    numeric = [(f.id, f.kind) for f in ask.families if f.kind in STRICT - {"date", "year"}]
    units = {unit.kind for unit, _ in units_in(ask.text)} - {"duration"}
    known = [(i, families()[i].kind) for i in compared(ask.text) if i in families()]
    alike = [(f.id, f.kind) for f in families().values() if f.kind in units]
    alike.sort(key=lambda pair: pair[0] != pair[1])
    fitting = [pair for pair in known if not units or pair[1] in units]
    return list(dict.fromkeys([*numeric, *fitting, *alike]))[:2] or [("", ask.kind)]


def occasions(ask: Ask, ident: str, kind: str) -> list[Ask]:
    """What is asked of each: of several months, of several things, or several figures of one."""
    numeric = [f for f in ask.families if f.kind in STRICT - {"date", "year"}]
    wanted = [ident] if ident else []
    named = [f"{n}月" if m[-1] == "月" else m for m, n in months(ask.text)]
    if first := cue("first_months").search(ask.text):
        named = [f"{n + 1}月" for n in range(int(quantities(f"{first[0]}x")[0].value))]
    if len(named) > 1:
        rest = [t for t in ask.terms if t.word and t.word not in {m.lower() for m in named}]
        years = (Term(0.0, None, t.word) for t in rest if re.fullmatch(r"\d{4}", t.word))
        more = tuple(years if ask.subject else rest)
        terms = [(Term(1.2, None, m.lower()), *more) for m in named]
        return [about(ask.subject, wanted, ask.lang, kind, t) for t in terms]
    if len(ask.subjects) == 1 and len(numeric) > 1:
        return [about(ask.subject, [f.id], ask.lang, f.kind) for f in numeric[:2]]
    names = options(ask) or (ask.subjects[:2] if len(ask.subjects) > 1 else ())
    return [about(name, wanted, ask.lang, kind) for name in names]


def collect(
    run: Run, ask: Ask, wanted: list[tuple[str, str]], names: Sequence[str] = ()
) -> list[Value]:
    """The figure of every occasion, by the first family that all of them have; else nothing."""
    kinds = [(t, t.family.id) for t in ask.terms if t.family and general(t.family.id)]
    for ident, kind in wanted:
        own, more = [ident] if ident else [], tuple(t for t, name in kinds if name != ident)
        asks = [about(n, own, ask.lang, kind, more) for n in names] or occasions(ask, ident, kind)
        found = (measure(run, each) for each in asks)
        values = [value for value in takewhile(bool, found) if value]
        if len(values) == len(asks):
            return values
        lost = asks[len(values)].subject
        run.lacking = max(run.lacking, (len(values), lost if lost in ask.subjects else ""))
    return []


def compared(text: str) -> list[str]:
    """The families that a comparing word measures by, best guess first."""
    found = (cells[0] for pattern, cells in patterns("comparatives") if pattern.search(text))
    return next(found, "").split()


def events_in(ask: Ask) -> list[str]:
    """The families of a question that happen at a time."""
    known = word_set("events", "zh")
    return [f.id for f in ask.families if f.kind == "date" or f.id in known]


def events(ask: Ask) -> list[Ask]:
    """The events that a question names, each asked for its date; what one lacks it shares."""
    hidden = masked(ask.text, subjects(ask.text, ask.lang))
    marks = [0, *(at for m in cue("connectors").finditer(hidden) for at in m.span()), len(hidden)]
    clauses = [ask.text[a:b] for a, b in list(pairwise(marks))[::2]]
    parts = [understand(clause, ask.lang) for clause in clauses if clause.strip()]
    parts = [part for part in parts if part.subjects or events_in(part) or dates(part.text)]
    ranks = word_set("ranks", "zh")
    every = [ident for part in parts for ident in events_in(part)]
    found = []
    for part in parts:
        ranked = (t for t in part.terms if len(t.word) > 2 or (t.family and t.family.id in ranks))
        more = tuple(ranked)
        wanted = (events_in(part) or every)[-1:]
        subject = (part.subjects or ask.subjects)[0]
        found.append(about(subject, wanted, ask.lang, "date", more))
    found = list(dict.fromkeys(found))
    if len(found) < 2 < len(ask.subjects) + 1 and every:
        found = [about(name, every[-1:], ask.lang, "date") for name in ask.subjects]
    return found[:2]
