"""Understanding a question: its subject, the kind of answer, and the words that tell."""

from __future__ import annotations

import re
from typing import NamedTuple

from .numbers import dates, units_in
from .subjects import LONGEST, general, masked, subjects
from .tables import Family, cue, families, hits, patterns, word_set
from .text import Span, tokens

STRICT = word_set("strict", "zh")


class Term(NamedTuple):
    """What a question names besides its subject; `weight` (0..1) is how much it tells."""

    weight: float
    family: Family | None
    word: str


class Ask(NamedTuple):
    """One question to be answered from text. `kind` is what the answer is, "" where unknown."""

    text: str
    lang: str
    subjects: tuple[str, ...]
    kind: str
    terms: tuple[Term, ...]

    @property
    def subject(self) -> str:
        """What it is mainly about, "" where nothing has a name."""
        return self.subjects[0] if self.subjects else ""

    @property
    def families(self) -> list[Family]:
        """The families among the terms."""
        return [term.family for term in self.terms if term.family]

    def has(self, *idents: str) -> bool:
        """Whether one of these families is among the terms."""
        return any(family.id in idents for family in self.families)


def understand(text: str, lang: str) -> Ask:
    """Read a question (or a phrase such as `the author of X`)."""
    text = text[:LONGEST]
    spans = subjects(text, lang)
    named = _linked(text, spans) if lang == "zh" else spans
    rest = masked(text, named)
    terms = _terms(rest, lang)
    ask = Ask(text, lang, tuple(dict.fromkeys(s.text for s in named)), _kind(rest, terms), terms)
    asked = cue("define").search(text)
    known = any(not general(family.id) for family in ask.families)
    if asked and asked.lastindex and (not known or text.startswith("什么是")):
        return ask._replace(subjects=(asked[asked.lastindex],), kind="", terms=())
    return ask


def about(
    subject: str, wanted: list[str], lang: str, kind: str, more: tuple[Term, ...] = ()
) -> Ask:
    """Ask for what the families `wanted` name of a subject."""
    asked = [families()[ident] for ident in wanted]
    terms = (*(Term(1.0, family, "") for family in asked), *more)
    text = " ".join([subject, *(family.keys(lang)[0] for family in asked)])
    return Ask(text, lang, (subject,) if subject else (), kind, terms)


def _linked(text: str, spans: list[Span]) -> list[Span]:
    """Of Chinese runs the first, what is joined to one of them, and what is quoted or Latin."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        gap = text[kept[-1].end : span.start] if kept else ""
        quoted = text[span.start - 1 : span.start] in ("《", "“", "「") or span.text.isascii()
        if not kept or quoted or cue("joined").fullmatch(gap):
            kept.append(span)
    return [span for span in spans if span in kept]


def _kind(rest: str, terms: tuple[Term, ...]) -> str:
    clauses = re.split(r"[,;:，；：]|\s[–—-]\s|[.?!。？！]\s*", rest)
    for clause in [*reversed(clauses), rest]:
        for pattern, cells in patterns("kinds"):
            if found := pattern.search(clause):
                units = units_in(clause[found.start() : found.end() + 12])
                return units[0][0].kind if units and cells[0] == "count" else cells[0]
    kinds = [term.family.kind for term in terms if term.family and term.family.kind != "-"]
    return kinds[0] if kinds else ""


def _terms(rest: str, lang: str) -> tuple[Term, ...]:
    found = hits(rest, lang)
    terms = [Term(_weight(hit.family), hit.family, "") for hit in found]
    if lang == "zh":
        left = masked(rest, [Span("", hit.start, hit.end) for hit in found])
        terms += [
            Term(0.3 if len(run.text) < 3 else 0.6, None, run.text)
            for run in subjects(left, lang)
            if len(run.text.strip()) > 1
        ]
    else:
        small = word_set("stop", "en") | word_set("persons", "en")
        for word in tokens(rest):
            hidden = any(hit.start <= word.start < hit.end for hit in found)
            if not hidden and word.stem not in small and len(word.stem) > 1:
                weight = 0.3 if word.stem in word_set("nationality", "en") else 0.5
                terms.append(Term(weight, None, word.stem))
    years = [str(date.year) for date in dates(rest) if date.year]
    kept = [term for term in terms if term.word not in years]
    more = [t for t in kept if t.family and not general(t.family.id) and t.family.id != "othername"]
    if more:  # `what is it called` then only asks for a name
        named = [t.family is not None and t.family.id == "othername" for t in kept]
        kept = [t._replace(weight=0.3) if n else t for t, n in zip(kept, named, strict=True)]
    return tuple(dict.fromkeys([*kept, *(Term(0.8, None, year) for year in years)]))


def _weight(family: Family) -> float:
    if general(family.id):
        return 0.3
    return 0.7 if family.id in word_set("ranks", "zh") else 1.0
