"""Steps, calls and replies made short, for the places where a prompt has no room for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from reactlab.events import Step


def digest(step: Step) -> str:
    """A step in one line: what was done, and the beginning of what came of it."""
    done = [f"{use.call.name}[{one_line(input_text(use.call.arguments), 80)}]" for use in step.uses]
    came = [one_line(str(observation), 120) for observation in step.observations]
    told = [one_line(failure.tell, 80) for failure in step.told]
    thought = one_line(step.thought, 120)
    facts = "; ".join(f"{call} -> {result}" for call, result in zip(done, came, strict=True))
    return f"- {step.number}. " + " | ".join(part for part in [thought, facts, *told] if part)


def said(step: Step) -> str:
    """The beginning of a reply that could not be read."""
    return one_line(step.completion.text, 400) if step.completion else ""


def input_text(arguments: str | Mapping[str, Any]) -> str:
    """A call's arguments as the text between brackets."""
    if isinstance(arguments, str):
        return arguments
    return json.dumps(dict(arguments), ensure_ascii=False, default=str)


def one_line(text: str, limit: int = 300) -> str:
    """The text on one line, cut to `limit` characters."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
