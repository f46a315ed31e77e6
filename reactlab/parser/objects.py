"""A step written as one JSON object, in any of the envelopes that models put around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reactlab.names import clean_name
from reactlab.parser.inputs import from_value
from reactlab.parser.problems import OBJECT, problem
from reactlab.parser.step import Step
from reactlab.parser.toolnames import FINISH
from reactlab.parser.values import NotAValue, read_value

NAMES = ("action", "tool", "toolname", "actionname", "function", "functionname", "行动", "工具")
INPUTS = (
    "actioninput",
    "toolinput",
    "arguments",
    "args",
    "parameters",
    "params",
    "input",
    "kwargs",
)
INPUTS_ZH = ("行动输入", "工具输入", "输入", "参数")
ANSWERS = ("finalanswer", "最终答案")
THOUGHTS = ("thought", "thoughts", "reasoning", "思考")
ENVELOPES = (*NAMES, "toolcall", "toolcalls", "functioncall", "actions", "calls", "call")
BESIDE = {*THOUGHTS, "type", "id", "observation"}
_STEP_KEY = re.compile(
    r"[\[\s]{0,20}\{\s{0,99}[\"'“]?(?:action|tool|function|name|thought|final|arguments)",
    re.IGNORECASE,
)


def read_object(text: str, start: int, *, asked: bool) -> Step | int:
    """Read the step in the object at `start`; for mere data, return where to go on reading.

    `asked`: an action stands before it, so it must be a step. Raises `ParseError` for a step that
    is cut off, unreadable, or names no tool.
    """
    try:
        value, end = read_value(text, start)
    except NotAValue as error:
        if asked or _STEP_KEY.match(text, start):
            what = "The JSON object is cut off." if error.cut else "The JSON object cannot be read."
            raise problem(what, text, min(error.position, len(text) - 1), OBJECT) from None
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
            return thought, {}
        fields = {clean_name(key): item for key, item in value.items()}
        thought = thought or next((str(fields[key]) for key in THOUGHTS if key in fields), "")
        inner = [fields[k] for k in ENVELOPES if isinstance(fields.get(k), Mapping | list)]
        if not inner:
            return thought, fields
        value = inner[0]
    return thought, {}


def _is_step(fields: Mapping[str, Any]) -> bool:
    has_input = any(key in fields for key in (*INPUTS, *INPUTS_ZH))
    only_answer = "answer" in fields and fields.keys() <= {"answer", *BESIDE}
    return (
        any(key in fields for key in (*NAMES, *ANSWERS, "actioninput", "toolinput"))
        or ("name" in fields and has_input)
        or only_answer
    )


def _step(fields: Mapping[str, Any], end: int, thought: str) -> Step | None:
    name_key = next((key for key in (*NAMES, "name") if fields.get(key) is not None), None)
    if name_key is None:
        answer = next((fields[k] for k in (*ANSWERS, "answer") if fields.get(k) is not None), None)
        return None if answer is None else Step(FINISH, from_value(answer), end, thought)
    name = fields[name_key]
    if not isinstance(name, str) or not name.strip():
        return None
    input_key = next((key for key in (*INPUTS, *INPUTS_ZH) if key in fields), None)
    if input_key is None and fields.keys() - {name_key, *BESIDE}:
        return None
    return Step(name, from_value(fields[input_key]) if input_key else {}, end, thought)
