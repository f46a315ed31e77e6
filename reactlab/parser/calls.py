"""A step written as a call: `tool[input]` or `tool(key="value")`, in brackets of any width."""

from __future__ import annotations

import re

from reactlab.parser.balanced import CLOSERS, FAMILIES, closing_bracket
from reactlab.parser.inputs import (
    Arguments,
    plain_text,
    read_call_arguments,
    read_mapping,
    skip_blanks,
)
from reactlab.parser.problems import BRACKET, problem
from reactlab.parser.step import Step

_OPENER = re.compile(r"[\[(（［【]")
_LEADING = re.compile(r"[\[(（［【\s]*")
_TRAILING = " \t\xa0\u3000\u200b`*_~.。,，;；!！"


def find_opener(text: str, start: int, end: int) -> int | None:
    """Return where the bracket of a call opens in the first line of `text[start:end]`, or None.

    Brackets before the name are decoration, and so is a description in parentheses before `[`.
    """
    line_end = text.find("\n", start, end)
    line_end = end if line_end < 0 else line_end
    name = _LEADING.match(text, start, line_end)
    found = _OPENER.search(text, name.end() if name else start, line_end)
    if found is None or found.group() not in "(（":
        return found.start() if found else None
    closed = closing_bracket(text, found.start(), line_end)
    described = closed is not None and _OPENER.match(text, skip_blanks(text, closed + 1))
    return described.start() if described and described.group() in "[［【" else found.start()


def read_call(text: str, start: int, opener: int, end: int) -> Step:
    """Read the call whose name begins at `start`; `end` is where its section ends."""
    phrase = text[start:opener]
    inside = skip_blanks(text, opener + 1)
    if mapping := read_mapping(text, inside):
        after = skip_blanks(text, mapping[1])
        if text.startswith(tuple(CLOSERS[FAMILIES[text[opener]]]), after):
            return Step(phrase, mapping[0], after + 1)
    wrapped = phrase.lstrip()[:1] in FAMILIES
    closed = _closing(text, opener, end, wrapped=wrapped)
    if closed is None:
        raise problem("The bracket is never closed.", text, opener, BRACKET)
    return Step(phrase, _arguments(text[opener], text[opener + 1 : closed]), closed + 1)


def _arguments(opener: str, inside: str) -> Arguments:
    return read_call_arguments(inside) if opener in "(（" else plain_text(inside)


def _closing(text: str, opener: int, end: int, *, wrapped: bool) -> int | None:
    """The bracket that closes the call: the balanced one, if the brackets of its line add up.

    With one opener too many, a bracket at the end of a one-line section closes. With one closer
    too many, the last bracket of the line closes. An input that goes on over marker lines is
    accepted only where its brackets balance.
    """
    closers = CLOSERS[FAMILIES[text[opener]]]
    closed = closing_bracket(text, opener, end)
    if closed is not None:
        return closed if wrapped else _last_of_line(text, opener, closed, end)
    section = text[opener:end].rstrip(_TRAILING + "\n")
    if "\n" not in section and section[-1] in closers:
        return opener + len(section) - 1
    return closing_bracket(text, opener)


def _last_of_line(text: str, opener: int, closed: int, end: int) -> int:
    """Return `closed`, or the end of its line where a closer there has no opener of its own."""
    closers = CLOSERS[FAMILIES[text[opener]]]
    line_end = text.find("\n", closed, end)
    rest = text[closed + 1 : end if line_end < 0 else line_end].rstrip(_TRAILING)
    if not rest or rest[-1] not in closers or not rest.strip(closers + _TRAILING):
        return closed
    openers = sum(rest.count(sign) for sign in FAMILIES[text[opener]])
    extra = sum(rest.count(sign) for sign in closers) > openers
    return closed + len(rest) if extra else closed
