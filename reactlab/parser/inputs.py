"""What a tool is given: the raw text, or the mapping that an object or keywords hold."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from reactlab.parser.labels import BLANKS
from reactlab.parser.step import INPUT, problem
from reactlab.parser.values import NotAValueError, read_value

Arguments = str | Mapping[str, Any]

MAX_KEYWORDS = 100
_SKIPPED = re.compile(rf"[{BLANKS}]*+")
_OBJECT = re.compile(r"\{\s{0,99}(?:\{?[\"'“‘]|\}|[^\W\d]\w{0,40}\s{0,9}[:：]|//|/\*)")
_EXPRESSION = re.compile(r"\.\w|\[|[ \t]?(?:[|&+*%^]|[=<>!]=)")  # an object that goes on is code
_FENCE = re.compile(r"```(?:[\w+-]{0,20}[ \t]*\n|(?:json|python|sql|text)[ \t]|)\s{0,99}", re.I)
_KEYWORD = re.compile(r"\s*+([^\W\d]\w*)\s*+[=＝](?!=)\s*+")
_COMMA = re.compile(r"\s*+(?:[,，]|\Z)")
_BAREWORD = re.compile(r"[^,，\n\"'“”]+")
_ANSWER_KEYS = ("answer", "final_answer", "result", "response", "output", "text", "content",
                "value", "input", "答案", "回答", "结果")  # fmt: skip
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "`": "`"}


def skip_blanks(text: str, position: int, *, fence: bool = False) -> int:
    """Return the next position that is not blank, behind the code fence that may open there."""
    blanks = _SKIPPED.match(text, position)
    position = blanks.end() if blanks else position
    opened = _FENCE.match(text, position) if fence else None
    return opened.end() if opened else position


def read_mapping(text: str, start: int) -> tuple[dict[str, Any], int] | None:
    """Read the object at `start`; None where plain text in braces stands there, or code.

    An object that is cut off or broken raises `ParseError`: a tool never runs on half an input.
    """
    shape = _OBJECT.match(text, start)
    if shape is None:
        return None
    try:
        value, end = read_value(text, start)
    except NotAValueError as error:
        if error.cut or shape.group()[-1] in "\"'“‘":
            raise unreadable(text, error, INPUT) from None
        return None
    return None if _EXPRESSION.match(text, end) else (value, end)


def unreadable(text: str, error: NotAValueError, wanted: str) -> Exception:
    """Return the `ParseError` for an object that is cut off or is no JSON."""
    what = "The JSON object is cut off." if error.cut else "The JSON object cannot be read."
    return problem(what, text, min(error.position, len(text) - 1), wanted)


def read_keywords(text: str) -> dict[str, Any] | None:
    """Read `key="value", limit=3`; None where anything else stands in between."""
    found: dict[str, Any] = {}
    position, end = 0, len(text.rstrip())
    for _ in range(MAX_KEYWORDS):
        if position >= end:
            return found
        keyword = _KEYWORD.match(text, position)
        if keyword is None:
            return None
        value, after = _keyword_value(text, keyword.end())
        comma = _COMMA.match(text, after)
        if comma is None or after == keyword.end():
            return None
        found[keyword[1]] = value
        position = comma.end()
    return None


def _keyword_value(text: str, start: int) -> tuple[Any, int]:
    """A literal, or else the bare words up to the next comma."""
    try:
        value, end = read_value(text, start)
        if _COMMA.match(text, end):
            return value, end
    except NotAValueError:
        pass
    bare = _BAREWORD.match(text, start)
    return (bare.group().strip(), bare.end()) if bare else (None, start)


def read_call_arguments(text: str) -> Arguments:
    """What stands in the parentheses of `tool(…)`: keywords, one quoted text, or raw text."""
    keywords = read_keywords(text)
    if keywords is not None:
        return keywords
    try:
        value, end = read_value(text, 0)
    except NotAValueError:
        return plain_text(text)
    return value if isinstance(value, str) and not text[end:].strip() else plain_text(text)


def plain_text(text: str) -> str:
    """The input without the blanks, the code fence or the one pair of quotes that wrap it."""
    text = _unfenced(text.strip(BLANKS))
    closing = _QUOTES.get(text[:1], "")
    if len(text) < 2 or text[-1] != closing:
        return text
    inside = text[1:-1].replace("\\" + closing, "")
    paired = closing not in inside and text[0] not in inside and not text.endswith("\\" + closing)
    return text[1:-1].replace("\\" + closing, closing) if paired else text


def _unfenced(text: str) -> str:
    opened = _FENCE.match(text)
    if opened is None:
        return text[:-3].rstrip(BLANKS) if text.endswith("```") and text.count("```") % 2 else text
    closed = text.find("```", opened.end())
    return text[opened.end() : closed].strip("\n") if closed >= 0 else text[opened.end() :]


def from_value(value: Any) -> Arguments:
    """An input that came inside a JSON object: mappings and text stay, other values become JSON."""
    if isinstance(value, str):
        nested = read_mapping(value, skip_blanks(value, 0))
        return nested[0] if nested and not value[nested[1] :].strip() else value
    if value is None:
        return {}
    return value if isinstance(value, Mapping) else json.dumps(value, ensure_ascii=False)


def as_answer(arguments: Arguments) -> str:
    """The text of an answer that was given as the input of `Finish`."""
    if isinstance(arguments, str):
        keywords = read_keywords(arguments) if re.match(r"answer\s?=", arguments) else None
        named = keywords or from_value(arguments)
        if isinstance(named, str) or named.keys().isdisjoint(_ANSWER_KEYS):
            return arguments.strip(BLANKS)
        return as_answer(named)
    key = next((key for key in _ANSWER_KEYS if key in arguments), None)
    value = arguments if key is None else arguments[key]
    if isinstance(value, str):
        return value.strip(BLANKS)
    return json.dumps(value, ensure_ascii=False) if value or value == 0 else ""
