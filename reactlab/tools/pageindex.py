"""Find pages by what they say: their terms, and which of a query's terms tell them apart."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from functools import cache
from itertools import pairwise

from reactlab.tools.fulltext import ranking
from reactlab.tools.pages import Page, Pages, Source, in_pieces, title_key
from reactlab.tools.shipped import words

AMBIGUOUS = re.compile(r"\bmay (?:also |either )?refer to\s*[:：]|可[以能]?指\s*[:：]", re.I)
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(f"([{_CJK}]+)|((?:(?![{_CJK}])[^\\W_])+)")
_CHARACTER = re.compile(f"[{_CJK}]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def terms(text: str) -> list[str]:
    """Cut text into index terms: plain words in the singular, Chinese characters and bigrams.

    Case, accents, full-width forms and the comma in 8,849 are ignored.
    """
    plain = in_pieces(_bare, text).casefold()
    found: list[str] = []
    for chars, word in _WORD.findall(_THOUSANDS.sub("", plain)):
        found += [_singular(word)] if word else [*chars, *(a + b for a, b in pairwise(chars))]
    return found


def _bare(text: str) -> str:
    """The text without accents."""
    parts = unicodedata.normalize("NFKD", text)
    letters = "".join(char for char in parts if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", letters)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] not in "su" else word


def is_ambiguous(page: Page) -> bool:
    """Whether the page, in its beginning, says that it only lists what its title may refer to."""
    return AMBIGUOUS.search(page.text[:200]) is not None


class PageIndex:
    """Pages with a full-text index; any number of threads may share it, and it can be pickled."""

    def __init__(self, pages: Source) -> None:
        """Index all pages but those that only list what a title may refer to.

        A title counts three times: a page is about its title more than about what it names.
        """
        self.pages = Pages(pages)
        self._searched = [page for page in self.pages if not is_ambiguous(page)]
        documents = [terms(page.title) * 3 + terms(page.text) for page in self._searched]
        self._holders = Counter(term for document in documents for term in set(document))
        self._ranking = ranking(documents)

    def __getstate__(self) -> Pages:
        return self.pages

    def __setstate__(self, pages: Pages) -> None:
        self.__init__(pages)  # type: ignore[misc]  # built anew: a database does not travel

    def best(self, query: str, limit: int = 3) -> list[tuple[Page, tuple[str, ...]]]:
        """Return at most `limit` pages, best first, each with its one or two best sentences.

        Any `query` is allowed; it is cut into terms before anything searches for it.
        """
        weights = {term: self._weight(term) for term in self._telling(query)}
        pages = [self._searched[number] for number in self._ranking.scores(weights, limit)]
        return [(page, _telling_sentences(page, weights)) for page in pages]

    def similar(self, title: str, limit: int = 5) -> list[str]:
        """Return at most `limit` titles that are spelt like `title`, closest first."""
        from difflib import get_close_matches

        keys = {title_key(page.title): page.title for page in self.pages}
        return [keys[key] for key in get_close_matches(title_key(title[:200]), keys, n=limit)]

    def _weight(self, term: str) -> float:
        """BM25's inverse document frequency, never negative."""
        held, size = self._holders[term], len(self._searched)
        return max(1e-6, math.log((size - held + 0.5) / (held + 0.5)))

    def _telling(self, query: str) -> list[str]:
        """The known terms of a query, each once, without words that say nothing.

        A lone Chinese character counts only where it is rare (the name of an element, say):
        else nearly every page would match nearly every question.
        """
        asked = list(dict.fromkeys(terms(query[:2_000])))
        common, characters = words("common"), {*"".join(words("common_characters"))}
        rare = max(2, len(self._searched) // 20)
        return [
            term
            for term in asked
            if term in self._holders
            and term not in common
            and not (len(term) <= 2 and set(term) <= characters)
            and (self._holders[term] <= rare or len(asked) == 1 or not _CHARACTER.fullmatch(term))
        ]


@cache
def embedded_index(language: str = "en") -> PageIndex:
    """Return the one shared index of the embedded encyclopaedia in "en" or "zh"."""
    return PageIndex(Pages.embedded(language))


def _telling_sentences(page: Page, weights: dict[str, float]) -> tuple[str, ...]:
    """The best sentence, and a second one if it holds a term that the best one lacks."""
    held = [weights.keys() & terms(sentence) for sentence in page.sentences]
    scores = [math.fsum(weights[term] for term in each) for each in held]
    first = scores.index(max(scores))
    rest = [math.fsum(weights[term] for term in each - held[first]) for each in held]
    chosen = {first, rest.index(max(rest))} if max(rest) > 0 else {first}
    return tuple(page.sentences[i] for i in sorted(chosen))
