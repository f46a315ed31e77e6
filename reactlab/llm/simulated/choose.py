"""Choosing one of several options by what a question names, and by its times, prices and words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .numbers import quantities
from .records import Row, stems
from .tables import cue

Reasons = list[tuple[str, str]]
DAY = 24 * 60


def _clock(match: re.Match[str]) -> int:
    """A time of day in minutes; a bare hour before seven is one of the afternoon."""
    said = next(filter(None, (match[g] for g in ("h", "h2", "h3", "h4"))), "")
    hour = 12 if match["noon"] else int(quantities(f"{said}点钟")[0].value)
    part = re.search(r"(?:下午|晚上|傍晚)$", match.string[: match.start()])
    half = (match["half"] or match["half2"] or match["part"] or (part or [""])[0]).lower()
    late = half[:1] in ("p", "下", "晚", "傍") or (not half and not match["h"] and hour < 7)
    minutes = 30 if match["m3"] == "半" else int(match["m"] or match["m3"] or 0)
    return (hour + 12 * (late and hour < 12)) * 60 + minutes


def limits(text: str) -> dict[str, tuple[int, int]]:
    """The earliest and the latest minute that a text allows for what starts and what ends."""
    found = {"starts": (12 * 60 if cue("no_morning").search(text) else 0, DAY), "ends": (0, DAY)}
    for match in cue("clock").finditer(text):
        before = re.split(r"[，。,.;；]", text[max(0, match.start() - 40) : match.start()])[-1]
        after = re.split(r"[，。,.;；]", text[match.end() : match.end() + 24])[0]
        clause, at = f"{before}{match[0]}{after}", _clock(match)
        arrives, leaves = cue("arrives").search(clause), cue("leaves").search(clause)
        if cue("since").search(before) or cue("since_after").match(after):
            side = "ends" if arrives and not leaves else "starts"
            found[side] = (max(found[side][0], at), found[side][1])
        elif cue("own_time").match(after):
            continue
        elif cue("until").search(before) or cue("until_after").search(after):
            side = "starts" if leaves and not (arrives or cue("meets").search(clause)) else "ends"
            ahead = cue("strictly").search(before) or cue("strictly_after").match(after)
            found[side] = (found[side][0], min(found[side][1], at - bool(ahead)))
    return found


def choose(
    options: Sequence[Row], text: str, known: Sequence[Row], *, weigh: bool = True
) -> tuple[Row | None, Reasons]:
    """The option that is named or fits best, with reasons; the first where nothing speaks for one.

    None if what is named is not there, or if the conditions rule out every option. Without
    `weigh` only a name counts.
    """
    codes = {code for record in known for code in _codes(record)}
    free = [row for row in options if not codes & _codes(row)] or list(options)
    named, absent = _named(free, text, codes)
    if absent:
        return None, [("absent", absent)]
    bounds, most = limits(text if weigh else ""), cue("limit").search(text if weigh else "")
    dearest = float(next(g for g in most.groups() if g).replace(",", "")) if most else 1e12
    against = [(row, why) for row in named or free if (why := _against(row, bounds, dearest))]
    fitting = [row for row in named or free if row not in [unfit for unfit, _ in against]]
    reasons = [(why, shown(row)) for row, why in against][: 3 if fitting else 9]
    if len(named) == 1:
        return named[0], [*reasons, ("named", str(next(iter(named[0].values()))))]
    if not fitting:
        return None, [("none", ""), *reasons]
    for wish, key, sign in (("cheap", "price", 1), ("best", "rating", -1)):
        if weigh and cue(wish).search(text) and any(cue(key).search(str(k)) for k in fitting[0]):
            return min(fitting, key=lambda row: sign * _price(row, key)), [*reasons, (wish, "")]
    soon = cue("earliest").search(text)
    if soon or bounds["ends"][1] == DAY:
        timed = soon or bounds["starts"][0]
        return min(fitting, key=lambda row: _at(row, "starts", 0) if timed else 0), reasons
    first = min(fitting, key=lambda row: _at(row, "ends", _at(row, "starts", DAY)))
    tight = _at(first, "ends", 0) == bounds["ends"][1]
    return first, [*reasons, ("justintime" if tight else "intime", shown(first))]


def _against(row: Row, bounds: dict[str, tuple[int, int]], dearest: float) -> str:
    """What speaks against an option, "" for nothing; what a row does not say counts as fitting."""
    times = [(_at(row, side, -1), *bounds[side]) for side in ("starts", "ends")]
    if any(at > latest for at, _, latest in times):
        return "toolate"
    early = any(0 <= at < earliest for at, earliest, _ in times)
    return "tooearly" if early else "toodear" if _price(row, "price") > dearest else ""


def _named(free: Sequence[Row], text: str, held: set[str]) -> tuple[list[Row], str]:
    """The options that a text names by code, time or name, and a code or time that none has."""
    asked, lacking = set[str](), ""
    own = {code.casefold(): row for row in free for code in _codes(row)}
    forms = {form(code) for code in own}
    for match in cue("identifier").finditer(text):
        code, before = str(match[match.lastindex or 0]).casefold(), text[: match.start()]
        if cue("not_this").search(before) or cue("counted").match(text, match.end()):
            continue
        wanted = cue("onto").search(before)
        same = {full for full in own if code in (full, re.sub(r"\D", "", full)) and len(code) > 1}
        asked |= same
        new = code not in {known.casefold() for known in held} and not code.isdigit()
        if not same and (wanted or new) and form(code) in forms:
            lacking = lacking or str(match[match.lastindex or 0])
    found = [row for code, row in own.items() if code in asked]
    for match in cue("clock").finditer(text):
        wished = cue("onto").search(text[: match.start()])
        if wished and cue("own_time").match(text[match.end() :]):
            timed = [row for row in free if _at(row, "starts", -1) == _clock(match)]
            found, lacking = found + timed, lacking or ("" if timed else match[0].strip())
    if not found and not lacking:
        words = [(row, str(next(iter(row.values()), ""))) for row in free]
        found = [row for row, name in words if re.search(rf"\b{re.escape(name)}\b", text) and name]
        found = found if len(found) < len(free) and not found[1:] else []
    return found, "" if found else lacking


def form(code: str) -> str:
    """What codes of one kind have in common: letters as `a`, digits as `0`."""
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+", "0", code.casefold()))


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
    """The row's time of that kind in minutes; `otherwise` if it says none."""
    for key, value in row.items():
        found = re.fullmatch(r"(?:\d{4}-\d\d-\d\d[T ])?(\d{1,2}):(\d\d)(?::\d\d)?", str(value))
        if found and cue(name).search(" ".join(stems(str(key)))):
            return int(found[1]) * 60 + int(found[2])
    return otherwise
