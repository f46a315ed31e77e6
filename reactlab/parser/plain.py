"""A short cut for the plainest of replies, one thought and one call, which need no second look."""

from __future__ import annotations

import re
from collections.abc import Collection

from reactlab.parser.labels import PART
from reactlab.types import Decision, ToolCall

# Nothing in here can be a marker, a bracket, a quote, decoration or a named argument, so there is
# nothing to weigh: the full parser comes to the same result, and a test holds the two together.
_PLAIN = re.compile(
    r"(?P<cue> ?|Thought: |思考：)(?P<thought>\w[\w ,.;?!%+/—–-]*)\n"
    r"(?:Action: |行动：)(?P<name>[A-Za-z]\w*)\[(?P<input>\w[\w ,.;?!%+/*-]*)\]\s*"
)
_CLOSING_WORD = re.compile(r"final|finish|answer", re.IGNORECASE)


def parse_plain(text: str, tools: Collection[str]) -> Decision | None:
    """The decision in a plain reply that names a registered tool exactly; None for all others."""
    plain = _PLAIN.fullmatch(text)
    if plain is None or plain["name"] not in tools or _CLOSING_WORD.match(plain["name"]):
        return None
    if not plain["cue"].strip() and PART.match(text):
        return None
    return Decision(plain["thought"].strip(), (ToolCall(plain["name"], plain["input"].strip()),))
