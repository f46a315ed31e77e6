"""Ages, and the time between two events."""

from __future__ import annotations

from datetime import date as day

from .combine import Value, measure
from .numbers import dates
from .question import Ask, about, understand
from .run import Move, Run
from .tables import cue, word_set


def time_between(run: Run, ask: Ask) -> Move | None:
    """How old somebody was at an event, or how much time lies between two; else None."""
    unit = cue("interval").search(ask.text)
    aged = cue("age").search(ask.text) is not None
    if not ask.subjects or not (unit or aged):
        return None
    found = _life(run, ask) if aged else [measure(run, event) for event in _events(ask)]
    values = [value for value in found if value]
    if len(values) != 2 or len(found) != 2:
        return None
    word = next((w for w in ("days", "months") if unit and unit[w]), "years")
    answer = run.say(word, count=_count(values, word, aged))
    shown = {"first": values[0].shown, "last": values[1].shown}
    return Move(run.say("counted", value=answer, **shown), answer)


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
    last = [i for i in _events_in(ask) if i != "born"][:1] or ["die"]
    more = tuple(term for term in ask.terms if not term.family)
    for person in ask.subjects[:2]:
        others = [name for name in ask.subjects[:2] if name != person and last != ["die"]]
        if born := measure(run, about(person, ["born"], ask.lang, "date")):
            return [born, measure(run, about([*others, person][0], last, ask.lang, "date", more))]
    return []


def _events_in(ask: Ask) -> list[str]:
    known = word_set("events", "zh")
    return [f.id for f in ask.families if f.kind == "date" or f.id in known]


def _events(ask: Ask) -> list[Ask]:
    """The events that a question names, each asked for its date; what one lacks it shares."""
    parts = [understand(clause, ask.lang) for clause in cue("connectors").split(ask.text) if clause]
    parts = [part for part in parts if part.subjects or _events_in(part) or dates(part.text)]
    every = [ident for part in parts for ident in _events_in(part)]
    events = []
    for part in parts:
        more = tuple(term for term in part.terms if not term.family and len(term.word) > 2)
        wanted = (_events_in(part) or every)[-1:]
        subject = (part.subjects or ask.subjects)[0]
        events.append(about(subject, wanted, ask.lang, "date", more))
    return list(dict.fromkeys(events))[:2]
