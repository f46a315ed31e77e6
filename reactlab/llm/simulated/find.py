"""Looking something up: search the subject, read on in its page, then search by all the words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .evidence import Fact, Passage, mentions, near, passages, pick, titles_in
from .numbers import months
from .question import Ask, understand
from .run import Run
from .subjects import general
from .tables import cue, word_set
from .text import CJK, stem, tokens

SURE = 0.8
ENOUGH = 0.5  # the least score with which a sentence counts as an answer
_TITLES = re.compile(r"'([^'\]]+)'|\"([^\"\]]+)\"|\[([^\[\]'\"]+)\]")


def find(run: Run, ask: Ask, why: str = "search", **slots: str) -> Fact | None:
    """The sentence that answers, None if none is good enough."""
    found: list[Passage] = []
    best: Fact | None = None
    for observation, title in _looks(run, ask, why, slots):
        found += passages(observation, title)
        if meant := _corrected(ask, observation, found):
            return find(run, meant, "similar")
        ask = _renamed(ask, found)
        best = pick(ask, found)
        if best and best.score >= SURE:
            break
    run.log.append(("best sentence", f"{best.score:.2f} {best.text}" if best else "none"))
    return best if best and best.score >= ENOUGH else None


def _looks(run: Run, ask: Ask, why: str, slots: dict[str, str]) -> Iterator[tuple[str, str]]:
    """One observation after the other, with the title of its page."""
    read: list[str] = []
    for query in dict.fromkeys([ask.subject, _all_words(ask)]):
        if not query:
            continue
        observation = run.search(query, "again" if read else why, **slots)
        title = query
        missing = cue("missing").match(observation)
        if cue("ambiguous").search(observation[:200]) or missing:
            title = _meant(observation, ask) or query
            close = title[:4].lower() == query[:4].lower() or not missing
            if title != query and close:
                observation = run.search(title, "similar" if missing else "choose")
        yield observation, title
        listed = titles_in(observation)
        meant = [t for t in listed if mentions(t, ask.text) or mentions(ask.subject, t)]
        for page in (meant or listed)[:1]:
            title = page
            if page not in read:
                yield run.search(page, "open"), page
        failed = cue("missing").match(observation) and not listed
        if title not in read and not failed:
            for key in _keys(ask)[:2]:
                yield run.lookup(key, title), title
        read.append(title)
    for other in [name for name in ask.subjects[1:2] if name not in read]:
        yield run.search(other, "again"), other


def _renamed(ask: Ask, found: list[Passage]) -> Ask:
    """Where the rules misread the name, a page's title that the question holds says it better."""
    titles = list(dict.fromkeys(p.title for p in found))
    if any(mentions(name, title) for name in ask.subjects for title in titles):
        return ask
    named = [title for title in titles if title not in ask.subjects and mentions(title, ask.text)]
    if ask.lang == "zh" and not named:
        text = " ".join(passage.text for passage in found)
        cuts = (name[:end] for name in ask.subjects for end in range(len(name) - 1, 1, -1))
        named = [] if any(n in text for n in ask.subjects) else [c for c in cuts if c in text][:1]
    return ask._replace(subjects=tuple(named)) if named else ask


def _corrected(ask: Ask, observation: str, found: list[Passage]) -> Ask | None:
    """The question with a misspelt name as the listed title has it; None if none is misspelt.

    A name that stands in one of the texts is no misspelling, even if a title is close to it.
    """
    listed = [*titles_in(observation), *_offered(observation)]
    for name in ask.subjects:
        close = next((title for title in listed if near(name, title)), "")
        if close and not any(name in f"{p.title} {p.text}" for p in found if p.title != name):
            named = tuple(close if other == name else other for other in ask.subjects)
            return ask._replace(subjects=named, text=ask.text.replace(name, close))
    return None


def anchored(run: Run, ask: Ask) -> Ask:
    """Where nothing in a question has a name: the best title found for its words."""
    if ask.subjects or "search" not in run.roles:
        return ask
    seen = run.search(_all_words(ask))
    titles = titles_in(seen)
    if held := [t for t in titles[:3] if mentions(t, ask.text)]:
        return ask._replace(subjects=(held[0],))
    return next(filter(None, (_misspelt(ask, title) for title in titles)), ask)


def _misspelt(ask: Ask, title: str) -> Ask | None:
    """The question with the words that are close to a title replaced by it."""
    words, width = tokens(ask.text), len(title.split())
    for at in range(len(words) - width + 1):
        first, last = words[at], words[at + width - 1]
        if near(ask.text[first.start : last.end], title):
            text = f"{ask.text[: first.start]}{title}{ask.text[last.end :]}"
            return understand(text, ask.lang)
    return None


def _all_words(ask: Ask) -> str:
    return " ".join(dict.fromkeys([*([ask.subject] if ask.subject else []), *keywords(ask)]))


def keywords(ask: Ask) -> list[str]:
    """The words of a question that are worth searching for, without its subject."""
    telling = [family for family in ask.families if not general(family.id)]
    keys = [family.keys(ask.lang)[0] for family in telling]
    if ask.lang == "zh":
        rest = re.sub(r"[，。？！、；：?!,\s]+", " ", ask.text.replace(ask.subject, " ")).strip()
        for written, number in months(rest):
            rest = rest.replace(written, f"{number}月")
        return [rest, *keys]
    small = word_set("stop", "en") | word_set("persons", "en")
    own = {token.stem for token in tokens(ask.subject)}
    words = [t.text for t in tokens(ask.text) if t.stem not in small | own and len(t.text) > 1]
    more = [word for family in telling for word in family.words[:5] if ask.subject]
    return list({stem(word): word for word in reversed([*words, *keys, *more])}.values())[::-1]


def _keys(ask: Ask) -> list[str]:
    """Words to look for on a page: what the families are usually called there, then the rest."""
    telling = [family for family in ask.families if not general(family.id)]
    keys = [key for at in (0, 1) for f in telling for key in f.keys(ask.lang)[at : at + 1]]
    if all(family.id in word_set("ranks", "zh") for family in telling):
        keys += [f.keys(ask.lang)[0] for f in ask.families if general(f.id)]
    needed = [f"{n}月" if ask.lang == "zh" else written for written, n in months(ask.text)]
    needed += [t.word for t in ask.terms if t.weight > 1 and t.word]
    rest = [t.word for t in ask.terms if len(t.word) > 3]
    return list(dict.fromkeys(filter(None, [*needed, *keys, *rest])))


def _meant(observation: str, ask: Ask) -> str:
    """Of the titles that a page lists, the one that shares most with the question."""
    words = {token.stem for token in tokens(ask.text)} | set(CJK.findall(ask.text))

    def shared(title: str) -> int:
        inside = re.sub(r"^[^(（]*", "", title)
        held = {token.stem for token in tokens(inside)} | set(CJK.findall(inside))
        kin = [f for f in ask.families if any(mentions(k, inside) for k in f.keys(ask.lang))]
        return 2 * len(held & words) + len(kin)

    return max(_offered(observation), key=shared, default="")


def _offered(observation: str) -> list[str]:
    """The titles that a page lists in place of itself."""
    return ["".join(groups) for groups in _TITLES.findall(observation.partition("[")[2])]
