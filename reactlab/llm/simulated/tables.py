"""The word tables beside this file: families of words, patterns, and what is said."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from .text import stem, tokens


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table, without comments, as cells."""
    file = resources.files(__package__) / "tables" / f"{name}.tsv"
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(tuple(ln.split("\t")) for ln in lines if ln.strip() and not ln.startswith("# "))


class Family(NamedTuple):
    """One idea in all the wordings that the table knows for it.

    `kind` is what its value is ("person", "length", ...), "-" where that depends on the question.
    """

    id: str
    kind: str
    phrases: tuple[tuple[str, ...], ...]
    pattern: re.Pattern[str]
    keys_en: tuple[str, ...]
    keys_zh: tuple[str, ...]
    words: tuple[str, ...]

    def keys(self, lang: str) -> tuple[str, ...]:
        """Words worth looking for in a language, best first."""
        return self.keys_zh if lang == "zh" else self.keys_en


class Hit(NamedTuple):
    """A family found in a text, from `start` to `end`."""

    family: Family
    start: int
    end: int


@cache
def families() -> dict[str, Family]:
    """All families by id."""
    found = {}
    for ident, kind, english, chinese, keys_en, keys_zh in rows("concepts"):
        phrases = tuple(tuple(t.stem for t in tokens(p)) for p in english.split(","))
        keys = tuple(keys_en.split(", ")), tuple(keys_zh.split("、"))
        own = tuple(filter(None, phrases))
        words = tuple(w.strip() for w in english.split(",") if " " not in w.strip())
        found[ident] = Family(ident, kind, own, re.compile(chinese), *keys, words)
    return found


@cache
def _by_first() -> dict[str, list[tuple[tuple[str, ...], Family]]]:
    index: dict[str, list[tuple[tuple[str, ...], Family]]] = {}
    for family in families().values():
        for phrase in family.phrases:
            index.setdefault(phrase[0], []).append((phrase, family))
    return index


@lru_cache(maxsize=8000)
def hits(text: str, lang: str, *, inner: bool = False) -> tuple[Hit, ...]:
    """Every family that a text names. A longer phrase hides those inside it, unless `inner`."""
    found = _hits_zh(text) if lang == "zh" else _hits_en(text)
    wide = [hit for hit in found if inner or not any(_hides(other, hit) for other in found)]
    return tuple(sorted(wide, key=lambda hit: (hit.start, -hit.end)))


def _hides(other: Hit, hit: Hit) -> bool:
    inside = other.start <= hit.start and hit.end <= other.end
    return inside and other.end - other.start > hit.end - hit.start


def _hits_en(text: str) -> list[Hit]:
    words = tokens(text)
    stems = tuple(word.stem for word in words)
    return [
        Hit(family, word.start, words[at + len(phrase) - 1].end)
        for at, word in enumerate(words)
        for phrase, family in _by_first().get(word.stem, ())
        if stems[at : at + len(phrase)] == phrase
    ]


def _hits_zh(text: str) -> list[Hit]:
    return [
        Hit(family, match.start(), match.end())
        for family in families().values()
        for match in family.pattern.finditer(text)
        if match.end() > match.start()
    ]


@cache
def patterns(name: str) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """A table whose first cell is a pattern: the compiled pattern and the other cells."""
    return tuple((re.compile(row[0], re.IGNORECASE), row[1:]) for row in rows(name))


@cache
def cue(name: str) -> re.Pattern[str]:
    """A named pattern of the table of cues, English and Chinese together."""
    row = next(row for row in rows("cues") if row[0] == name)
    return re.compile("|".join(filter(None, row[1:])), re.IGNORECASE)


@cache
def word_set(name: str, lang: str) -> frozenset[str]:
    """The stems (en) or words (zh) of one row of the table of small words."""
    row = next(row for row in rows("words") if row[0] == name)
    return frozenset(row[2].split() if lang == "zh" else map(stem, row[1].split()))


@cache
def phrases(name: str, lang: str) -> tuple[str, ...]:
    """The wordings of something the model says, the usual one first."""
    row = next(row for row in rows("says") if row[0] == name)
    return tuple(row[2 if lang == "zh" else 1].split(" || "))
