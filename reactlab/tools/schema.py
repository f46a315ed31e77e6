"""What a tool takes, as a JSON Schema and a validator: from a signature, or from a schema."""

from __future__ import annotations

import copy
import inspect
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import NoneType
from typing import Annotated, Any, Literal, Union

from pydantic import TypeAdapter, WithJsonSchema
from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import NotRequired, TypedDict  # noqa: UP035  (pydantic wants these)

from reactlab.errors import ToolDefinitionError
from reactlab.names import clean_name
from reactlab.tools.signature import Function, parameter_texts, parameters_in

Schema = Mapping[str, Any]
Named = Mapping[str, inspect.Parameter]
_EMPTY, _MORE = inspect.Parameter.empty, inspect.Parameter.VAR_KEYWORD
_CONFIG = dict.fromkeys(("coerce_numbers_to_str", "arbitrary_types_allowed"), True)
_CONFIG |= {"allow_inf_nan": False}
_UNTYPED = Annotated[Any, WithJsonSchema({"type": "string"})]
_TYPES: dict[str, Any] = {"string": str, "integer": int, "number": int | float, "boolean": bool}
_TYPES |= {"object": dict[str, Any], "null": None}
_KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


class Derived(dict[str, Any]):
    """A schema that was read from a signature, so that it is read again when a tool is copied."""


@dataclass(frozen=True)
class Parameter:
    """One parameter: its type in words, and the JSON types that a value of it may have."""

    name: str
    type: str
    kinds: frozenset[str]
    required: bool

    @cached_property
    def is_text(self) -> bool:
        """Whether nothing but text is a value of it."""
        return self.kinds <= {"string", "null"}


class Parameters:
    """All parameters of a tool, in the order in which positional text is bound to them.

    They are read from the signature of `func`, without the first `skip`, or from `given`, a JSON
    Schema object. `validate` returns a mapping's values converted to their types, or raises a
    `ValidationError`. `positional` are those that cannot be passed by name. Raises
    `ToolDefinitionError` for a signature that cannot be read or that `given` does not fit.
    """

    def __init__(self, func: Function, given: Schema | None, *, skip: int = 0) -> None:
        taken = parameters_in(func, otherwise=[inspect.Parameter("more", _MORE)] * bool(given))
        more = any(p.kind is _MORE for p in taken)
        named = {p.name: p for p in taken[skip:] if p.kind not in (_MORE, p.VAR_POSITIONAL)}
        needed = [name for name, parameter in named.items() if parameter.default is _EMPTY]
        if given:
            self.schema = _object_schema(given, named, needed, more)
            types = {n: _read(p, self.schema)[1] for n, p in self.schema["properties"].items()}
            more = more and self.schema.get("additionalProperties") is not False
            checker = _checker(types, self.schema["required"], more)
        else:
            types = {
                n: _UNTYPED if p.annotation is _EMPTY else p.annotation for n, p in named.items()
            }
            checker = _checker(types, needed, more)
            self.schema = _described(checker, named, parameter_texts(func, named))
        self.validate = checker.validator.validate_python
        order = [*named, *self.schema["properties"]]
        names = sorted(self.schema["properties"], key=order.index)
        self.items = tuple(_parameter(name, self.schema) for name in names)
        self.required = bool(self.schema["required"])
        self.positional = [p for p in named.values() if p.kind is p.POSITIONAL_ONLY]
        self._by_name = {clean_name(i.name): i for i in self.items} | {
            i.name: i for i in self.items
        }

    def find(self, name: str) -> Parameter | None:
        """The parameter of that name, spelled in any way that cleans to it."""
        return self._by_name.get(name) or self._by_name.get(clean_name(name[:100]))

    def usage(self, name: str) -> str:
        """The call as a person would write it: `Weather(city: string, days?: integer)`."""
        inside = (f"{i.name}{'' if i.required else '?'}: {i.type}" for i in self.items)
        return f"{name}({', '.join(inside)})"


def _checker(types: Schema, required: Iterable[str], more: bool) -> TypeAdapter[Any]:
    """Checks a dict member by member; those that are not required may be left out."""
    members = {key: t if key in required else NotRequired[t] for key, t in types.items()}
    made = TypedDict("Arguments", members)  # type: ignore[misc]
    extra = {"extra": "allow" if more else "forbid"}
    made.__pydantic_config__ = _CONFIG | extra  # type: ignore[attr-defined]
    try:
        return TypeAdapter(made)
    except (PydanticUserError, NameError, TypeError, ValueError) as error:
        raise ToolDefinitionError(f"The parameters' types cannot be checked: {error}") from None


