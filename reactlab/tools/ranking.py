"""Full-text ranking by BM25: SQLite's FTS5, or the same formula in Python where FTS5 is missing."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import sqlite3

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(f"([{_CJK}]+)|((?:(?![{_CJK}])[^\\W_])+)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_QUERY_CHARS, _QUERY_TERMS = (
    2_000,
    48,
)  # SQLite's expressions may be 1,000 deep; questions are short

_COMMON_WORDS = (
    "a an and are as at be been but by can did do does for from had has have he her him his how"
    " i if in into is it its me my of on one or our she so some such that the their them then"
    " there these they this those to was we were what when where which who whom whose why will"
    " with would you your s t about tell find give please much many"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_COMMON_CHARS = frozenset(
    "的了是在和与及或有无谁什么哪个吗呢吧啊多少几为何不也都一这那之于以被把从到对其它他她们"
    "里上下中就还会能可要请问"
)


def terms(text: str) -> list[str]:
    """Cut text into index terms: plain words in the singular, Chinese characters and bigrams.

    Case, accents, full-width forms and the comma in 8,849 are ignored.
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    found: list[str] = []
    for chars, word in _WORD.findall(_THOUSANDS.sub("", unicodedata.normalize("NFC", plain))):
        if word:
            found.append(_singular(word))
        else:
            found.extend(chars)
            found.extend(a + b for a, b in pairwise(chars))
    return found


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] not in "su" else word


class Vocabulary:
    """How many of the `size` documents hold each term; says what a query is worth asking."""

    def __init__(self, documents: Iterable[Iterable[str]]) -> None:
        self.size, self._holders = 0, Counter[str]()
        for document in documents:
            self.size += 1
            self._holders.update(set(document))

    def weight(self, term: str) -> float:
        """Return BM25's inverse document frequency: 0 for unknown terms, never negative."""
        n = self._holders[term]
        return max(1e-6, math.log((self.size - n + 0.5) / (n + 0.5))) if n else 0.0

    def query(self, text: str) -> list[str]:
        """Return the known terms of a query, each once, without words that say nothing.

        A lone Chinese character counts only where it is rare (the name of an element, say):
        else nearly every page would match nearly every question.
        """
        asked = list(dict.fromkeys(terms(text[:_QUERY_CHARS])))
        telling = [term for term in asked if self._tells(term, alone=len(asked) == 1)]
        return telling[:_QUERY_TERMS]

    def _tells(self, term: str, *, alone: bool) -> bool:
        holders = self._holders[term]
        if not holders or term in _COMMON:
            return False
        if re.fullmatch(f"[{_CJK}]", term) and not alone:
            return term not in _COMMON_CHARS and holders <= max(2, self.size // 20)
        return not (len(term) == 2 and set(term) <= _COMMON_CHARS)


class Ranking(Protocol):
    """Orders documents by how well they match."""

    def best(self, query: Sequence[str], limit: int) -> list[int]:
        """Return the numbers of at most `limit` documents with any of the terms, best first."""


def has_fts5() -> bool:
    """Whether this Python's SQLite can search full text; a few builds cannot."""
    try:
        import sqlite3
    except ImportError:
        return False
    with closing(sqlite3.connect(":memory:")) as db:
        try:
            db.execute("CREATE VIRTUAL TABLE probe USING fts5(terms)")
        except sqlite3.OperationalError:
            return False
    return True


class FtsRanking:
    """BM25 by SQLite's FTS5, in memory. Not thread-safe: the caller holds a lock."""

    def __init__(self, documents: Iterable[list[str]]) -> None:
        """Call it only where `has_fts5()`."""
        import sqlite3

        self._db: sqlite3.Connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute("CREATE VIRTUAL TABLE page USING fts5(terms, tokenize = 'unicode61')")
        rows = ((number, " ".join(document)) for number, document in enumerate(documents))
        self._db.executemany("INSERT INTO page(rowid, terms) VALUES (?, ?)", rows)

    def best(self, query: Sequence[str], limit: int) -> list[int]:
        """Terms hold letters and digits only and are quoted, so none is ever FTS syntax."""
        if not query:
            return []
        match = " OR ".join(f'"{term}"' for term in query)
        rows = self._db.execute(
            "SELECT rowid FROM page WHERE page MATCH ? ORDER BY bm25(page), rowid LIMIT ?",
            (match, limit),
        )
        return [number for (number,) in rows]


class PlainRanking:
    """The same formula (k1 = 1.2, b = 0.75, Robertson and others) in Python."""

    def __init__(self, documents: Iterable[list[str]]) -> None:
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        self._lengths: list[int] = []
        for number, document in enumerate(documents):
            self._lengths.append(len(document))
            for term, count in Counter(document).items():
                self._counts[term][number] = count
        self._mean = sum(self._lengths) / max(1, len(self._lengths))

    def best(self, query: Sequence[str], limit: int) -> list[int]:
        """See `Ranking.best`."""
        scores: dict[int, float] = defaultdict(float)
        for term in query:
            holders = self._counts.get(term, {})
            rarity = math.log((len(self._lengths) - len(holders) + 0.5) / (len(holders) + 0.5))
            for number, count in holders.items():
                length = 1.2 * (0.25 + 0.75 * self._lengths[number] / self._mean)
                scores[number] += max(1e-6, rarity) * count * 2.2 / (count + length)
        return sorted(scores, key=lambda number: (-scores[number], number))[:limit]
