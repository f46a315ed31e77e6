"""Where the parts of a reply begin and end: labels at line starts, tags, bare calls and objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from reactlab.names import clean_name
from reactlab.parser.calls import OPENER
from reactlab.parser.labels import BLANKS, KINDS, PART, first_line
from reactlab.parser.spans import (
    OUTSIDE,
    Span,
    find_fences,
    innermost,
    reasoning_end,
    reasoning_spans,
)
from reactlab.parser.toolnames import spells_tool

IsTool = Callable[[str], bool]
MAX_PARTS = 2000

_LIST_ITEM = re.compile(r"(?<!\*)\*(?!\*)|[•·▪◦+–—-]")
_WRAPPED = re.compile(r"[】\]］」]|\*\*")
_CUT = {"Thought": "thought", "Observation": "observation"}
_CUT |= dict.fromkeys(("Action Input", "ActionInput", "Final Answer", "FinalAnswer"), "cut")


class Mark(NamedTuple):
    """The place where a part begins.

    `kind` is "thought", "action", "input", "observation", "final" or "question" for a part with a
    label, "cut" for a label that the end of the reply cuts off, and "object", "tag", "call" or
    "reasoning" for a part without one. `start` is where its line begins, `body` where its value
    begins. `plain` is False for a label in a list, and for one in lower case such as the `action:`
    of a configuration file. `fence` is the innermost code fence or triple quote around the mark.
    """

    kind: str
    start: int
    body: int
    plain: bool = True
    fence: Span = OUTSIDE

    @property
    def is_label(self) -> bool:
        """Whether the part is named, as in the prompt."""
        return self.kind not in ("object", "tag", "call", "reasoning")


@dataclass(frozen=True)
class Reply:
    """A reply with its marks, and the registered tools by their cleaned names.

    `cut_short` says that it has too many parts; then `text` ends where the last read one ends.
    """

    text: str
    marks: list[Mark]
    registered: Mapping[str, str]
    cut_short: bool = False

    @cached_property
    def next_label(self) -> list[int]:
        """For each mark, the index of the next one with a label; `len(marks)` for none."""
        found: list[int] = []
        following = len(self.marks)
        for index in reversed(range(len(self.marks))):
            found.append(following)
            following = index if self.marks[index].is_label else following
        return found[::-1]

    def start(self, index: int) -> int:
        """Return where a mark begins; the end of the reply for the index behind the last."""
        return self.marks[index].start if index < len(self.marks) else len(self.text)

    def section_end(self, index: int) -> int:
        """Return where the section of `marks[index]` ends: at the next mark that counts.

        A thought ends at anything, an action at a label. An input or an answer does not end at a
        label that is its data: inside its own code fence, or in another style than its own label.
        """
        own = self.marks[index]
        if own.kind not in ("input", "final"):
            return self.start(index + 1 if own.kind == "thought" else self.next_label[index])
        end = len(self.text) if own.fence == OUTSIDE else own.fence.end
        while (index := self.next_label[index]) < len(self.marks):
            mark = self.marks[index]
            if mark.fence.start < own.body and (mark.plain or not own.plain):
                return min(mark.start, end)
        return end


def mark_reply(text: str, registered: Mapping[str, str]) -> Reply:
    """Return the reply with its marks, up to `MAX_PARTS` of them."""
    is_tool = lru_cache(maxsize=256)(partial(spells_tool, registered=registered))
    marks = _find_marks(text, is_tool)
    if cut_short := len(marks) > MAX_PARTS:
        text = text[: marks.pop().start]
    else:
        marks += _cut_label(text, marks)
    if fences := find_fences(text):
        around = innermost(fences, [mark.start for mark in marks])
        marks = [mark._replace(fence=fence) for mark, fence in zip(marks, around, strict=True)]
    return Reply(text, marks, registered, cut_short)


def _find_marks(text: str, is_tool: IsTool) -> list[Mark]:
    marks: list[Mark] = []
    reasoning = reasoning_spans(text)[::-1]
    position = 0
    while len(marks) <= MAX_PARTS and (match := PART.search(text, position)) is not None:
        while reasoning and reasoning[-1].end <= match.start():
            reasoning.pop()
        span = reasoning[-1] if reasoning else OUTSIDE
        if span != OUTSIDE and span.start < match.start():
            position = span.end
            continue
        mark = _mark(match, marks, is_tool, span)
        position = max(match.end(), mark.body if mark else 0)
        if mark is not None:
            marks.append(mark)
    return marks


def _mark(match: re.Match[str], marks: list[Mark], is_tool: IsTool, reasoning: Span) -> Mark | None:
    """The mark for a match of `PART`, if it is one; `reasoning` is the block at or behind it."""
    form, start = match.lastgroup, match.start()
    if form == "call":
        return Mark("call", start, match.start("call")) if is_tool(match["call"]) else None
    if form == "object":
        return Mark("object", start, match.start("object"))
    if form == "tag":
        return _tag(match, start, reasoning)
    kind = _kind_of_label(match, marks, is_tool)
    listed = match["ordinal"] or _LIST_ITEM.search(match["decor"])
    keyed = match["label"].islower() and kind not in ("thought", "observation")
    plain = not listed and not keyed
    return Mark(kind, start, match.end(), plain) if kind else None


def _tag(match: re.Match[str], start: int, reasoning: Span) -> Mark:
    tag = match.start("tag") - 1
    if not match["tag"].lower().startswith("think"):
        return Mark("tag", start, tag)
    end = reasoning.end if reasoning.start == tag else reasoning_end(match.string, tag)
    return Mark("reasoning", start, end)


def _kind_of_label(match: re.Match[str], marks: list[Mark], is_tool: IsTool) -> str:
    """The kind of part that a label begins; "" where the same word begins a sentence."""
    kind = _kind(match["label"])
    after_action = bool(marks) and marks[-1].kind == "action"
    if kind == "short_input":
        return "input" if after_action and match["colon"] else ""
    if match["colon"]:
        return kind.removeprefix("short_")
    if kind in ("short_final", "question"):
        return ""
    rest = first_line(match.string, match.end())
    wrapped = _WRAPPED.search(match["tail"]) is not None
    names_tool = kind == "action" and is_tool(OPENER.split(rest, maxsplit=1)[0])
    expected = not rest or names_tool or (kind == "input" and after_action and rest[0] not in "=-")
    if kind == "input" and match.end() == len(match.string):
        return "cut"
    return kind if wrapped or expected or (kind == "thought" and not marks) else ""


@lru_cache(maxsize=256)
def _kind(label: str) -> str:
    return KINDS[clean_name(label)]


def _cut_label(text: str, marks: list[Mark]) -> list[Mark]:
    """A label that is cut off by the end of the reply, such as `Observ`, is no input."""
    start = text.rstrip(BLANKS).rfind("\n") + 1
    word = first_line(text, start)
    if len(word) < 3 or (marks and marks[-1].body > start):
        return []
    kinds = [kind for label, kind in _CUT.items() if label.startswith(word)]
    return [Mark(kinds[0], start, len(text))] if kinds else []
