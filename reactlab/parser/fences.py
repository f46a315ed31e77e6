"""Where code fences and triple quotes reach: labels in there may be somebody's data."""

from __future__ import annotations

import re
from typing import NamedTuple

_SIGN = re.compile(r"```(?P<info>[\w+-]+)?|\"\"\"|'''")


class Span(NamedTuple):
    """A fenced stretch of text, from its opening sign up to its closing sign."""

    start: int
    end: int


OUTSIDE = Span(-1, -1)


def find_spans(text: str) -> list[Span]:
    """Return the spans by their starts. A fence that is never closed protects nothing."""
    spans: list[Span] = []
    fences: list[int] = []
    quote, quote_start = "", 0
    last = {sign: text.rfind(sign) for sign in ('"""', "'''")}
    for sign in _SIGN.finditer(text):
        word = sign.group()[:3]
        if quote:
            if word == quote:
                spans.append(Span(quote_start, sign.start()))
                quote = ""
        elif word != "```":
            quote, quote_start = (word, sign.start()) if sign.start() < last[word] else ("", 0)
        elif fences and not sign["info"]:
            spans.append(Span(fences.pop(), sign.start()))
        else:
            fences.append(sign.start())
    return sorted(spans)


def innermost(spans: list[Span], positions: list[int]) -> list[Span]:
    """For each of the rising `positions`, return the innermost span around it, or `OUTSIDE`."""
    found: list[Span] = []
    opened: list[Span] = []
    following = iter(spans)
    span = next(following, None)
    for position in positions:
        while span is not None and span.start <= position:
            opened.append(span)
            span = next(following, None)
        while opened and opened[-1].end <= position:
            opened.pop()
        found.append(opened[-1] if opened else OUTSIDE)
    return found
