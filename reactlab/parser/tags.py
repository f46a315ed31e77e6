"""A step written in tags: a call around JSON, an invoke with parameters, a tool with its input."""

from __future__ import annotations

import re

from reactlab.parser.inputs import Arguments, plain_text, read_mapping, skip_blanks
from reactlab.parser.objects import read_object
from reactlab.parser.step import TAG, Step, problem
from reactlab.parser.toolnames import FINISH

_NAME = r"[\"'“”]?([^\"'“”<>\n]{1,99})[\"'“”]?\s{0,9}"
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))
_WRAPPERS = re.compile(r"(?:<(?:tool_calls?|function_calls?)\s{0,9}>\s{0,9}){1,3}", re.IGNORECASE)
_NAMED = re.compile(
    rf"<(?:invoke\s{{1,9}}name|function(?:\s{{1,9}}name)?)\s{{0,9}}=\s{{0,9}}{_NAME}(/?)>", re.I
)
_PARAMETER = re.compile(rf"<parameter(?:\s{{1,9}}name)?\s{{0,9}}=\s{{0,9}}{_NAME}>", re.IGNORECASE)
_TOOL = re.compile(r"<tool>([^<>]{1,200})</tool>", re.IGNORECASE)
_INPUT = re.compile(r"<(?:tool_input|input)>", re.IGNORECASE)
_ANSWER = re.compile(r"<(?:final_answer|answer)\s{0,9}>", re.IGNORECASE)
_VALUE_END = re.compile(r"</(?:tool_input|input|final_answer|answer)\s{0,9}>", re.IGNORECASE)


def read_tag(text: str, start: int, end: int | None) -> Step | int:
    """Read the step in the tag at `start`; a value whose closing tag is missing reaches to `end`.

    With `end` None, more follows, and such a tag is only mentioned. For a tag that is no step,
    return where to go on reading. Raise `ParseError` for a broken step.
    """
    if wrapper := _WRAPPERS.match(text, start):
        start = skip_blanks(text, wrapper.end(), fence=True)
        if text.startswith(("{", "["), start):
            return read_object(text, start, asked=True)
    if named := _NAMED.match(text, start):
        arguments, after = ({}, named.end()) if named[2] else _body(text, named.end())
        return Step(named[1], arguments, after)
    if tool := _TOOL.match(text, start):
        return _read_tool(text, tool, end)
    if answer := _ANSWER.match(text, start):
        found = _value(text, answer.end(), end)
        return Step(FINISH, *found) if found else answer.end()
    return start + 1


def _body(text: str, start: int) -> tuple[Arguments, int]:
    """The parameters of a named call, or the JSON object in their place."""
    position = skip_blanks(text, start, fence=True)
    if mapping := read_mapping(text, position):
        return mapping
    found: dict[str, str] = {}
    while parameter := _PARAMETER.match(text, position):
        closed = text.find("</parameter>", parameter.end())
        if closed < 0:
            raise problem("The parameter is never closed.", text, position, TAG)
        found[parameter[1].strip()] = _decoded(text[parameter.end() : closed].strip("\r\n"))
        position = skip_blanks(text, closed + len("</parameter>"))
    if not text.startswith("</", position) and not (found and position == len(text)):
        raise problem("The call holds something else than parameters.", text, position, TAG)
    return found, position


def _read_tool(text: str, tool: re.Match[str], end: int | None) -> Step:
    opened = _INPUT.match(text, skip_blanks(text, tool.end()))
    if opened is None:
        raise problem("The tool has no <tool_input>.", text, tool.start(), TAG)
    if mapping := read_mapping(text, skip_blanks(text, opened.end(), fence=True)):
        return Step(tool[1], *mapping)
    found = _value(text, opened.end(), end)
    if found is None:
        raise problem("The <tool_input> is never closed.", text, tool.start(), TAG)
    return Step(tool[1], plain_text(found[0]), found[1])


def _value(text: str, start: int, end: int | None) -> tuple[str, int] | None:
    """The text up to the closing tag; the tag may be missing, because it often is the stop word."""
    closed = _VALUE_END.search(text, start)
    if closed is None:
        return None if end is None else (_decoded(text[start:end]), end)
    return _decoded(text[start : closed.start()]), closed.end()


def _decoded(text: str) -> str:
    """Resolve entities; a value that holds raw markup was never escaped and stays as it is."""
    return text if "<" in text else _ENTITY.sub(lambda found: _ENTITIES[found[0]], text)
