"""Records in observations: read from JSON or from lines, told in plain words, compared."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .described import spelled
from .figures import days
from .numbers import dates, quantities
from .tables import cue, patterns, rows
from .text import stem

Row = Mapping[str, Any]


def records(observation: str) -> list[Row]:
    """The JSON objects of an observation; `key: value` lines count as one."""
    text = observation.strip()
    try:
        value = json.loads(text) if text[:1] in "[{" and len(text) < 50_000 else None
    except (ValueError, RecursionError):
        value = None
    for inner in value.values() if isinstance(value, dict) else ():
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            value = inner
    listed = value if isinstance(value, list) else [value]
    found: list[Row] = [row for row in listed if isinstance(row, dict) and row]
    if found:
        return found
    pairs = cue("pair").findall(text[:4000])
    return [{key.strip(): item.strip() for key, item in pairs}] if len(pairs) > 1 else []


def stems(name: str) -> list[str]:
    """`orderId` and `order_id` as the stems order, id."""
    return [stem(word) for word in spelled(name).split()] or [name]


def told(row: Row, lang: str, keys: Sequence[str] = (), *, now: bool = False) -> str:
    """A record in words: what it is of, its state, and the rest (of `keys`, if given)."""
    codes = [key for key in row if cue("code").search(" ".join(stems(key)))]
    states = [key for key in row if stems(key)[-1] in ("result", "status", "stat")]
    own = _fact(codes[0], row[codes[0]], lang) if codes else ""
    state = next((str(row[key]) for key in states if not keys or key in keys), "")
    rest = [k for k in keys or row if k not in states and k not in codes[:1]]
    facts = (", " if lang == "en" else "，").join(_fact(key, row[key], lang) for key in rest)
    if lang == "zh":
        state = f"（{state}）" if state and state.isascii() else state
        done = "已" if now and state[:1] not in ("", "（") else ""
        return "，".join(filter(None, [own + done + state, facts]))
    said = f"{own} {'is now' if now else 'is'} {state}" if own and state else own or state
    return (", " if now else ": ").join(filter(None, [said, facts]))


def _noun(key: str, lang: str) -> str:
    """What a code is of: `order_id` is of an order."""
    words = spelled(key).lower().split()
    noun = " ".join(w for w in words if not cue("code").fullmatch(stem(w))) or words[0]
    return next((zh for word, _, zh in rows("keys") if word == noun and lang == "zh"), noun)


def _fact(key: str, value: object, lang: str) -> str:
    shown = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    noun = spelled(key).lower()
    if cue("code").search(" ".join(stems(key))):
        return f"{_noun(key, lang)}{'' if lang == 'zh' else ' '}{shown}"
    form = next((row[2 if lang == "zh" else 1] for row in rows("keys") if row[0] == noun), "")
    return form.replace("{}", shown) if "{}" in form else f"{form or noun} {shown}"


def winner(found: Mapping[str, Row], text: str) -> tuple[str, str] | None:
    """Of records by name, the one that a comparing question means, and the key compared by."""
    first = next(iter(found.values()))
    shared = [key for key in first if all(key in row for row in found.values())]
    key = next((k for k in shared if _meant(k, text) and _size(first, k) is not None), None)
    ways = [cells[2] for pattern, cells in patterns("comparatives") if pattern.search(text)]
    way = "min" if cue("cheap").search(text) else next(iter(ways), "")
    sizes = {name: _size(row, key) for name, row in found.items()} if key else {}
    known = {name: size for name, size in sizes.items() if size is not None}
    if not key or not way or len(known) < len(found):
        return None
    best = max if way == "max" else min
    return best(known, key=lambda name: known[name]), key


def _meant(key: str, text: str) -> bool:
    """Whether a question asks about a key: by a word of it, or both say start, end, price, ..."""
    words = " ".join(stems(key))
    named = ("starts", "ends", "price", "rating")
    kin = any(cue(name).search(words) and cue(name).search(text) for name in named)
    return kin or any(re.search(rf"\b{re.escape(word)}", text.lower()) for word in stems(key))


def _size(row: Row, key: str) -> float | None:
    """A value as a number to sort by; a time of day counts within the record's day."""
    value = str(row[key])
    if clock := re.search(r"(\d{1,2}):(\d\d)", value):
        day = next((days(d) for v in row.values() for d in dates(str(v)) if d.day), 0.0)
        return day * 1440 + int(clock[1]) * 60 + int(clock[2])
    if when := [date for date in dates(value) if date.year]:
        return days(when[0]) * 1440
    return next((q.value for q in quantities(value)), None)
