"""Which bracket closes this one: a single scan that knows nesting and quotes."""

from __future__ import annotations

import re
from functools import cache

# Brackets of one family close each other: `[` may be closed by a full-width `］`.
FAMILIES = {"[": "[［", "［": "[［", "(": "(（", "（": "(（", "【": "【", "〔": "〔", "{": "{"}
CLOSERS = {"[［": "]］", "(（": ")）", "【": "】", "〔": "〕", "{": "}"}

# A quote opens where no Latin letter or digit stands before it (an apostrophe, an inch), except
# for the prefixes of r"" and f"". It closes on its own line, and a triple one anywhere.
_OPENS = r"(?: (?<![0-9A-Za-z\xc0-\u024f]) | (?<=\b[rbfuRBFU]) | (?<=\b[rbfuRBFU]{2}) )"
_QUOTED = rf"""
    \\["']                                                            # escaped: opens nothing
  | (?P<triple> \"{{3}} | '{{3}} ) (?s:.*?) (?P=triple)
  | {_OPENS} " [^"\\\n]* (?: \\. [^"\\\n]* )* "
  | {_OPENS} ' [^'\\\n]* (?: \\. [^'\\\n]* )* ' (?!\w)
  | “ [^“”\n]*+ ” | ‘ [^‘’\n]*+ ’ (?!\w) | 「 [^「」\n]*+ 」"""


@cache
def _tokens(openers: str) -> re.Pattern[str]:
    """The pattern of what matters in a scan: quoted text, and runs of brackets of one family."""
    brackets = re.escape(openers + CLOSERS[openers])
    return re.compile(
        rf"""(?= [\\"'“‘「{brackets}] ) (?: {_QUOTED} | (?P<brackets> [{brackets}]+ ) )""",
        re.VERBOSE,
    )


def closing_bracket(text: str, start: int, end: int | None = None) -> int | None:
    """Return where the opening bracket at `text[start]` is closed before `end`, or None.

    Brackets of the same family nest; other families are plain characters, as in `[0, 1)`. A bracket
    inside quotes does not count. An apostrophe opens no quote, and neither does a quote that its
    own line never closes. Time is linear in the length of the text.
    """
    depth = 0
    openers = FAMILIES[text[start]]
    for token in _tokens(openers).finditer(text, start, len(text) if end is None else end):
        for position, sign in enumerate(token["brackets"] or "", token.start()):
            depth += 1 if sign in openers else -1
            if depth == 0:
                return position
    return None
