"""Whether two JSON schemas of a function's parameters, or two sets of arguments, say the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
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
    parts = schema.get("properties", {})
    return "schema", {i.name: (_form(i.type, parts[i.name]), i.required) for i in items}


def _form(words: str, part: Mapping[str, Any]) -> Any:
    """The forms of a value, of an array's items as well, whatever stands in them."""
    if "items" not in part:
        return frozenset(words.split(" | ")) - {"null"}
    return "array", _read({"type": "object", "properties": {"items": part["items"]}})


class Bound(dict[str, Any]):
    """The wanted arguments, with the defaults of what the text does not give."""

    def __init__(self, given: Mapping[str, Any], func: Callable[..., Any]) -> None:
        super().__init__(given)
        items = inspect.signature(func).parameters.values()
        self.defaults = {i.name: i.default for i in items if i.default is not i.empty}


def same_arguments(got: Any, wanted: Any) -> bool:
    """Equal arguments, where True is not 1 and 3.0 is not 3; defaults may be filled in or left out.

    Two lists are the same mistake, values without names, whatever is in them.
    """
    if isinstance(got, list) or isinstance(wanted, list):
        return type(got) is type(wanted)
    defaults = getattr(wanted, "defaults", {})
    mine, right = {**defaults, **got}, {**defaults, **wanted}
    return mine == right and all(_one_kind(mine[name], right[name]) for name in right)


def _one_kind(mine: Any, right: Any) -> bool:
    """Whether both are truth values, or both whole numbers, or neither; 3.0 is no day."""
    return all(isinstance(mine, kind) == isinstance(right, kind) for kind in (bool, int))
