"""Scripts for a model, written once and spoken in every dialect."""

from __future__ import annotations

import json
from typing import Any

from reactlab import Completion, ScriptedLLM, ToolCall

DIALECTS = ("bracket", "action_input", "json", "tools")


def act(dialect: str, thought: str, *calls: tuple[str, Any]) -> Completion:
    """A reply that thinks and calls tools, each call a name and its input."""
    if dialect == "tools":
        made = tuple(
            ToolCall(name, given if isinstance(given, str) else json.dumps(given), f"id{number}")
            for number, (name, given) in enumerate(calls)
        )
        return Completion(thought, made, finish="tool_calls")
    ((name, given),) = calls
    text = given if isinstance(given, str) else json.dumps(given)
    body = {
        "bracket": f"Action: {name}[{text}]",
        "action_input": f"Action: {name}\nActionInput: {text}",
        "json": "Action:\n```json\n"
        + json.dumps({"action": name, "action_input": given}, ensure_ascii=False)
        + "\n```",
    }[dialect]
    return Completion(f"Thought: {thought}\n{body}")


def answer(dialect: str, text: str, thought: str = "I know it.") -> Completion:
    """A reply that answers."""
    if dialect == "tools":
        return Completion(text)
    if dialect == "json":
        blob = json.dumps({"action": "Final Answer", "action_input": text}, ensure_ascii=False)
        return Completion(f"Thought: {thought}\nAction:\n```json\n{blob}\n```")
    marker = "FinalAnswer" if dialect == "action_input" else "Final Answer"
    return Completion(f"Thought: {thought}\n{marker}: {text}")


def scripted(*replies: Any, **options: Any) -> ScriptedLLM:
    return ScriptedLLM(replies, **options)
