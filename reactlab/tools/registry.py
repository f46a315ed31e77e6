"""The tools of an agent, by name: described to the model, and run for it."""

from __future__ import annotations

import copy
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from reactlab.errors import ToolDefinitionError
from reactlab.names import clean_name
from reactlab.tools.aliases import api_names
from reactlab.tools.binding import BadArguments
from reactlab.tools.text import cut
from reactlab.tools.tool import Tool, as_tool
from reactlab.types import Observation, ToolCall, ToolResult

ToolLike = Tool | Callable[..., Any]
_BRACKETS = frozenset("[](){}<>［］（）｛｝＜＞【】")
_LONGEST_NAME = 200
_LONGEST_LIST = 4000
_OPTIONAL = {"en": " (optional)", "zh": "（可选）"}
_PARAMETERS = {"en": "Parameters: ", "zh": "参数: "}


class ToolRegistry:
    """Tools in the order in which they were registered.

    `tools` holds `Tool`s or plain functions; a mapping gives them its keys as names. Any number of
    threads may execute calls at once. Raises `ToolDefinitionError` for what `register` refuses.
    """

    def __init__(self, tools: Iterable[ToolLike] | Mapping[str, ToolLike] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        self._cleaned: dict[str, Tool] = {}
        self._made: dict[str, Any] = {}  # texts and schemas, until the next `register`
        for name, one in tools.items() if isinstance(tools, Mapping) else _unnamed(tools):
            self.register(as_tool(one, name))

    @staticmethod
    def of(
        tools: ToolRegistry | ToolLike | Iterable[ToolLike] | Mapping[str, ToolLike] | None,
    ) -> ToolRegistry:
        """A registry as it is; any iterable or mapping of tools or functions as a new one."""
        if isinstance(tools, ToolRegistry):
            return tools
        if tools is None:
            return ToolRegistry()
        return ToolRegistry(tools if isinstance(tools, Iterable) else [tools])

    def register(self, tool: ToolLike) -> Tool:
        """Add a tool, or replace the one of the same name; usable as a decorator.

        Raises `ToolDefinitionError` for a name that is empty or holds brackets or line breaks, and
        for one that equals another tool's name once both are cleaned.
        """
        new = as_tool(tool)
        if not new.name or len(new.name.splitlines()) > 1 or _BRACKETS & set(new.name):
            raise ToolDefinitionError(
                f"A tool cannot be called {new.name!r}: names are not empty and hold no brackets "
                "and no line breaks."
            )
        cleaned = clean_name(new.name)
        known = self._cleaned.get(cleaned, new)
        if known.name != new.name:
            raise ToolDefinitionError(
                f"The tools {known.name!r} and {new.name!r} could not be told apart: in names, "
                "case, blanks, dashes, underscores, quotes and outer punctuation do not count."
            )
        self._tools[new.name] = self._cleaned[cleaned] = new
        self._made = {}
        return new

    @property
    def tools(self) -> Mapping[str, Tool]:
        """All tools by name; `register` is the way to add one."""
        return MappingProxyType(self._tools)

    @property
    def names(self) -> tuple[str, ...]:
        """The registered names, in order."""
        return tuple(self._tools)

    def get(self, name: str) -> Tool | None:
        """The tool whose name, or API alias, equals `name` once both are cleaned."""
        tool = self._tools.get(name)
        if tool is not None or len(name) > _LONGEST_NAME:
            return tool
        cleaned = clean_name(name)
        found = self._cleaned.get(cleaned) or self._cleaned_aliases().get(cleaned)
        return found and self._tools[found.name]

    def bound(self, call: ToolCall) -> ToolCall | None:
        """The call with its arguments by name; None if there is no such tool or they do not fit."""
        tool = self.get(call.name)
        if tool is None:
            return None
        try:
            return ToolCall(tool.name, tool.bind(call.arguments, as_json=bool(call.id)), call.id)
        except BadArguments:
            return None

    def execute(self, call: ToolCall) -> ToolResult:
        """Run one call; whatever goes wrong is told in the observation, interrupts are raised.

        A call with an id is a function call: its arguments are a JSON object. Blocks until an
        async tool is done; see `aexecute`.
        """
        tool = self.get(call.name)
        if tool is None:
            return self._unknown(call.name)
        return tool.run(call.arguments, as_json=bool(call.id))

    async def aexecute(self, call: ToolCall) -> ToolResult:
        """The same, awaiting async tools in the running event loop; the others block it."""
        tool = self.get(call.name)
        if tool is None:
            return self._unknown(call.name)
        return await tool.arun(call.arguments, as_json=bool(call.id))

    def for_run(self) -> ToolRegistry:
        """These tools with nothing remembered yet; this object if none remembers anything."""
        if not any(tool.per_run for tool in self):
            return self
        states: dict[Callable[[], Any], Any] = {}
        own = copy.copy(self)
        own._tools, own._cleaned, own._made = {}, {}, {}
        for tool in self:
            if tool.per_run is not None:
                if tool.per_run not in states:
                    states[tool.per_run] = tool.per_run()
                tool = tool.with_state(states[tool.per_run])
            own.register(tool)
        return own

    def to_prompt(self, language: str = "en") -> str:
        """The tools as lines of a prompt, in "en" or "zh"."""
        if language not in self._made:
            self._made[language] = "\n".join(_lines(tool, language) for tool in self)
        return str(self._made[language])

    def to_openai_schema(self) -> list[dict[str, Any]]:
        """The tools in OpenAI function format; a name that the API would refuse gets an alias."""
        if "openai" not in self._made:
            aliases = api_names(self.names)
            self._made["openai"] = [_renamed(tool.to_schema(), aliases[tool.name]) for tool in self]
        return list(self._made["openai"])

    def __iter__(self) -> Iterator[Tool]:
        return iter(list(self._tools.values()))

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def __repr__(self) -> str:
        return f"ToolRegistry({', '.join(self._tools)})"

    def _cleaned_aliases(self) -> dict[str, Tool]:
        if "aliases" not in self._made:
            aliases = api_names(self.names)
            self._made["aliases"] = {clean_name(aliases[tool.name]): tool for tool in self}
        found: dict[str, Tool] = self._made["aliases"]
        return found

    def _unknown(self, name: str) -> ToolResult:
        asked = name[:100]
        cleaned = {clean_name(known): known for known in self._tools}
        close = difflib.get_close_matches(clean_name(asked), cleaned, n=1)
        hint = f" Did you mean {cleaned[close[0]]}?" if close else ""
        known = (
            f"Use one of: {', '.join(self._tools)}." if self._tools else "No tool is registered."
        )
        text = f"There is no tool called {asked!r}.{hint} {known}"
        return ToolResult(Observation(cut(text, _LONGEST_LIST), "unknown_tool"))


def _unnamed(tools: Iterable[ToolLike]) -> Iterator[tuple[None, ToolLike]]:
    for one in tools:
        yield None, one


def _lines(tool: Tool, language: str) -> str:
    """A description of several lines becomes one, so that no line of it reads as another tool."""
    line = f"- {tool.name}: {' '.join(tool.description.split())}".rstrip()
    optional = _OPTIONAL.get(language, _OPTIONAL["en"])
    parameters = ", ".join(
        f"{item.name}: {item.type}{'' if item.required else optional}" for item in tool.accepts
    )
    if not parameters:
        return line
    return f"{line}\n  {_PARAMETERS.get(language, _PARAMETERS['en'])}{parameters}"


def _renamed(schema: dict[str, Any], alias: str) -> dict[str, Any]:
    """Under an alias, the description begins with the tool's own name."""
    about = schema["function"]
    if about["name"] != alias:
        about |= {"name": alias, "description": f"{about['name']}: {about['description']}"}
    return schema
