"""Reading JSON Schema: what type a piece of it names, in words and as a Python type."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union

Schema = Mapping[str, Any]

NUMBER: Any = int | float
SCALARS: dict[str, Any] = {"string": str, "integer": int, "number": NUMBER, "boolean": bool}
NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_DEEPEST = 8
_LIMITS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "pattern": "pattern",
}


def resolve(schema: Schema, root: Schema) -> Schema:
    """Follow `$ref` inside `root`; {} (anything) where it leads nowhere."""
    for _ in range(_DEEPEST):
        if not isinstance(schema.get("$ref"), str):
            return schema
        target: Any = root
        for key in schema["$ref"].removeprefix("#").strip("/").split("/"):
            target = target.get(key, {}) if isinstance(target, Mapping) else {}
        schema = target if isinstance(target, Mapping) else {}
    return {}


def options(schema: Schema) -> Sequence[Schema]:
    """The alternatives that a schema lists; empty if it has just one form."""
    if isinstance(schema.get("type"), list):
        return [{**schema, "type": kind} for kind in schema["type"]]
    for key in ("anyOf", "oneOf", "allOf"):
        if key != "allOf" or len(schema.get(key, ())) == 1:
            found: Sequence[Schema] = schema.get(key, ())
            if found:
                return found
    return ()


def json_types(schema: Schema, root: Schema, depth: int = 0) -> frozenset[str]:
    """The JSON types that a value may have; {"any"} where the schema does not say."""
    schema = resolve(schema, root)
    if depth < _DEEPEST and (found := options(schema)):
        return frozenset().union(*(json_types(option, root, depth + 1) for option in found))
    values = _choices(schema)
    if values:
        return frozenset(NAMES.get(type(value), "any") for value in values)
    kind = schema.get("type")
    return frozenset({kind if isinstance(kind, str) else "any"})


def type_text(schema: Schema, root: Schema, depth: int = 0) -> str:
    """The type as a prompt and an error message write it: `array of integer`, `"c" | "f"`."""
    schema = resolve(schema, root)
    if depth >= _DEEPEST:
        return "any"
    if values := _choices(schema):
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in values)
    if found := options(schema):
        return " | ".join(dict.fromkeys(type_text(option, root, depth + 1) for option in found))
    kind = schema.get("type", "any")
    if kind == "array" and schema.get("items"):
        return f"array of {type_text(schema['items'], root, depth + 1)}"
    return f"{kind} ({schema['format']})" if "format" in schema else str(kind)


def python_type(schema: Schema, root: Schema, depth: int = 0) -> Any:
    """A Python type that pydantic checks like the schema; `Any` for what has no counterpart."""
    schema = resolve(schema, root)
    if depth > _DEEPEST:
        return Any
    if values := _choices(schema):
        return Literal[values] if all(type(value) in NAMES for value in values) else Any
    if found := options(schema):
        return Union[tuple(python_type(option, root, depth + 1) for option in found)]  # noqa: UP007
    bare = _bare_type(schema, root, depth)
    limits = {_LIMITS[key]: value for key, value in schema.items() if key in _LIMITS}
    if not limits:
        return bare
    from pydantic import Field

    return Annotated[bare, Field(**limits)]


def _bare_type(schema: Schema, root: Schema, depth: int) -> Any:
    match schema.get("type"):
        case "array":
            return list[python_type(schema.get("items") or {}, root, depth + 1)]  # type: ignore[misc]
        case "object" if schema.get("properties"):
            return _object_type(schema, root, depth)
        case "object":
            values = schema.get("additionalProperties")
            inner = values if isinstance(values, Mapping) else {}
            return dict[str, python_type(inner, root, depth + 1)]  # type: ignore[misc]
        case "null":
            return None
        case kind:
            return SCALARS.get(str(kind), Any)


def _object_type(schema: Schema, root: Schema, depth: int) -> Any:
    """An object with named members stays a plain dict, checked member by member."""
    from pydantic import ConfigDict
    from typing_extensions import NotRequired, TypedDict  # noqa: UP035  (pydantic wants these)

    required = schema.get("required", ())
    members = {
        key: kind if key in required else NotRequired[kind]
        for key, part in schema["properties"].items()
        for kind in [python_type(part, root, depth + 1)]
    }
    made = TypedDict("Object", members)  # type: ignore[misc]
    closed = schema.get("additionalProperties") is False
    config = ConfigDict(extra="forbid" if closed else "allow")
    made.__pydantic_config__ = config  # type: ignore[attr-defined]
    return made


def _choices(schema: Schema) -> tuple[Any, ...]:
    return (schema["const"],) if "const" in schema else tuple(schema.get("enum", ()))
