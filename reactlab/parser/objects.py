"""A step written as one JSON object, in any of the envelopes that models put around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reactlab.names import clean_name
from reactlab.parser.inputs import Arguments, from_value, unreadable
from reactlab.parser.step import OBJECT, Step, problem
from reactlab.parser.toolnames import FINISH, means_finish
from reactlab.parser.values import NotAValueError, read_value

# Keys are compared cleaned: `action_input`, `actionInput` and `Action Input` are one.
NAMES = ("action", "tool", "toolname", "actionname", "function", "functionname", "行动", "工具")
INPUTS = ("actioninput", "toolinput", "arguments", "args", "parameters", "params", "input",
          "kwargs", "行动输入", "工具输入", "输入", "参数")  # fmt: skip
ANSWERS = ("finalanswer", "最终答案")
THOUGHTS = ("thought", "thoughts", "reasoning", "思考")
ENVELOPES = (*NAMES, "toolcall", "toolcalls", "functioncall", "actions", "calls", "call")
BESIDE = {*THOUGHTS, "type", "id", "observation"}
_STEP_KEY = re.compile(
    r"[\[\s]{0,20}\{\s{0,99}[\"'“]?(?:action|tool|function|name|thought|final|arguments)", re.I
)


def read_object(text: str, start: int, *, asked: bool) -> Step | int:
    """Read the step in the object at `start`; for mere data, return where to go on reading.

    `asked`: an action stands before it, so it must be a step. Raises `ParseError` for a step that
    is cut off, unreadable, or names no tool.
    """
    try:
        value, end = read_value(text, start)
    except NotAValueError as error:
        if asked or _STEP_KEY.match(text, start):
            raise unreadable(text, error, OBJECT) from None
        return max(error.position, start + 1)
    thought, fields = _unwrap(value)
    if not asked and not _is_step(fields):
        return end
    step = _step(fields, end, thought)
    if step is None:
        raise problem("The JSON object names no tool.", text, start, OBJECT)
    return step


def _unwrap(value: Any) -> tuple[str, dict[str, Any]]:
    """Open list and envelopes; return the thought that stood outside, and the cleaned fields."""
    thought = ""
    for _ in range(5):
        if isinstance(value, list):
            value = value[0] if value else {}
        if not isinstance(value, Mapping):
            break
        fields = {clean_name(key): item for key, item in value.items()}
        thought = thought or next((str(fields[key]) for key in THOUGHTS if key in fields), "")
        envelope = next((k for k in ENVELOPES if isinstance(fields.get(k), Mapping | list)), None)
        if envelope is None and len(fields) == 1 and fields.keys().isdisjoint((*INPUTS, *ANSWERS)):
            envelope = next((key for key in fields if isinstance(fields[key], Mapping)), None)
        if envelope is None:
            return thought, fields
        value = fields[envelope]
    return thought, {}


def _is_step(fields: Mapping[str, Any]) -> bool:
    named = "name" in fields and not fields.keys().isdisjoint(INPUTS)
    only_answer = "answer" in fields and fields.keys() <= {"answer", *BESIDE}
    clear = not fields.keys().isdisjoint((*NAMES, *ANSWERS, "actioninput", "toolinput"))
    return named or only_answer or clear


def _step(fields: Mapping[str, Any], end: int, thought: str) -> Step | None:
    name_key = _first(fields, (*NAMES, "name"))
    if name_key is None:
        answer_key = _first(fields, (*ANSWERS, "answer"))
        return Step(FINISH, _answer(fields[answer_key]), end, thought) if answer_key else None
    name, input_key = fields[name_key], _first(fields, INPUTS)
    unread = fields.keys() - {name_key, *INPUTS, *BESIDE}
    if not isinstance(name, str) or not name.strip() or (input_key is None and unread):
        return None
    given = fields[input_key] if input_key else {}
    read = _answer if means_finish(name) else from_value
    return Step(name, read(given), end, thought)


def _answer(value: Any) -> Arguments:
    """An answer that is text is that text, also where it looks like JSON."""
    return value if isinstance(value, str) else from_value(value)


def _first(fields: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((key for key in keys if fields.get(key) is not None), None)
