"""What a tool is given: the raw text, or the mapping where the model wrote an object or keywords."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from reactlab.parser.labels import BLANKS
from reactlab.parser.problems import OBJECT, problem
from reactlab.parser.values import NotAValue, read_value

Arguments = str | Mapping[str, Any]

_OBJECT = re.compile(r"\{\s{0,99}(?:[\"'“‘}{]|[^\W\d]\w{0,40}\s{0,9}[:：]|//|/\*)")
_EXPRESSION = re.compile(r"\.\w|\[|\s?(?:[|&+*%<>^]|==)")  # an object that goes on is code
_FENCE = re.compile(r"```(?:[\w+-]{0,20}[ \t]*\n|(?:json|python|sql|text)[ \t]|)\s{0,99}", re.I)
_KEYWORD = re.compile(r"\s*([^\W\d]\w*)\s*[=＝](?!=)\s*")
_COMMA = re.compile(r"\s*(?:[,，]|$)")
_BAREWORD = re.compile(r"[^,，\n\"'“”]+")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "`": "`"}


def skip_blanks(text: str, position: int, *, fence: bool = False) -> int:
    """Return the next position that is not blank, behind the code fence that may open there."""
    while position < len(text) and text[position] in BLANKS:
        position += 1
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
    except NotAValue as error:
        if error.cut or shape.group()[-1] in '"“{':
            what = "The JSON object is cut off." if error.cut else "The JSON object cannot be read."
            raise problem(what, text, min(error.position, len(text) - 1), OBJECT) from None
        return None
    return None if _EXPRESSION.match(text, end) else (value, end)


def read_keywords(text: str) -> dict[str, Any] | None:
    """Read `key="value", limit=3`; None where anything else stands in between."""
    found: dict[str, Any] = {}
    position = 0
    while position < len(text.rstrip()):
        keyword = _KEYWORD.match(text, position)
        if keyword is None:
            return None
        value, position = _keyword_value(text, keyword.end())
        comma = _COMMA.match(text, position)
        if comma is None:
            return None
        found[keyword[1]] = value
        position = comma.end()
    return found


def _keyword_value(text: str, start: int) -> tuple[Any, int]:
    """A literal, or else the bare words up to the next comma."""
    try:
        value, end = read_value(text, start)
    except NotAValue:
        value, end = None, -1
    if end >= 0 and _COMMA.match(text, end):
        return value, end
    bare = _BAREWORD.match(text, start)
    return (bare.group().strip(), bare.end()) if bare else (None, start)


def read_call_arguments(text: str) -> Arguments:
    """What stands in the parentheses of `tool(…)`: keywords, one quoted text, or raw text."""
    keywords = read_keywords(text)
    if keywords is not None:
        return keywords
    try:
        value, end = read_value(text, 0)
    except NotAValue:
        return plain_text(text)
    return value if isinstance(value, str) and not text[end:].strip() else plain_text(text)


def plain_text(text: str) -> str:
    """The input without the blanks, the code fence or the one pair of quotes that wrap it."""
    text = _unfenced(text.strip(BLANKS))
    closing = _QUOTES.get(text[:1])
    inner = text[1:-1]
    if len(text) < 2 or text[-1] != closing or inner.endswith("\\"):
        return text
    bare = inner.replace("\\" + closing, "")
    return text if closing in bare or text[0] in bare else inner.replace("\\" + closing, closing)


def _unfenced(text: str) -> str:
    opened = _FENCE.match(text)
    if opened and text.find("```", opened.end()) >= 0:
        return text[opened.end() : text.find("```", opened.end())].strip("\n")
    if text.endswith("```") and text.count("```") % 2:
        return text[:-3].rstrip(BLANKS)
    return text[opened.end() :] if opened else text


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
        keywords = (
            read_keywords(arguments) if arguments.startswith(("answer=", "answer =")) else None
        )
        return as_answer(keywords) if keywords else arguments
    for key in ("answer", "final_answer", "答案", "output", "result", "input"):
        if key in arguments:
            return str(arguments[key])
    values = list(arguments.values())
    return str(values[0]) if len(values) == 1 else json.dumps(arguments, ensure_ascii=False)
