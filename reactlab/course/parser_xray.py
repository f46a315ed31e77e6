"""What a pattern or a parser takes out of a reply, bordered in the reply itself."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from reactlab.course.exercises import NotDone, Stumble, TooMany
from reactlab.course.readings import Parser, Reading, Refusal, read
from reactlab.course.texts import Texts
from reactlab.course.words import Both
from reactlab.course.xray import Mark, Xray
from reactlab.render.rows import Kind, one_line

say = Texts("03")
WORDS: dict[str, tuple[Both, Kind]] = {
    "thought": (Both("thought", "思考"), "thought"),
    "tool": (Both("tool", "工具"), "action"),
    "input": (Both("input", "输入"), "observation"),
    "answer": (Both("answer", "答案"), "answer"),
}

_MARKER = re.compile(r"\W*|[A-Za-z]+( [A-Za-z]+)? ?:|\w{2,4}：")


def parser_xray(parser: re.Pattern[str] | Parser, reply: str) -> Xray:
    """The groups of a pattern, or what a parser read, in the reply; the rest is told below."""
    if isinstance(parser, re.Pattern):
        return _of_pattern(parser, reply)
    return _of_parser(parser, reply)


def _of_pattern(pattern: re.Pattern[str], reply: str) -> Xray:
    found = pattern.search(reply)
    if found is None:
        return Xray(reply, [], [say("no_match")])
    names = {number: name for name, number in pattern.groupindex.items()}
    marks: list[Mark] = []
    for number in range(1, pattern.groups + 1):
        start, end = found.span(number)
        inside = any(mark.start < end and start < mark.end for mark in marks)
        if start >= 0 and not inside:
            marks.append(_mark(start, end, names.get(number, say("group", number))))
    return _with_rest(reply, marks, [])


def _of_parser(parser: Parser, reply: str) -> Xray:
    notes: list[str] = []
    try:
        got = read(parser, reply)
    except NotDone:
        return Xray(reply, [], [say("open")])
    except (Stumble, TooMany) as stopped:
        return Xray(reply, [], [str(stopped) or say("endless")])
    if isinstance(got, Refusal):
        return Xray(reply, [], [say("refuses", got.words or say("no_words"))])
    marks: list[Mark] = []
    at = 0
    for name, value in _parts(got):
        start = reply.find(value, at)
        if start < 0:
            notes.append(say("elsewhere", WORDS[name][0], one_line(value, 200)))
            continue
        at = start + len(value)
        marks.append(_mark(start, at, name))
    return _with_rest(reply, marks, notes)


def _parts(got: Reading) -> list[tuple[str, str]]:
    """The parts that are there, as text, in the order in which a reply has them."""
    last = ("input", got.input) if got.answer is None else ("answer", got.answer)
    named = [("thought", got.thought), ("tool", got.tool), last]
    return [(name, _text(value)) for name, value in named if value]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else str(value)


def _mark(start: int, end: int, name: str) -> Mark:
    word, kind = WORDS.get(name, (Both(name, name), "question"))
    return Mark(start, end, str(word), kind)


def _with_rest(reply: str, marks: list[Mark], notes: list[str]) -> Xray:
    """The picture with what nobody took: pieces of more than a marker and signs."""
    left = [piece.strip() for mark, piece in Xray(reply, marks).segments if mark is None]
    rest = [one_line(piece, 160) for piece in left if not _MARKER.fullmatch(piece)]
    told = say("rest", "  ·  ".join(rest)) if rest else say("no_rest")
    return Xray(reply, marks, [*notes, told])
