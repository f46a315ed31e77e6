"""The parameters of a tool: what each takes, and the JSON Schema that tells a model so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reactlab.names import clean_name
from reactlab.tools.convert import Converter, unchanged
from reactlab.tools.jsontypes import json_types, type_text


class Derived(dict[str, Any]):
    """A schema that was read from a signature, so that it is read again when a tool is copied."""


@dataclass(frozen=True)
class Parameter:
    """One parameter: `convert` returns a value of its type or raises `Mismatch`."""

    name: str
    type: str
    types: frozenset[str]
    required: bool
    convert: Converter
    dump: Converter | None = None

    @property
    def is_text(self) -> bool:
        """Whether any text is a value of it, or at least nothing but text is."""
        return "string" in self.types and self.types <= {"string", "null"}


@dataclass(frozen=True)
class Parameters:
    """All parameters of a tool, and the JSON Schema that tells a model about them."""

    schema: dict[str, Any]
    items: tuple[Parameter, ...]
    takes_more: bool = False
    positional: tuple[tuple[str, Any], ...] = ()
    by_name: dict[str, Parameter] = field(init=False)
    by_cleaned: dict[str, Parameter] = field(init=False)
    required: tuple[str, ...] = field(init=False)
    only_text: str | None = field(init=False)
    plain: bool = field(init=False)

    def __post_init__(self) -> None:
        one = self.items[0] if len(self.items) == 1 else None
        vars(self).update(
            by_name={item.name: item for item in self.items},
            by_cleaned={clean_name(item.name): item for item in self.items},
            required=tuple(item.name for item in self.items if item.required),
            only_text=one.name if one and one.is_text else None,
            plain=all(item.dump is None for item in self.items),
        )

    def find(self, name: str) -> Parameter | None:
        """The parameter of that name, spelled in any way that cleans to it."""
        return self.by_name.get(name) or self.by_cleaned.get(clean_name(name[:100]))

    def usage(self, name: str) -> str:
        """The call as a person would write it: `Weather(city: string, days?: integer)`."""
        inside = (f"{i.name}{'' if i.required else '?'}: {i.type}" for i in self.items)
        return f"{name}({', '.join(inside)})"

    def as_json(self, bound: Mapping[str, Any]) -> Mapping[str, Any]:
        """The bound arguments as JSON values, for the trace."""
        if self.plain:
            return bound
        dumps = {item.name: item.dump for item in self.items}
        return {key: (dumps.get(key) or unchanged)(value) for key, value in bound.items()}


def parameter_in(
    name: str,
    schema: Mapping[str, Any],
    required: bool,
    convert: Converter,
    dump: Converter | None = None,
) -> Parameter:
    """The parameter `name`, as `schema` (of all parameters) describes it."""
    part = schema["properties"][name]
    words = type_text(part, schema)
    words = words if required else words.removesuffix(" | null")
    return Parameter(name, words, json_types(part, schema), required, convert, dump)