class _Lenient(GenerateJsonSchema):
    """Types that JSON cannot carry are described as anything."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> dict[str, Any]:
        return {}


def _described(checker: TypeAdapter[Any], named: Named, texts: Mapping[str, str]) -> Derived:
    made = _without_titles(checker.json_schema(schema_generator=_Lenient))
    schema = Derived({"type": "object", "properties": {}, "required": []} | made)
    schema.pop("additionalProperties", None)
    for name, part in schema["properties"].items():
        notes = getattr(named[name].annotation, "__metadata__", ())
        if text := " ".join(n for n in notes if isinstance(n, str)) or texts.get(name):
            part.setdefault("description", text)
        default = named[name].default
        if isinstance(default, str | int) or (type(default) is float and math.isfinite(default)):
            part.setdefault("default", default)
    return schema


def _without_titles(node: Any) -> Any:
    """Drop the titles that pydantic makes up from names; they only cost tokens."""
    if isinstance(node, dict):
        made_up = {"title"} if isinstance(node.get("title"), str) else set()
        return {key: _without_titles(node[key]) for key in node if key not in made_up}
    return [_without_titles(part) for part in node] if isinstance(node, list) else node


def _object_schema(given: Any, named: Named, needed: list[str], more: bool) -> dict[str, Any]:
    """A copy of a JSON Schema object, or of its bare properties, with a `required` list."""
    try:
        bare = not given.keys() & {"type", "properties"}
        schema = copy.deepcopy({"properties": given} if bare else dict(given))
        schema = {"type": "object", "properties": {}} | schema
        parts = {name: dict(part) for name, part in schema["properties"].items()}
    except (ValueError, TypeError, AttributeError):
        schema, parts = {"type": None}, {}
    missing = [name for name in needed if name not in parts]
    unknown = [name for name in parts if name not in named and not more]
    if missing or unknown or schema["type"] != "object":
        raise ToolDefinitionError(
            'parameters= must be like {"type": "object", "properties": {name: {...}}}, with what '
            f"the function takes ({', '.join(named) or 'nothing'}) as names; it is {given!r}."
        )
    if not isinstance(schema.get("required"), list):
        schema["required"] = [name for name in parts if name in needed]
    return schema


def _parameter(name: str, schema: Schema) -> Parameter:
    words, _ = _read(schema["properties"][name], schema)
    required = name in schema["required"]
    shown = " | ".join(word for word in words if required or word != "null")
    return Parameter(name, shown, frozenset(words.values()), required)


def _forms(part: Schema, root: Schema) -> list[Schema]:
    """The alternatives that a schema allows, with references followed."""
    if "$ref" in part:
        name = str(part["$ref"]).rpartition("/")[2]
        return _forms(root.get("$defs", {}).get(name, {}), root)
    for key in ("anyOf", "oneOf", "allOf"):
        if part.get(key):
            return [form for option in part[key] for form in _forms(option, root)]
    kinds = part.get("type")
    return [{**part, "type": kind} for kind in kinds] if isinstance(kinds, list) else [part]


def _read(part: Schema, root: Schema) -> tuple[dict[str, str], Any]:
    """How a prompt writes each form of a schema, with its JSON type; and a Python type for all.

    Members of objects and limits of numbers and texts are left to the function.
    """
    words: dict[str, str] = {}
    types: list[Any] = []
    for form in _forms(part, root):
        kind, items = form.get("type", "any"), form.get("items")
        inner = " | ".join(str(i.get("type", "any")) for i in _forms(items, root)) if items else ""
        choices = (form["const"],) if "const" in form else tuple(form.get("enum", ()))
        for value in choices:
            words[json.dumps(value, ensure_ascii=False)] = _KINDS.get(type(value), "any")
        if choices:
            literal = all(type(value) in _KINDS for value in choices)
            types.append(Literal[choices] if literal else Any)
        else:
            words[f"{kind} of {inner}" if inner else kind] = kind
            types.append(list[_TYPES.get(inner, Any)] if kind == "array" else _TYPES.get(kind, Any))  # type: ignore[misc]
    return words, Union[tuple(types)]  # noqa: UP007
