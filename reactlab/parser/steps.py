"""Which part of a reply is its step: the first complete action or answer, and nothing after it."""

from __future__ import annotations

import re

from reactlab.errors import ParseError
from reactlab.parser.actions import read_action
from reactlab.parser.calls import find_opener, read_call
from reactlab.parser.labels import BLANKS, first_line
from reactlab.parser.marks import Reply, mark_reply
from reactlab.parser.objects import read_object
from reactlab.parser.step import ANSWER, STEP, TWO_LINE, Step, problem
from reactlab.parser.tags import read_tag
from reactlab.parser.toolnames import FINISH, NO_TOOL, find_tool

MAX_TRIES = 100  # a hundred objects that are no step: what follows is data, too
_INLINE = re.compile(
    r"[.!?。！？…;；:：][\"”」)]?\s{0,3}(?=(?:Action|行动|动作)\s?[:：]|"
    r"<(?:tool_call|tool|invoke|function|final_answer)\b|\{\s{0,9}[\"“'])"
)
_PROSE = re.compile(r"[\s`*.,。，)）\]}]*+\w")


def first_step(reply: Reply) -> tuple[Step, int] | None:
    """Return the first complete step, with the index of its mark."""
    resume = tries = 0
    for index, bare in _candidates(reply):
        if reply.marks[index].start < resume:
            continue
        if (tries := tries + 1) > MAX_TRIES:
            break
        found = _read(reply, index)
        if isinstance(found, int):
            resume = found
        elif _no_tool(reply, found) or (bare and _prose_follows(reply, index, found.end)):
            resume = found.end
        else:
            return found, index
    return None


def _candidates(reply: Reply) -> list[tuple[int, bool]]:
    """Return the marks that may begin a step, each with whether it stands bare in a thought.

    What is quoted is left out: all of an observation, up to the next thought; and, in a thought,
    bare or fenced examples before the action itself.
    """
    found = []
    section = ""
    explicit = _action_follows(reply)
    for index, mark in enumerate(reply.marks):
        if section == "observation" and mark.kind not in ("thought", "question", "reasoning"):
            continue
        fenced = mark.fence.start > reply.marks[0].fence.start
        bare = section == "thought" and (fenced or not mark.is_label)
        if bare and explicit[index]:
            continue
        section = mark.kind if mark.is_label or mark.kind == "reasoning" else section
        if mark.kind not in ("thought", "question", "observation", "reasoning"):
            found.append((index, bare))
    return found


def _action_follows(reply: Reply) -> list[bool]:
    """For each mark, tell whether an action of this turn follows outside any code fence."""
    follows, found = False, []
    for mark in reversed(reply.marks):
        found.append(follows)
        if mark.kind == "action" and mark.fence.start <= reply.marks[0].fence.start:
            follows = True
        elif mark.kind in ("observation", "final"):
            follows = False
    return found[::-1]


def _no_tool(reply: Reply, step: Step) -> bool:
    return find_tool(step.phrase, reply.registered, explained=step.explained) == NO_TOOL


def _prose_follows(reply: Reply, index: int, end: int) -> bool:
    """A bare object or call with more of the thought behind it is an example."""
    return _PROSE.match(reply.text, end, max(end, reply.start(index + 1))) is not None


def _read(reply: Reply, index: int) -> Step | int:
    """Read the step at a mark, by its form; for what is no step, return where to go on."""
    text, mark = reply.text, reply.marks[index]
    match mark.kind:
        case "action":
            return read_action(reply, index)
        case "final":
            return _answer(reply, index)
        case "object":
            return read_object(text, mark.body, asked=False)
        case "tag":
            return read_tag(text, mark.body, _end_of_tag(reply, index))
        case "call":
            return _bare_call(reply, index)
        case "input":
            wanted = f"either {TWO_LINE}, or {ANSWER}"
            raise problem("The input belongs to no action.", text, mark.start, wanted)
    raise problem("The reply is cut off.", text, mark.start, STEP)


def _answer(reply: Reply, index: int) -> Step:
    """A final answer: all its lines, without the fence or the bold that closes around it."""
    end = reply.section_end(index)
    answer = reply.text[reply.marks[index].body : end].strip(BLANKS)
    for wrapping in ("```", "**"):
        if answer.endswith(wrapping) and answer.count(wrapping) % 2:
            answer = answer.removesuffix(wrapping).rstrip(BLANKS)
    return Step(FINISH, answer, end)


def _end_of_tag(reply: Reply, index: int) -> int | None:
    """Where a tag ends that was never closed: at the end of the model's turn, or nowhere."""
    after = index + 1
    ends = after == len(reply.marks) or reply.marks[after].kind == "observation"
    return reply.start(after) if ends else None


def _bare_call(reply: Reply, index: int) -> Step | int:
    """A call that fills its line; `Search (the page) was empty` is prose."""
    text, start = reply.text, reply.marks[index].body
    opener = find_opener(text, start, len(text))
    if opener is None or (text[opener[1]] in "(（" and text[opener[1] - 1].isspace()):
        return start + 1
    step = read_call(text, start, opener, reply.section_end(index))
    return start + 1 if first_line(text, step.end).strip("`*.。") else step


def step_on_line(reply: Reply) -> tuple[Step, int] | None:
    """The step of a reply without line breaks: behind the end of a sentence, and last in the reply.

    It counts only when nothing else can be meant: a registered tool and nothing behind its call.
    """
    if reply.marks and reply.marks[-1].kind not in ("thought", "question"):
        return None
    start = reply.marks[-1].body if reply.marks else 0
    signs = list(_INLINE.finditer(reply.text, start))
    if not signs or (reply.marks and signs[-1].group()[0] in ":："):
        return None
    rest = mark_reply(reply.text[signs[-1].end() :], reply.registered)
    try:
        found = first_step(rest)
    except ParseError:
        return None
    if found is None or rest.text[found[0].end :].strip(BLANKS + "`*.。"):
        return None
    tool = find_tool(found[0].phrase, reply.registered)
    sure = tool == FINISH or tool in reply.registered.values()
    return (found[0], len(reply.marks)) if sure else None
