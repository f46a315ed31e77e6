"""Reading a text prompt: its question, its form, and the thoughts, actions and observations."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from reactlab.prompts.words import WORDS
from reactlab.types import Request

from .described import Tool, from_prompt
from .reading import MOST, Reading, Seen, cut_notes, dumps, notes, read_messages, today_in
from .tables import cue
from .text import language

_FINISH = re.compile(r"^(Final ?Answer|最终答案|Answer|答案)([:：])", re.MULTILINE)


class _Part(NamedTuple):
    kind: str
    text: str


def read(request: Request) -> Reading:
    """Read a request, whatever it holds."""
    if request.tools or any(m.calls or m.role == "tool" for m in request.messages):
        return read_messages(request)
    prompt = request.prompt
    if len(prompt) > MOST:
        prompt = prompt[: MOST // 2] + "\n" + prompt[-MOST // 2 :]
    return _read_prompt(prompt)


def _read_prompt(prompt: str) -> Reading:
    """The last question counts, those of examples do not."""
    marks = list(cue("step_marker").finditer(prompt))
    asked = [mark for mark in marks if mark["question"]]
    start = asked[-1].start() if asked else _unmarked_question(prompt, marks)
    head = prompt[:start]
    later = [mark for mark in marks if mark.start() > start]
    parts = _parts(prompt, [*asked[-1:], *later])
    block = parts[0].text if asked else cue("step_marker").split(prompt[start:], maxsplit=1)[0]
    question, extra = cut_notes(_unquote(block))
    ends = bool(later) and not prompt[later[-1].end() :].strip()
    steps = _steps(parts[1:] if asked else parts, ends)
    digests, turns = notes(extra)
    words = "zh" if re.search(r"^(?:思考|行动|问题|最终答案)[:：]", prompt, re.MULTILINE) else "en"
    tools = from_prompt(head) or _used_tools(head, steps)
    return Reading(
        question.strip(),
        language(question) if question.strip() else words,
        _dialect(head if len(head) > 40 else prompt, marks) if marks or tools else "prose",
        tools,
        (*digests, *steps),
        tuple(turns),
        thoughts=any(mark["thought"] for mark in marks),
        once=bool(cue("once").search(head)),
        cue=parts[-1].kind if ends else "",
        finish=_finish(prompt, words),
        words=words,
        today=today_in(prompt),
    )


def _unmarked_question(prompt: str, marks: list[re.Match[str]]) -> int:
    """Where the question begins in a prompt that does not mark it: the last line that asks."""
    body = prompt[: marks[0].start()] if marks else prompt
    lines = list(re.finditer(r"[^\n]+", body))
    asking = [line for line in lines if re.search(r"[?？]\s*$", line[0])]
    return (asking or lines)[-1].start() if lines else 0


def _parts(prompt: str, marks: list[re.Match[str]]) -> list[_Part]:
    ends = [*(mark.start() for mark in marks[1:]), len(prompt)][: len(marks)]
    return [
        _Part(str(mark.lastgroup), prompt[mark.end() : end].strip("\n"))
        for mark, end in zip(marks, ends, strict=True)
    ]


def _unquote(text: str) -> str:
    """Take away the "> " that keeps data from looking like a step."""
    return cue("quoted_line").sub("", text)


def _steps(parts: list[_Part], cued: bool) -> list[Seen]:
    steps: list[Seen] = []
    step = Seen()
    for kind, text in parts[:-1] if cued else parts:
        if kind == "thought":
            step = step._replace(thought=_unquote(text).strip())
        elif kind == "action":
            tool, args = _action(text)
            step = step._replace(tool=tool, args=args)
        elif kind == "input":
            step = step._replace(args=_unquote(text).strip())
        elif kind == "observation":
            seen = cut_notes(_unquote(text))[0].strip()
            steps.append(step._replace(observation=seen))
            step = Seen()
    return [*steps, step] if step.tool else steps


def _action(text: str) -> tuple[str, str]:
    """Tool and arguments of an action in any of the three forms."""
    blob = re.search(r"\{.*\}", text, re.DOTALL) if text.lstrip()[:1] in ("`", "{") else None
    if blob:
        try:
            value = json.loads(blob[0])
            given = value.get("action_input", "")
            return str(value.get("action", "")), given if isinstance(given, str) else dumps(given)
        except (ValueError, AttributeError, RecursionError):
            return "", text
    name, bracket, rest = text.partition("[")
    return name.strip(), _unquote(rest.rstrip().removesuffix("]")) if bracket else ""


def _dialect(form: str, marks: list[re.Match[str]]) -> str:
    if re.search(r"```json|[\"']action_input[\"']", form):
        return "json"
    return "action_input" if any(mark["input"] for mark in marks) else "bracket"


def _finish(prompt: str, words: str) -> str:
    if found := _FINISH.search(prompt):
        return found[1] + found[2] + (" " if found[2] == ":" else "")
    return "Finish[" if "Finish[" in prompt else WORDS[words].answer


def _used_tools(head: str, steps: list[Seen]) -> tuple[Tool, ...]:
    """Where nothing describes the tools: those that were used or are shown in use."""
    shown = [step.tool for step in steps] + re.findall(r"\b([A-Z][a-z]\w*)\[", head)
    return tuple(Tool(n, "") for n in dict.fromkeys(shown) if n and not cue("marker").match(n))
