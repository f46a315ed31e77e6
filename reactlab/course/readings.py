"""What a parser made of a reply, whoever wrote the parser and whatever it returns."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any

from reactlab.course.exercises import Raised, Stumble, TooMany, attempt
from reactlab.course.texts import Texts
from reactlab.course.words import shown
from reactlab.errors import ParseError
from reactlab.render.rows import one_line
from reactlab.types import Decision

say = Texts("03")
Parser = Callable[..., Any]
MAX_LINES = 100_000  # of Python, for one reply; the longest honest parser needs a few thousand

_TOOL = ("tool", "action", "name")
_INPUT = ("input", "action_input", "arguments")
_ANSWER = ("answer", "final", "content")


@dataclass(frozen=True)
class Reading:
    """A step: a tool with its input, or an answer, and the thought before it."""

    tool: str = ""
    input: Any = ""
    answer: Any = None
    thought: str = ""

    def __str__(self) -> str:
        if self.answer is not None:
            return say("as_answer", one_line(str(self.answer), 120))
        return f"{self.tool}[{one_line(str(self.input), 120)}]"


def read(parser: Parser, text: str, tools: Sequence[str] = ()) -> Reading | None:
    """What a parser makes of a reply, or None where it refuses: None, ValueError, ParseError.

    A parser with a parameter `tools` is told their names. Raises `Stumble` for any other error and
    for a result that is no step, `TooMany` for a parser that never ends, `NotDone` for a stub.
    """
    given = {"tools": list(tools)} if _wants_tools(parser) else {}
    case = one_line(text, 60)
    try:
        with _at_most(MAX_LINES):
            made = attempt(case, partial(parser, text, **given) if callable(parser) else parser)
    except Raised as raised:
        if isinstance(raised.error, ValueError | ParseError):
            return None
        raise
    return reading_of(made)


def reading_of(made: Any) -> Reading | None:
    """Any of the forms a parser may return, as a reading; raises `Stumble` for all others.

    A dict or object with `answer`, or with `tool` and `input` (also `action`, `arguments`, ...); a
    tuple (tool, input) or (thought, tool, input); a `Decision`; None.
    """
    if made is None:
        return None
    if isinstance(made, tuple) and len(made) in (2, 3) and not hasattr(made, "_fields"):
        thought, tool, given = ("", *made)[-3:]
        return _reading({"thought": thought, "tool": tool, "input": given})
    if isinstance(made, Decision):
        calls = made.calls[0] if made.calls else None
        parts = {"thought": made.thought, "answer": made.answer}
        return _reading({**parts, **(vars(calls) if calls else {})})
    names = (*_TOOL, *_INPUT, *_ANSWER, "thought")
    if isinstance(made, Mapping) and any(name in made for name in names):
        return _reading(made)
    if isinstance(made, Mapping | str | int | float | list) or not hasattr(made, "thought"):
        raise Stumble(say("no_reading", got=shown(made)))
    return _reading({name: getattr(made, name, None) for name in names})


def _reading(parts: Mapping[str, Any]) -> Reading | None:
    tool, given, answer = (_first(parts, names) for names in (_TOOL, _INPUT, _ANSWER))
    thought = str(parts.get("thought") or "")
    if isinstance(tool, str) and tool.strip().lower() == "finish":
        return Reading(answer=given, thought=thought)
    if answer is not None and not tool:
        return Reading(answer=answer, thought=thought)
    return (
        Reading(str(tool).strip(), "" if given is None else given, None, thought) if tool else None
    )


def _first(parts: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((parts[name] for name in names if parts.get(name) is not None), None)


def _wants_tools(parser: Parser) -> bool:
    with suppress(TypeError, ValueError):
        return "tools" in inspect.signature(parser).parameters
    return False


@contextmanager
def _at_most(lines: int) -> Iterator[None]:
    """Stop what runs inside after so many lines of Python; what a single regex does is one."""
    left = lines

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise TooMany
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)
