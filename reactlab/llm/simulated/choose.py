"""Choosing one of several options by the times, prices and words that a question gives."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reactlab.llm.simulated.text import quantities

Row = Mapping[str, Any]
Reasons = list[tuple[str, str]]
_CLOCK = re.compile(
    r"\b(?P<h>[01]?\d|2[0-4])[:：](?P<m>[0-5]\d)\s*(?P<half>am|pm|a\.m\.|p\.m\.)?|\b(?P<h2>1?\d)\s*(?P<half2>am|pm|a\.m\.|p\.m\.|o'clock|o’clock)|(?P<part>上午|早上|中午|下午|晚上)?(?P<h3>[一二三四五六七八九十]{1,3}|\d{1,2})点(?P<m3>半|\d{1,2}分?)?|\b(?P<noon>noon|midday)\b|(?P<noon2>正午|中午(?![一二三四五六七八九十\d]))",
    re.I,
)
_HOURS = {c: n for n, c in enumerate("一二三四五六七八九十", start=1)} | {"十一": 11, "十二": 12}
_BY = re.compile(
    r"\b(?:before|by|until|till|no later than|meeting|appointment|arriv\w+|be there|at the latest|deadline|interview|conference|starts?|wedding)\b|之前|以前|会议|开会|到达|赶到|抵达|面试|前到|有会|有个会",
    re.I,
)
_FROM = re.compile(
    r"\b(?:after|from|not before|earliest|free (?:from|after)|leave (?:after|from))\b|之后|以后|才能|后出发",
    re.I,
)
_OWN = re.compile(
    r"^\s*(?:flight|train|plane|bus|booking|one\b|slot|departure)|^[^，。,.]{0,3}(?:航班|飞机|火车|那班|的班)|^[^.,]{0,8}\b(?:flight|train|plane)\b",
    re.I,
)
_DEPART = re.compile(r"depart|leave|start|begin|time|出发|起飞|开始|时间", re.I)
_ARRIVE = re.compile(r"arriv|end|until|到达|抵达|结束", re.I)
_CHEAP = re.compile(r"cheap\w*|lowest price|least expensive|budget|便宜|最低价|省钱", re.I)
_BEST = re.compile(r"\bbest\b|highest rat\w+|top[- ]rated|评分最高|最好", re.I)
_EARLY = re.compile(r"\bearliest\b|\bas soon as\b|\bfirst (?:available|one)\b|最早|尽快", re.I)
_LIMIT = re.compile(
    r"(?:under|below|at most|up to|less than|no more than|maximum(?: of)?|within|不超过|低于|最多|以内)\s*[¥€$]?\s*(\d[\d,]*)|(\d[\d,]*)\s*(?:元|块)?(?:以内|以下)",
    re.I,
)


def clock(match: re.Match[str]) -> int | None:
    """A time of day in minutes."""
    if match["noon"] or match["noon2"]:
        return 12 * 60
    if match["h3"]:
        hour = _HOURS.get(match["h3"]) or (int(match["h3"]) if match["h3"].isdigit() else None)
        if hour is None:
            return None
        hour += 12 if match["part"] in ("下午", "晚上") and hour < 12 else 0
        minutes = 30 if match["m3"] == "半" else int(re.sub(r"\D", "", match["m3"] or "") or 0)
        return hour * 60 + minutes
    hour, half = int(match["h"] or match["h2"]), (match["half"] or match["half2"] or "").lower()
    hour += 12 if half.startswith("p") and hour < 12 else 0
    return hour * 60 + int(match["m"] or 0)


def limits(text: str) -> tuple[int, int]:
    """(earliest start, latest end) in minutes that a text allows."""
    earliest, latest = 0, 24 * 60
    for match in _CLOCK.finditer(text):
        at = clock(match)
        before, after = (
            text[max(0, match.start() - 40) : match.start()],
            text[match.end() : match.end() + 24],
        )
        if at is None or (_OWN.match(after) and not re.search(r"before|by|after", before[-12:])):
            continue
        since, until = (
            _last(_FROM, before),
            max(
                _last(_BY, before),
                39
                if _BY.match(after.lstrip())
                or re.match(
                    r"[^，。,.]{0,6}(?:之前|以前|前|开会|有会|有个会|的会|会议|要到)", after
                )
                else -1,
            ),
        )
        if since > until or re.match(r"(?:之后|以后|后)", after):
            earliest = max(earliest, at)
        elif until >= 0:
            latest = min(latest, at)
    if re.search(
        r"(?:can(?:'|no)t|cannot|not|never|don't|unable)[^.,;]{0,40}morning|busy (?:in the|all) morning|上午[^，。]{0,6}(?:没空|不行|有事|来不及|走不了)|不能上午",
        text,
        re.I,
    ):
        earliest = max(earliest, 12 * 60)
    if re.search(r"\bin the afternoon\b|\bafternoon (?:flight|train|slot)|下午的", text, re.I):
        earliest, latest = max(earliest, 12 * 60), min(latest, 18 * 60 + 30)
    return earliest, latest


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((m.start() for m in pattern.finditer(text)), default=-1)


def choose(options: Sequence[Row], text: str, known: Sequence[Row]) -> tuple[Row, Reasons] | None:
    """The option that fits best, with reasons; the first one where nothing speaks for another."""
    current = {
        str(v)
        for record in known
        for k, v in record.items()
        if re.search(r"id|number|no$|号", str(k))
    }
    free = [
        row
        for row in options
        if not any(str(v) in current for k, v in row.items() if re.search(r"number|id$|号", str(k)))
    ] or list(options)
    if not free:
        return None
    earliest, latest = limits(text)
    fitting = [row for row in free if earliest <= _at(row, _DEPART) and _at(row, _ARRIVE) <= latest]
    reasons = _rejected(free, fitting, earliest, latest)
    fitting = _affordable(fitting or free, text, reasons)
    if _CHEAP.search(text) and (price := _key(fitting, r"price|cost|fare|价")):
        return min(fitting, key=lambda row: _number(row[price])), [*reasons, ("cheapest", "")]
    if _BEST.search(text) and (key := _key(fitting, r"rating|score|stars|评分|星")):
        return max(fitting, key=lambda row: _number(row[key])), [*reasons, ("best", "")]
    if latest < 24 * 60 and not _EARLY.search(text):
        return fitting[-1], [*reasons, ("intime", _shown(fitting[-1]))]
    return fitting[0], reasons


def picky(text: str) -> bool:
    """Whether a text says which one of several it wants."""
    return any(pattern.search(text) for pattern in (_CHEAP, _BEST, _EARLY, _LIMIT))


def _rejected(free: Sequence[Row], fitting: Sequence[Row], earliest: int, latest: int) -> Reasons:
    reasons: Reasons = []
    for row in free:
        if row in fitting:
            continue
        late = _at(row, _ARRIVE) > latest
        reasons.append(("toolate" if late else "tooearly", _shown(row)))
    return reasons[:3]


def _shown(row: Row) -> str:
    """An option by its time, else by its first value."""
    for key, value in row.items():
        if _DEPART.search(str(key)) and re.fullmatch(r"\d{1,2}:\d\d", str(value)):
            return str(value)
    return str(next(iter(row.values()), ""))


def _affordable(rows: Sequence[Row], text: str, reasons: Reasons) -> list[Row]:
    found, key = _LIMIT.search(text), _key(rows, r"price|cost|fare|价")
    if not found or not key:
        return list(rows)
    limit = float((found[1] or found[2]).replace(",", ""))
    kept = [row for row in rows if _number(row[key]) <= limit]
    reasons += [("toodear", _shown(row)) for row in rows if row not in kept][:2]
    return kept or list(rows)


def _key(rows: Sequence[Row], pattern: str) -> str | None:
    return next(
        (str(k) for k in (rows[0] if rows else {}) if re.search(pattern, str(k), re.I)), None
    )


def _number(value: Any) -> float:
    found = quantities(str(value))
    return float(value) if isinstance(value, int | float) else found[0].value if found else 0.0


def _at(row: Row, name: re.Pattern[str]) -> int:
    """The row's time of that kind in minutes; what it does not say counts as fitting."""
    for key, value in row.items():
        found = re.fullmatch(r"(?:\d{4}-\d\d-\d\d[T ])?(\d{1,2}):(\d\d)(?::\d\d)?", str(value))
        if found and name.search(str(key)):
            return int(found[1]) * 60 + int(found[2])
    return 12 * 60 if name is _ARRIVE else 24 * 60 - 1
