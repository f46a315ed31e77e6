"""The plain-function form of ReAct: a question, and any function `prompt -> str` as the model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reactlab.agents.react import ReActAgent, positive
from reactlab.parser import parse
from reactlab.tools.calculator import calculator
from reactlab.tools.registry import ToolRegistry
from reactlab.tools.search import search
from reactlab.trace import Trace
from reactlab.types import ToolCall


class ToolKit:
    """The two tools that the plain form comes with."""

    @staticmethod
    def search(query: str) -> str:
        """Look something up in the embedded encyclopaedia."""
        return search(query)

    @staticmethod
    def calculator(expr: str) -> str:
        """Work out an arithmetic expression."""
        return calculator(expr)


class SimpleReActAgent:
    """Thought / Action / ActionInput / FinalAnswer, at most `max_iter` turns, nothing forgotten."""

    def __init__(self, tools: Iterable[Any] | None = None, max_iter: int = 5) -> None:
        kit = [ToolKit.search, ToolKit.calculator]
        self.tools = ToolRegistry.of(kit if tools is None else tools)
        self.max_iter = positive("max_iter", max_iter)

    def run(self, user_query: str, llm_func: Any = None) -> Trace:
        """Answer `user_query`; `str()` of the result is the answer, or the reason for none."""
        loop = ReActAgent(llm_func, self.tools, self.max_iter, None, dialect="action_input")
        return loop.run(user_query)

    def parse_response(self, text: str) -> dict[str, Any]:
        """{"type": "final", "content"} or {"type": "tool", "thought", "action", "input"}."""
        decision = parse(text, self.tools.names)
        if decision.answer is not None:
            return {"type": "final", "content": decision.answer}
        call = decision.calls[0]
        return {
            "type": "tool",
            "thought": decision.thought,
            "action": call.name,
            "input": call.arguments,
        }

    def call_tool(self, action_name: str, input_val: Any) -> str:
        """What the tool says, or what is wrong with the call."""
        return str(self.tools.execute(ToolCall(action_name, input_val)).observation)


def iterations(trace: Trace) -> list[dict[str, str]]:
    """The observation-thought-action view: each turn's thought, tool call and result."""
    return [
        {
            "thought": step.thought,
            "tool": f"{use.call.name}[{use.call.arguments}]",
            "result": str(use.observation),
        }
        for step in trace.steps
        for use in step.uses
    ]
