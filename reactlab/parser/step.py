"""One step as it was read, and the error that says why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from reactlab.errors import ParseError
from reactlab.wording import say

BRACKET = "`Action: tool[input]` on a line of its own"
TWO_LINE = "`Action: tool` and, on the next line, `Action Input: input`"
INPUT = 'the whole input as one JSON object, such as `{"key": "value"}`'
OBJECT = '`{"action": "tool", "action_input": "input"}`, complete and in valid JSON'
TAG = '`<invoke name="tool"><parameter name="key">value</parameter></invoke>`, all tags closed'
ANSWER = "`Final Answer: your answer`"
STEP = f"either {BRACKET}, or {ANSWER}"


class Step(NamedTuple):
    """A tool phrase as the model wrote it, its arguments, and where the step ends in the reply.

    An answer is a step too: its phrase is `Finish` and its arguments are the answer. `explained`
    says that a description may follow the name in the phrase.
    """

    phrase: str
    arguments: str | Mapping[str, Any]
    end: int
    thought: str = ""
    explained: bool = False


def problem(what: str, text: str, position: int, wanted: str) -> ParseError:
    """Return the error that says `what` is wrong in the line at `position`, and what is wanted."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line = text[start : end if end >= 0 else len(text)].strip()
    shown = line if len(line) <= 80 else line[:79] + "…"
    parts = {"what": say(what), "line": shown, "wanted": say(wanted)}
    return ParseError(say("{what} Line: {line!r}. Write {wanted}.", **parts))
