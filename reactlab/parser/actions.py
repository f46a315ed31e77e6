"""What stands behind `Action:`: a call, an object, a tag, or a name with its input below."""

from __future__ import annotations

import re

from reactlab.parser.calls import find_opener, read_call
from reactlab.parser.inputs import plain_text, read_mapping, skip_blanks
from reactlab.parser.labels import BLANKS, first_line
from reactlab.parser.marks import Reply
from reactlab.parser.objects import read_object
from reactlab.parser.step import STEP, TWO_LINE, Step, problem
from reactlab.parser.tags import read_tag
from reactlab.parser.toolnames import FINISH, NO_TOOL, find_tool

_OBJECT = re.compile(r"(?:json\s{1,9}|`)?(?=\{|\[\s{0,20}\{)", re.IGNORECASE)
_INPUT_LABEL = re.compile(
    r"[\s,，;；|。.]{1,5}[*_`]{0,2}(?:(?:Action|Tool)[ _-]?Input|(?:行动|动作|工具)输入)"
    r"[*_`]{0,2}\s?[:：][*_`]{0,2}",
    re.IGNORECASE,
)
_ANSWER_LABEL = re.compile(r"(?:Final[ _-]?Answer|最终答案)\s?[:：]", re.IGNORECASE)


def read_action(reply: Reply, index: int) -> Step | int:
    """Read the action at `marks[index]`; for `Action: None`, return where to go on reading."""
    text, end = reply.text, reply.section_end(index)
    start = skip_blanks(text, reply.marks[index].body, fence=True)
    if start >= end:
        raise problem("Nothing stands behind `Action:`.", text, reply.marks[index].start, STEP)
    if opened := _OBJECT.match(text, start):
        return read_object(text, opened.end(), asked=True)
    if text.startswith("<", start) and isinstance(tag := read_tag(text, start, end), Step):
        return tag
    below = reply.next_label[index]
    has_input = below < len(reply.marks) and reply.marks[below].kind == "input"
    opener = find_opener(text, start, end)
    line_end = text.find("\n", start, end)
    name_end = opener[0] if opener else (line_end if line_end >= 0 else end)
    if label := _INPUT_LABEL.search(text, start, name_end):
        return _two_line(text, text[start : label.start()], label.end(), end)
    if opener and not (has_input and text[opener[1]] in "(（"):
        step = read_call(text, start, opener, end)
        return _agreed(reply, step, below) if has_input else step
    if has_input:
        phrase = first_line(text, start)
        return _two_line(text, phrase, reply.marks[below].body, reply.section_end(below))
    return _without_input(reply, start, end)


def _two_line(text: str, phrase: str, start: int, end: int) -> Step:
    """A name with its input: an object, or the text up to `end`."""
    mapping = read_mapping(text, skip_blanks(text, start, fence=True))
    arguments, after = mapping if mapping else (plain_text(text[start:end]), end)
    return Step(phrase, arguments, after, explained=True)


def _agreed(reply: Reply, step: Step, below: int) -> Step:
    """The call, if the `Action Input:` below it says nothing else."""
    text = reply.text[reply.marks[below].body : reply.section_end(below)]
    if plain_text(text) != step.arguments:
        raise problem("The action has two inputs.", reply.text, step.end - 1, TWO_LINE)
    return step


def _without_input(reply: Reply, start: int, end: int) -> Step | int:
    """`Action: None`, or an answer in the place of an action.

    A name alone is refused even if it is registered: the reply may have been cut off behind it.
    """
    phrase = first_line(reply.text, start)
    below = reply.text[start:end].strip(BLANKS + "`")[len(phrase) :].strip(BLANKS)
    if answer := _ANSWER_LABEL.match(phrase):
        return Step(FINISH, f"{phrase[answer.end() :]}\n{below}".strip(), end)
    tool = find_tool(phrase, reply.registered)
    if tool == NO_TOOL:
        return end
    if tool == FINISH:
        return Step(FINISH, below, end)
    what = "The action has no input (an empty one is written `Action Input:` or `tool[]`)."
    raise problem(what, reply.text, start, f"{STEP}, or {TWO_LINE}")
