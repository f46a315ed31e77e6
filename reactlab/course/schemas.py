"""Whether two JSON schemas of a function's parameters say the same, however they are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactlab.errors import ToolDefinitionError
from reactlab.tools.schema import Parameters


def same_schema(got: Any, wanted: Any) -> bool:
    """Whether two schemas take the same arguments; whether null is named does not matter."""
    return isinstance(got, Mapping) and _read(got) == _read(wanted)


def _read(schema: Mapping[str, Any]) -> tuple[str, Any]:
    """What it is, and the forms and "must be given" of every parameter, as agents read them."""
    if "function" in schema:
        return "tool", _read(schema["function"]["parameters"])
    if "properties" not in schema and schema.get("type") != "object":
        return "properties", _read({"type": "object", "properties": schema})
    needed = list(schema.get("required", ()))
    try:
        items = Parameters(lambda **more: None, {"type": "?", **schema, "required": needed}).items
    except ToolDefinitionError as error:
        raise ValueError(str(error)) from None
    return "schema", {
        i.name: (frozenset(i.type.split(" | ")) - {"null"}, i.required) for i in items
    }
