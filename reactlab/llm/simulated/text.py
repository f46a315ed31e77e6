"""Reading text: its language, its words and sentences, and the names in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

CJK = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*(?:'s|’s)?")
_STOP = re.compile(r"[。！？；]+[”』」）]*|[.!?]+[\"”)]*(?=\s|$)|\n+")
_SHORT = re.compile(r"(?:^|[\s(])(?:[^\W\d_]|Mr|Mrs|Dr|St|No|Prof|D\.C)\.$")
_ENDINGS = ("ings", "ing", "ied", "ies", "ed", "es", "s", "ly")
_CAPS = re.compile(
    r"(?<![^\W_])(?:[A-Z]\.(?=\s)|[A-Z\u00c0-\u00de\u0141\u015a\u017b][^\W_]*(?:['’.\-][^\W_]+)*)"
)
_JOIN = re.compile(
    r"\s|\s(?:of|de|del|da|di|la|van|von|on|off|under)(?:\s(?:the|la|a))?\s|\s(?:the|a)\s|\s&\s"
)
_TAIL = re.compile(r"\s\d{1,3}\b(?!\s?(?:metre|meter|kilo|percent|%|January|February|March))")


class Span(NamedTuple):
    """A piece of a text and where it stands; a word also has its stem."""

    text: str
    start: int
    end: int
    stem: str = ""


def language(text: str) -> str:
    """Tell "zh" from "en": Chinese characters count more than letters, as they are whole words."""
    text = text[:4000]
    return "zh" if 3 * len(CJK.findall(text)) > len(re.findall(r"[A-Za-z]", text)) else "en"


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Cut an English word down to what its forms have in common: `opened` and `opens` to `open`."""
    word = re.sub(r"['’]s?$", "", word.lower())
    if not word.isascii() or word[:1].isdigit() or len(word) < 4:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


@lru_cache(maxsize=4000)
def tokens(text: str) -> tuple[Span, ...]:
    """The words of a text with their stems."""
    return tuple(Span(m[0], m.start(), m.end(), stem(m[0])) for m in _WORD.finditer(text))


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order; `J. R. R. Tolkien` is no three sentences."""
    found, start = [], 0
    for stop in _STOP.finditer(text):
        before = text[start : stop.start() + 1]
        if stop[0] == "." and _SHORT.search(before[-8:]):
            continue
        found.append(text[start : stop.end()].strip())
        start = stop.end()
    return [sentence for sentence in [*found, text[start:].strip()] if sentence]


def names(text: str) -> Iterator[Span]:
    """Runs of capitalised words, with `of`, `van` and the like inside, and `Apollo 11` whole."""
    spans: list[tuple[int, int]] = []
    for match in _CAPS.finditer(text):
        if spans and _JOIN.fullmatch(text[spans[-1][1] : match.start()]):
            spans[-1] = (spans[-1][0], match.end())
        else:
            spans.append(match.span())
    for start, end in spans:
        tail = _TAIL.match(text, end)
        end = tail.end() if tail else end
        yield Span(re.sub(r"['’]s?$", "", text[start:end]), start, end)


def one_line(text: object, most: int = 300) -> str:
    """One line, and short: a thought is no place for a page."""
    line = " ".join(str(text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def capital(text: str) -> str:
    """The text with a capital at its start."""
    return text[:1].upper() + text[1:]
