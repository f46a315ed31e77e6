"""A program that pauses: the two things it asks for, a driver, and the talk of both."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from reactlab import effects
from reactlab.course.table import table
from reactlab.course.words import Both, current
from reactlab.drivers import drive as drive_in_package
from reactlab.llm.protocol import as_llm
from reactlab.render.html import shown
from reactlab.render.rows import clean, one_line
from reactlab.tools.registry import ToolRegistry
from reactlab.trace import Trace
from reactlab.types import Message, Request, ToolCall

_NUMBER = '<span style="white-space:nowrap">{}</span>'
_WIDTH = 100  # characters of an effect or a result that the picture shows


@dataclass(frozen=True)
class Ask:
    """Somebody has to answer this prompt; the result is the reply, a text."""

    prompt: str


@dataclass(frozen=True)
class Use:
    """Somebody has to use this tool; the result is the observation, a text."""

    name: str
    text: Any


class Event(NamedTuple):
    """One line of a record: what a program asked for, and what it was sent."""

    effect: Ask | Use
    result: str


Paused = Generator[Any, Any, Any]


def drive(program: Paused, llm: Callable[[str], str], tools: Mapping[str, Any]) -> Any:
    """Run a program of these two effects with the package's own driver; returns its result.

    Raises `ProgramError` for a forgotten `yield from`, and what else the package's driver raises.
    """
    return drive_in_package(_as_effects(program, as_llm(llm), ToolRegistry(tools)), Trace(""))


def _as_effects(program: Paused, llm: Any, tools: ToolRegistry) -> effects.Program[Any]:
    """The same program in the effects of the package."""
    result: Any = None
    while True:
        try:
            effect = program.send(result)
        except StopIteration as done:
            return done.value
        match effect:
            case Ask(prompt):
                completion = yield effects.Ask(llm, Request((Message("user", prompt),)))
                result = completion.text
            case Use(name, text):
                result = str((yield effects.Use(tools, ToolCall(name, text))))
            case other:
                result = yield other  # the package's driver says what it is


class Dialogue:
    """A record as two lanes, program and driver: each line hands the turn to the other."""

    def __init__(self, record: Iterable[Event]) -> None:
        self.turns = [turn for effect, result in record for turn in _turns(effect, result)]

    def __repr__(self) -> str:
        names = (str(_PROGRAM), str(_DRIVER))
        lines = [
            f"{n}. {names[lane]}{_COLON}{text}" for n, (lane, text) in enumerate(self.turns, 1)
        ]
        return clean("\n".join(lines))

    def _repr_html_(self) -> str:
        head = ("", str(_PROGRAM), "", str(_DRIVER))
        rows = (
            (_NUMBER.format(n), *((shown(text), "→", "") if lane == 0 else ("", "←", shown(text))))
            for n, (lane, text) in enumerate(self.turns, 1)
        )
        return f'<div lang="{current()}">{table(head, rows)}</div>'


def dialogue(record: Iterable[Event]) -> Dialogue:
    """The talk between a program and its driver, from a record of (effect, result)."""
    return Dialogue(record)


def _turns(effect: Ask | Use, result: str) -> list[tuple[int, str]]:
    asked = (
        f"Use {effect.name}[{effect.text}]"
        if isinstance(effect, Use)
        else _ASKS.format(len(effect.prompt))
    )
    return [(0, f"yield {asked}"), (1, f"send “{one_line(str(result), _WIDTH)}”")]


_COLON = Both(": ", "：")
_PROGRAM = Both("program", "程序")
_DRIVER = Both("driver", "驱动函数")
_ASKS = Both("Ask (a prompt of {} characters)", "Ask（提示词，{} 个字符）")
