"""Reading text: languages, words, sentences, quantities, dates and names."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

CJK = re.compile(r"[\u3400-\u9fff]")
WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*(?:'s|’s)?")
_STOP = re.compile(r"[。！？；]+[”』」）]*|[.!?]+[\"”)]*(?=\s|$)|\n+")
_SHORT = re.compile(r"(?:^|[\s(])(?:[^\W\d_]|Mr|Mrs|Dr|St|No|Prof|D\.C)\.$")
_ENDINGS = ("ings", "ing", "ied", "ies", "ed", "es", "s", "ly")
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
NUMBER_WORDS: dict[str, float] = {word: float(number) for number, word in enumerate(_ONES)}
NUMBER_WORDS |= {word: 10.0 * number for number, word in enumerate(_TENS, start=2)}
NUMBER_WORDS |= {"dozen": 12, "half": 0.5, "twice": 2, "double": 2, "triple": 3}
ZH_DIGITS = {char: at for at, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
ZH_UNITS = {"十": 10, "百": 100, "千": 1000}
MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]


def language(text: str) -> str:
    """Tell "zh" from "en": Chinese characters count more than letters, as they are whole words."""
    text = text[:4000]
    chinese = len(CJK.findall(text))
    return "zh" if chinese * 3 > len(re.findall(r"[A-Za-z]", text)) else "en"


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


@dataclass(frozen=True)
class Token:
    """A word with its place in the text."""

    text: str
    stem: str
    start: int
    end: int


def tokens(text: str) -> tuple[Token, ...]:
    """The words of an English text."""
    return tuple(Token(m[0], stem(m[0]), m.start(), m.end()) for m in WORD.finditer(text))


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, in order; `J. R. R. Tolkien` is no three sentences."""
    found, start = [], 0
    for stop in _STOP.finditer(text):
        before = text[start : stop.start() + 1]
        if stop[0] == "." and _SHORT.search(before[-8:]):
            continue
        found.append(text[start : stop.end()].strip())
        start = stop.end()
    return tuple(sentence for sentence in [*found, text[start:].strip()] if sentence)


@dataclass(frozen=True)
class Quantity:
    """A number as written, with what stands before and after it."""

    value: float
    start: int
    end: int
    after: str
    text: str = ""


_BIG = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "hundred": 100}
_BIG |= {"万": 1e4, "亿": 1e8, "千": 1e3, "百": 100}
_NUMBER = re.compile(
    r"(?<![\w.])(?P<digits>\d{1,15}(?:,\d{3})*(?:\.\d+)?)"
    r"(?:\s?(?P<big>thousand|million|billion|trillion|hundred)\b|(?P<wan>[万亿千百](?![一二三])))?"
    r"|(?P<cjk>(?<=[\u3400-\u9fff：，])\d{1,15}(?:,\d{3})*(?:\.\d+)?)(?P<wan2>[万亿千百])?"
    r"|\b(?P<word>" + "|".join(NUMBER_WORDS) + r")(?:-(?P<ones>" + "|".join(_ONES[1:10]) + r"))?"
    r"(?:\s(?P<big2>hundred|thousand|million|billion)\b)?\b"
    r"|(?P<zh>[零一二三四五六七八九十百千两]{1,9})(?P<zhbig>[万亿])?"
    r"(?![一号共些样])(?=[^\W\d_])",
    re.IGNORECASE,
)


def chinese_number(text: str) -> float | None:
    """`一百二十` as 120; None for what is no number."""
    if text and all(char in ZH_DIGITS for char in text):
        return float("".join(str(ZH_DIGITS[char]) for char in text))
    total = 0
    digit: int | None = None
    for char in text:
        if char in ZH_UNITS:
            total += (1 if digit is None else digit) * ZH_UNITS[char]
            digit = None
        elif char in ZH_DIGITS:
            digit = ZH_DIGITS[char]
        else:
            return None
    return float(total + (digit or 0))


def quantities(text: str) -> list[Quantity]:
    """Every number of a text, whether in digits or in words, in either language."""
    found = []
    for match in _NUMBER.finditer(text):
        value = _value(match)
        if value is not None:
            after = text[match.end() : match.end() + 40].lstrip(" -")
            found.append(Quantity(value, match.start(), match.end(), after, match[0]))
    return found


