"""Being the model: moves are a list, they are replayed, and only the prompt can be seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.course.words import Both, current, plain, value_shown
from reactlab.errors import ConfigError, ParseError
from reactlab.events import StopReason
from reactlab.llm.scripted import ScriptedLLM
from reactlab.llm.simulated import SimulatedLLM
from reactlab.parser import parse
from reactlab.prompts import quote, words
from reactlab.render.html import shown
from reactlab.render.rows import clean
from reactlab.trace import Trace

BOX = 'style="white-space:pre-wrap;border-left:3px solid currentColor;padding-left:1em"'
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


class Console:
    """The prompt that a model would see after `moves`; its rules and tools can be unfolded.

    A move that still holds "…" is a placeholder and is left out. `notes` says what became of the
    moves. Raises `ConfigError` if `moves` is no list of texts.
    """

    def __init__(self, question: str, tools: Iterable[Any], moves: Sequence[str]) -> None:
        tools, made = list(tools), written(moves)
        llm = ScriptedLLM(made, model="you")
        agent = ReActAgent(llm, tools, max(10, len(made) + 1), None, language=current())
        self.trace = agent.run(question)
        self.number = len(llm.requests)
        prompt = llm.requests[-1].prompt
        at = prompt.rfind(words(current()).question + quote(question))
        self.rules, self.prompt = prompt[:at].strip(), prompt[at:]
        self.over = self.trace.stop_reason is not StopReason.MODEL_ERROR
        self.notes = [
            *_placeholders(moves),
            *_cut_off(made, agent.tools.names),
            *([_UNUSED.format(len(made) - self.number)] if len(made) > self.number else []),
            *(_judged(self.trace, tools) if self.over else []),
        ]

    @property
    def state(self) -> str:
        """Whose turn it is."""
        if not self.over:
            return str(_YOUR_MOVE)
        return _OVER.format(self.trace.stop_reason, self.trace)

    def __repr__(self) -> str:
        head = _HEAD.format(self.number)
        lines = [head, self.rules, "", self.prompt, "", self.state, *self.notes]
        return clean("\n".join(lines))

    def _repr_html_(self) -> str:
        folded = _FOLDED.format(len(self.rules.splitlines()))
        said = "".join(f"<p>{shown(line)}</p>" for line in [self.state, *self.notes])
        return (
            f'<div lang="{current()}"><p><b>{_HEAD.format(self.number)}</b></p>\n'
            f"<details><summary>{folded}</summary><pre {BOX}>{shown(self.rules)}</pre></details>\n"
            f"<pre {BOX}>{shown(self.prompt)}</pre>\n{said}</div>"
        )


def written(moves: Any) -> list[str]:
    """The moves without placeholders; `ConfigError` if it is no list of texts."""
    if isinstance(moves, str) or not isinstance(moves, Sequence):
        raise ConfigError(_NO_LIST.format(value_shown(moves)))
    for number, move in enumerate(moves, 1):
        if not isinstance(move, str):
            raise ConfigError(_NO_TEXT.format(number, value_shown(move)))
    return [move for move in moves if not _is_placeholder(move)]


def _is_placeholder(move: str) -> bool:
    return "…" in move or not move.strip()


def _placeholders(moves: Sequence[str]) -> Iterator[str]:
    numbers = [str(n) for n, move in enumerate(moves, 1) if "…" in move]
    if numbers:
        yield _PLACEHOLDER.format(", ".join(numbers))


def _cut_off(moves: Sequence[str], tools: Sequence[str]) -> Iterator[str]:
    """A line for each move of which the loop used the beginning only."""
    for number, move in enumerate(moves, 1):
        if rest := unused(move, tools):
            yield _CUT.format(number, value_shown(rest))


def unused(move: str, tools: Sequence[str]) -> str:
    """What stands in a move behind the step that is read from it, "" if nothing does."""
    try:
        whole = parse(move, tools)
    except ParseError:
        return ""
    for end in (at for at, sign in enumerate(f"{move}\n") if sign == "\n" or move[at - 1] in "]］"):
        try:
            if end and parse(move[:end], tools) == whole:
                return move[end:].strip()
        except ParseError:
            continue
    return ""


def _judged(trace: Trace, tools: Sequence[Any]) -> Iterator[str]:
    """What can be said about an answer: which observations hold it, and what the simulator says."""
    answer = plain(trace.answer or "").strip(" .")
    seen = {step.number: plain(step.observations) for step in trace.steps if step.observations}
    parts = NUMBER.findall(answer) or [answer]
    places = {part: [n for n, text in seen.items() if part in text][:1] for part in parts}
    missing = [part for part, steps in places.items() if not steps]
    if not seen:
        yield str(_TOO_EARLY)
    elif missing:
        yield _NO_EVIDENCE.format(", ".join(missing))
    else:
        steps = sorted({n for numbers in places.values() for n in numbers})
        yield _EVIDENCE.format(", ".join(places), ", ".join(map(str, steps)))
    other = ReActAgent(SimulatedLLM(), tools, language=current()).run(trace.question)
    if other.steps[0].observations and not any(part in plain(other.answer) for part in parts):
        yield _OTHERWISE.format(str(other).rstrip(".。"))


_HEAD = Both("Prompt {}: this is all you know", "第 {} 个提示词：你知道的只有这些")
_FOLDED = Both("rules and tools ({} lines)", "规则和工具（{} 行）")
_YOUR_MOVE = Both(
    "Your move: a thought and one action (Action: Tool[input]), or a thought and the answer "
    "(Final Answer: text).",
    "轮到你了：写一个思考和一个行动（行动：工具名[输入]），或者一个思考和答案（最终答案：文字）。",
)
_OVER = Both("The run is over ({}): {}", "运行结束（{}）：{}")
_NO_LIST = Both(
    'moves is a list of texts, such as ["Thought: …\\nAction: …"], not {}.',
    'moves 是文字的列表，例如 ["思考：…\\n行动：…"]，而不是 {}。',
)
_NO_TEXT = Both("Move {} is no text: {}.", "第 {} 条不是文字：{}。")
_PLACEHOLDER = Both(
    "Not played yet, “…” is still in it: move {}. Write your own words there.",
    "第 {} 条里还有“…”，所以没有算进来。请换成你自己的话。",
)
_CUT = Both(
    "Of move {} this was cut off: {}. The world writes what comes after an action.",
    "第 {} 条里这一部分被截掉了：{}。行动之后的内容由世界来写。",
)
_UNUSED = Both(
    "The run was over before your last {} move(s).",
    "运行在你的最后 {} 条之前就结束了。",
)
_TOO_EARLY = Both(
    "Answered before anything was looked up: no observation holds this answer.",
    "什么都还没查就作答了：没有任何观察包含这个答案。",
)
_NO_EVIDENCE = Both(
    "No observation holds this answer: {}. Where does it come from?",
    "没有任何观察包含这个答案：{}。它是从哪里来的？",
)
_EVIDENCE = Both(
    "{} stands in the observation of step {}. "
    "That shows where it comes from, not that it is right.",
    "{} 在第 {} 步的观察里。这说明它从哪里来，并不说明答案是对的。",
)
_OTHERWISE = Both(
    "The simulator, with the same tools, answers otherwise: “{}”. Compare the observations again.",
    "模拟器用同样的工具，答案不一样：“{}”。请再比较一下各条观察。",
)
