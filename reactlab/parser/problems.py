"""Parse errors, worded for the model: the line that is wrong, and the form that is wanted."""

from __future__ import annotations

from reactlab.errors import ParseError

BRACKET = "`Action: tool[input]` on a line of its own"
TWO_LINE = "`Action: tool` and, on the next line, `Action Input: input`"
OBJECT = '`{"action": "tool", "action_input": "input"}`, complete and in valid JSON'
TAG = '`<invoke name="tool"><parameter name="key">value</parameter></invoke>`, all tags closed'
ANSWER = "`Final Answer: your answer`"
STEP = f"either {BRACKET}, or {ANSWER}"


def problem(what: str, text: str, position: int, wanted: str) -> ParseError:
    """Return the error that says `what` is wrong in the line at `position` of the reply."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line = " ".join(text[start : end if end >= 0 else len(text)].split())
    shown = line if len(line) <= 80 else line[:79] + "…"
    return ParseError(f"{what} Line: {shown!r}. Write {wanted}.")
