"""A function's signature read as a JSON Schema, with converters for what a model sends."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from reactlab.tools.convert import Converter, adapter_for, checked, scalar, unchanged
from reactlab.tools.docstrings import docstring_of, parameter_texts
from reactlab.tools.hints import hints_of, split_notes
from reactlab.tools.parameters import Derived, Parameter, parameter_in

_EMPTY = inspect.Parameter.empty


def from_signature(
    func: Callable[..., object], named: Mapping[str, inspect.Parameter]
) -> tuple[dict[str, Any], list[Parameter]]:
    """The schema and the parameters of `func`, of which `named` are those that can be named."""
    hints = hints_of(func)
    texts = parameter_texts(docstring_of(func))
    readers = {name: _Reader(hints.get(name, _EMPTY)) for name in named}
    schemas, definitions = _schemas(readers)
    for name, parameter in named.items():
        if text := readers[name].description or texts.get(name):
            schemas[name].setdefault("description", text)
        if _is_plain(parameter.default):
            schemas[name].setdefault("default", parameter.default)
    required = [name for name, parameter in named.items() if parameter.default is _EMPTY]
    schema = Derived(type="object", properties=schemas, required=required)
    if definitions:
        schema["$defs"] = definitions
    return schema, [
        parameter_in(name, schema, name in required, reader.convert, reader.dump)
        for name, reader in readers.items()
    ]


class _Reader:
    """How one annotation is described (`schema`, `description`) and read (`convert`)."""

    def __init__(self, hint: Any) -> None:
        self.description = ""
        self.adapter: Any = None
        self.schema: dict[str, Any] = {"type": "string"}
        self.convert: Converter = unchanged
        self.dump: Converter | None = None
        if hint is _EMPTY:
            return
        kind, self.description = split_notes(hint)
        plain = scalar(kind)
        if plain:
            self.schema, self.convert = plain
            return
        self.schema = {}
        self.adapter = adapter_for(kind)
        if self.adapter is not None:
            self.convert = checked(self.adapter)
            self.dump = partial(_dumped, self.adapter)


def _schemas(
    readers: Mapping[str, _Reader],
) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """The schema of every parameter, and the definitions that they share."""
    found = {name: reader.schema for name, reader in readers.items()}
    adapters = [(n, "validation", r.adapter) for n, r in readers.items() if r.adapter is not None]
    if not adapters:
        return found, {}
    from pydantic import TypeAdapter

    made, shared = TypeAdapter.json_schemas(adapters)  # type: ignore[arg-type]
    for (name, _mode), schema in made.items():
        found[str(name)] = _without_titles(schema)
    return found, _without_titles(shared.get("$defs", {}))


def _without_titles(node: Any) -> Any:
    """Drop the titles that pydantic makes up from names; they only cost tokens."""
    if isinstance(node, Mapping):
        literal = ("default", "enum", "const", "examples")
        return {
            key: part if key in literal else _without_titles(part)
            for key, part in node.items()
            if not (key == "title" and isinstance(part, str))
        }
    return [_without_titles(part) for part in node] if isinstance(node, list) else node


def _is_plain(default: object) -> bool:
    if isinstance(default, float):
        return math.isfinite(default)
    return type(default) in (str, int, bool)


def _dumped(adapter: Any, value: object) -> Any:
    try:
        return adapter.dump_python(value, mode="json", warnings=False)
    except ValueError:  # something inside that pydantic cannot write
        return str(value)