def _value(match: re.Match[str]) -> float | None:
    big = match["big"] or match["wan"] or match["wan2"] or match["big2"] or match["zhbig"] or ""
    factor = _BIG.get(big.lower(), 1)
    if digits := match["digits"] or match["cjk"]:
        return round(float(digits.replace(",", "")) * factor, 6)
    if match["word"]:
        value = NUMBER_WORDS[match["word"].lower()]
        return (value + NUMBER_WORDS.get((match["ones"] or "").lower(), 0)) * factor
    written = None if match["zh"] == "一" else chinese_number(match["zh"])
    return None if written is None else written * factor


def free_quantities(text: str) -> list[Quantity]:
    """The numbers that are no part of a date."""
    taken = dates(text)
    return [q for q in quantities(text) if all(q.end <= d.start or q.start >= d.end for d in taken)]


def plain(value: float) -> str:
    """A number as people write it in a sum: no `.0`, no exponent for ordinary sizes."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.12g}"


@dataclass(frozen=True)
class Date:
    """A calendar date as far as it was given: month and day are 0 where they were not."""

    year: int
    month: int = 0
    day: int = 0
    start: int = 0
    end: int = 0
    text: str = ""

    @property
    def key(self) -> tuple[int, int, int]:
        """What dates are ordered by."""
        return (self.year, self.month, self.day)


_MONTH = "|".join(f"{m}|{m[:3]}" for m in MONTHS)
_DATES = (
    re.compile(
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m>{_MONTH})\.?,?\s+(?P<y>\d{{3,4}})\b", re.I
    ),
    re.compile(
        rf"\b(?P<m>{_MONTH})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})\b", re.I
    ),
    re.compile(rf"\b(?P<m>{_MONTH})\s+(?:of\s+)?(?P<y>\d{{4}})\b", re.I),
    re.compile(r"(?<!\d)(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?!\d)"),
    re.compile(r"(?P<y>\d{3,4})年(?:(?P<m>\d{1,2})月)?(?:(?P<d>\d{1,2})[日号])?"),
    re.compile(
        r"(?<![\d.,])(?P<y>1[0-9]\d\d|20\d\d)(?![\d,]|\.\d|\s?[\u3400-\u9fff]|\s?(?:books|copies|people|prints|euros|dollars|metre|meter|kilo|square|米|公里))"
    ),
    re.compile(
        rf"\b(?P<d>\d{{1,2}}) (?P<m>{_MONTH})\b(?! \d)|\b(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}})\b(?!\d|,? \d{{4}})",
        re.I,
    ),
    re.compile(r"(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号]"),
    re.compile(r"\b(?:in|by|around|since|until|of|from)\s+(?P<y>\d{3})\b(?!\s+\w)"),
)


def dates(text: str) -> list[Date]:
    """Every date of a text, in order; a bare year counts as a date."""
    found: list[Date] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if all(match.end() <= d.start or match.start() >= d.end for d in found):
                found.append(_date(match))
    return sorted(found, key=lambda date: date.start)


def _date(match: re.Match[str]) -> Date:
    parts = match.groupdict()
    month = parts.get("m") or parts.get("m2") or "0"
    number = int(month) if month.isdigit() else _month(month)
    day = int(parts.get("d") or parts.get("d2") or 0)
    return Date(int(parts.get("y") or 0), number, day, match.start(), match.end(), match[0])


def _month(name: str) -> int:
    return next(at for at, month in enumerate(MONTHS, start=1) if month.startswith(name.lower()))


_CAPS = re.compile(
    r"(?:[A-Z\u00c0-\u00de\u0141\u015a\u017b][^\W_]*(?:['’.\-][^\W_]+|\.(?=\s[A-Z]))*)"
)
_JOIN = re.compile(
    r"\s|\s(?:of|de|van|von|da|del|di|la|y)(?:\s(?:the|la))?\s|\s(?:on|under)\sthe\s|\s&\s"
)
_TAIL = re.compile(r"\s\d{1,3}\b(?!\s?(?:metre|meter|kilo|percent|%|January|February|March))")


@dataclass(frozen=True)
class Name:
    """A run of capitalised words: what English marks as a name."""

    text: str
    start: int
    end: int


def names(text: str) -> list[Name]:
    """The names of an English text, with `of`, `van` and the like inside, and `Apollo 11` whole."""
    spans: list[tuple[int, int]] = []
    for match in _CAPS.finditer(text):
        start, end = match.span()
        if spans and _JOIN.fullmatch(text[spans[-1][1] : start]):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return [Name(text[a:b], a, b) for a, b in _with_numbers(text, spans)]


def _with_numbers(text: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in spans:
        tail = _TAIL.match(text, end)
        yield (start, tail.end() if tail else end)
