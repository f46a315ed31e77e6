"""The reader of a reply: the first complete action or answer is the decision."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reactlab.errors import ParseError
from reactlab.names import clean_name
from reactlab.parser.actions import read_action
from reactlab.parser.calls import find_opener, read_call
from reactlab.parser.inputs import as_answer
from reactlab.parser.labels import BLANKS, first_line
from reactlab.parser.marks import Reply, find_marks
from reactlab.parser.objects import read_object
from reactlab.parser.problems import ANSWER, STEP, TWO_LINE, problem
from reactlab.parser.reasoning import after_stray_end
from reactlab.parser.step import Step
from reactlab.parser.tags import read_tag
from reactlab.parser.toolnames import FINISH, NO_TOOL, find_tool, is_name, spells_tool
from reactlab.types import Decision, ToolCall

_INLINE = re.compile(
    r"[.!?。！？…;；:：][\"”」)]?\s{0,3}(?=(?:Action|行动|动作)\s?[:：]|"
    r"<(?:tool_call|tool|invoke|function|final_answer)\b|\{\s{0,9}[\"“'])"
)


def parse(text: str, tools: Iterable[str] = ()) -> Decision:
    """Read a model's reply: the first complete action or final answer, and nothing after it.

    `tools` are the registered names. A call's `arguments` are the raw input text, or the mapping
    where the reply held a JSON object, keywords or parameters. Raises `ParseError`, worded for the
    model, when the reply holds no step that can be trusted.
    """
    registered = {clean_name(name): name for name in tools}
    text = after_stray_end(text.replace("\r\n", "\n").replace("\r", "\n"))
    reply = _reply(text, registered)
    found = _first_step(reply) or _step_on_line(reply)
    if found is None:
        last = len(text.rstrip(BLANKS)) - 1
        raise problem("There is no action and no final answer.", text, max(last, 0), STEP)
    return _decision(reply, *found)


def is_finished(text: str) -> bool:
    """Tell whether a reply ends the run: its first step is a final answer that is not empty.

    A marker inside a thought, a tool's input or an observation is text, not an end.
    """
    try:
        return parse(text).answer is not None
    except ParseError:
        return False


def extract_final_answer(text: str) -> str:
    """Return the final answer of a reply. Raise `ParseError` when the reply does not end the run."""
    answer = parse(text).answer
    if answer is None:
        raise problem("There is no final answer yet.", text, 0, ANSWER)
    return answer


def _reply(text: str, registered: dict[str, str]) -> Reply:
    def is_tool(phrase: str) -> bool:
        return spells_tool(phrase, registered)

    return Reply(text, find_marks(text, is_tool), registered)


def _first_step(reply: Reply) -> tuple[Step, int] | None:
    """Return the first complete step, with the index of its mark."""
    resume = 0
    for index, thinking in _candidates(reply):
        if reply.marks[index].start < resume:
            continue
        found = _read(reply, index)
        if isinstance(found, int):
            resume = found
        elif find_tool(found.phrase, reply.registered, explained=True) == NO_TOOL or (
            thinking and _prose_follows(reply, index, found.end)
        ):
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
    section = "preamble"
    explicit = _action_follows(reply)
    for index, mark in enumerate(reply.marks):
        if section == "observation" and mark.kind not in ("thought", "question", "reasoning"):
            continue
        fenced = mark.fence.start > reply.marks[0].fence.start
        bare = section == "thought" and (fenced or not mark.is_label)
        if bare and explicit[index]:
            continue
        section = mark.kind if mark.is_label or mark.kind == "reasoning" else section
        found.append((index, bare))
    return found


def _action_follows(reply: Reply) -> list[bool]:
    """For each mark: does an action of this turn follow, outside any code fence?"""
    follows, answers = False, []
    for mark in reversed(reply.marks):
        answers.append(follows)
        if mark.kind == "action" and mark.fence.start <= reply.marks[0].fence.start:
            follows = True
        elif mark.kind in ("observation", "final"):
            follows = False
    return answers[::-1]


def _prose_follows(reply: Reply, index: int, end: int) -> bool:
    """A bare object or call with more of the thought behind it is an example."""
    following = reply.marks[index + 1].start if index + 1 < len(reply.marks) else len(reply.text)
    return re.match(r"[\s`*.,。，)）\]}]*+\w", reply.text[end:following]) is not None


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
            return read_tag(text, mark.body, reply.section_end(index))
        case "call":
            return _bare_call(reply, index)
        case "input":
            raise problem("The input belongs to no action.", text, mark.start, TWO_LINE)
        case "cut":
            raise problem("The reply is cut off.", text, mark.start, STEP)
    return mark.start + 1


def _answer(reply: Reply, index: int) -> Step:
    """A final answer: all its lines, without the fence or the bold that closes around it."""
    body, end = reply.marks[index].body, reply.section_end(index)
    answer = reply.text[body:end].strip(BLANKS)
    for wrapping in ("```", "**"):
        if answer.endswith(wrapping) and answer.count(wrapping) % 2:
            answer = answer.removesuffix(wrapping).rstrip(BLANKS)
    return Step(FINISH, answer, end)


def _bare_call(reply: Reply, index: int) -> Step | int:
    """A call that fills its line; `Search (the page) was empty` is prose."""
    text, start = reply.text, reply.marks[index].body
    opener = find_opener(text, start, len(text))
    if opener is None or (text[opener] in "(（" and text[opener - 1].isspace()):
        return start + 1
    step = read_call(text, start, opener, reply.section_end(index))
    return step.end if first_line(text, step.end).strip("`*.。") else step


def _step_on_line(reply: Reply) -> tuple[Step, int] | None:
    """The step of a reply without line breaks: behind the end of a sentence, and last in the reply.

    It counts only when nothing else can be meant: a registered tool and nothing behind its call.
    """
    if reply.marks and reply.marks[-1].kind not in ("thought", "question"):
        return None
    start = reply.marks[-1].body if reply.marks else 0
    found = [
        match
        for match in _INLINE.finditer(reply.text, start)
        if not (reply.marks and match.group()[0] in ":：")
    ]
    if not found:
        return None
    rest = _reply(reply.text[found[-1].end() :], dict(reply.registered))
    try:
        step = _first_step(rest)
    except ParseError:
        return None
    if step is None or rest.text[step[0].end :].strip(BLANKS + "`*.。"):
        return None
    tool = find_tool(step[0].phrase, reply.registered)
    sure = tool == FINISH or tool in reply.registered.values()
    return (step[0], len(reply.marks)) if sure else None


def _decision(reply: Reply, step: Step, index: int) -> Decision:
    thought = _thought(reply, index) or step.thought
    tool = find_tool(step.phrase, reply.registered, explained=True)
    position = reply.marks[index].start if index < len(reply.marks) else 0
    if tool == FINISH:
        answer = as_answer(step.arguments).strip(BLANKS)
        if not answer:
            raise problem("The final answer is empty.", reply.text, position, ANSWER)
        return Decision(thought, answer=answer)
    if not is_name(tool):
        raise problem("The action does not name one tool.", reply.text, position, STEP)
    return Decision(thought, (ToolCall(tool, step.arguments),))


def _thought(reply: Reply, index: int) -> str:
    """The thoughts before a step; without a marker, the text before it."""
    thoughts = []
    for at, mark in enumerate(reply.marks[:index]):
        if mark.kind == "thought":
            thoughts.append(reply.text[mark.body : reply.section_end(at)])
        elif mark.kind == "observation":
            thoughts.clear()
    if not thoughts:
        thoughts = [reply.text[: reply.marks[0].start if reply.marks else 0]]
    return "\n".join(filter(None, map(_tidy, thoughts)))


def _tidy(thought: str) -> str:
    """Without blanks, and without the code fence that opens around the step."""
    head, _, last = thought.strip(BLANKS).rpartition("\n")
    return head.rstrip(BLANKS) if last.startswith("```") else thought.strip(BLANKS).strip("`")
