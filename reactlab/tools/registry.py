"""The tools of an agent, by name: described to the model, and run for it."""

from __future__ import annotations

import copy
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from reactlab.errors import ToolDefinitionError
from reactlab.names import clean_name
from reactlab.tools.binding import BadArguments
from reactlab.tools.signature import Function
from reactlab.tools.text import cut
from reactlab.tools.tool import Tool, as_tool
from reactlab.types import Observation, ToolCall, ToolResult
from reactlab.wording import known_language, say, tell

ToolLike = Tool | Function
Tools = Iterable[ToolLike] | Mapping[str, ToolLike]
_BRACKETS = frozenset("[](){}<>［］（）｛｝＜＞【】")
_LONGEST_NAME = 200
_LONGEST_LIST = 4000
_NEARLY_RIGHT = 0.8
"""How alike a name must be to be suggested: a typing error, not RemoveOrder for DeleteOrder."""
_WORDS = {"en": ("Parameters: ", " (optional)"), "zh": ("参数: ", "（可选）")}


class ToolRegistry:
    """Tools in the order in which they were registered.

    `tools` holds `Tool`s or plain functions; a mapping gives them its keys as names. Any number of
    threads may execute calls at once. `language`, "en" or "zh", is that of errors and notices,
    except of tools that have their own; None is English. Raises `ToolDefinitionError` for what
    `register` refuses.
    """

    def __init__(self, tools: Tools = (), *, language: str | None = None) -> None:
        self.language = known_language(language)
        self._tools: dict[str, Tool] = {}
        self._cleaned: dict[str, Tool] = {}
        self._made: dict[str, Any] = {}  # texts and schemas, until the next `register`
        pairs = tools.items() if isinstance(tools, Mapping) else ((None, tool) for tool in tools)
        for name, tool in pairs:
            self.register(as_tool(tool, name))

    @staticmethod
    def of(tools: ToolRegistry | ToolLike | Tools | None) -> ToolRegistry:
        """A registry as it is; any iterable or mapping of tools or functions as a new one."""
        if isinstance(tools, ToolRegistry):
            return tools
        some = tools if isinstance(tools, Iterable) else [tools] if tools else ()
        return ToolRegistry(some)

    def speaking(self, language: str) -> ToolRegistry:
        """The same tools, now and later, in this language if the registry has none of its own."""
        if self.language or language == "en":
            return self
        own = copy.copy(self)
        own.language = known_language(language)
        return own

    def register(self, tool: ToolLike) -> Tool:
        """Add a tool, or replace the one of the same name; usable as a decorator.

        Raises `ToolDefinitionError` for a name that is empty or holds brackets or line breaks, and
        for one that equals another tool's name once both are cleaned.
        """
        new = as_tool(tool)
        if not new.name or len(new.name.splitlines()) > 1 or _BRACKETS & set(new.name):
            reason = "names are not empty and hold no brackets and no line breaks"
            raise ToolDefinitionError(f"A tool cannot be called {new.name!r}: {reason}.")
        names = {clean_name(new.name), clean_name(api_name(new.name))}
        known = {self._cleaned[name].name for name in names & self._cleaned.keys()} - {new.name}
        if known:
            raise ToolDefinitionError(
                f"The tools {known.pop()!r} and {new.name!r} could not be told apart: in names, "
                "case, blanks, dashes, underscores, quotes and outer punctuation do not count."
            )
        self._tools[new.name] = new
        self._cleaned |= dict.fromkeys(names, new)
        self._made.clear()
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
        return self._cleaned.get(clean_name(name))

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
        return tool.run(call.arguments, as_json=bool(call.id), language=self.language)

    async def aexecute(self, call: ToolCall) -> ToolResult:
        """The same, awaiting async tools in the running event loop; the others block it."""
        tool = self.get(call.name)
        if tool is None:
            return self._unknown(call.name)
        return await tool.arun(call.arguments, as_json=bool(call.id), language=self.language)

    def for_run(self) -> ToolRegistry:
        """These tools with nothing remembered yet; this object if none remembers anything."""
        states = {make: make() for make in dict.fromkeys(tool.per_run for tool in self) if make}
        if not states:
            return self
        own = copy.copy(self)
        own._tools, own._cleaned, own._made = {}, {}, {}
        for tool in self:
            own.register(tool.with_state(states[tool.per_run]) if tool.per_run else tool)
        return own

    def to_prompt(self, language: str = "en") -> str:
        """The tools as lines of a prompt, in "en" or "zh"."""
        if language not in self._made:
            self._made[language] = "\n".join(_lines(tool, language) for tool in self)
        return str(self._made[language])

    def to_openai_schema(self) -> list[dict[str, Any]]:
        """The tools in OpenAI function format; a name that the API would refuse gets an alias."""
        if "openai" not in self._made:
            self._made["openai"] = [_under_api_name(tool.to_schema()) for tool in self]
        return list(self._made["openai"])

    def __iter__(self) -> Iterator[Tool]:
        return iter(list(self._tools.values()))

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def __repr__(self) -> str:
        return f"ToolRegistry({', '.join(self._tools)})"

    def _unknown(self, name: str) -> ToolResult:
        from difflib import get_close_matches

        cleaned = {clean_name(known): known for known in self._tools}
        close = get_close_matches(clean_name(name[:100]), cleaned, n=1, cutoff=_NEARLY_RIGHT)
        hint = say(" Did you mean {name}?", name=cleaned[close[0]]) if close else ""
        known = say("Use one of: {names}.", names=", ".join(self._tools))
        known = known if cleaned else say("No tool is registered.")
        told = "There is no tool called {name!r}.{hint} {known}"
        text = tell(say(told, name=name[:100], hint=hint, known=known), self.language)
        return ToolResult(Observation(cut(text, _LONGEST_LIST, self.language), "unknown_tool"))


def api_name(name: str) -> str:
    """The name if the function-calling API accepts it, else an ASCII alias made from it alone."""
    if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name):
        return name
    readable = re.sub(r"[^a-zA-Z0-9]+", "_", name).strip("_")[:50] or "tool"
    return f"{readable}_{zlib.crc32(name.encode()):08x}"


def _under_api_name(schema: dict[str, Any]) -> dict[str, Any]:
    """Under an alias, the description begins with the tool's own name."""
    about = schema["function"]
    alias = api_name(about["name"])
    if about["name"] != alias:
        about |= {"name": alias, "description": f"{about['name']}: {about['description']}"}
    return schema


def _lines(tool: Tool, language: str) -> str:
    """A description of several lines becomes one, so that no line of it reads as another tool."""
    line = f"- {tool.name}: {' '.join(tool.description.split())}".rstrip()
    heading, optional = _WORDS.get(language, _WORDS["en"])
    parameters = ", ".join(
        f"{item.name}: {item.type}{'' if item.required else optional}" for item in tool.accepts
    )
    return f"{line}\n  {heading}{parameters}" if parameters else line
