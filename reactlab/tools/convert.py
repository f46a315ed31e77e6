"""Turning what a model sent into the type that a parameter takes."""

from __future__ import annotations

import json
import math
import reprlib
from collections.abc import Callable
from typing import Any

from reactlab.tools.jsontypes import NAMES, NUMBER, SCALARS

Converter = Callable[[Any], Any]
_SHOWN = reprlib.Repr()
_SHOWN.maxstring = _SHOWN.maxother = 60
_YES = {"true", "yes", "on", "1", "是", "对", "真"}
_NO = {"false", "no", "off", "0", "否", "不", "假"}
_SAID_BY_THE_TYPE = ("literal_error", "enum")


class Mismatch(ValueError):
    """A value does not fit its type; the text adds what the type's name leaves open, or is ""."""


def unchanged(value: Any) -> Any:
    """The converter of parameters that take anything."""
    return value


def to_text(value: Any) -> str:
    """Text as it is, numbers as digits: models write `12345` for an order id that is text."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise Mismatch


def to_integer(value: Any) -> int:
    """`3`, `3.0`, `"3"` or `"3.0"`; nothing is rounded, and true is no number."""
    number = to_number(value)
    if isinstance(number, float):
        if not number.is_integer():
            raise Mismatch
        return int(number)
    return number


def to_float(value: Any) -> float:
    """Any finite number, also written as text."""
    try:
        return float(to_number(value))
    except OverflowError:
        raise Mismatch from None


def to_number(value: Any) -> int | float:
    """An int stays an int, a float a float; text becomes whichever it reads as."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Mismatch
    number = _read_number(value) if isinstance(value, str) else value
    if isinstance(number, float) and not math.isfinite(number):
        raise Mismatch
    return number


def _read_number(text: str) -> int | float:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    raise Mismatch


def to_boolean(value: Any) -> bool:
    """Read true and false, 1 and 0, and the words for them."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().casefold() if isinstance(value, int | str) else ""
    if word not in _YES and word not in _NO:
        raise Mismatch
    return word in _YES


_SCALAR_CONVERTERS: dict[Any, Converter] = {
    str: to_text,
    int: to_integer,
    float: to_float,
    NUMBER: to_number,
    bool: to_boolean,
    Any: unchanged,
    object: unchanged,
}
_SCALAR_SCHEMAS = {kind: {"type": name} for name, kind in SCALARS.items()}
_SCALAR_SCHEMAS |= {float: {"type": "number"}, Any: {}, object: {}}


def scalar(kind: Any) -> tuple[dict[str, Any], Converter] | None:
    """Schema and converter of a plain type; None for a type that takes pydantic to read."""
    try:
        return dict(_SCALAR_SCHEMAS[kind]), _SCALAR_CONVERTERS[kind]
    except (KeyError, TypeError):
        return None


def adapter_for(kind: Any) -> Any:
    """The pydantic adapter of a type, or None for a type that JSON cannot carry."""
    from pydantic import ConfigDict, TypeAdapter
    from pydantic.errors import PydanticUserError

    # pydantic accepts settings only for types that carry none of their own.
    config = ConfigDict(coerce_numbers_to_str=True, regex_engine="python-re")
    for settings in (config, None):
        try:
            adapter = TypeAdapter(kind, config=settings)
            adapter.json_schema()
            return adapter
        except (PydanticUserError, NameError, TypeError):
            continue
    return None


def checked(adapter: Any) -> Converter:
    """The converter of a type that pydantic reads; JSON that came as text is read as JSON."""
    from pydantic import ValidationError

    def convert(value: Any) -> Any:
        try:
            return adapter.validate_python(value)
        except ValidationError as error:
            try:
                return adapter.validate_python(json.loads(value))
            except (ValidationError, ValueError, TypeError, RecursionError):
                raise Mismatch(_first_fault(error)) from None

    return convert


def _first_fault(error: Any) -> str:
    """Where the fault is, and what it is if the name of the type does not say so already."""
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    if place:
        return f"{place}: {fault['msg']}"
    said = fault["type"].endswith(("_type", "_parsing")) or fault["type"] in _SAID_BY_THE_TYPE
    return "" if said else str(fault["msg"])


def shown(value: object) -> str:
    """A value and its JSON type, short enough for an error message."""
    kind = NAMES.get(type(value), "object" if isinstance(value, dict) else type(value).__name__)
    kind = "array" if kind in ("list", "tuple") else kind
    if value is None or isinstance(value, bool):
        return kind if value is None else f"{str(value).lower()} ({kind})"
    text = repr(value) if isinstance(value, str) and len(value) < 60 else _SHOWN.repr(value)
    return f"{text} ({kind})"
