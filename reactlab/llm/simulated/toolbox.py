"""Which of the described tools is good for what, by their descriptions alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from reactlab.llm.simulated.reading import ToolSpec
from reactlab.llm.simulated.tables import rows


class Toolbox:
    """The tools of a request, by role: search, lookup, calculator, and all others."""

    def __init__(self, tools: Iterable[ToolSpec]) -> None:
        self.all = tuple(tools)

    @cached_property
    def _roles(self) -> dict[str, ToolSpec]:
        found: dict[str, ToolSpec] = {}
        for role, must, never in rows("toolroles"):
            for tool in self.all:
                text = f"{tool.name} {tool.about}"
                fits = re.search(must, text, re.I) and not (never and re.search(never, text, re.I))
                required = [p for p in tool.params if p.required]
                if fits and len(required) <= 1 and role not in found and tool not in found.values():
                    found[role] = tool
        return found

    def role_words(self, role: str) -> tuple[str, ...]:
        """The words of a tool's name and description by which it got its role."""
        tool = self._roles.get(role)
        if tool is None:
            return ()
        known = {
            w
            for r, must, _ in rows("toolroles")
            if r == role
            for w in re.findall(r"[a-z]{4,}|[\u4e00-\u9fff]{1,}", must)
        }
        text = f"{tool.name} {tool.about}".lower()
        return tuple(sorted(w for w in known if w in text))

    @property
    def search(self) -> ToolSpec | None:
        """The tool that finds pages about anything."""
        return self._roles.get("search")

    @property
    def lookup(self) -> ToolSpec | None:
        """The tool that finds a word on the open page."""
        return self._roles.get("lookup")

    @property
    def calculator(self) -> ToolSpec | None:
        """The tool that works out a sum."""
        return self._roles.get("calculator")

    @property
    def special(self) -> tuple[ToolSpec, ...]:
        """Every other tool."""
        return tuple(tool for tool in self.all if tool not in self._roles.values())
