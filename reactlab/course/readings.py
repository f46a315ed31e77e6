"""What a parser made of a reply, whoever wrote the parser and whatever it returns."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from reactlab.course.exercises import Endless, Raised, Stumble, TooMany, attempt
from reactlab.course.texts import Texts
from reactlab.course.words import value_shown
from reactlab.errors import ParseError
from reactlab.render.rows import one_line
from reactlab.types import Decision

say = Texts("03")
Parser = Callable[..., Any]
MOST_STEPS = 200_000  # for one reply; the longest honest parser needs some ten thousand

_TOOL = ("tool", "action", "name")
_INPUT = ("input", "action_input", "arguments")
_ANSWER = ("answer", "final", "content")
_NAMES = (*_TOOL, *_INPUT, *_ANSWER, "thought")


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


@dataclass(frozen=True)
class Refusal:
    """A reply that a parser would not read, with its error's words, "" where there are none."""

    words: str = ""

    def __str__(self) -> str:
        return say("refused")


def read(parser: Parser, text: str, tools: Sequence[str] = ()) -> Reading | Refusal:
    """What a parser makes of a reply; it refuses by None, ValueError or ParseError.

    A parser with a parameter `tools` is told their names. Raises `Stumble` for any other error and
    for a result that is no step, `TooMany` for a parser that never ends, `NotDone` for a stub.
    """
    given = {"tools": list(tools)} if _wants_tools(parser) else {}
    case = one_line(text, 60)
    try:
        call = partial(parser, text, **given) if callable(parser) else parser
        made = attempt(case, call, most=MOST_STEPS)
    except Endless as endless:
        raise TooMany(str(endless)) from None
    except Raised as raised:
        if isinstance(raised.error, ValueError | ParseError):
            return Refusal(str(raised.error))
        raise
    return reading_of(made)


def reading_of(made: Any) -> Reading | Refusal:
    """Any of the forms a parser may return, as a reading; raises `Stumble` for all others.

    A dict or object with `answer`, or with `tool` and `input` (also `action`, `arguments`, ...); a
    tuple (tool, input) or (thought, tool, input); a `Decision`; None.
    """
    if made is None:
        return Refusal()
    if isinstance(made, Decision):
        call = vars(made.calls[0]) if made.calls else {}
        return _reading({"thought": made.thought, "answer": made.answer, **call})
    if parts := made if isinstance(made, Mapping) else _attributes(made):
        if any(name in parts for name in _NAMES):
            return _reading(parts)
    elif isinstance(made, tuple) and len(made) in (2, 3):
        thought, tool, given = ("", *made)[-3:]
        return _reading({"thought": thought, "tool": tool, "input": given})
    raise Stumble(say("no_reading", got=value_shown(made)))


def _attributes(made: Any) -> Mapping[str, Any]:
    """What an object has under the names of a step; nothing where that makes none."""
    parts = {name: getattr(made, name) for name in _NAMES if hasattr(made, name)}
    called = any(name in parts for name in _TOOL) and any(name in parts for name in _INPUT)
    return parts if called or any(name in parts for name in (*_ANSWER, "thought")) else {}


def _reading(parts: Mapping[str, Any]) -> Reading | Refusal:
    tool, given, answer = (_first(parts, names) for names in (_TOOL, _INPUT, _ANSWER))
    thought = str(parts.get("thought") or "")
    if isinstance(tool, str) and tool.strip().lower() == "finish":
        return Reading(answer=given, thought=thought)
    if answer is not None and not tool:
        return Reading(answer=answer, thought=thought)
    if not tool:
        return Refusal()
    return Reading(str(tool).strip(), "" if given is None else given, None, thought)


def _first(parts: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((parts[name] for name in names if parts.get(name) is not None), None)


def _wants_tools(parser: Parser) -> bool:
    with suppress(TypeError, ValueError):
        return "tools" in inspect.signature(parser).parameters
    return False
