"""Comparing things: the same figure of each, or whether they share something."""

from __future__ import annotations

import re
from typing import NamedTuple

from .evidence import Fact, measures
from .find import find
from .hops import country_of
from .numbers import Date, dates
from .question import STRICT, Ask, about
from .run import Move, Run
from .subjects import general, subjects
from .tables import cue, families, hits, patterns, word_set
from .text import one_line, tokens


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


def measure(run: Run, ask: Ask, why: str = "part") -> Value | None:
    """The figure of the asked kind in the sentence that answers, closest to the words asked for."""
    fact = find(run, ask, why, what=ask.subject)
    if fact is None:
        return None
    if ask.kind in ("date", "year"):
        found = [(_days(d), d.start, d.end) for d in dates(fact.text) if d.year]
    else:
        found = measures(fact.text, ask.kind)
    asked = [h.start for h in hits(fact.text, ask.lang, inner=True) if h.family in ask.families]
    near = min(found, key=lambda f: min((abs(f[1] - at) for at in asked), default=0), default=None)
    if near is None:
        return None
    shown = fact.text[near[1] : near[2]]
    run.found = run.say("known", what=ask.subject or fact.title, value=shown)
    return Value(near[0], shown, fact, near[1], near[2])


def _days(date: Date) -> float:
    return date.year * 372 + max(date.month - 1, 0) * 31 + date.day


def compare(run: Run, ask: Ask) -> Move | None:
    """Which of several is taller, older, first, ...; None if the question compares nothing."""
    names = options(ask)
    if len(names) < 2:
        return None
    if cue("same").search(ask.text):
        return _same(run, ask, names[:2])
    for pattern, (idents, kind, which) in patterns("comparatives"):
        if pattern.search(ask.text):
            for ident, own in _wanted(ask, idents, kind):
                if found := _values(run, ask, names, ident, own):
                    return _ranked(run, ask, found, max if which == "max" else min)
            return None
    return None


def options(ask: Ask) -> list[str]:
    """What is compared: names, else what stands on both sides of an `or`."""
    if len(ask.subjects) > 1 or ask.lang == "zh":
        gap = ask.text.partition(ask.subject)[2].partition(ask.subjects[-1])[0]
        return list(ask.subjects[:4]) if cue("linked").search(gap) or len(ask.subjects) > 2 else []
    listed = cue("listed").search(ask.text)
    sides = re.split(r", | or | and ", listed[1]) if listed else []
    small = word_set("stop", "en")
    named = [" ".join(t.text for t in tokens(s) if t.stem not in small) for s in sides]
    return [" ".join(side.split()[-3:]) for side in named if side]


def _wanted(ask: Ask, idents: str, kind: str) -> list[tuple[str, str]]:
    """The families to measure by, each with its kind, best guess first."""
    if kind == "age":
        return [("born", "date")]
    if idents == "DATE":
        dated = [
            f.id
            for f in ask.families
            if f.kind == "date" or f.id in ("born", "die", "build", "write", "climb")
        ]
        return [(ident, "date") for ident in dict.fromkeys([*dated, "born", "publish", "open"])][:3]
    numeric = [(f.id, f.kind) for f in ask.families if f.kind in STRICT - {"date", "year"}]
    known = families()
    guesses = [(i, known[i].kind if kind == "size" else kind) for i in idents.split() if i in known]
    return list(dict.fromkeys([*numeric, *guesses]))[:3]


def _values(run: Run, ask: Ask, names: list[str], ident: str, kind: str) -> dict[str, Value]:
    """The figure of each option; nothing if one of them has none."""
    more = tuple(t for t in ask.terms if t.family and general(t.family.id) and t.family.id != ident)
    found: dict[str, Value] = {}
    for name in names:
        figure = measure(run, about(name, [ident], ask.lang, kind, more))
        if figure is None:
            return {}
        found[name] = figure
    return found


def _ranked(run: Run, ask: Ask, found: dict[str, Value], best: object) -> Move:
    order = sorted(found, key=lambda name: found[name].size, reverse=best is max)
    first, second = order[0], order[1]
    parts = "; ".join(
        run.say("known", what=n, value=v.shown).rstrip(".。") for n, v in found.items()
    )
    against = {"winner": first, "value": found[first].shown, "other": found[second].shown}
    if cue("yesno").search(ask.text) and not cue("either").search(ask.text):
        ahead = next(iter(found)) == first and found[first].size != found[second].size
        answer = run.say("yes" if ahead else "no", facts=parts)
    else:
        answer = run.say("ahead", **against)
    return Move(run.say("compared", parts=parts, answer=first), answer)


def _same(run: Run, ask: Ask, names: list[str]) -> Move | None:
    """Whether two things share a country, a year, a currency, ..."""
    if cue("country").search(ask.text):
        found = [country_of(run, name) for name in names]
    else:
        found = [_shared(run, ask, name) for name in names]
    if not all(found):
        return None
    common = set.intersection(*(set(words) for words in found))
    facts = "; ".join(f"{n}: {', '.join(words)}" for n, words in zip(names, found, strict=True))
    return Move(
        run.say("compared", parts=facts, answer=""), run.say("yes" if common else "no", facts=facts)
    )


def _shared(run: Run, ask: Ask, name: str) -> list[str]:
    """What the sentence about one of the two says, without the words of the question."""
    wanted = [f.id for f in ask.families if f.id not in ("year",)]
    kind = "year" if cue("year").search(ask.text) else ""
    fact = find(run, about(name, wanted[:1], ask.lang, kind), "part", what=name)
    if fact is None:
        return []
    if kind:
        return [str(date.year) for date in dates(fact.text)][:1]
    small = word_set("stop", "en") | {t.stem for t in tokens(f"{name} {ask.text}")}
    if ask.lang == "zh":
        return [s.text for s in subjects(fact.text, "zh") if s.text != name] or [
            one_line(fact.text)
        ]
    own = {t.stem for f in ask.families for t in tokens(" ".join(f.keys("en")))}
    return [t.text for t in tokens(fact.text) if t.stem not in small | own]
