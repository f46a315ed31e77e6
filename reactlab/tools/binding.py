"""What a model wrote between brackets or sent as JSON becomes a tool's checked arguments."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any

from reactlab.wording import foreign, join, say

if TYPE_CHECKING:  # it loads pydantic
    from reactlab.tools.schema import Parameter, Parameters

_KEY = re.compile(r"""["'“‘]?([^\s=:：＝"'“”‘’,，]{1,80})["'”’]?\s*[=:：＝]\s*""")
_NOTHING = {"", '""', "''", "{}", "()", "none", "null"}
_FAULTS = {"missing": "{name!r} is missing", "extra_forbidden": "no argument {name!r}"}
_NUMBERS = {"integer", "number", "null"}

_QUOTED = (
    r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`[^`]*`"
    r"|“[^“”]*”|‘[^‘’]*’|「[^「」]*」|『[^『』]*』|«[^«»]*»"
)
_BEFORE, _AFTER = r"\s,，=:：＝(\[{（［｛【", r"\s*(?:[,，=:：＝)\]}）］｝】]|\Z)"
# A quote counts where a value may begin, if a value may end behind it: not in `L'Aquila's`.
_SIGN = re.compile(
    rf"[,，()\[\]{{}}（）［］｛｝【】]|(?=[\"'`“‘「『«])(?<![^{_BEFORE}])(?:{_QUOTED})(?={_AFTER})",
    re.S,
)
_WRAPPED = re.compile(_QUOTED, re.S)
_DEEPER = dict.fromkeys("([{（［｛【", 1) | dict.fromkeys(")]}）］｝】", -1)
_HALF_WIDTH = str.maketrans("“”‘’：，｛｝［］", "\"\"'':,{}[]")
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_LONGEST = 20_000


class BadArguments(ValueError):
    """The arguments do not fit; the text says which and why, for the model to read."""


def bind(parameters: Parameters, arguments: object, *, as_json: bool = False) -> dict[str, Any]:
    """Return the arguments by name, converted to the types that the parameters take.

    `arguments` is the text of a text dialect, a mapping, or None for none. `as_json` marks the
    arguments of a function call, whose text must be a JSON object (encoded once or twice).
    Raises `BadArguments`.
    """
    if isinstance(arguments, str):
        read = _read_json if as_json else _read_text
        arguments = read(parameters, arguments)
    if arguments is not None and not isinstance(arguments, (dict, Mapping)):
        given = shortened(arguments)
        raise BadArguments(say("a JSON object is expected, not {given}", given=given))
    return _checked(parameters, _named(parameters, arguments or {}))


def _read_json(parameters: Parameters, text: str) -> object:
    """What the JSON says; blank text, and null if nothing is due, are no arguments."""
    try:
        value = _twice(json.loads, text)
    except (ValueError, RecursionError) as error:
        told = "the arguments could not be read as JSON ({reason}); an object is expected"
        raise BadArguments(say(told, reason=foreign(str(error)))) from None
    if value is None and parameters.required:
        raise BadArguments(say("a JSON object is expected, not {given}", given="null"))
    return value


def _twice(read: Callable[[str], object], text: str) -> object:
    """Some models encode JSON twice; blank text is no arguments."""
    value = read(text) if text.strip() else {}
    return _twice(read, value) if isinstance(value, str) and value != text else value


def _read_text(parameters: Parameters, text: str) -> Mapping[str, Any]:
    """The arguments in `Tool[text]`, by name."""
    body, items = text.strip(), parameters.items
    if not body or (body.casefold() in _NOTHING and not parameters.required):
        return {}
    found = _object(parameters, body) if body.startswith(("{", "｛", '"{')) else None
    if found is not None:
        return found
    if len(items) != 1:
        lines = [line.strip(" \t,") for line in body.splitlines()]  # `key: value` on every line?
        by_line = len(lines) > 1 and all(_key(parameters, line)[0] for line in lines)
        return _pieces(parameters, lines if by_line else split(body.rstrip(",，")))
    if items[0].is_text and "\n" in body and unquote(body) is None:
        return {items[0].name: text}  # indented code would lose the blanks of its first line
    return _pieces(parameters, [body])


def _object(parameters: Parameters, body: str) -> Mapping[str, Any] | None:
    """The text as an object that names parameters; None if it is a value or plain text."""
    value, items = _twice(loose_json, body), parameters.items
    if not isinstance(value, dict):
        return None
    names = not items or any(map(parameters.find, value))
    return value if names or (items[0].is_text and (not value or len(items) > 1)) else None


def _pieces(parameters: Parameters, pieces: Sequence[str]) -> Mapping[str, Any]:
    """Positional arguments first, then named ones, as in a Python call."""
    bound: dict[str, Any] = {}
    named, items = False, parameters.items
    for place, piece in enumerate(pieces):
        item, rest = _key(parameters, piece)
        named = named or item is not None
        if item is None and named:
            told = "{given} stands after a named argument; put text that holds a comma in quotes"
            raise BadArguments(say(told, given=shortened(piece)))
        if item is None and place >= len(items):
            told = "it takes {most} arguments, but got {n}; put text that holds a comma in quotes"
            raise BadArguments(say(told, most=len(items), n=len(pieces)))
        item = item or items[place]
        if item.name in bound:
            told = "{name!r} is given twice; put text that holds a comma in quotes"
            raise BadArguments(say(told, name=item.name))
        if rest:
            bound[item.name] = _value(item, rest)
    return bound


def _key(parameters: Parameters, piece: str) -> tuple[Parameter | None, str]:
    """Split `days = 3` or `days: 3` if a parameter is called `days`."""
    match = _KEY.match(piece)
    item = parameters.find(match[1]) if match else None
    return (item, piece[match.end() :]) if match and item else (None, piece)


def _value(item: Parameter, piece: str) -> Any:
    quoted = unquote(piece)
    if quoted is not None:
        return quoted
    if item.kinds == {"array"} and piece[:1] not in ("[", "［"):
        return [unquote(part) or loose_json(part) for part in split(piece)]
    if "null" in item.kinds and piece.casefold() in ("none", "null"):
        return None
    return piece if item.is_text else loose_json(piece)


def _named(parameters: Parameters, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values under the parameters' own names; null for an optional one is left out."""
    named: dict[str, Any] = {}
    for key, value in given.items():
        item = parameters.find(str(key))
        name = item.name if item else str(key)
        if name in named:
            raise BadArguments(say("{name!r} is given twice", name=name))
        if item and isinstance(value, bool) and item.kinds <= _NUMBERS:  # pydantic takes 0 or 1
            told = "{name!r} must be {type}, but got {given}"
            raise BadArguments(say(told, name=name, type=item.type, given=shortened(value)))
        if item is None or value is not None or item.required or item.kinds & {"null", "any"}:
            named[name] = value
    return named


