"""Being the model: moves are a list, they are replayed, and only the prompt can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.course.words import Both, current
from reactlab.events import StopReason
from reactlab.llm.scripted import ScriptedLLM
from reactlab.prompts import quote, words


class Console:
    """The prompt that a model would see after `moves`; its rules and tools can be unfolded."""

    def __init__(self, question: str, tools: Iterable[Any], moves: Sequence[str]) -> None:
        llm = ScriptedLLM(moves, model="you")
        agent = ReActAgent(llm, tools, max(10, len(moves) + 1), None, language=current())
        self.trace = agent.run(question)
        self.number = len(llm.requests)
        prompt = llm.requests[-1].prompt
        at = prompt.rfind(words(current()).question + quote(question))
        self.rules, self.prompt = prompt[:at].strip(), prompt[at:]

    @property
    def state(self) -> str:
        """Whose turn it is."""
        if self.trace.stop_reason is StopReason.MODEL_ERROR:
            return str(_YOUR_MOVE)
        return _OVER.format(self.trace.stop_reason, self.trace)

    def __repr__(self) -> str:
        return "\n".join([_HEAD.format(self.number), self.rules, "", self.prompt, "", self.state])

    def _repr_html_(self) -> str:
        folded = _FOLDED.format(len(self.rules.splitlines()))
        box = 'style="white-space:pre-wrap;border-left:3px solid currentColor;padding-left:1em"'
        return (
            f'<div lang="{current()}"><p><b>{_HEAD.format(self.number)}</b></p>\n'
            f"<details><summary>{folded}</summary><pre {box}>{escape(self.rules)}</pre></details>\n"
            f"<pre {box}>{escape(self.prompt)}</pre>\n<p>{escape(self.state)}</p></div>"
        )


_HEAD = Both("Prompt {}: this is all you know", "第 {} 个提示词：你知道的只有这些")
_FOLDED = Both("rules and tools ({} lines)", "规则和工具（{} 行）")
_YOUR_MOVE = Both(
    "Your move: write one thought and one action, add it to the list, run the cell again.",
    "轮到你了：写一个思考和一个行动，加进列表，再运行一次这个单元格。",
)
_OVER = Both("The run is over ({}): {}", "运行结束（{}）：{}")
