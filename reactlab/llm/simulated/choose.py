"""Choosing one of several options by the times, prices and words that a question gives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .numbers import quantities
from .records import Row, stems
from .tables import cue

Reasons = list[tuple[str, str]]
DAY = 24 * 60


def _clock(match: re.Match[str]) -> int:
    """A time of day in minutes."""
    hour = (
        12
        if match["noon"]
        else int(quantities(f"{match['h'] or match['h2'] or match['h3']}点钟")[0].value)
    )
    late = (match["half"] or match["half2"] or match["part"] or "").lower()
    hour += 12 if late[:1] in ("p", "下", "晚") and hour < 12 else 0
    return hour * 60 + (30 if match["m3"] == "半" else int(match["m"] or match["m3"] or 0))


def limits(text: str) -> tuple[int, int]:
    """(earliest start, latest end) in minutes that a text allows."""
    earliest, latest = 12 * 60 if cue("no_morning").search(text) else 0, DAY
    for match in cue("clock").finditer(text):
        before = re.split(r"[，。,.;；]", text[max(0, match.start() - 40) : match.start()])[-1]
        after = re.split(r"[，。,.;；]", text[match.end() : match.end() + 24])[0]
        if cue("since").search(before) or cue("since_after").match(after):
            earliest = max(earliest, _clock(match))
        elif cue("own_time").match(after):
            continue
        elif cue("until").search(before) or cue("until_after").search(after):
            latest = min(latest, _clock(match))
    return earliest, latest


def choose(options: Sequence[Row], text: str, known: Sequence[Row]) -> tuple[Row, Reasons]:
    """The option that fits best, with reasons; the first one where nothing speaks for another."""
    codes = {code for record in known for code in _codes(record)}
    free = [row for row in options if not codes & _codes(row)] or list(options)
    earliest, latest = limits(text)
    most = cue("limit").search(text)
    dearest = float(next(g for g in most.groups() if g).replace(",", "")) if most else 1e12
    fitting, reasons = [], []
    for row in free:
        early, late = _at(row, "starts", DAY) < earliest, _at(row, "ends", 0) > latest
        dear = _price(row, "price") > dearest
        if early or late or dear:
            reasons.append(("toolate" if late else "tooearly" if early else "toodear", shown(row)))
        else:
            fitting.append(row)
    fitting, reasons = fitting or free, reasons[:3]
    for wish, key, sign in (("cheap", "price", 1), ("best", "rating", -1)):
        if cue(wish).search(text) and any(cue(key).search(str(k)) for k in fitting[0]):
            return min(fitting, key=lambda row: sign * _price(row, key)), [*reasons, (wish, "")]
    if latest == DAY or cue("earliest").search(text):
        return fitting[0], reasons
    return fitting[-1], [*reasons, ("intime", shown(fitting[-1]))]


def _codes(row: Row) -> set[str]:
    return {str(value) for key, value in row.items() if cue("code").search(str(key))}


def shown(row: Row) -> str:
    """An option by its time, else by its first value."""
    timed = (str(v) for k, v in row.items() if cue("starts").search(str(k)) and ":" in str(v))
    return next(timed, str(next(iter(row.values()), "")))


def _price(row: Row, name: str) -> float:
    found = [quantities(str(v)) for k, v in row.items() if cue(name).search(str(k))]
    return found[0][0].value if found and found[0] else 0.0


def _at(row: Row, name: str, otherwise: int) -> int:
    """The row's time of that kind in minutes; what it does not say counts as fitting."""
    for key, value in row.items():
        found = re.fullmatch(r"(?:\d{4}-\d\d-\d\d[T ])?(\d{1,2}):(\d\d)(?::\d\d)?", str(value))
        if found and cue(name).search(" ".join(stems(str(key)))):
            return int(found[1]) * 60 + int(found[2])
    return otherwise
