"""The word tables beside this file, as objects: concepts, kinds of answers, phrases, units."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources

from reactlab.llm.simulated.text import stem, tokens


def rows(name: str) -> list[list[str]]:
    """The rows of a table, without comments, as lists of cells."""
    file = resources.files(__package__) / "tables" / f"{name}.tsv"
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line.strip() and not line.startswith("# ")]


@dataclass(frozen=True)
class Concept:
    """One idea in all the wordings that the tables know for it.

    `kind` is what its value is ("person", "length", ...), "-" where that depends on the question.
    `keys` are words worth looking up on a page, best first.
    """

    id: str
    kind: str
    phrases: tuple[tuple[str, ...], ...]
    pattern: re.Pattern[str]
    keys: dict[str, tuple[str, ...]] = field(hash=False)


@dataclass(frozen=True)
class Hit:
    """A concept found in a text, from `start` to `end`."""

    concept: Concept
    start: int
    end: int


@cache
def concepts() -> dict[str, Concept]:
    """All concepts by id."""
    found = {}
    for ident, kind, english, chinese, keys_en, keys_zh in rows("concepts"):
        phrases = tuple(tuple(t.stem for t in tokens(p)) for p in english.split(","))
        keys = {"en": tuple(keys_en.split(", ")), "zh": tuple(keys_zh.split("、"))}
        pattern = re.compile("|".join(chinese.split("|")))
        found[ident] = Concept(ident, kind, tuple(filter(None, phrases)), pattern, keys)
    return found


@cache
def _by_first() -> dict[str, list[tuple[tuple[str, ...], Concept]]]:
    index: dict[str, list[tuple[tuple[str, ...], Concept]]] = {}
    for concept in concepts().values():
        for phrase in concept.phrases:
            index.setdefault(phrase[0], []).append((phrase, concept))
    for entries in index.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return index


@lru_cache(maxsize=4000)
def hits(text: str, lang: str, *, inner: bool = False) -> tuple[Hit, ...]:
    """Every concept that a text names. A longer phrase hides those inside it, unless `inner`."""
    found = _hits_zh(text) if lang == "zh" else _hits_en(text)
    wide = [hit for hit in found if inner or not any(_hides(other, hit) for other in found)]
    return tuple(sorted(wide, key=lambda hit: (hit.start, -hit.end)))


def _hides(other: Hit, hit: Hit) -> bool:
    inside = other.start <= hit.start and hit.end <= other.end
    return inside and other.end - other.start > hit.end - hit.start


def _hits_en(text: str) -> list[Hit]:
    words = tokens(text)
    stems = tuple(word.stem for word in words)
    found = []
    for at, word in enumerate(words):
        for phrase, concept in _by_first().get(word.stem, ()):
            if stems[at : at + len(phrase)] == phrase:
                found.append(Hit(concept, word.start, words[at + len(phrase) - 1].end))
    return found


def _hits_zh(text: str) -> list[Hit]:
    return [
        Hit(concept, match.start(), match.end())
        for concept in concepts().values()
        for match in concept.pattern.finditer(text)
        if match.end() > match.start()
    ]


@cache
def patterns(name: str) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """A table whose first cell is a pattern: the compiled pattern and the other cells."""
    return tuple((re.compile(row[0], re.IGNORECASE), tuple(row[1:])) for row in rows(name))


@cache
def word_set(name: str, lang: str) -> frozenset[str]:
    """The stems (en) or words (zh) of one row of the table of small words."""
    for ident, english, chinese in rows("words"):
        if ident == name:
            cells = chinese.split() if lang == "zh" else [stem(w) for w in english.split()]
            return frozenset(cells)
    raise KeyError(name)


@cache
def phrases(name: str, lang: str) -> tuple[str, ...]:
    """The wordings of something the model says, the usual one first."""
    for ident, english, chinese in rows("says"):
        if ident == name:
            return tuple((chinese if lang == "zh" else english).split(" || "))
    raise KeyError(name)
