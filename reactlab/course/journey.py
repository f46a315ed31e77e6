"""One function on its way to a model and back, as a picture."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reactlab.course.texts import Texts
from reactlab.course.words import current
from reactlab.render import html, text
from reactlab.render.labels import labels
from reactlab.render.rows import Box, Kind, Part, Sheet
from reactlab.tools.registry import ToolRegistry
from reactlab.tools.tool import Tool, as_tool

_KINDS: dict[str, Kind] = {
    "signature": "question",
    "schema": "thought",
    "prompt": "thought",
    "call": "action",
    "text": "observation",
}


class Journey:
    """Five boxes, one for each form that a function takes on its way to a model and back.

    `given` is what a model wrote between the brackets, or a mapping of arguments. The function is
    really called. `str()` is the version in text.
    """

    def __init__(self, func: Any, given: Any) -> None:
        tool = as_tool(func)
        words = Texts("04")["journey"]
        forms = dict(zip(_KINDS, _forms(tool, given), strict=True))
        parts = [
            Part(f"{number} · {words[key][0]}", (Box(_KINDS[key], words[key][1], form),))
            for number, (key, form) in enumerate(forms.items(), 1)
        ]
        named = replace(labels(current()), trace=words["name"])
        self.sheet = Sheet(named, (), tuple(parts), ())

    def __repr__(self) -> str:
        return text.text(self.sheet).strip()

    def _repr_html_(self) -> str:
        return html.html(self.sheet)


def _forms(tool: Tool, given: Any) -> tuple[str, str, str, str, str]:
    """The five texts, in order."""
    registry = ToolRegistry([tool])
    result = tool.run(given, language=current())
    written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    bound = "".join(f"\n  {name} = {value!r}" for name, value in (result.arguments or {}).items())
    return (
        _signature(tool),
        _schema(tool.parameters or {}),
        registry.to_prompt(language=current()),
        f"{tool.name}[{written}]{bound}",
        str(result.observation),
    )


def _schema(parameters: Mapping[str, Any]) -> str:
    """A JSON Schema with one property a line."""
    rest = {key: value for key, value in parameters.items() if key != "properties"}
    parts = (
        f"  {json.dumps(name, ensure_ascii=False)}: {json.dumps(part, ensure_ascii=False)}"
        for name, part in parameters.get("properties", {}).items()
    )
    head = json.dumps(rest, ensure_ascii=False)[:-1]
    return f'{head},\n"properties": {{\n' + ",\n".join(parts) + "\n}}"


def _signature(tool: Tool) -> str:
    """The head of the function as it was written, as far as Python can tell."""
    name = getattr(tool.func, "__name__", tool.name)
    try:
        return f"{name}{inspect.signature(tool.func)}"
    except (ValueError, TypeError):
        return f"{name}(…)"


def journey(func: Any, given: Any) -> Journey:
    """The way of one call through a function or tool, as a picture with a text version."""
    return Journey(func, given)
