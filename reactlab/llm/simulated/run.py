"""One run of thought: the plan as ordinary code, run again from the start for each request."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from reactlab.names import clean_name

from .compute import in_the_head
from .described import Tool
from .followup import whole
from .memory import recall
from .reading import Reading, Seen, dumps
from .tables import phrases, rows
from .text import capital, one_line

MOST_ACTIONS = 8


class Move(NamedTuple):
    """What the model does next: one call, or an answer, each with its thought."""

    thought: str
    answer: str = ""
    tool: Tool | None = None
    args: Mapping[str, Any] = {}


class NeedAction(Exception):
    """The plan cannot go on before this move is made."""

    def __init__(self, move: Move) -> None:
        super().__init__(move.thought)
        self.move = move


class Run:
    """What a plan works with: the reading, the tools by role, and the observations so far."""

    def __init__(self, reading: Reading, rng: random.Random | None = None) -> None:
        question = whole(reading.question, reading.lang, reading.turns)
        self.reading = reading._replace(question=question)
        self.rng, self.lang = rng, reading.lang
        self.roles = _roles(reading.tools)
        self.special = [t for t in reading.tools if t not in self.roles.values()]
        self.found = ""  # what the last step told, for the next thought
        self.lacking = (-1, "")  # of things named side by side: how many were found, and the next
        self.used: list[Seen] = []
        self.log: list[tuple[str, str]] = []  # what was considered, for `explain`
        self._page = -1  # the step in which the page was opened that lookups read in

    def say(self, what: str, /, **slots: object) -> str:
        """A sentence in the request's language; one of several wordings where it samples."""
        choices = phrases(what, self.lang)
        chosen = self.rng.choice(choices) if self.rng else choices[0]
        return re.sub(r"\{(\w+)\}", lambda m: one_line(slots.get(m[1], "")), chosen).strip()

    def call(self, tool: Tool, args: Mapping[str, Any], why: str, **slots: object) -> str:
        """The observation of this call; "" when nothing more may be asked."""
        for at, step in enumerate(self.reading.steps):
            if step.observation is not None and _same(tool, args, step) and self._fits(tool, at):
                self.used.append(step)
                self._page = at if tool == self.roles.get("search") else self._page
                return step.observation
        spent = sum(bool(step.tool) for step in self.reading.steps)
        if spent >= (1 if self.reading.once else MOST_ACTIONS) or not self._fits(tool, 10**6):
            return ""
        query = ", ".join(str(value) for value in args.values())
        said = self.say(why, tool=tool.name, query=query, **slots)
        glue = "" if self.lang == "zh" else " "
        raise NeedAction(Move(capital(f"{self.found}{glue}{said}".strip()), "", tool, args))

    def _fits(self, tool: Tool, at: int) -> bool:
        """Whether a step may answer the call: a lookup reads in the page that was open then."""
        search = self.roles.get("search")
        if tool != self.roles.get("lookup") or search is None:
            return True
        opened = [n for n, s in enumerate(self.reading.steps[:at]) if _is(search, s)]
        return bool(opened) and opened[-1] == self._page

    def search(self, query: str, why: str = "search", **slots: object) -> str:
        """Use the search tool, or the memory where there is none."""
        tool = self.roles.get("search")
        if tool is None:
            return recall(query, self.lang, self.rng)
        if why == "search" and self.found:
            why = "next"
        elif why == "part" and not self.found:
            why = "start"
        return self.call(tool, {_only(tool): query}, why, **slots)

    def lookup(self, key: str, subject: str) -> str:
        """Use the tool that looks for a word on the open page."""
        tool = self.roles.get("lookup")
        return self.call(tool, {_only(tool): key}, "lookup", subject=subject) if tool else ""

    def compute(self, expression: str) -> str:
        """Use the calculator, or the head where there is none."""
        tool = self.roles.get("calculator")
        if tool is None:
            return in_the_head(expression)
        found = self.call(tool, {_only(tool): expression}, "compute")
        number = re.search(r"-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?", found)
        return number[0].replace(",", "") if number else ""


def _roles(tools: tuple[Tool, ...]) -> dict[str, Tool]:
    """The tools that search, look up and calculate, by their names and descriptions."""
    found: dict[str, Tool] = {}
    for role, must, never in rows("toolroles"):
        for tool in tools:
            text = f"{tool.name} {tool.about}"
            fits = _holds(must, text) and not (never and _holds(never, text))
            if fits and len(tool.needed) <= 1 and role not in found and tool not in found.values():
                found[role] = tool
    return found


@lru_cache(maxsize=512)
def _holds(pattern: str, text: str) -> bool:
    """Remembered: the same long descriptions stand in every request."""
    return re.search(pattern, text, re.IGNORECASE) is not None


def _is(tool: Tool, step: Seen) -> bool:
    return clean_name(tool.name) == clean_name(step.tool)


def _only(tool: Tool) -> str:
    names = [param.name for param in [*tool.needed, *tool.params]]
    return names[0] if names else "input"


def _canonical(args: object) -> str:
    """Arguments in a form in which equal calls are equal, whatever the dialect."""
    if isinstance(args, str) and args.lstrip().startswith("{"):
        with suppress(ValueError, RecursionError):
            args = json.loads(args)
    if isinstance(args, Mapping) and len(args) == 1:
        args = next(iter(args.values()))
    if isinstance(args, Mapping):
        return dumps({key: str(args[key]) for key in sorted(args)}).casefold()
    return str(args).strip().strip("\"'“”").casefold()


def _same(tool: Tool, args: Mapping[str, Any], step: Seen) -> bool:
    if not _is(tool, step):
        return False
    mine, given = _canonical(args), _canonical(step.args)
    if given.endswith("…"):
        return mine.startswith(given[:-1]) or dumps(dict(args)).casefold().startswith(given[:-1])
    return mine == given
