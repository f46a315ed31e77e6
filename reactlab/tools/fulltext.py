"""The full-text index: SQLite's FTS5, or the same formula in Python where FTS5 is missing."""

from __future__ import annotations

import threading
import warnings
import weakref
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Protocol

from reactlab.errors import ReactlabWarning


class Ranking(Protocol):
    """Orders documents, given as their terms and counts, by BM25 (k1 = 1.2, b = 0.75)."""

    def scores(self, weights: Mapping[str, float], limit: int) -> list[int]:
        """The numbers of at most `limit` documents that hold any of the terms, best first."""


def has_fts5() -> bool:
    """Whether this Python's SQLite can search full text; a few builds cannot."""
    try:
        import sqlite3
    except ImportError:
        return False
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(terms)")
        except sqlite3.OperationalError:
            return False
    return True


def ranking(documents: Iterable[list[str]], *, fts5: bool | None = None) -> Ranking:
    """The best ranking that this Python has (None finds out); warns where it is the slower one."""
    if has_fts5() if fts5 is None else fts5:
        return FtsRanking(documents)
    warnings.warn("SQLite has no FTS5 here: Search ranks in Python.", ReactlabWarning, stacklevel=3)
    return PlainRanking(documents)


class FtsRanking:
    """BM25 by FTS5, in memory; threads share its connection under a lock."""

    def __init__(self, documents: Iterable[list[str]]) -> None:
        import sqlite3

        self._lock = threading.Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        weakref.finalize(self, self._database.close)
        self._database.execute("CREATE VIRTUAL TABLE page USING fts5(terms, tokenize='unicode61')")
        rows = ((number, " ".join(document)) for number, document in enumerate(documents))
        self._database.executemany("INSERT INTO page(rowid, terms) VALUES (?, ?)", rows)

    def scores(self, weights: Mapping[str, float], limit: int) -> list[int]:
        """Terms hold letters and digits only and are quoted, so none is ever FTS syntax."""
        if not weights:
            return []
        rarest = sorted(weights, key=lambda term: -weights[term])[:48]  # expressions are bounded
        match = " OR ".join(f'"{term}"' for term in rarest)
        sql = "SELECT rowid FROM page WHERE page MATCH ? ORDER BY bm25(page), rowid LIMIT ?"
        with self._lock:
            return [number for (number,) in self._database.execute(sql, (match, limit))]


class PlainRanking:
    """The same formula in Python (Robertson and others)."""

    def __init__(self, documents: Iterable[list[str]]) -> None:
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        self._lengths: list[int] = []
        for number, document in enumerate(documents):
            self._lengths.append(len(document))
            for term in document:
                held = self._counts[term]
                held[number] = held.get(number, 0) + 1

    def scores(self, weights: Mapping[str, float], limit: int) -> list[int]:
        """See `Ranking.scores`."""
        found: dict[int, float] = defaultdict(float)
        mean = sum(self._lengths) / max(1, len(self._lengths))
        for term, weight in weights.items():
            for number, count in self._counts.get(term, {}).items():
                length = 0.25 + 0.75 * self._lengths[number] / mean
                found[number] += weight * 2.2 * count / (count + 1.2 * length)
        return sorted(found, key=lambda number: (-found[number], number))[:limit]
