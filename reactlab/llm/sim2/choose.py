"""Choosing one of several options by the times, prices and words that a question gives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .fill import Row, stems
from .numbers import quantities
from .tables import cue

Reasons = list[tuple[str, str]]
DAY = 24 * 60
_ZH_HOURS = {c: n for n, c in enumerate("一二三四五六七八九十", start=1)} | {
    "两": 2,
    "十一": 11,
    "十二": 12,
}


def clock(match: re.Match[str]) -> int:
    """A time of day in minutes."""
    if match["noon"]:
        return 12 * 60
    given = match["h"] or match["h2"] or match["h3"]
    hour = int(given) if given.isdigit() else _ZH_HOURS.get(given, 0)
    late = (match["half"] or match["half2"] or match["part"] or "").lower()
    hour += 12 if late[:1] in ("p", "下", "晚") and hour < 12 else 0
    return hour * 60 + (30 if match["m3"] == "半" else int(match["m"] or match["m3"] or 0))


def limits(text: str) -> tuple[int, int]:
    """(earliest start, latest end) in minutes that a text allows."""
    earliest, latest = 0, DAY
    for match in cue("clock").finditer(text):
        before = re.split(r"[，。,.;；]", text[max(0, match.start() - 40) : match.start()])[-1]
        after = re.split(r"[，。,.;；]", text[match.end() : match.end() + 24])[0]
        if cue("own_time").match(after) and not cue("since").search(before):
            continue
        if cue("since").search(before) or cue("since_after").match(after):
            earliest = max(earliest, clock(match))
        elif cue("until").search(before) or cue("until_after").search(after):
            latest = min(latest, clock(match))
    if cue("no_morning").search(text):
        earliest = max(earliest, 12 * 60)
    return earliest, latest


def choose(options: Sequence[Row], text: str, known: Sequence[Row]) -> tuple[Row, Reasons]:
    """The option that fits best, with reasons; the first one where nothing speaks for another."""
    codes = {str(v) for record in known for k, v in record.items() if cue("code").search(str(k))}
    fresh = [
        r
        for r in options
        if not any(str(v) in codes for k, v in r.items() if cue("code").search(str(k)))
    ]
    free = fresh or list(options)
    earliest, latest = limits(text)
    reasons: Reasons = []
    fitting = []
    for row in free:
        late = _at(row, "ends", 0) > latest
        if late or _at(row, "starts", DAY) < earliest:
            reasons.append(("toolate" if late else "tooearly", shown(row)))
        else:
            fitting.append(row)
    fitting = _affordable(fitting or free, text, reasons)
    for wish, key, pick in (("cheap", "price", min), ("best", "rating", max)):
        keys = [k for k in fitting[0] if cue(key).search(str(k))]
        if cue(wish).search(text) and keys:
            return pick(fitting, key=lambda row: _number(row.get(keys[0]))), [
                *reasons[:3],
                (wish, ""),
            ]
    last = latest < DAY and not cue("earliest").search(text)
    row = fitting[-1] if last else fitting[0]
    return row, [*reasons[:3], *([("intime", shown(row))] if last else [])]


def _affordable(rows: Sequence[Row], text: str, reasons: Reasons) -> list[Row]:
    found = cue("limit").search(text)
    key = next((k for k in rows[0] if cue("price").search(str(k))), None)
    if not found or key is None:
        return list(rows)
    most = float((found[1] or found[2]).replace(",", ""))
    kept = [row for row in rows if _number(row.get(key)) <= most]
    reasons += [("toodear", shown(row)) for row in rows if row not in kept][:2]
    return kept or list(rows)


def shown(row: Row) -> str:
    """An option by its time, else by its first value."""
    timed = (str(v) for k, v in row.items() if cue("starts").search(str(k)) and ":" in str(v))
    return next(timed, str(next(iter(row.values()), "")))


def _number(value: Any) -> float:
    found = quantities(str(value))
    return float(value) if isinstance(value, int | float) else found[0].value if found else 0.0


def _at(row: Row, name: str, otherwise: int) -> int:
    """The row's time of that kind in minutes; what it does not say counts as fitting."""
    for key, value in row.items():
        found = re.fullmatch(r"(?:\d{4}-\d\d-\d\d[T ])?(\d{1,2}):(\d\d)(?::\d\d)?", str(value))
        if found and cue(name).search(" ".join(stems(str(key)))):
            return int(found[1]) * 60 + int(found[2])
    return otherwise