def _checked(parameters: Parameters, named: dict[str, Any]) -> dict[str, Any]:
    try:
        return parameters.validate(named)  # type: ignore[no-any-return]
    except ValueError as error:
        faulty = _faults(error)
    for name in faulty:  # JSON may come as text, as in {"ids": "[1, 2]"}
        if isinstance(named.get(name), str):
            named[name] = loose_json(named[name])
    try:
        return parameters.validate(named)  # type: ignore[no-any-return]
    except ValueError as error:
        raise BadArguments(join(_faults(error).values(), say("; "))) from None


def _faults(error: Any) -> dict[str, str]:
    """What pydantic found wrong, for each argument."""
    found: dict[str, str] = {}
    if not hasattr(error, "errors"):  # Python's own, such as a number too long to become text
        raise BadArguments(foreign(str(error))) from None
    for fault in error.errors(include_url=False, include_context=False):
        place = ".".join(map(str, fault["loc"]))[:80]
        told = _FAULTS.get(fault["type"], "{name!r} does not fit: {fault}, but got {given}")
        wrong, given = foreign(fault["msg"]), shortened(fault["input"])
        found[fault["loc"][0]] = say(told, name=place, fault=wrong, given=given)
    return found


# --- text taken apart ----------------------------------------------------------------------------


def split(text: str) -> list[str]:
    """Cut at the commas outside quotes and brackets, and strip the pieces.

    If a bracket is never closed, brackets mean nothing.
    """
    for brackets in (_DEEPER, {}):
        cuts, depth = [-1], 0
        for sign in _SIGN.finditer(text):
            depth = max(0, depth + brackets.get(sign[0], 0))
            if sign[0] in ",，" and not depth:
                cuts.append(sign.start())
        if not depth:
            break
    return [text[a + 1 : b].strip() for a, b in pairwise([*cuts, len(text)])]


def unquote(text: str) -> str | None:
    """What stands inside the quotes that wrap the whole text; None if none do.

    Of backslashes only those that protect a quote are taken away: paths stay as they are.
    """
    if not _WRAPPED.fullmatch(text):
        return None
    return text[1:-1].replace(f"\\{text[-1]}", text[-1])


def loose_json(text: str) -> object:
    """JSON, or what models write for it: Python's quotes and words, full-width signs; else text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        plain = text.translate(_HALF_WIDTH)
    if plain[:1] in ("{", "[") and len(plain) < _LONGEST:
        try:
            return ast.literal_eval(plain)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return text
    return _WORDS.get(text.casefold(), text)
