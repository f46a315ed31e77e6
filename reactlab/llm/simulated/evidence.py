"""Judging sentences: which one speaks of the subject and says what the question wants to know."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from .numbers import dates, months, quantities
from .question import STRICT, Ask, Term
from .subjects import general, subjects
from .tables import cue, hits, rows, word_set
from .text import CJK, sentences, stem, tokens

_RESULT = re.compile(r"^[(（][^)）]{1,20}\d+ ?/ ?\d+[)）]\s*")


MOST = 3.0  # the weight of terms from which on more of them ask for no more


class Passage(NamedTuple):
    """A sentence of an observation, and the title of the page that it stands on."""

    text: str
    title: str


class Fact(NamedTuple):
    """The passage that answers a question, and how well (0..1)."""

    text: str
    title: str
    score: float


def passages(observation: str, title: str) -> list[Passage]:
    """The sentences of an observation; a list of matches names the page of each."""
    vague = cue("missing").search(observation[:200]) or cue("ambiguous").search(observation[:60])
    if vague and not cue("listed_page").search(observation):
        return []
    listed = cue("listed_page").findall(observation)
    pages = listed or [(title, _RESULT.sub("", observation))]
    return [Passage(s, page.strip()) for page, text in pages for s in sentences(text[:20_000])]


def titles_in(observation: str) -> list[str]:
    """The titles of the pages that a list of matches names."""
    return [title.strip() for title, _ in cue("listed_page").findall(observation)]


def mentions(name: str, text: str) -> bool:
    """Whether a text names something, if only in short: `Fuji` for `Mount Fuji`."""
    if CJK.search(name):
        return name in text or _shortens(name, text)
    if name and name in text:
        return True
    small = word_set("stop", "en")
    wanted = [token.stem for token in tokens(name)]
    wanted = [word for word in wanted if word not in small] or wanted
    held = {token.stem for token in tokens(text)}
    known = [word for word in wanted if any(_kin(word, other) for other in held)]
    return bool(wanted) and len(known) >= 0.6 * len(wanted)


def near(name: str, title: str) -> bool:
    """Whether a name is a misspelt title: one letter more, less or swapped; more in long names."""
    a, b = name.casefold(), title.casefold()
    if a == b or min(len(a), len(b)) < 5:
        return False
    if " " in a and " " in b:
        return SequenceMatcher(None, a, b).ratio() >= 0.85
    while a[:1] == b[:1] != "":
        a, b = a[1:], b[1:]
    while a[-1:] == b[-1:] != "":
        a, b = a[:-1], b[:-1]
    changed = len(a) == len(b) == 1 and (len(name) >= 8 or CJK.search(name))
    return bool(len(a + b) == 1 or (len(a) == 2 and a == b[::-1]) or changed)


@lru_cache(maxsize=4000)
def _shortens(name: str, text: str) -> bool:
    """Whether the characters of a short name stand in this order in one word: 北大 in 北京大学."""
    pattern = r"[^的是在于由，。、《》\s]{0,3}?".join(map(re.escape, name))
    return 1 < len(name) < 5 and re.search(pattern, text) is not None


def pick(ask: Ask, found: list[Passage]) -> Fact | None:
    """The passage with the best score; of equal ones the first.

    Asked only what something is, the first sentence of its page.
    """
    if len(ask.subjects) == 1 and not ask.terms and ask.kind not in STRICT:
        own = (p for p in found if mentions(ask.subject, p.title) and mentions(p.title, p.text))
        if first := next(own, None):
            return Fact(*first, 1.0)
        if ask.subject.isascii() and ask.subject.islower():
            return None
    near = _first_page(ask, found)
    facts = [Fact(*passage, _score(ask, passage, near)) for passage in dict.fromkeys(found)]
    return max(facts, key=lambda fact: fact.score, default=None)


def _first_page(ask: Ask, found: list[Passage]) -> str:
    """The first page that speaks of the subject: it may go on about it without the name."""
    own = (p.title for p in found if any(mentions(name, p.text) for name in ask.subjects))
    return next(own, "")


def _score(ask: Ask, passage: Passage, near: str) -> float:
    whole = f"{passage.title} ; {passage.text}"
    about = any(mentions(name, whole) for name in ask.subjects)
    elsewhere = passage.title != near or mentions(passage.title, passage.text)
    if ask.subjects and not about and elsewhere:
        return 0.0
    if cue("than").search(passage.text) and not cue("than").search(ask.text):
        return 0.0
    strange = (t for t in ask.terms if not t.family and t.weight >= 0.5 and not ask.subjects)
    if not all(holds(term, whole, ask.lang) for term in strange):
        return 0.0
    if clashes(ask, passage):
        return 0.0
    fit = fits(ask, passage.text)
    if not fit and ask.kind in (*STRICT, "person", "city", "country"):
        return 0.0
    matched = [term for term in ask.terms if holds(term, passage.text, ask.lang)]
    telling = [term for term in matched if not (term.family and general(term.family.id))]
    if ask.terms and not telling and not (matched and len(matched) == len(ask.terms)):
        return 0.0
    if any(term.weight > 1 and term not in matched for term in ask.terms):
        return 0.0
    got, wanted = (sum(t.weight for t in ts) for ts in (matched, ask.terms))
    named = sum(mentions(name, whole) for name in ask.subjects[1:])
    extra = 0.02 * min(len(passage.text), 300) / 100
    others = 0.9 * len(ask.subjects[1:])
    score = (got + 0.6 * fit + 0.9 * named) / (min(wanted, MOST) + 0.6 + others)
    own = 0.03 if mentions(ask.subject, passage.title) else 0.0
    return max(0.0, score + own - extra - (0.0 if about or not ask.subjects else 0.1))


def holds(term: Term, text: str, lang: str) -> bool:
    """Whether a text speaks of a term, in whatever wording."""
    if term.family:
        return any(hit.family == term.family for hit in hits(text, lang, inner=True))
    if CJK.search(term.word) or lang == "zh":
        pairs = {term.word[at : at + 2] for at in range(len(term.word) - 1)}
        return term.word in text or sum(pair in text for pair in pairs) >= max(1, len(pairs) / 3)
    return any(_kin(term.word, token.stem) for token in tokens(text))


def _kin(a: str, b: str) -> bool:
    """`engineer` and `engineering`: equal, or long with the same beginning."""
    return a == b or (min(len(a), len(b)) > 4 and a[:5] == b[:5] and abs(len(a) - len(b)) < 5)


def clashes(ask: Ask, passage: Passage) -> bool:
    """Whether a sentence is about another year or place than a question, or not about its month."""
    if ask.kind in ("year", "date", "place", "city", "country"):
        return False
    text, asked = passage.text, " ; ".join([ask.text, *(t.word for t in ask.terms), ""])
    wanted, said = ({date.year for date in dates(t)} - {0} for t in (asked, text))
    month, held = ({number for _, number in months(t)} for t in (asked, text))
    if (wanted and said and not wanted & said) or (month and not month & held):
        return True
    named = _places(ask.text, ask.lang)
    told = any(mentions(place, text) for place in named)
    return bool(named and not told and _places(text, ask.lang))


def _places(text: str, lang: str) -> list[str]:
    found = ((span.text, text[: span.start]) for span in subjects(text, lang))
    return [name for name, before in found if re.search(r"\b(?:in|at)(?: the)? $|在$", before)]


def fits(ask: Ask, sentence: str) -> bool:
    """Whether a sentence holds something new of the kind that is asked for."""
    if ask.kind in ("year", "date"):
        asked = {date.year for date in dates(ask.text)}
        return any(date.year not in asked or date.day for date in dates(sentence))
    if ask.kind in STRICT:
        return bool(measures(sentence, ask.kind))
    if ask.kind in ("person", "place", "city", "country") or ask.kind == "name":
        return bool(news(ask, sentence))
    return True


def measures(sentence: str, kind: str) -> list[tuple[float, int, int]]:
    """The quantities of a kind in a sentence, in base units: (value, start, end)."""
    kinds = next((row[1].split(",") for row in rows("measures") if row[0] == kind), [kind])
    return [
        (q.value * (q.unit.size if q.unit and kind != "number" else 1.0), q.start, q.stop)
        for q in quantities(sentence)
        if kind == "number" or (q.unit.kind if q.unit else "") in kinds
    ]


def news(ask: Ask, sentence: str) -> list[str]:
    """The names in a sentence that the question does not hold."""
    known = {token.stem for token in tokens(ask.text)}
    found = [span.text for span in subjects(sentence, ask.lang)]
    if ask.lang == "zh":
        return [name for name in found if name not in ask.text and len(name) > 1]
    return [name for name in found if any(stem(w) not in known for w in name.split())]
