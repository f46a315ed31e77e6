"""What a model wrote between brackets or sent as JSON becomes a tool's checked arguments."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reactlab.tools.convert import Mismatch, shown
from reactlab.tools.parameters import Parameter, Parameters
from reactlab.tools.splitting import loose_json, scalar_value, split, unquote

_KEY = re.compile(r"""\s*["'“‘]?([^\s=:：＝"'“”‘’,，]{1,80})["'”’]?\s*[=:：＝]\s*""")
_NOTHING = {"", '""', "''", "{}", "()", "none", "null"}
_MOST_FAULTS = 5


class BadArguments(ValueError):
    """The arguments do not fit; the text says which and why, for the model to read."""


def bind(parameters: Parameters, arguments: object, *, as_json: bool = False) -> dict[str, Any]:
    """Return the arguments by name, converted to the types that the parameters take.

    `arguments` is the text of a text dialect, a mapping, or None for none. `as_json` marks the
    arguments of a function call, whose text must be a JSON object (encoded once or twice).
    Raises `BadArguments`.
    """
    if type(arguments) is str and not as_json:
        only = parameters.only_text
        if only and _goes_verbatim(only, arguments):
            return {only: parameters.by_name[only].convert(arguments)}
    return _convert(parameters, _by_name(parameters, arguments, as_json))


def _goes_verbatim(only: str, text: str) -> bool:
    """The quick answer for most texts: there is no quote, object, key or blank to look at."""
    if not text or not text[0].isalnum() or text[-1].isspace() or len(text) < 5:
        return False
    head = text[: len(only) + 5]
    return not (":" in head or "=" in head or "：" in head or "＝" in head)


def _by_name(parameters: Parameters, arguments: object, as_json: bool) -> Mapping[str, Any]:
    if isinstance(arguments, Mapping):
        return arguments
    if arguments is None:
        return {}
    if isinstance(arguments, str):
        return read_json(parameters, arguments) if as_json else read_text(parameters, arguments)
    raise BadArguments(f"a JSON object is expected, not {shown(arguments)}")


def read_json(parameters: Parameters, text: str) -> Mapping[str, Any]:
    """The JSON object of a function call; blank text, and null if nothing is due, are none."""
    value: object = text
    for _ in range(2):  # some models encode twice
        if isinstance(value, str) and value.strip():
            try:
                value = json.loads(value)
            except (ValueError, RecursionError) as error:
                raise BadArguments(
                    f"the arguments could not be read as JSON ({error}); an object is expected"
                ) from None
    if isinstance(value, Mapping):
        return value
    if (value is None and not parameters.required) or (
        isinstance(value, str) and not value.strip()
    ):
        return {}
    raise BadArguments(f"a JSON object is expected, not {shown(value)}")


def read_text(parameters: Parameters, text: str) -> Mapping[str, Any]:
    """The arguments in `Tool[text]`, by name, with text still where another type is wanted."""
    body, items = text.strip(), parameters.items
    if not parameters.required and body.casefold() in _NOTHING:
        return {}
    if body.startswith(("{", "｛", '"{')):
        found = _object(parameters, body)
        if found is not None:
            return found
    if not items:
        raise BadArguments(f"it takes no arguments, but got {shown(body)}")
    if not body:
        return {}
    if len(items) == 1:
        return {items[0].name: _whole(parameters, items[0], text)}
    return _lines(parameters, body) or _pieces(parameters, split(body))


def _object(parameters: Parameters, body: str) -> Mapping[str, Any] | None:
    """The text as an object that names parameters; None if it is a value or plain text."""
    try:
        value = loose_json(body)
        value = loose_json(value) if isinstance(value, str) else value
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    first = parameters.items[0] if parameters.items else None
    known = [key for key in value if parameters.find(str(key))]
    if len(known) == len(value) and (value or first is None or first.is_text):
        return value
    may_be_a_value = len(parameters.items) == 1 or (first is not None and not first.is_text)
    return None if may_be_a_value and not known else value


def _whole(parameters: Parameters, item: Parameter, text: str) -> Any:
    """The value of an only parameter: the whole text, without a key or quotes around it."""
    body = text.strip()
    key, rest = _key(parameters, body)
    if key and ("\n" not in body or unquote(rest) is not None):
        text = body = rest
    if item.types == {"array"} and unquote(body) is None:
        return _list(item, body)
    if item.is_text and "\n" in body and unquote(body) is None:
        return text  # indented code would lose the blanks of its first line
    return _value(item, body)


def _list(item: Parameter, body: str) -> Any:
    if body[:1] in "[［":
        try:
            return loose_json(body)
        except ValueError:
            return body
    of_text = item.type == "array of string"
    pieces = [(unquote(piece), piece) for piece in split(body) if piece]
    return [
        quoted if quoted is not None else piece if of_text else scalar_value(piece)
        for quoted, piece in pieces
    ]


def _lines(parameters: Parameters, body: str) -> Mapping[str, Any] | None:
    """`key: value` on each line; commas then belong to the values."""
    if "\n" not in body:
        return None
    bound: dict[str, Any] = {}
    for line in filter(None, map(str.strip, body.splitlines())):
        item, rest = _key(parameters, line)
        if item is None or item.name in bound:
            return None
        bound[item.name] = _value(item, rest.removesuffix(","))
    return bound


def _pieces(parameters: Parameters, pieces: Sequence[str]) -> Mapping[str, Any]:
    """Positional arguments first, then named ones, as in a Python call."""
    bound: dict[str, Any] = {}
    named, items = False, parameters.items
    if len(pieces) > len(items) and not pieces[-1]:
        pieces = pieces[:-1]
    for place, piece in enumerate(pieces):
        item, rest = _key(parameters, piece)
        named = named or item is not None
        if item is None and named:
            raise BadArguments(f"{shown(piece)} stands after a named argument; {_QUOTE}")
        if item is None and place >= len(items):
            raise BadArguments(f"it takes {len(items)} arguments, but got {len(pieces)}; {_QUOTE}")
        item = item or items[place]
        if item.name in bound:
            raise BadArguments(f"{item.name!r} is given twice; {_QUOTE}")
        if rest:
            bound[item.name] = _value(item, rest)
    return bound


_QUOTE = "put text that holds a comma in quotes"


def _key(parameters: Parameters, piece: str) -> tuple[Parameter | None, str]:
    """Split `days = 3` or `days: 3` if a parameter is called `days`."""
    match = _KEY.match(piece)
    item = parameters.find(match[1]) if match else None
    return (item, piece[match.end() :].strip()) if match and item else (None, piece)


def _value(item: Parameter, piece: str) -> Any:
    quoted = unquote(piece)
    if quoted is not None:
        return quoted
    if "null" in item.types and piece.casefold() in ("none", "null"):
        return None
    if item.is_text:
        return piece
    if not item.types & {"array", "object", "any"}:
        value = scalar_value(piece)
        return piece if isinstance(value, list | dict) else value
    try:
        return loose_json(piece)
    except ValueError:
        return piece


def _convert(parameters: Parameters, given: Mapping[str, Any]) -> dict[str, Any]:
    bound: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for key, value in given.items():
        item = parameters.by_name.get(key) or parameters.find(str(key))
        if item is None:
            if parameters.takes_more:
                bound[str(key)] = value
            else:
                faults[str(key)] = _unexpected(str(key), parameters.by_name)
        elif item.name in bound:
            faults[item.name] = f"{item.name!r} is given twice"
        elif not (value is None and not item.required and not item.types & {"null", "any"}):
            try:
                bound[item.name] = item.convert(value)
            except Mismatch as why:
                faults[item.name] = _mismatch(item, value, str(why))
    if faults or not all(name in bound for name in parameters.required):
        missing = [n for n in parameters.required if n not in bound and n not in faults]
        raise BadArguments(_told(faults.values(), missing))
    return bound


def _told(faults: Iterable[str], missing: Sequence[str]) -> str:
    told = [*faults, *(f"{name!r} is missing" for name in missing)]
    more = f"; and {len(told) - _MOST_FAULTS} more" if len(told) > _MOST_FAULTS else ""
    return "; ".join(told[:_MOST_FAULTS]) + more


def _unexpected(key: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(key[:80], known, n=1)
    hint = f", did you mean {close[0]!r}?" if close else ""
    return f"there is no argument {key[:80]!r}{hint}"


def _mismatch(item: Parameter, value: object, why: str) -> str:
    detail = f" ({why[:200]})" if why else ""
    return f"{item.name!r} must be {item.type}, but got {shown(value)}{detail}"
