"""Questions in two steps: who wrote it, then where that person was born."""

from __future__ import annotations

import re

from .evidence import Fact, Passage, mentions, news, passages
from .find import find
from .question import Ask, about
from .run import Run
from .subjects import general, subjects
from .tables import cue, families, hits, rows, word_set
from .text import language


def resolve(run: Run, ask: Ask) -> Ask:
    """The question asked of the thing that it describes: of the author in place of the book.

    The same question if it describes nothing, or if the thing cannot be found.
    """
    idents = [family.id for family in ask.families]
    for ident, kind, english, chinese, outer in rows("relations"):
        group = word_set(outer.lower(), "zh") if outer.isupper() else outer.split()
        asked = [i for i in idents if i in group and i != ident]
        named = cue("country").search(ask.text) if kind == "country" else ident in idents
        lies = ident == "keep" and not cue("housed").search(ask.text)  # `where is it kept`
        if not (asked and named and ask.subjects) or lies:
            continue
        role = chinese if ask.lang == "zh" else english
        if kind == "country":
            found = country_of(run, ask.subject, role)[:1]
        else:
            found = _related(run, ask, ident, role)
        if found:
            run.found = run.say("bridged", role=role, subject=ask.subject, value=found[0])
            return _asked_of(ask, found[0], asked)
    return ask


def _asked_of(ask: Ask, name: str, asked: list[str]) -> Ask:
    """The second question: what is asked, without the words that only described the thing."""
    own = {*asked, *word_set("ranks", "zh")}
    terms = [t for t in ask.terms if t.family and (t.family.id in own or general(t.family.id))]
    text = " ".join([name, *(families()[ident].keys(ask.lang)[0] for ident in asked)])
    return ask._replace(subjects=(name,), terms=tuple(terms), text=text)


def _related(run: Run, ask: Ask, ident: str, role: str) -> list[str]:
    """The person (or other thing) that stands in a relation to the subject."""
    years = tuple(term for term in ask.terms if term.word.isdigit())
    inner = about(ask.subject, [ident], ask.lang, families()[ident].kind, years)
    named = ask.subjects[:1] if ask.lang == "zh" else ask.subjects
    inner = inner._replace(text=ask.text, subjects=named)
    fact = find(run, inner, "first", role=role, subject=ask.subject)
    if fact is None or not _names(inner, fact):
        return []
    return [nearest(inner, fact)]


def _names(ask: Ask, fact: Fact) -> list[str]:
    """The new names of a sentence, without words such as `短篇小说` that say what a thing is."""
    things = tuple(" ".join(row[2] for row in rows("heads")).split())
    found = news(ask, fact.text)
    return [name for name in found if ask.lang == "en" or not name.endswith(things)]


def nearest(ask: Ask, fact: Fact) -> str:
    """The new name in a sentence that stands closest to the words asked for."""
    places = [h for h in hits(fact.text, ask.lang, inner=True) if h.family in ask.families]

    def distance(name: str) -> int:
        at = fact.text.find(name)
        by = 40 if re.search(r"\b(?:by|由)(?: the)?(?: \w+)?\s?$", fact.text[:at]) else 0
        return min((max(h.start - at - len(name), at - h.end) for h in places), default=0) - by

    return min(_names(ask, fact), key=distance)


def country_of(run: Run, name: str, role: str = "") -> list[str]:
    """The country (on a border: the countries) where something is, or where a person was born."""
    subject = name
    for _ in range(3):
        why = "first" if role and name == subject else "part"
        observation = run.search(name, why, role=role, subject=subject, what=name)
        found = [p for p in passages(observation, name) if mentions(name, p.text)]
        if found and cue("is_country").search(found[0].text):
            return [name]
        places = next(filter(None, (_places(p, name) for p in found)), [])
        if len(places) != 1:
            return places
        name = places[0]
    return [name]


def _places(passage: Passage, name: str) -> list[str]:
    if language(passage.text) == "zh":
        found = [run.text for run in subjects(passage.text, "zh") if run.text not in name]
        whole = [m[0] for run in found if (m := re.match(r"[\u3400-\u9fff]{1,2}国", run))]
        return whole[:1] or [run[:2] if len(run) > 3 else run for run in found][:1]
    if border := cue("border").search(passage.text):
        return [border[1], border[2]]
    found = [m[1] for m in cue("place").finditer(passage.text)]
    return [
        place for place in found if not mentions(place, name) and not cue("continent").search(place)
    ][-1:]
