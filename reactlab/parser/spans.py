"""What encloses a part: a reasoning block, a code fence, a triple quote."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_THINK = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_THINK_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_STEP_FOLLOWS = re.compile(r"[ \t]*(?:\n|\Z|[<{]|[\w*# _-]{1,24}[:：])")
_FENCE = re.compile(r"```(?P<info>[\w+-]+)?|\"\"\"|'''")


class Span(NamedTuple):
    """A stretch of text, from its opening sign up to its closing sign."""

    start: int
    end: int


OUTSIDE = Span(-1, -1)


def after_stray_end(text: str) -> str:
    """Return what follows the last `</think>` that was never opened: all before it is a draft.

    Some servers put the opening tag into the prompt. A closing tag inside a line is a mention.
    """
    depth, start = 0, 0
    for tag in _THINK.finditer(text):
        if not tag[1]:
            depth += 1
        elif depth:
            depth -= 1
        elif _STEP_FOLLOWS.match(text, tag.end()):
            start = tag.end()
    return text[start:]


def reasoning_spans(text: str) -> list[Span]:
    """Return the blocks between an opening tag and its own closing tag, the outermost alone."""
    spans: list[Span] = []
    opened: list[int] = []
    for tag in _THINK.finditer(text):
        if not tag[1]:
            opened.append(tag.start())
        elif opened:
            spans.append(Span(opened.pop(), tag.end()))
    outermost: list[Span] = []
    for span in sorted(spans):
        if not outermost or span.start >= outermost[-1].end:
            outermost.append(span)
    return outermost


def reasoning_end(text: str, start: int) -> int:
    """Return where a block ends that has no closing tag of its own: at the next one, or nowhere."""
    closed = _THINK_END.search(text, start)
    return closed.end() if closed else len(text)


def find_fences(text: str) -> list[Span]:
    """Return code fences and triple quotes, by their starts. One left open encloses nothing."""
    spans: list[Span] = []
    fences: list[int] = []
    quote, quote_start = "", 0
    last = {sign: text.rfind(sign) for sign in ('"""', "'''")}
    for sign in _FENCE.finditer(text):
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


def innermost(spans: list[Span], positions: Iterable[int]) -> list[Span]:
    """For each of the rising `positions`, return the innermost span around it, or `OUTSIDE`."""
    found: list[Span] = []
    opened: list[Span] = []
    waiting = spans[::-1]
    for position in positions:
        while waiting and waiting[-1].start <= position:
            opened.append(waiting.pop())
        while opened and opened[-1].end <= position:
            opened.pop()
        found.append(opened[-1] if opened else OUTSIDE)
    return found
