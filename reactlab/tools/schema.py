"""What a tool takes: its parameters, read from a function's signature or from a JSON Schema."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from reactlab.errors import ToolDefinitionError
from reactlab.tools.convert import Converter, adapter_for, checked, scalar, unchanged
from reactlab.tools.jsontypes import python_type
from reactlab.tools.parameters import Parameter, Parameters, parameter_in
from reactlab.tools.signature import from_signature

_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_EMPTY = inspect.Parameter.empty


def parameters_of(
    func: Callable[..., object], given: Mapping[str, Any] | None, *, skip: int = 0
) -> Parameters:
    """Read the parameters of `func`, or take them from `given`, a JSON Schema object.

    `skip` leaves out that many leading parameters. Raises `ToolDefinitionError` for a function
    without a readable signature, and for a schema that does not fit the function.
    """
    taken = _taken(func, given, skip)
    named = {p.name: p for p in taken if p.kind not in _VARIADIC}
    takes_more = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in taken)
    positional = tuple(
        (p.name, p.default) for p in taken if p.kind is inspect.Parameter.POSITIONAL_ONLY
    )
    if given:
        schema, items = _from_schema(given, named, takes_more)
        takes_more = takes_more and schema.get("additionalProperties") is not False
    else:
        schema, items = from_signature(func, named)
    return Parameters(schema, tuple(items), takes_more, positional)


def _taken(func: Callable[..., object], given: object, skip: int) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(func).parameters.values())[skip:]
    except (ValueError, TypeError):
        if given:
            return [inspect.Parameter("more", inspect.Parameter.VAR_KEYWORD)]
        raise ToolDefinitionError(
            f"The parameters of {func!r} cannot be read; pass parameters= or wrap it in a function."
        ) from None


def _from_schema(
    given: Mapping[str, Any], named: Mapping[str, inspect.Parameter], takes_more: bool
) -> tuple[dict[str, Any], list[Parameter]]:
    schema = _object_schema(given)
    properties = schema["properties"]
    for name in properties:
        if name not in named and not takes_more:
            raise ToolDefinitionError(
                f"parameters= describes {name!r}, but the function takes no such argument; "
                f"it takes {', '.join(named) or 'none'}."
            )
    if not isinstance(schema.get("required"), list):
        schema["required"] = [n for n in properties if n in named and named[n].default is _EMPTY]
    for name, parameter in named.items():
        if parameter.default is _EMPTY and name not in properties:
            raise ToolDefinitionError(f"parameters= leaves out {name!r}, which the function needs.")
    order = {name: place for place, name in enumerate(named)}
    names = sorted(properties, key=lambda name: order.get(name, len(order)))
    return schema, [
        parameter_in(
            name, schema, name in schema["required"], _converter_of(properties[name], schema)
        )
        for name in names
    ]


def _object_schema(given: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a JSON Schema object; its bare properties are understood as well."""
    if not isinstance(given, Mapping):
        raise ToolDefinitionError(f"parameters= must be a JSON Schema object, not {given!r}.")
    schema = copy.deepcopy(dict(given))
    if "properties" not in schema and "type" not in schema and "$ref" not in schema:
        schema = {"properties": schema}
    schema = {"type": "object", "properties": {}} | schema
    properties = schema["properties"]
    if schema["type"] != "object" or not isinstance(properties, Mapping):
        raise ToolDefinitionError('parameters= must have "type": "object" and "properties".')
    for name, part in properties.items():
        if not isinstance(part, Mapping):
            raise ToolDefinitionError(f"parameters= must describe {name!r} by a JSON Schema.")
    return schema


def _converter_of(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Converter:
    kind = python_type(schema, root)
    plain = scalar(kind)
    if plain:
        return plain[1]
    adapter = adapter_for(kind)
    return unchanged if adapter is None else checked(adapter)
