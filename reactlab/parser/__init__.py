"""From a model's reply to a decision: marks, then the first complete step, and nothing after it."""

# To read on: labels and marks say where parts begin, steps which part counts; actions, calls,
# objects and tags read one form each; inputs and values what a tool is given; toolnames which tool.

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reactlab.errors import ParseError
from reactlab.names import clean_name
from reactlab.parser.balanced import closing_bracket
from reactlab.parser.inputs import as_answer
from reactlab.parser.labels import BLANKS
from reactlab.parser.marks import Reply, mark_reply
from reactlab.parser.plain import parse_plain
from reactlab.parser.spans import after_stray_end
from reactlab.parser.step import ANSWER, STEP, Step, problem
from reactlab.parser.steps import first_step, step_on_line
from reactlab.parser.toolnames import FINISH, find_tool, is_name
from reactlab.types import Decision, ToolCall
from reactlab.wording import tell

__all__ = ["closing_bracket", "extract_final_answer", "is_cut_off", "is_finished", "parse"]

NO_STEP = "There is no action and no final answer."
NO_STEP_OF_YOURS = (
    "There is no action and no final answer of your own: "
    "what follows `Observation:` is read as a tool's result, up to the next `Thought:`."
)


def parse(text: str, tools: Iterable[str] = (), *, language: str = "en") -> Decision:
    """Read a model's reply: the first complete action or final answer, and nothing after it.

    `tools` are the registered names. A call's `arguments` are the raw input text, or the mapping
    where the reply held a JSON object, keywords or parameters. Raises `ParseError`, worded for the
    model in `language` ("en" or "zh"), when the reply holds no step that can be trusted. Time is
    linear in the length of `text`.
    """
    tools = tuple(tools)
    try:
        return parse_plain(text, tools) or parse_in_full(text, tools)
    except ParseError as error:
        if language == "en":
            raise
        raise ParseError(tell(error.message, language)) from None


def parse_in_full(text: str, tools: Sequence[str]) -> Decision:
    """`parse` without the short cut for plain replies."""
    text = after_stray_end(text.replace("\r\n", "\n").replace("\r", "\n"))
    reply = mark_reply(text, {clean_name(name): name for name in tools})
    found = first_step(reply) or step_on_line(reply)
    if found is None:
        last = max(len(text.rstrip(BLANKS)) - 1, 0)
        quoted = any(mark.kind == "observation" for mark in reply.marks)
        raise problem(NO_STEP_OF_YOURS if quoted else NO_STEP, text, last, STEP)
    if reply.cut_short and found[0].end >= len(reply.text):
        raise problem("The reply has too many parts.", text, len(reply.text), STEP)
    return _decision(reply, *found)


def is_finished(text: str) -> bool:
    """Tell whether a reply ends the run: its first step is a final answer that is not empty.

    A marker inside a thought, a tool's input or an observation is text, not an end.
    """
    try:
        return parse(text).answer is not None
    except ParseError:
        return False


def is_cut_off(text: str, tools: Iterable[str] = ()) -> bool:
    """Tell whether a reply's step goes on to its end, so that more text would change it."""
    tools = tuple(tools)
    try:
        return parse(text, tools) != parse(f"{text}\nand more", tools)
    except ParseError:
        return True


def extract_final_answer(text: str) -> str:
    """Return the final answer of a reply; raise `ParseError` when it does not end the run."""
    answer = parse(text).answer
    if answer is None:
        raise problem("There is no final answer yet.", text, 0, ANSWER)
    return answer


def _decision(reply: Reply, step: Step, index: int) -> Decision:
    thought = _thought(reply, index) or step.thought
    tool = find_tool(step.phrase, reply.registered, explained=step.explained)
    position = reply.marks[index].start if index < len(reply.marks) else 0
    if tool == FINISH:
        answer = as_answer(step.arguments)
        if not answer:
            raise problem("The final answer is empty.", reply.text, position, ANSWER)
        return Decision(thought, answer=answer)
    if tool not in reply.registered.values() and not is_name(tool):
        raise problem("The action does not name one tool.", reply.text, position, STEP)
    return Decision(thought, (ToolCall(tool, step.arguments),))


def _thought(reply: Reply, index: int) -> str:
    """The thoughts before a step; without a marker, the text before it."""
    thoughts: list[str] = []
    for at, mark in enumerate(reply.marks[:index]):
        if mark.kind == "thought":
            thoughts.append(reply.text[mark.body : reply.section_end(at)])
        elif mark.kind == "observation":
            thoughts.clear()
    thoughts = thoughts or [reply.text[: reply.start(0)]]
    return "\n".join(filter(None, map(_tidy, thoughts)))


def _tidy(thought: str) -> str:
    """Without blanks around it, and without the code fence that opens around the step."""
    head, _, last = thought.strip(BLANKS).rpartition("\n")
    return head.rstrip(BLANKS) if last.startswith("```") else thought.strip(BLANKS).strip("`")
