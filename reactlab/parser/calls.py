"""A step written as a call: `tool[input]` or `tool(key="value")`, in brackets of any width."""

from __future__ import annotations

import re

from reactlab.parser.balanced import CLOSERS, FAMILIES, closing_bracket
from reactlab.parser.inputs import plain_text, read_call_arguments, read_mapping, skip_blanks
from reactlab.parser.step import BRACKET, Step, problem

OPENER = re.compile(r"[\[(（［【〔]")
_LEADING = re.compile(r"[\[(（［【〔\s]*+")
_TRAILING = " \t\xa0\u3000\u200b`*_~.。,，;；!！"


def find_opener(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where the name of a call ends and where its bracket opens, in the first line.

    Brackets before the name are decoration, and so is a description in parentheses before `[`.
    """
    line_end = text.find("\n", start, end)
    line_end = end if line_end < 0 else line_end
    name = _LEADING.match(text, start, line_end)
    found = OPENER.search(text, name.end() if name else start, line_end)
    if found is None or found.group() not in "(（":
        return (found.start(), found.start()) if found else None
    closed = closing_bracket(text, found.start(), line_end)
    after = None if closed is None else skip_blanks(text, closed + 1)
    if after is not None and text.startswith(("[", "［", "【", "〔"), after):
        return found.start(), after
    return found.start(), found.start()


def read_call(text: str, start: int, found: tuple[int, int], end: int) -> Step:
    """Read the call whose name begins at `start`, in a section up to `end`.

    `found` is where its name ends and where its bracket opens.
    """
    phrase, opener = text[start : found[0]], found[1]
    if mapping := read_mapping(text, skip_blanks(text, opener + 1)):
        after = skip_blanks(text, mapping[1])
        if text.startswith(tuple(CLOSERS[FAMILIES[text[opener]]]), after):
            return Step(phrase, mapping[0], after + 1)
    closed = _closing(text, opener, end, wrapped=phrase.lstrip()[:1] in FAMILIES)
    if closed is None:
        raise problem("The bracket is never closed.", text, opener, BRACKET)
    inside = text[opener + 1 : closed]
    round_bracket = text[opener] in "(（"
    return Step(
        phrase, read_call_arguments(inside) if round_bracket else plain_text(inside), closed + 1
    )


def _closing(text: str, opener: int, end: int, *, wrapped: bool) -> int | None:
    """The bracket that closes the call: the balanced one, if the brackets of its line add up.

    With one opener too many, a bracket at the end of a one-line section closes. With one closer
    too many, the last bracket of the line closes. An input that goes on over labels is accepted
    only where its brackets balance.
    """
    closed = closing_bracket(text, opener, end)
    if closed is not None:
        return closed if wrapped else _last_of_line(text, opener, closed, end)
    section = text[opener:end].rstrip(_TRAILING + "\n")
    if "\n" not in section and section[-1] in CLOSERS[FAMILIES[text[opener]]]:
        return opener + len(section) - 1
    return closing_bracket(text, opener) if end < len(text) else None


def _last_of_line(text: str, opener: int, closed: int, end: int) -> int:
    """Return `closed`, or the end of its line where a closer there has no opener of its own."""
    openers = FAMILIES[text[opener]]
    closers = CLOSERS[openers]
    line_end = text.find("\n", closed, end)
    rest = text[closed + 1 : end if line_end < 0 else line_end].rstrip(_TRAILING)
    if not rest.strip(closers + _TRAILING) or rest[-1] not in closers:
        return closed
    extra = sum(map(rest.count, closers)) - sum(map(rest.count, openers))
    return closed + len(rest) if extra > 0 else closed
