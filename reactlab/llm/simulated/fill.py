"""Arguments for a tool: what the question and the observations hold, matched by name and type."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from .choose import form
from .compute import asks_for_sum
from .described import Param, Tool, spelled
from .numbers import dates, quantities
from .records import Row, records, stems
from .story import told_sum
from .subjects import subjects
from .tables import cue, patterns, rows, word_set
from .text import CJK, stem, tokens


class Known:
    """What is known so far: the question, the observations, and the option that was chosen."""

    def __init__(self, text: str, lang: str, today: str = "") -> None:
        self.text, self.lang, self.today = text, lang, today
        self.observations: list[str] = []
        self.chosen: list[Row] = []

    @property
    def records(self) -> list[Row]:
        """Every single record, the newest first."""
        found = [records(observation) for observation in self.observations]
        return self.chosen + [rows[0] for rows in reversed(found) if len(rows) == 1]

    @property
    def options(self) -> list[Row]:
        """The last list of records; a list of one counts behind another record."""
        seen = [(text, records(text)) for text in self.observations]
        lists = [r for n, (text, r) in enumerate(seen) if r[1:] or (n and r and text[:1] == "[")]
        return lists[-1] if lists else []


def fill(tool: Tool, known: Known) -> dict[str, Any] | None:
    """Arguments for `tool`; None while something that it requires is not known."""
    args: dict[str, Any] = {}
    for param in tool.params:
        values = (_typed(value, param.type) for value in _candidates(param, tool, known))
        value = next((v for v in values if v is not None and v not in args.values()), None)
        if value is not None:
            args[param.name] = value
        elif param.required:
            return None
    return args


def missing(param: Param, tool: Tool, known: Known) -> bool:
    """Whether nothing that is known can stand for a parameter."""
    values = (_typed(value, param.type) for value in _candidates(param, tool, known))
    return all(value is None for value in values)


def each(tool: Tool, known: Known) -> list[dict[str, Any]]:
    """The arguments of every call that a question means: one for each code of the same form."""
    args = fill(tool, known)
    if args is None or len(tool.needed) != 1 or known.records:
        return [args] if args is not None else []
    name = tool.needed[0].name
    form = re.sub(r"\d", "0", str(args.get(name)))
    coded = cue("code").search(name)
    codes = dict.fromkeys(_ids([*stems(name), *stems(tool.name)], known) if coded else ())
    same = [code for code in codes if re.sub(r"\d", "0", code) == form]
    return [{**args, name: _typed(code, tool.needed[0].type)} for code in same] or [args]


def _candidates(param: Param, tool: Tool, known: Known) -> Iterator[Any]:
    """Values for a parameter, the surest first."""
    words = stems(param.name)
    if param.choices:
        held = {token.stem for token in tokens(known.text)}
        said = (c for c in param.choices if stem(c) in held or (CJK.search(c) and c in known.text))
        yield from said
        return
    yield from _recorded(words, known, named=tool.changes)
    if param.type in ("integer", "number"):
        yield from _numbers(words, known.text)
    elif param.type == "array":
        found = [_typed(q.value, "number") for q in quantities(known.text)]
        yield found if len(found) > 1 else [span.text for span in subjects(known.text, known.lang)]
    else:
        yield from _texts(param, tool, words, known)


def _recorded(words: list[str], known: Known, *, named: bool) -> Iterator[Any]:
    """What earlier records hold for a parameter, by its key or as its kind of code.

    With `named`, another code of that form in the question comes first, unless one was chosen.
    """
    coded = cue("code").search(" ".join(words))
    held = {str(value).casefold() for record in known.records for value in record.values()}
    fresh = [code for code in _ids(words, known) if coded and code.casefold() not in held]
    for record in known.records:
        plain = {key: value for key, value in record.items() if not isinstance(value, dict | list)}
        kin = [key for key in plain if coded and set(stems(str(key))) & set(words[:-1])]
        values = [value for key, value in plain.items() if stems(str(key)) == words]
        values += [plain[key] for key in kin if cue("code").search(str(key))]
        forms = {form(str(value)) for value in values if named and not known.chosen}
        yield from (code for code in fresh if form(code) in forms)
        yield from values


def _texts(param: Param, tool: Tool, words: list[str], known: Known) -> Iterator[Any]:
    """What the table of fillings finds for a name or a description; else names, codes, the text."""
    names = [spelled(param.name).lower(), param.about.lower()]
    kinds = [row for name in names for row in rows("fill") if re.search(row[1], name)]
    kind, pattern = (kinds[0][0], kinds[0][2]) if kinds else ("", "")
    kind = "money" if cue("money_tool").search(tool.about) and kind in ("", "from", "to") else kind
    finders = {"date": _days, "id": _ids, "money": _money, "sum": _sums}
    if kind in finders:
        yield from finders[kind]([*words, *stems(tool.name)] if kind == "id" else words, known)
        return
    for match in re.finditer(pattern, known.text, re.I) if pattern else ():
        yield str(match[match.lastindex or 0]).strip(' "“”')
    if (param.required or len(tool.params) == 1) and kind not in ("from", "to", "mail"):
        named = [span.text for span in subjects(known.text, known.lang)]
        yield from (name for name in named if stem(name) not in stems(tool.name))
        yield from _ids(words, known) if param.required else ()
        if len(tool.needed) == 1:
            yield from _unsaid(tool, known)
            yield known.text.strip(" ?？.。")


def _unsaid(tool: Tool, known: Known) -> Iterator[str]:
    """The longest run of the question's words that are neither common nor the tool's own."""
    said = word_set("stop", "en") | {token.stem for token in tokens(f"{tool.name} {tool.about}")}
    runs: list[list[str]] = [[]]
    for token in () if CJK.search(known.text) else tokens(known.text):
        if token.stem in said or token.text.lower() in said:
            runs.append([])
        else:
            runs[-1].append(token.text)
    longest = max(runs, key=len)
    yield from [" ".join(longest)] if longest else []


def _typed(value: Any, kind: str) -> Any:
    if kind in ("integer", "number"):
        found = value if isinstance(value, int | float) else None
        number = next((q.value for q in quantities(str(value))), None) if found is None else found
        whole = number is not None and number == int(number)
        return int(number) if number is not None and whole else number if kind == "number" else None
    if kind == "boolean":
        return bool(value)
    if kind == "array":
        return value if isinstance(value, list) else re.split(r"\s*[,，、;]\s*", str(value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _numbers(words: list[str], text: str) -> Iterator[float]:
    """The number next to the parameter's own noun, else the numbers in order."""
    found = quantities(text)
    own = [re.escape(word) for word in words if len(word) > 2]
    nouns = "|".join(own + [row[1] for row in rows("nouns") if row[0] in words]) or "^x^"
    before = rf"(?:{nouns})[a-z]*(?:\s(?:of|is|to|=))*[\s:：是为]*$"
    yield from (q.value for q in found if re.match(rf"[\s\-个]*(?:{nouns})", text[q.end :], re.I))
    yield from (q.value for q in found if re.search(before, text[: q.start], re.I))
    yield from (q.value for q in found)


