"""What an agent is set to, in a form that is the same in every process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from inspect import signature
from types import CodeType, FunctionType, MethodType
from typing import Any

from reactlab.errors import ReactlabError

DEPTH = 12
"""How deep settings inside settings are looked at."""


def digest(value: Any) -> str:
    """Twelve hex digits that stand for the settings of an agent, or of a function that makes one.

    Settings are what the constructor takes and the object still has, a function's name, defaults
    and the values it closes over, and its code: an edited function is another one. The code of
    classes does not count.
    """
    return sha256(json.dumps(plain(value), sort_keys=True).encode()).hexdigest()[:12]


def plain(value: Any, depth: int = DEPTH) -> Any:
    """The settings in plain JSON values."""
    if value is None or isinstance(value, str | int | float):
        return value
    if depth == 0:
        return type(value).__qualname__
    if isinstance(value, Mapping):
        return [[plain(key, depth - 1), plain(part, depth - 1)] for key, part in value.items()]
    if isinstance(value, list | tuple):
        return [plain(part, depth - 1) for part in value]
    if isinstance(value, set | frozenset):
        return sorted(json.dumps(plain(part, depth - 1)) for part in value)
    name = getattr(value, "__qualname__", type(value).__qualname__)
    return [name, [plain(part, depth - 1) for part in _parts(value)]]


def _parts(value: Any) -> list[Any]:
    if isinstance(value, partial):
        return [value.func, value.args, value.keywords]
    if isinstance(value, MethodType):
        return [value.__self__]
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if _filled(cell)]
        return [value.__defaults__, value.__kwdefaults__, cells, value.__code__]
    if isinstance(value, CodeType):
        return [value.co_code.hex(), value.co_names, value.co_consts]
    if isinstance(value, type):
        return []
    return list(_settings(value))


def _settings(value: Any) -> Iterator[tuple[str, Any]]:
    """What the constructors of the object's classes take, as far as the object still has it."""
    for kind in type(value).__mro__:
        init = vars(kind).get("__init__")
        for name in list(signature(init).parameters)[1:] if isinstance(init, FunctionType) else ():
            for known in (name, f"_{name}"):
                with suppress(AttributeError, ReactlabError):
                    yield name, getattr(value, known)
                    break


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
