"""Find pages by what they say: a full-text index that is built when first asked."""

from __future__ import annotations

import difflib
import os
import re
import threading
import warnings
from functools import cache
from typing import NamedTuple

from reactlab.errors import ReactlabWarning
from reactlab.tools.pages import Page, Pages, Source, title_key
from reactlab.tools.ranking import FtsRanking, PlainRanking, Ranking, Vocabulary, has_fts5, terms

AMBIGUOUS = re.compile(
    r"\bmay (?:also |either )?refer to\s*[:：]|(?:可以|可能|可)(?:是)?指(?:的是)?\s*[:：]", re.I
)
_BEGINNING = 200  # characters in which a page says that it only lists what its title may mean


class _Built(NamedTuple):
    ranking: Ranking
    vocabulary: Vocabulary
    pages: tuple[Page, ...]


class PageIndex:
    """Pages with a full-text index; any number of threads may share it.

    A copy in another process (pickled or forked) takes the pages and builds an index of its own.
    """

    def __init__(self, pages: Source) -> None:
        self.pages = Pages(pages)
        self._forget()

    def __reduce__(self) -> tuple[type[PageIndex], tuple[Pages]]:
        return (type(self), (self.pages,))

    def _forget(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._built: _Built | None = None

    def best(self, query: str, limit: int = 3) -> list[tuple[Page, tuple[str, ...]]]:
        """Return at most `limit` pages, best first, each with its one or two best sentences.

        Pages that only list what a title may refer to are left out. Any `query` is allowed.
        """
        if os.getpid() != self._process:  # SQLite forbids to use a parent's connection
            self._forget()
        with self._lock:
            built = self._built = self._built or _build(self.pages)
            asked = built.vocabulary.query(query)
            numbers = built.ranking.best(asked, limit)
        weights = {term: built.vocabulary.weight(term) for term in asked}
        return [(built.pages[n], _telling_sentences(built.pages[n], weights)) for n in numbers]

    def similar(self, title: str, limit: int = 5) -> list[str]:
        """Return at most `limit` titles that are spelt like `title`, closest first."""
        keys = {title_key(page.title): page.title for page in self.pages}
        asked = title_key(title[:200])
        cutoff = 0.5 if len(asked) < 4 else 0.6  # one wrong character of a Chinese word is half
        close = difflib.get_close_matches(asked, keys, n=limit, cutoff=cutoff)
        return [keys[key] for key in close]


@cache
def embedded_index(language: str = "en") -> PageIndex:
    """Return the one shared index of the embedded encyclopaedia in "en" or "zh"."""
    return PageIndex(Pages.embedded(language))


def is_ambiguous(page: Page) -> bool:
    """Whether the page only lists what its title may refer to."""
    return AMBIGUOUS.search(page.text[:_BEGINNING]) is not None


def _build(pages: Pages) -> _Built:
    searched = tuple(page for page in pages if not is_ambiguous(page))
    # The title counts three times: a page is about its title more than about anything it names.
    documents = [terms(page.title) * 3 + terms(page.text) for page in searched]
    return _Built(_ranking(documents), Vocabulary(documents), searched)


def _ranking(documents: list[list[str]]) -> Ranking:
    if has_fts5():
        return FtsRanking(documents)
    notice = "SQLite has no FTS5 here; pages are ranked by the same formula in Python instead."
    warnings.warn(ReactlabWarning(notice), stacklevel=2)
    return PlainRanking(documents)


def _telling_sentences(page: Page, weights: dict[str, float]) -> tuple[str, ...]:
    """The best sentence, and a second one if it holds a term that the best one lacks."""
    held = [weights.keys() & terms(sentence) for sentence in page.sentences]
    scores = [sum(weights[term] for term in each) for each in held]
    first = scores.index(max(scores))
    rest = [sum(weights[term] for term in each - held[first]) for each in held]
    chosen = {first, rest.index(max(rest))} if max(rest) > 0 else {first}
    return tuple(page.sentences[i] for i in sorted(chosen))
