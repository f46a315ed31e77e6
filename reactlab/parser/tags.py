"""A step written in tags: a call around JSON, an invoke with parameters, a tool with its input."""

from __future__ import annotations

import re
from xml.sax.saxutils import unescape

from reactlab.parser.inputs import Arguments, plain_text, read_mapping, skip_blanks
from reactlab.parser.objects import read_object
from reactlab.parser.problems import TAG, problem
from reactlab.parser.step import Step
from reactlab.parser.toolnames import FINISH

_WRAPPER = re.compile(r"<(?:tool_calls?|function_calls?)\s{0,9}>", re.IGNORECASE)
_NAMED = re.compile(
    r"<(?:invoke\s{1,9}name\s{0,9}=|function\s{0,9}=|function\s{1,9}name\s{0,9}=)\s{0,9}"
    r"[\"'“”]?([^\"'“”<>\n]{1,99})[\"'“”]?\s{0,9}(/?)>",
    re.IGNORECASE,
)
_PARAMETER = re.compile(
    r"<parameter(?:\s{1,9}name)?\s{0,9}=\s{0,9}[\"'“”]?([^\"'“”<>\n]{1,99})[\"'“”]?\s{0,9}>", re.I
)
_TOOL = re.compile(r"<tool>([^<>]{1,200})</tool>", re.IGNORECASE)
_INPUT = re.compile(r"<(?:tool_input|input)>", re.IGNORECASE)
_ANSWER = re.compile(r"<(final_answer|answer)\s{0,9}>", re.IGNORECASE)


def read_tag(text: str, start: int, end: int) -> Step | int:
    """Read the step in the tag at `start`; an unclosed value reaches to `end`.

    For a tag that is no step, return where to go on reading. Raise `ParseError` for a broken step.
    """
    if wrapper := _WRAPPER.match(text, start):
        return _read_wrapped(text, skip_blanks(text, wrapper.end(), fence=True), end)
    if named := _NAMED.match(text, start):
        arguments, after = ({}, named.end()) if named[2] else _body(text, named.end())
        return Step(named[1], arguments, after)
    if tool := _TOOL.match(text, start):
        return _read_tool(text, tool, end)
    if answer := _ANSWER.match(text, start):
        value, after = _value(text, answer.end(), f"</{answer[1]}>", end)
        return Step(FINISH, value.strip(), after)
    return start + 1


def _read_wrapped(text: str, start: int, end: int) -> Step | int:
    if text.startswith("<", start):
        return read_tag(text, start, end)
    if text.startswith(("{", "["), start):
        return read_object(text, start, asked=True)
    raise problem("The tag holds no call.", text, start, TAG)


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


def _read_tool(text: str, tool: re.Match[str], end: int) -> Step:
    opened = _INPUT.match(text, skip_blanks(text, tool.end()))
    if opened is None:
        raise problem("The tool has no <tool_input>.", text, tool.start(), TAG)
    start = skip_blanks(text, opened.end(), fence=True)
    if mapping := read_mapping(text, start):
        return Step(tool[1], *mapping)
    value, after = _value(text, opened.end(), "</" + opened.group()[1:], end)
    return Step(tool[1], plain_text(value), after)


def _value(text: str, start: int, closing: str, end: int) -> tuple[str, int]:
    """The text up to the closing tag; the tag may be missing, because it often is the stop word."""
    closed = re.compile(re.escape(closing), re.IGNORECASE).search(text, start)
    if closed is None:
        return _decoded(text[start:end]), end
    return _decoded(text[start : closed.start()]), closed.end()


def _decoded(text: str) -> str:
    """Resolve entities; a value that holds raw markup was never escaped and stays as it is."""
    return text if "<" in text else unescape(text, {"&quot;": '"', "&apos;": "'"})
