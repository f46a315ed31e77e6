"""Tools as a request describes them: in lines of a prompt, or as function schemas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from reactlab.names import clean_name

from .tables import cue

_NAMES = re.compile(r"(?:tools?|工具)[^\n:：]{0,40}[:：][ \t]*([^\n]+)", re.IGNORECASE)
_TYPES = {"int": "integer", "float": "number", "str": "string", "bool": "boolean", "list": "array"}
_TYPE = re.compile(r"\b(integer|number|string|boolean|array|object|int|float|str|bool|list)\b")


class Param(NamedTuple):
    """One parameter of a tool: its JSON type ("string" where unknown), choices and description."""

    name: str
    type: str = "string"
    about: str = ""
    required: bool = True
    choices: tuple[str, ...] = ()


class Tool(NamedTuple):
    """A tool as it was described."""

    name: str
    about: str
    params: tuple[Param, ...] = ()

    @property
    def needed(self) -> list[Param]:
        """The parameters that have to be given."""
        return [param for param in self.params if param.required]

    @property
    def described(self) -> str:
        """Name, description and parameters as one text of plain words."""
        params = " ".join(spelled(param.name) for param in self.params)
        return f"{spelled(self.name)}. {self.about} {params}"

    @property
    def reads(self) -> bool:
        """Whether it only looks at something, by its name or the start of its description."""
        return any(cue("reads").match(text) for text in (spelled(self.name), self.about))

    @property
    def changes(self) -> bool:
        """Whether it does something to the world rather than read from it."""
        return not self.reads and bool(cue("writes").search(f"{spelled(self.name)} {self.about}"))


def spelled(name: str) -> str:
    """`orderId` and `order_id` as `order id`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " ")


def from_prompt(head: str) -> tuple[Tool, ...]:
    """The tools of a prompt: one a line with a description, else a list of names."""
    found: dict[str, Tool] = {}
    for match in cue("tool_line").finditer(head):
        listed = match[0].lstrip()[:1] in "-*•0123456789" or match["form"]
        if listed and not cue("marker").match(match["name"]):
            given = match["params"] or (match["form"] or "")[1:-1]
            name = match["name"].strip()
            found.setdefault(clean_name(name), Tool(name, match["text"].strip(), _params(given)))
    if not found and (listed_names := _NAMES.search(head)):
        for name in re.split(r"[,，、;]|\band\b|和", listed_names[1]):
            bare = re.sub(r"[\[(].*", "", name).strip(" .。`*\"'")
            if re.fullmatch(r"\w{2,40}", bare):
                found[clean_name(bare)] = Tool(bare, "")
    return tuple(found.values())


def _params(text: str) -> tuple[Param, ...]:
    return tuple(_param(match[1], match[2].strip()) for match in cue("param").finditer(text))


def _param(name: str, rest: str) -> Param:
    kind = _TYPE.search(rest)
    word = kind[1] if kind else "string"
    choices = re.findall(r"[\"']([^\"']+)[\"']", rest) if "one of" in rest or "|" in rest else []
    optional = re.search(r"optional|default|=|可选|默认", rest)
    return Param(name, _TYPES.get(word, word), rest, not optional, tuple(choices))


def from_schema(schema: Mapping[str, Any]) -> Tool | None:
    """A tool from an OpenAI function schema; None for what is none."""
    function = schema.get("function", schema)
    if not isinstance(function, Mapping) or not function.get("name"):
        return None
    given = _mapping(function.get("parameters"))
    required = given.get("required") or ()
    params = [
        _schema_param(str(name), _mapping(spec), str(name) in required)
        for name, spec in _mapping(given.get("properties")).items()
    ]
    return Tool(str(function["name"]), str(function.get("description") or ""), tuple(params))


def _schema_param(name: str, spec: Mapping[str, Any], required: bool) -> Param:
    options = [spec, *(spec["anyOf"] if isinstance(spec.get("anyOf"), list) else [])]
    kinds = [_mapping(option).get("type") for option in options]
    kind = next((k for k in kinds if isinstance(k, str) and k != "null"), "string")
    enum = spec.get("enum")
    choices = enum if isinstance(enum, list) else []
    return Param(name, kind, str(spec.get("description") or ""), required, tuple(map(str, choices)))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
