"""One run of thought: the plan as ordinary code, run again from the start for each request."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reactlab.llm.simulated.memory import recall
from reactlab.llm.simulated.reading import Reading, Seen, ToolSpec, dumps
from reactlab.llm.simulated.tables import phrases
from reactlab.llm.simulated.toolbox import Toolbox
from reactlab.names import clean_name

MOST_ACTIONS = 8


@dataclass(frozen=True)
class Move:
    """What the model does next: one call, or an answer, each with its thought."""

    thought: str
    tool: ToolSpec | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    answer: str = ""


class NeedAction(Exception):
    """The plan cannot go on before this move is made."""

    def __init__(self, move: Move) -> None:
        super().__init__(move.thought)
        self.move = move


class Run:
    """What a plan works with: the reading, the tools, and the observations that were made."""

    def __init__(self, reading: Reading, rng: random.Random | None = None) -> None:
        self.reading = reading
        self.tools = Toolbox(reading.tools)
        self.lang = reading.lang
        self.rng = rng
        self.notes: list[tuple[str, dict[str, str]]] = []
        self.used: list[Seen] = []
        self.considered: list[str] = []
        self.matches: list[Any] = []  # how well each special tool fitted
        self.part = 0  # 1, 2, ... while the parts of a comparison are looked up
        self._page = -1  # the step in which the page was opened that lookups read in
        self._spent = len([step for step in reading.steps if step.tool])

    def say(self, what: str, /, **slots: object) -> str:
        """A sentence in the request's language; one of several wordings where it samples."""
        choices = phrases(what, self.lang)
        chosen = self.rng.choice(choices) if self.rng else choices[0]
        return _fill(chosen, slots).strip()

    def note(self, what: str, /, **slots: str) -> None:
        """Remember what the next thought should mention."""
        self.notes.append((what, slots))

    def call(self, tool: ToolSpec, args: Mapping[str, Any], why: str, **slots: object) -> str:
        """The observation of this call; "" when nothing more may be asked."""
        for at in self._readable(tool):
            step = self.reading.steps[at]
            if step.observation is not None and _same(tool, args, step):
                self.used.append(step)
                self._page = at if tool == self.tools.search else self._page
                return step.observation
        if tool == self.tools.lookup and self._page != self._last_search():
            return ""  # another page is open by now
        if self._spent >= (1 if self.reading.once else MOST_ACTIONS):
            return ""
        query = ", ".join(str(value) for value in args.values())
        said = self.say(why, tool=tool.name, query=query, **slots)
        raise NeedAction(Move(self._opening() + said, tool, args))

    def _searches(self) -> list[int]:
        tool = self.tools.search
        wanted = clean_name(tool.name) if tool else ""
        return [at for at, step in enumerate(self.reading.steps) if clean_name(step.tool) == wanted]

    def _last_search(self) -> int:
        return (self._searches() or [-1])[-1]

    def _readable(self, tool: ToolSpec) -> range:
        """The steps that may answer this call: lookups count for the page that was open then."""
        if tool != self.tools.lookup:
            return range(len(self.reading.steps))
        later = [at for at in self._searches() if at > self._page]
        return range(self._page + 1, later[0] if later else len(self.reading.steps))

    def search(self, query: str, why: str, **slots: object) -> str:
        """Use the search tool."""
        tool = self.tools.search
        if tool is None:
            return recall(query, self.lang, self.rng)
        if self.part and why == "search":
            why = "first_part" if self.part == 1 else "next_part"
        return self.call(tool, {_only(tool, "query"): query}, why, **slots)

    def lookup(self, key: str, **slots: object) -> str:
        """Use the tool that looks for a word on the open page."""
        tool = self.tools.lookup
        return self.call(tool, {_only(tool, "keyword"): key}, "lookup", **slots) if tool else ""

    def compute(self, expression: str) -> str:
        """Use the calculator, or the head where there is none."""
        from reactlab.llm.simulated.compute import in_the_head

        tool = self.tools.calculator
        if tool is None:
            return in_the_head(expression)
        found = self.call(tool, {_only(tool, "expression"): expression}, "compute")
        number = re.search(r"-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?", found)
        return number[0].replace(",", "") if number else ""

    def _opening(self) -> str:
        """What was found out just before, so that the thought says why it goes on."""
        bridged = [slots for what, slots in self.notes if what == "bridged"]
        return _capital(self.say("bridged", **bridged[-1])) + " " if bridged else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _fill(template: str, slots: Mapping[str, object]) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: _line(str(slots.get(m[1], ""))), template)


def _line(text: str) -> str:
    """One line, and short: a thought is no place for a page."""
    text = " ".join(text.split())
    return text if len(text) <= 300 else text[:299] + "…"


def _only(tool: ToolSpec, default: str) -> str:
    required = [param.name for param in tool.params if param.required]
    names = required or [param.name for param in tool.params]
    return names[0] if names else default


def canonical(args: object) -> tuple[str, ...]:
    """Arguments in a form in which equal calls are equal, whatever the dialect."""
    if isinstance(args, str):
        text = args.strip()
        if text.startswith("{"):
            try:
                return canonical(json.loads(text))
            except (ValueError, RecursionError):
                return (text.casefold(),)
        return (text.strip("\"'“”").casefold(),)
    if isinstance(args, Mapping):
        values = [(str(k), v if isinstance(v, str) else dumps(v)) for k, v in args.items()]
        if len(values) == 1:
            return (values[0][1].strip().strip("\"'“”").casefold(),)
        return tuple(f"{k}={v}".casefold() for k, v in sorted(values))
    return (dumps(args).casefold(),)


def _same(tool: ToolSpec, args: Mapping[str, Any], step: Seen) -> bool:
    if clean_name(tool.name) != clean_name(step.tool):
        return False
    if step.short and step.args.endswith("…"):
        return dumps(dict(args)).startswith(step.args[:-1]) or canonical(args)[0].startswith(
            step.args[:-1].casefold()
        )
    return canonical(step.args) == canonical(args)