def _ids(words: list[str], known: Known) -> Iterator[str]:
    """Codes and numbers; the noun in front of a code says what it is: `flight X12` is no order."""
    dated = [range(d.start, d.end) for d in dates(known.text) if d.month]
    coded = word_set("coded", "en")
    for match in cue("identifier").finditer(known.text):
        code = str(match[match.lastindex or 0])
        before = {token.stem for token in tokens(known.text[: match.start()][-30:])[-3:]} & coded
        other = before and set(words) & coded and not before & set(words)
        plain = cue("counted").match(known.text, match.end()) or len(code) == 1
        if not other and not plain and not any(match.start() in days for days in dated):
            yield code


def _days(words: list[str], known: Known) -> Iterator[str]:
    today = next((d for d in dates(known.today) if d.day), None)
    for given in dates(known.text):
        if given.day and (given.year or today):
            yield f"{given.year or today.year:04}-{given.month:02}-{given.day:02}"  # type: ignore[union-attr]
    for pattern, (ahead, weekday, number) in patterns("days"):
        if found := pattern.search(known.text):
            said = weekday if weekday and found[0].isascii() else found[0].lower()
            if today is None or (weekday and {*words} & {"day", "weekday"}):
                yield said
                return
            base = date(today.year, today.month, today.day)
            first = 7 - base.weekday() if found[0][0] == "下" else 1  # 下周: the week after this
            after = (int(number or 0) - base.weekday() - first) % 7 + first
            yield (base + timedelta(int(ahead) if ahead else after)).isoformat()
            return


def _money(words: list[str], known: Known) -> Iterator[str]:
    """Currencies in the order named; behind `to` or `in` stands the one that is wanted."""
    hits = [(re.search(p, known.text, re.I), code) for code, p in rows("money")]
    found = sorted((hit.start(), code) for hit, code in hits if hit)
    codes = [code for _, code in found]
    if len(codes) > 1 and cue("into").search(known.text[: found[0][0]]):
        codes.reverse()
    yield from codes[::-1] if set(words) & {"to", "target", "into", "quot"} else codes


def _sums(words: list[str], known: Known) -> Iterator[str]:
    yield from filter(None, [asks_for_sum(known.text), told_sum(known.text)])
