"""What later steps may need of a text: codes, names, dates, figures, each with a few words around.

These are patterns, no understanding: they keep what looks like a fact, and know nothing of what the
question will turn out to need.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from reactlab.prompts.tokens import estimate_tokens

MOST = 60_000
"""Characters that are searched: of a longer text the beginning and the end."""
MARK = " … "

_UNIT = r"(?:\s?(?:[%‰℃°]\w?|[A-Za-zµ²³/]{1,12}\b|[\u4e00-\u9fff]{1,2}))?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
# In the order in which they are tried; a larger number gives way first where room is short.
_KINDS = (
    ("mail", 0, r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"),
    ("address", 0, r"https?://[^\s\"'<>()（）「」【】，。；]{1,200}"),
    ("quoted", 2, r"“[^“”\n]{1,60}”|「[^「」\n]{1,60}」|《[^《》\n]{1,60}》"),
    ("quoted", 2, r"(?<![\w\"])\"[^\"\n]{1,60}\"(?!\s?:)"),
    ("path", 0, r"(?<![A-Za-z0-9_.-])(?:[A-Za-z]:\\|\.{0,2}/)?"
                r"(?:[\w.-]{1,60}[/\\]){1,12}[\w.-]{1,60}"),
    ("file", 0, r"(?<![A-Za-z0-9_.-])[\w-]{1,60}\.(?=[a-z])[a-z0-9]{2,5}(?![A-Za-z0-9])"),
    ("date", 1, r"(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?"),
    ("date", 1, r"(?<!\d)(?:\d{4}\s?年\s?)?\d{1,2}\s?月\s?\d{1,2}\s?[日号]|(?<!\d)\d{4}\s?年"),
    ("date", 1, rf"(?<!\d)\d{{1,2}}\s{_MONTH}(?:\s\d{{4}})?|\b{_MONTH}\s\d{{1,2}}(?:,?\s\d{{4}})?"),
    ("code", 0, r"(?<![A-Za-z0-9_-])(?=[A-Za-z_-]{0,30}\d)(?=[0-9_-]{0,30}[A-Za-z])"
                r"(?!\d+(?:st|nd|rd|th|s|[a-z]{1,2})(?![A-Za-z0-9-]))"
                r"[A-Za-z0-9]{1,40}(?:[-_][A-Za-z0-9]{1,40}){0,8}"),
    ("code", 0, r"(?<![\d.,])\d{5,}(?![\d.,]*\d)|[#№]\s?\d{1,20}|(?<![\d.])\d+(?:\.\d+){3}"),
    ("code", 0, r"\+\d[\d ()-]{6,20}\d|(?<![\d.,])\d{2,5}(?:[ -]\d{2,5}){2,6}(?!\d)"),
    ("code", 0, r"(?<![A-Za-z])[A-Z]{5,12}(?![A-Za-z])"),
    ("code", 1, r"(?<![A-Za-z0-9_-])[a-z]{2,20}(?:[-_][a-z]{2,20}){2,8}(?![A-Za-z0-9])"),
    ("time", 1, r"(?<!\d)\d{1,2}[:：]\d{2}(?!\d)"),
    ("name", 3, r"(?<=[\w,;] )[A-Z][a-z]{1,20}(?:[ -][A-Z][a-z]{1,20}){1,3}"),
    ("figure", 1, r"[¥￥$€£]\s?-?\d[\d,.]{0,20}"),
    ("figure", 1, rf"(?<![\w.])[-−]?\d[\d,]{{0,20}}(?:\.\d{{1,12}})?{_UNIT}"),
    ("figure", 1, rf"(?<=[\u4e00-\u9fff])[-−]?\d[\d,]{{0,20}}(?:\.\d{{1,12}})?{_UNIT}"),
)  # fmt: skip
# Where one may begin: most places of a text are inside of plain words, and are passed over fast.
_START = (
    r"(?=[0-9A-Z¥￥$€£#№+“「《\"./−-]|h(?=ttps?:)"
    r"|(?<![A-Za-z0-9_.-])[a-z][a-z]{0,60}[@/\\0-9A-Z._:+-]|[\u4e00-\u9fff]{1,10}[./\\_-]\w)"
)
_ANY = "|".join(f"(?P<k{n}>{pattern})" for n, (_, _, pattern) in enumerate(_KINDS))
_FACT = re.compile(f"{_START}(?:{_ANY})")
# A record's "key: value"; the value may be a word that no other pattern knows.
_RECORD = re.compile(
    r"(?:^|[\n{,;|，；、])[ \t]*[\"']?(?P<key>[A-Za-z_][\w .-]{0,24}|[\u4e00-\u9fff]{1,8})[\"']?"
    r"[ \t]*[:：=][ \t]*[\"']?(?P<value>[^\s\"'{}\[\]][^\n\"'{}\[\],;|，；。]{0,40})"
)
# An item of a list: without its label nobody knows what its figures belong to.
_ITEM = re.compile(r"^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+[^:：\n]{1,60}[:：]", re.MULTILINE)
_ROW = re.compile(
    r"^[ \t]*(?:[A-Za-z_][\w -]{0,24}|[\u4e00-\u9fff]{1,8})[ \t]*[:：=][ \t]*\S[^\n]{0,80}$",
    re.MULTILINE,
)
_WORD = re.compile(r"[A-Za-zÀ-ž]{4,30}|[\u4e00-\u9fff]{2,4}")
_LINES = re.compile(r"\s*\n\s*")
_BREAK = re.compile(r"[。！？；\n|{}]|[.!?;](?=\s)|，|,(?=\s)")
_BEFORE, _AFTER = 60, 20


class Fact(NamedTuple):
    """A place in a text that looks like a fact. A low `rank` is kept first.

    -1: in a row of its own, "key: value"; 0: codes and addresses; 1: dates, figures, labels of
    lists; 2: names in quotes, values of records; 3: other names.
    """

    text: str
    start: int
    end: int
    kind: str
    rank: int


@lru_cache(maxsize=256)
def facts(text: str) -> tuple[Fact, ...]:
    """The facts of a text, in order, each text once."""
    half = MOST // 2
    ranges = [(0, len(text))] if len(text) <= MOST else [(0, half), (len(text) - half, len(text))]
    found: dict[str, Fact] = {}
    for start, end in ranges:
        for match in _FACT.finditer(text, start, end):
            kind, rank, _ = _KINDS[int((match.lastgroup or "k0")[1:])]
            fact = _fact(text, match.start(), match.end(), kind, rank)
            found.setdefault(fact.text, fact)
        for match in _ITEM.finditer(text, start, end):
            label = Fact(match[0].strip(), match.start(), match.end(), "item", 1)
            found.setdefault(label.text, label)
    known = {place for fact in found.values() for place in range(fact.start, fact.end)}
    for start, end in ranges:
        for match in _RECORD.finditer(text, start, end):
            if match.start("value") not in known:
                fact = _fact(text, match.start("key"), match.end(), "record", 2)
                found.setdefault(fact.text, fact)
    rows = {at for row in _ROW.finditer(text) for at in range(row.start(), row.end())}
    ranked = (f._replace(rank=-1) if f.start in rows else f for f in found.values())
    return tuple(sorted(ranked, key=lambda fact: fact.start))


def _fact(text: str, start: int, end: int, kind: str, rank: int) -> Fact:
    """The fact without blanks and without the sign that ends its sentence."""
    whole = text[start:end]
    start += len(whole) - len(whole.lstrip())
    bare = whole.strip().rstrip(".,;:!?")
    return Fact(bare, start, start + len(bare), kind, rank)


def uncut(text: str, place: int, *, back: bool) -> int:
    """The next place, `back` or forward, at which no fact is cut in two."""
    inside = [fact for fact in facts(text) if fact.start < place < fact.end]
    if not inside:
        return place
    return min(f.start for f in inside) if back else max(f.end for f in inside)


def kept(text: str, start: int, end: int, room: int, about: str = "") -> str:
    """The facts between two places of a text, in at most `room` tokens, in order; "" if none.

    Two thirds of the room go first to clauses with a word of `about`, the input of the call that
    brought the text, and to rows of records; then facts come by rank. What room is left shows the
    words around them.
    """
    inside = [fact for fact in facts(text) if start <= fact.start and fact.end <= end]
    wide = {fact: _around(text, fact, start, end) for fact in inside}
    size = {fact: estimate_tokens(text[low:high] + MARK) + 1 for fact, (low, high) in wide.items()}
    spans: dict[Fact, tuple[int, int]] = {}
    left = room
    for fact in _meant(text, wide, about):
        if size[fact] <= left - room // 3:
            spans[fact], left = wide[fact], left - size[fact]
    for fact in sorted(inside, key=lambda one: one.rank):
        cost = estimate_tokens(fact.text + MARK) + 1
        if fact not in spans and cost <= left:
            spans[fact], left = (fact.start, fact.end), left - cost
    for fact in sorted(spans, key=lambda one: (one.rank, one.start)):
        low, high = spans[fact]
        cost = size[fact] - estimate_tokens(text[low:high] + MARK)
        if cost <= left:
            spans[fact], left = wide[fact], left - max(0, cost)
    pieces = (text[low:high].strip() for low, high in _joined(sorted(spans.values())))
    return MARK.join(_LINES.sub("; ", piece) for piece in pieces)


def _meant(text: str, wide: Mapping[Fact, tuple[int, int]], about: str) -> list[Fact]:
    """The facts whose clause holds words of `about`, most words first, then those in rows."""
    words = {word.casefold() for word in _WORD.findall(about)}
    hits = dict.fromkeys(wide, 0)
    for fact, (low, high) in wide.items() if words else ():
        clause = text[low:high].casefold()
        hits[fact] = sum(word in clause for word in words)
    meant = [fact for fact in wide if hits[fact] or fact.rank < 0]
    return sorted(meant, key=lambda fact: (-hits[fact], fact.rank))


def _around(text: str, fact: Fact, start: int, end: int) -> tuple[int, int]:
    """The fact with what stands around it in its clause, between two places."""
    if fact.kind == "item":
        return fact.start, fact.end
    low, high = max(start, fact.start - _BEFORE), min(end, fact.end + _AFTER)
    breaks = [stop.end() for stop in _BREAK.finditer(text, low, fact.start)]
    stop = _BREAK.search(text, fact.end, high)
    begin = breaks[-1] if breaks else _word_start(text, low, fact.start)
    return begin, stop.start() if stop else _word_end(text, high, fact.end)


def _word_start(text: str, place: int, most: int) -> int:
    """The first place from here on, up to `most`, that is not inside a word of Latin letters."""
    while 0 < place < most and _latin(text[place - 1]) and _latin(text[place]):
        place += 1
    return place


def _word_end(text: str, place: int, least: int) -> int:
    """The last place up to here that is not inside a word of Latin letters."""
    while least < place < len(text) and _latin(text[place - 1]) and _latin(text[place]):
        place -= 1
    return place


def _latin(sign: str) -> bool:
    return sign.isascii() and not sign.isspace()


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that touch or overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
