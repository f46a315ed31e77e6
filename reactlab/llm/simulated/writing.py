"""A move as text or as a tool call, in the dialect that the request asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactlab.llm.simulated.planner import Move
from reactlab.llm.simulated.reading import Reading, dumps
from reactlab.prompts.words import WORDS, quote
from reactlab.types import ToolCall


def calls(reading: Reading, move: Move) -> tuple[ToolCall, ...]:
    """The move as a function call; ids count the calls of the conversation."""
    if reading.dialect != "tools" or move.tool is None:
        return ()
    return (ToolCall(move.tool.name, dumps(dict(move.args)), f"call_{len(reading.steps) + 1}"),)


def text(reading: Reading, move: Move) -> str:
    """The move as the text of a reply."""
    if reading.dialect == "prose":
        return move.answer
    if reading.dialect == "tools":
        return move.thought if move.tool else move.answer
    words = WORDS[reading.words]
    if reading.cue == "action" and move.tool:
        return " " + _action(reading, move).split(" ", 1)[-1]
    thought = quote(move.thought) if reading.thoughts else ""
    if thought and reading.cue != "thought":
        thought = words.thought + thought
    elif thought and reading.words == "en":
        thought = " " + thought
    body = _action(reading, move) if move.tool else _answer(reading, move)
    return f"{thought}\n{body}" if thought else body


def _action(reading: Reading, move: Move) -> str:
    words = WORDS[reading.words]
    assert move.tool is not None
    if reading.dialect == "json":
        return words.action.strip() + _blob(move.tool.name, dict(move.args))
    given = plain_args(move)
    if reading.dialect == "action_input":
        return f"{words.action}{move.tool.name}\n{words.action_input}{given}"
    return f"{words.action}{move.tool.name}[{given}]"


def plain_args(move: Move) -> str:
    """A lone text as it is, everything else as JSON."""
    values = list(move.args.values())
    if len(values) == 1 and len(move.tool.params if move.tool else ()) <= 1:
        return quote(str(values[0]))
    return dumps(dict(move.args))


def _answer(reading: Reading, move: Move) -> str:
    if reading.dialect == "json":
        return WORDS[reading.words].action.strip() + _blob("Final Answer", move.answer)
    if reading.finish == "Finish[":
        return f"{WORDS[reading.words].action}Finish[{move.answer}]"
    return reading.finish + quote(move.answer)


def _blob(name: str, given: str | Mapping[str, Any]) -> str:
    return "\n```json\n" + dumps({"action": name, "action_input": given}) + "\n```"
