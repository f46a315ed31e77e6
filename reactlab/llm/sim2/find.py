"""Looking something up: search the subject, read on in its page, then search by the words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .evidence import Fact, Passage, mentions, passages, pick
from .question import Ask
from .run import Run
from .subjects import general
from .tables import cue
from .text import CJK, tokens
from .tables import word_set

SURE = 0.72  # the score at which no further look is taken
ENOUGH = 0.5  # the least score with which a sentence counts as an answer
_TITLES = re.compile(r"'([^'\]]+)'|\"([^\"\]]+)\"|\[([^\[\]'\"]+)\]")


def find(run: Run, ask: Ask, why: str = "search", **slots: str) -> Fact | None:
    """The sentence that answers, None if none is good enough."""
    found: list[Passage] = []
    best: Fact | None = None
    for observation, title in _looks(run, ask, why, slots):
        found += passages(observation, title)
        best = pick(ask, found)
        if best and best.score >= SURE:
            break
    run.log.append(("best sentence", f"{best.score:.2f} {best.text}" if best else "none"))
    return best if best and best.score >= ENOUGH else None


def _looks(run: Run, ask: Ask, why: str, slots: dict[str, str]) -> Iterator[tuple[str, str]]:
    """One observation after the other, with the title of its page."""
    words = keywords(ask)
    first = ask.subject or " ".join(words)
    observation = run.search(first, why, **slots)
    title = first
    if cue("ambiguous").search(observation[:200]):
        title = _meant(observation, ask) or first
        observation = run.search(title, "choose")
    yield observation, title
    for key in _keys(ask)[:2]:
        yield run.lookup(key, title), title
    again = " ".join([ask.subject, *words] if ask.subject else [*words, *_keys(ask)[:2]])
    yield run.search(again, "again"), ask.subject
    for other in ask.subjects[1:2]:
        yield run.search(other, "again"), other


def keywords(ask: Ask) -> list[str]:
    """The words of a question that are worth searching for, without its subject."""
    if ask.lang == "zh":
        keys = [family.keys("zh")[0] for family in ask.families]
        return list(dict.fromkeys([*ask.subjects[1:], *keys])) or [ask.text]
    small = word_set("stop", "en") | word_set("persons", "en")
    own = {token.stem for token in tokens(ask.subject)}
    words = [t.text for t in tokens(ask.text) if t.stem not in small | own and len(t.text) > 1]
    keys = [family.keys("en")[0] for family in ask.families if not general(family.id)]
    return list(dict.fromkeys([*words, *keys])) if ask.subject else list(dict.fromkeys(words))


def _keys(ask: Ask) -> list[str]:
    """Words to look for on a page: what the families are usually called there, then the rest."""
    telling = [family for family in ask.families if not general(family.id)]
    keys = [key for family in telling for key in family.keys(ask.lang)[:1]]
    keys += [key for family in telling for key in family.keys(ask.lang)[1:2]]
    return list(dict.fromkeys([*keys, *(term.word for term in ask.terms if len(term.word) > 3)]))


def _meant(observation: str, ask: Ask) -> str:
    """Of the titles that a page lists, the one that shares most with the question."""
    titles = ["".join(groups) for groups in _TITLES.findall(observation.partition("[")[2])]
    words = {token.stem for token in tokens(ask.text)} | set(CJK.findall(ask.text))

    def shared(title: str) -> int:
        inside = re.sub(r"^[^(（]*", "", title)
        held = {token.stem for token in tokens(inside)} | set(CJK.findall(inside))
        kinds = [term for term in ask.terms if term.family and mentions(term.family.keys(ask.lang)[0], inside)]
        return 2 * len(held & words) + len(kinds)

    return max(titles, key=shared, default="")
