"""Where a reasoning model thinks aloud in `<think>` tags: nothing in there is a step."""

from __future__ import annotations

import re
from bisect import bisect_right

_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_STEP_FOLLOWS = re.compile(r"[ \t]*(?:\n|\Z|[<{]|[\w*# _-]{1,24}[:：])")


def after_stray_end(text: str) -> str:
    """Return what follows the last `</think>` that was never opened: all before it is a draft.

    Some servers put the opening tag into the prompt. A closing tag inside a line is a mention.
    """
    depth, start = 0, 0
    for tag in _TAG.finditer(text):
        if not tag[1]:
            depth += 1
        elif depth:
            depth -= 1
        elif _STEP_FOLLOWS.match(text, tag.end()):
            start = tag.end()
    return text[start:]


def reasoning_ends(text: str) -> dict[int, int]:
    """Map each opening tag to the end of its block: its own closing tag, or else the next one."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    closed: list[int] = []
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened.append(tag.start())
            continue
        closed.append(tag.end())
        if opened:
            ends[opened.pop()] = tag.end()
    for start in opened:
        following = bisect_right(closed, start)
        ends[start] = closed[following] if following < len(closed) else len(text)
    return ends
