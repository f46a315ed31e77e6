"""Arguments for a tool: what the question and the observations hold, matched by name and type."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .compute import asks_for_sum
from .described import Param, Tool, spelled
from .numbers import dates, quantities
from .story import told_sum
from .subjects import subjects
from .tables import cue, patterns, rows, word_set
from .text import CJK, stem, tokens

Row = Mapping[str, Any]
_ID = re.compile(
    r"(?<![\w.:/\-])#?((?=[A-Za-z_#\-]*\d)[A-Za-z]{0,5}[-_#]?\d[\w\-]*)(?![\w:]|\.\d)", re.A
)
_PAIR = re.compile(
    r"(?:^|[,;，；|\n])\s*([A-Za-z_\u4e00-\u9fff][\w ]{1,24})\s*[:：=]\s*([^,;，；|\n]{1,80})"
)
_CODES = ("id", "number", "no", "cod", "isbn", "sku", "numb", "ref")


class Known:
    """What is known so far: the question's words, the records that tools gave, and the options."""

    def __init__(self, text: str, lang: str, today: str = "") -> None:
        self.text, self.lang, self.today = text, lang, today
        self.records: list[Row] = []
        self.options: list[Row] = []
        self.observations: list[str] = []

    def add(self, observation: str) -> None:
        """Remember an observation; one record is knowledge, several are options."""
        self.observations.append(observation)
        found = records(observation)
        if len(found) == 1:
            self.records.append(found[0])
        elif found:
            self.options = found


def records(observation: str) -> list[Row]:
    """The JSON objects of an observation; `key: value` lines count as one."""
    text = observation.strip()
    try:
        value = json.loads(text) if text[:1] in "[{" and len(text) < 50_000 else None
    except (ValueError, RecursionError):
        value = None
    found = [
        row for row in (value if isinstance(value, list) else [value]) if isinstance(row, Mapping)
    ]
    if len(found) == 1:
        inner = [
            v for v in found[0].values() if isinstance(v, list) and v and isinstance(v[0], Mapping)
        ]
        found = [row for row in inner[0] if isinstance(row, Mapping)] if inner else found
    pairs = [] if found else _PAIR.findall(text[:4000])
    return [{key.strip(): item.strip() for key, item in pairs}] if len(pairs) > 1 else found


def stems(name: str) -> list[str]:
    """`orderId` and `order_id` as the stems order, id."""
    return [stem(word) for word in spelled(name).split()] or [name]


def fill(tool: Tool, known: Known) -> dict[str, Any] | None:
    """Arguments for `tool`; None while something that it requires is not known."""
    args: dict[str, Any] = {}
    for param in tool.params:
        taken = {str(value) for value in args.values()}
        values = (_typed(value, param.type) for value in _candidates(param, tool, known))
        value = next((v for v in values if v is not None and str(v) not in taken), None)
        if value is not None:
            args[param.name] = value
        elif param.required:
            return None
    return args


def _candidates(param: Param, tool: Tool, known: Known) -> Iterator[Any]:
    """Values for a parameter, the surest first."""
    words = stems(param.name)
    if param.choices:
        held = {token.stem for token in tokens(known.text)}
        yield from (
            c for c in param.choices if stem(c) in held or (CJK.search(c) and c in known.text)
        )
        return
    yield from _recorded(words, known)
    if param.type in ("integer", "number"):
        yield from _numbers(words, known)
    elif param.type == "array":
        yield from _lists(known)
    else:
        yield from _texts(param, tool, words, known)


def _texts(param: Param, tool: Tool, words: list[str], known: Known) -> Iterator[Any]:
    about = f"{spelled(param.name)} {param.about}".lower()
    kind = next((r for r in rows("fill") if re.search(r[1], spelled(param.name).lower())), None)
    kind = kind or next((r for r in rows("fill") if re.search(r[1], about)), None)
    finders = {"date": _days, "id": _ids, "money": _money, "sum": _sums}
    if kind and kind[0] in finders:
        yield from finders[kind[0]](words, known)
        return
    if kind and len(kind) > 2:
        for match in re.finditer(kind[2], known.text, re.I):
            yield next(group for group in match.groups() if group).strip(' "“”')
    if param.required and not (kind and kind[0] in ("from", "to", "mail")):
        plain = set(stems(tool.name))
        named = [span.text for span in subjects(known.text, known.lang)]
        yield from (name for name in named if stem(name) not in plain)
        yield from _ids(words, known)
        if len(tool.needed) == 1:
            yield known.text.strip(" ?？.。")


