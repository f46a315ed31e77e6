"""What stands behind `Action:` — a call, an object, a tag, or a name with its input below."""

from __future__ import annotations

import re

from reactlab.parser.calls import find_opener, read_call
from reactlab.parser.inputs import Arguments, plain_text, read_mapping, skip_blanks
from reactlab.parser.labels import BLANKS, first_line
from reactlab.parser.marks import Reply
from reactlab.parser.objects import read_object
from reactlab.parser.problems import STEP, TWO_LINE, problem
from reactlab.parser.step import Step
from reactlab.parser.tags import read_tag
from reactlab.parser.toolnames import FINISH, NO_TOOL, find_tool, is_name

_INPUT_ON_LINE = re.compile(
    r"[\s,，;；|。.]{1,5}[*_`]{0,2}(?:(?:Action|Tool)[ _-]?Input|(?:行动|动作|操作|工具)输入)[*_`]{0,2}\s?[:：]",
    re.IGNORECASE,
)
_ANSWER_ON_LINE = re.compile(r"(?:Final[ _-]?Answer|最终答案)\s?[:：]", re.IGNORECASE)


def read_action(reply: Reply, index: int) -> Step | int:
    """Read the action at `marks[index]`; for `Action: None`, return where to go on reading."""
    text, end = reply.text, reply.section_end(index)
    start = skip_blanks(text, reply.marks[index].body, fence=True)
    if start >= end:
        raise problem("Nothing stands behind `Action:`.", text, reply.marks[index].start, STEP)
    if text.startswith("{", start) or re.compile(r"\[\s{0,20}\{").match(text, start):
        return read_object(text, start, asked=True)
    if text.startswith("<", start) and isinstance(tag := read_tag(text, start, end), Step):
        return tag
    input_mark = reply.ended_by(index, "input")
    opener = find_opener(text, start, end)
    on_line = _INPUT_ON_LINE.search(text, start, _line_end(text, start, opener or end))
    if on_line:
        return _two_line(reply, text[start : on_line.start()], on_line.end(), end)
    if opener is not None and (input_mark is None or text[opener] not in "(（"):
        return _call(reply, start, opener, end, input_mark)
    if input_mark is None:
        return _without_input(reply, index, start, end)
    body, body_end = reply.marks[input_mark].body, reply.section_end(input_mark)
    return _two_line(reply, first_line(text, start), body, body_end)


def _line_end(text: str, start: int, limit: int) -> int:
    found = text.find("\n", start, limit)
    return limit if found < 0 else found


def _call(reply: Reply, start: int, opener: int, end: int, input_mark: int | None) -> Step:
    """A call; an `Action Input:` below it must not say something else."""
    step = read_call(reply.text, start, opener, end)
    below = "" if input_mark is None else reply.text[reply.marks[input_mark].body :]
    if input_mark is not None:
        below = reply.text[reply.marks[input_mark].body : reply.section_end(input_mark)]
        if plain_text(below) != step.arguments:
            raise problem("The action has two inputs.", reply.text, opener, TWO_LINE)
    return step


def _two_line(reply: Reply, phrase: str, start: int, end: int) -> Step:
    arguments, after = read_input(reply.text, start, end)
    return Step(phrase, arguments, after)


def read_input(text: str, start: int, end: int) -> tuple[Arguments, int]:
    """Read the input that begins at `start`: an object, or the text up to `end`."""
    mapping = read_mapping(text, skip_blanks(text, start, fence=True))
    return mapping if mapping else (plain_text(text[start:end]), end)


def _without_input(reply: Reply, index: int, start: int, end: int) -> Step | int:
    """`Action: None`, an answer in the place of an action, or a tool that needs no input."""
    text = reply.text
    phrase = first_line(text, start)
    below = text[start:end].strip(BLANKS + "`")[len(phrase) :].strip(BLANKS)
    answer = _ANSWER_ON_LINE.match(phrase)
    tool = FINISH if answer else find_tool(phrase, reply.registered, explained=True)
    if tool == NO_TOOL:
        return end
    if tool == FINISH:
        return Step(FINISH, f"{phrase[answer.end() :] if answer else ''}\n{below}".strip(), end)
    cut = reply.ended_by(index, "cut") is not None
    known = tool in reply.registered.values() or (not reply.registered and is_name(tool))
    if below or cut or not known:
        raise problem("The action has no input.", text, start, f"{STEP}, or {TWO_LINE}")
    return Step(phrase, "", end)
