"""A move as text or as a tool call, in the dialect that the request asked for."""

from __future__ import annotations

from reactlab.prompts.words import WORDS, quote
from reactlab.types import ToolCall

from .reading import Reading, dumps
from .run import Move


def calls(reading: Reading, move: Move) -> tuple[ToolCall, ...]:
    """The move as a function call; ids count the calls of the conversation."""
    if reading.dialect != "tools" or move.tool is None:
        return ()
    return (ToolCall(move.tool.name, dumps(dict(move.args)), f"call_{len(reading.steps) + 1}"),)


def written(reading: Reading, move: Move) -> str:
    """The move as the text of a reply."""
    if reading.dialect in ("prose", "tools"):
        return move.thought if move.tool else move.answer
    body = _body(reading, move)
    if reading.cue in ("action", "answer"):
        return " " + body.split(": " if ": " in body else "：", 1)[-1]
    if not reading.thoughts:
        return body
    marker = WORDS[reading.words].thought
    if reading.cue == "thought":
        marker = " " if reading.words == "en" else ""
    return f"{marker}{quote(move.thought)}\n{body}"


def _body(reading: Reading, move: Move) -> str:
    words = WORDS[reading.words]
    name = move.tool.name if move.tool else "Final Answer"
    if reading.dialect == "json":
        blob = {"action": name, "action_input": dict(move.args) if move.tool else move.answer}
        return f"{words.action.strip()}\n```json\n{dumps(blob)}\n```"
    if move.tool is None:
        if reading.finish == "Finish[":
            return f"{words.action}Finish[{move.answer}]"
        return reading.finish + quote(move.answer)
    given = input_text(move)
    if reading.dialect == "action_input":
        return f"{words.action}{name}\n{words.action_input}{given}"
    return f"{words.action}{name}[{given}]"


def input_text(move: Move) -> str:
    """A lone text as it is, everything else as JSON."""
    values = list(move.args.values())
    if len(values) == 1 and move.tool and len(move.tool.params) <= 1:
        return quote(str(values[0]))
    return dumps(dict(move.args))