def _recorded(words: list[str], known: Known) -> Iterator[Any]:
    """Values of earlier records whose key is called like the parameter, or is its kind of code."""
    for record in reversed(known.records):
        own = {
            key: stems(str(key)) for key, v in record.items() if not isinstance(v, Mapping | list)
        }
        yield from (record[key] for key, parts in own.items() if parts == words)
        if words[-1] in _CODES:
            coded = [
                k
                for k, parts in own.items()
                if parts[-1] in _CODES and set(parts) & set(words[:-1])
            ]
            yield from (record[key] for key in coded)


def _typed(value: Any, kind: str) -> Any:
    if kind in ("integer", "number"):
        found = (
            [float(value)]
            if isinstance(value, int | float)
            else [q.value for q in quantities(str(value))]
        )
        whole = bool(found) and found[0] == int(found[0])
        return int(found[0]) if whole else found[0] if found and kind == "number" else None
    if kind == "boolean":
        return bool(value)
    if kind == "array":
        return value if isinstance(value, list) else re.split(r"\s*[,，、;]\s*", str(value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _numbers(words: list[str], known: Known) -> Iterator[float]:
    """The number next to the parameter's own noun, else the numbers in order."""
    found = quantities(known.text)
    nouns = "|".join(
        [re.escape(w) for w in words if len(w) > 2] + [r[1] for r in rows("nouns") if r[0] in words]
    )
    if nouns:
        yield from (
            q.value for q in found if re.match(rf"[\s\-个]*(?:{nouns})", known.text[q.end :], re.I)
        )
        before = rf"(?:{nouns})[a-z]*(?:\s(?:of|is|to|=))*[\s:：是为]*$"
        yield from (q.value for q in found if re.search(before, known.text[: q.start], re.I))
    yield from (q.value for q in found)


def _ids(words: list[str], known: Known) -> Iterator[str]:
    """Codes and numbers; the noun in front of a code says what it is: `flight X12` is no order."""
    taken = [(d.start, d.end) for d in dates(known.text) if d.month]
    for match in _ID.finditer(known.text):
        before = [token.stem for token in tokens(known.text[: match.start()][-30:])][-3:]
        told = set(before) & word_set("coded", "en")
        mine = set(words) & word_set("coded", "en")
        dated = any(start <= match.start(1) < end for start, end in taken)
        long = len(re.sub(r"\D", "", match[1])) > 1 or match[1][0].isalpha()
        counted = cue("counted").match(known.text, match.end())
        if long and not dated and not counted and not (told and mine and not told & mine):
            yield match[1].strip("#")


def _days(words: list[str], known: Known) -> Iterator[str]:
    for date in dates(known.text):
        if date.day:
            year = date.year or int((known.today or "0")[:4])
            yield f"{year:04}-{date.month:02}-{date.day:02}"
    for pattern, cells in patterns("days"):
        if found := pattern.search(known.text):
            today = dates(known.today)
            if today and today[0].day:
                base = datetime.date(today[0].year, today[0].month, today[0].day)
                yield (base + datetime.timedelta(days=int(cells[0]))).isoformat()
            else:
                yield found[0].lower()
            return


def _money(words: list[str], known: Known) -> Iterator[str]:
    """Currencies in the order named; where `to` or `into` stands before the first, the other way."""
    found = sorted(
        (m.start(), code)
        for code, p in rows("money")
        for m in [re.search(p, known.text, re.I)]
        if m
    )
    codes = [code for _, code in found]
    if (
        found
        and len(codes) == 2
        and re.search(r"(?:to|into|in|成|为|多少)\s*(?:\w+\s)?$", known.text[: found[0][0]])
    ):
        codes.reverse()
    yield from codes[::-1] if set(words) & {"to", "target", "into", "quot"} else codes


def _sums(words: list[str], known: Known) -> Iterator[str]:
    yield from filter(None, [asks_for_sum(known.text), told_sum(known.text)])


def _lists(known: Known) -> Iterator[list[Any]]:
    found = [int(q.value) if q.value == int(q.value) else q.value for q in quantities(known.text)]
    yield from [found] if len(found) > 1 else []
    yield [span.text for span in subjects(known.text, known.lang)]
