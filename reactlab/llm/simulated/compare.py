"""Comparing things: the same figure of each, or whether they share something."""

from __future__ import annotations

from .figures import Value, collect, events_in, options
from .find import find
from .hops import country_of
from .numbers import dates
from .question import STRICT, Ask, about
from .run import Move, Run
from .subjects import subjects
from .tables import cue, families, patterns, word_set
from .text import one_line, tokens


def compare(run: Run, ask: Ask) -> Move | None:
    """Which of several is taller, older, first, ...; None if the question compares nothing."""
    names = options(ask)
    if len(names) < 2:
        return None
    if cue("same").search(ask.text):
        return _same(run, ask, names[:2])
    for pattern, (idents, kind, which) in patterns("comparatives"):
        if pattern.search(ask.text):
            values = collect(run, ask, _wanted(ask, idents, kind), names)
            found = dict(zip(names, values, strict=False))
            return _ranked(run, ask, found, which) if found else None
    return None


def _wanted(ask: Ask, idents: str, kind: str) -> list[tuple[str, str]]:
    """The families to measure by, each with its kind, best guess first."""
    if kind == "age":
        return [("born", "date")]
    if idents == "DATE":
        first = ["born"] if ask.kind == "person" else []
        return [(ident, "date") for ident in dict.fromkeys([*events_in(ask), *first, ""])][:3]
    numeric = [(f.id, f.kind) for f in ask.families if f.kind in STRICT - {"date", "year"}]
    known = families()
    guesses = [(i, known[i].kind if kind == "size" else kind) for i in idents.split() if i in known]
    return list(dict.fromkeys([*numeric, *guesses]))[:3]


def _ranked(run: Run, ask: Ask, found: dict[str, Value], which: str) -> Move:
    order = sorted(found, key=lambda name: found[name].size, reverse=which == "max")
    first, second = order[0], order[1]
    known = (run.say("known", what=n, value=v.shown).rstrip(".。") for n, v in found.items())
    parts = ("；" if run.lang == "zh" else "; ").join(known)
    if cue("yesno").search(ask.text) and not cue("either").search(ask.text):
        ahead = next(iter(found)) == first and found[first].size != found[second].size
        answer = run.say("yes" if ahead else "no", facts=parts)
    else:
        against = {"winner": first, "value": found[first].shown, "other": found[second].shown}
        answer = run.say("ahead", **against)
    return Move(run.say("compared", parts=parts, answer=first), answer)


def _same(run: Run, ask: Ask, names: list[str]) -> Move | None:
    """Whether two things share a country, a year, a currency, ..."""
    by_country = cue("country").search(ask.text)
    found = [country_of(run, n) if by_country else _shared(run, ask, n) for n in names]
    if not all(found):
        return None
    common = set.intersection(*(set(words) for words in found))
    end, colon, comma = ("；", "：", "、") if run.lang == "zh" else ("; ", ": ", ", ")
    pairs = zip(names, found, strict=True)
    facts = end.join(f"{n}{colon}{comma.join(words)}" for n, words in pairs)
    answer = run.say("yes" if common else "no", facts=facts)
    return Move(run.say("compared", parts=facts, answer=""), answer)


def _shared(run: Run, ask: Ask, name: str) -> list[str]:
    """What the sentence about one of the two says, without the words of the question."""
    wanted = [f.id for f in ask.families if f.id not in ("year",)][:1]
    kind = "year" if cue("year").search(ask.text) else ""
    fact = find(run, about(name, wanted, ask.lang, kind), "part", what=name)
    if fact is None or kind:
        return [str(date.year) for date in dates(fact.text)][:1] if fact else []
    small = word_set("stop", "en") | {t.stem for t in tokens(f"{name} {ask.text}")}
    if ask.lang == "zh":
        named = [s.text for s in subjects(fact.text, "zh") if s.text != name]
        return named or [one_line(fact.text)]
    own = {t.stem for f in ask.families for t in tokens(" ".join(f.keys("en")))}
    return [t.text for t in tokens(fact.text) if t.stem not in small | own]
