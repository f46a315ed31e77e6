"""Where the parts of a reply begin and end: labels at line starts, tags, bare calls and objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from reactlab.names import clean_name
from reactlab.parser.fences import OUTSIDE, Span, find_spans, innermost
from reactlab.parser.labels import (
    BLANKS,
    COMMON_WORDS,
    CUT_WORDS,
    KINDS,
    LABELS,
    LIST_ITEM,
    PART,
    first_line,
)
from reactlab.parser.reasoning import reasoning_ends

IsTool = Callable[[str], bool]


@dataclass(frozen=True)
class Mark:
    """The place where a part begins.

    `kind` is a key of `LABELS`, "cut" for a label that the end of the reply cuts off, or "object",
    "tag", "call", "reasoning" for a part without label. `start` is where its line begins, `body`
    where its value begins. `plain` is False for a label in lower case or in a list. `fence` is the
    innermost code fence or triple quote around the mark.
    """

    kind: str
    start: int
    body: int
    plain: bool = True
    fence: Span = OUTSIDE

    @property
    def is_label(self) -> bool:
        """Whether the part is named, as in the prompt."""
        return self.kind in LABELS or self.kind == "cut"


@dataclass(frozen=True)
class Reply:
    """A reply with its marks, and the registered tools by their cleaned names."""

    text: str
    marks: list[Mark]
    registered: Mapping[str, str]

    def section_end(self, index: int) -> int:
        """Return where the section of `marks[index]` ends: at the next mark that counts.

        A thought ends at anything. The others end at labels only, and an input or an answer not at
        those that are its data: inside its own code fence, or in another style than its own label.
        """
        own = self.marks[index]
        free = own.kind in ("input", "final")
        end = own.fence.end if free and own.fence != OUTSIDE else len(self.text)
        for mark in map(self.marks.__getitem__, range(index + 1, len(self.marks))):
            data = free and (mark.fence.start >= own.body or (own.plain and not mark.plain))
            if own.kind == "thought" or (mark.is_label and not data):
                return min(mark.start, end)
        return end

    def ended_by(self, index: int, kind: str) -> int | None:
        """Return the index of the mark that ends an action's section, if it is of this kind."""
        labels = (at for at in range(index + 1, len(self.marks)) if self.marks[at].is_label)
        following = next(labels, None)
        return following if following and self.marks[following].kind == kind else None


def find_marks(text: str, is_tool: IsTool) -> list[Mark]:
    """Return the marks of a reply in order; `is_tool` tells whether a phrase names a known tool."""
    marks: list[Mark] = []
    reasoned = reasoning_ends(text)
    position = 0
    while (match := PART.search(text, position)) is not None:
        mark = _mark(match, marks, is_tool, reasoned)
        position = max(match.end(), mark.body if mark else 0)
        if mark is not None:
            marks.append(mark)
    marks += _cut_mark(text, marks)
    fences = innermost(find_spans(text), [mark.start for mark in marks])
    return [replace(mark, fence=fence) for mark, fence in zip(marks, fences, strict=True)]


def _mark(
    match: re.Match[str], marks: list[Mark], is_tool: IsTool, reasoned: Mapping[int, int]
) -> Mark | None:
    start = match.start()
    if match["label"]:
        return _label(match, marks, is_tool)
    if match["object"]:
        return Mark("object", start, match.start("object"))
    if match["call"]:
        return Mark("call", start, match.start("call")) if is_tool(match["call"]) else None
    tag = match.start("tag") - 1
    return Mark("reasoning", start, reasoned[tag]) if tag in reasoned else Mark("tag", start, tag)


def _label(match: re.Match[str], marks: list[Mark], is_tool: IsTool) -> Mark | None:
    """The mark of a label; None where the same words are the beginning of a sentence."""
    name = clean_name(match["label"])
    kind = KINDS[name]
    after_action = bool(marks) and marks[-1].kind == "action"
    rest = first_line(match.string, match.end())
    names_tool = kind == "action" and is_tool(re.split(r"[\[(（［【]", rest, maxsplit=1)[0])
    if kind == "weak_input" and not after_action:
        return None
    if name in COMMON_WORDS and not (match["colon"] and (kind == "final" or names_tool)):
        return None
    if not match["colon"]:
        wrapped = any(sign in match["tail"] for sign in ("】", "]", "」", "**"))
        expected = names_tool or not rest or (after_action and "input" in kind)
        opens_reply = kind == "thought" and not marks
        if kind == "question" or not (wrapped or expected or opens_reply):
            return None
    listed = bool(match["ordinal"] or LIST_ITEM.search(match["decor"]))
    plain = not listed and not match["label"].islower()
    cut = kind == "input" and not match["colon"] and match.end() == len(match.string)
    return Mark("cut" if cut else kind.removeprefix("weak_"), match.start(), match.end(), plain)


def _cut_mark(text: str, marks: list[Mark]) -> list[Mark]:
    """A label that is cut off by the end of the reply, such as `Observ`, is no input."""
    start = text.rstrip(BLANKS).rfind("\n") + 1
    word = first_line(text, start)
    if len(word) < 3 or (marks and marks[-1].body > start):
        return []
    kinds = [kind for label, kind in CUT_WORDS.items() if label.startswith(word)]
    return [Mark(kinds[0], start, len(text))] if kinds else []
