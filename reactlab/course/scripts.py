"""Scripted models and runs for checks, in the words of the edition."""

from __future__ import annotations

from collections.abc import Sequence

from reactlab.course.exercises import TooMany
from reactlab.course.words import current
from reactlab.prompts import words


def act(thought: str, tool: str, text: str) -> str:
    """A reply that thinks and uses a tool."""
    said = words(current())
    return f"{said.thought}{thought}\n{said.action}{tool}[{text}]"


def answer(thought: str, text: str) -> str:
    """A reply that answers."""
    said = words(current())
    return f"{said.thought}{thought}\n{said.answer}{text}"


class Script:
    """A model as a function: says its replies in order, and keeps the prompts it was shown.

    The last reply is repeated. A caller that asks more than `most` times is stopped by `TooMany`.
    """

    def __init__(self, replies: Sequence[str], most: int = 20) -> None:
        self.replies = replies
        self.most = most
        self.prompts: list[str] = []

    def __call__(self, prompt: object) -> str:
        """The next reply."""
        if len(self.prompts) >= self.most:
            raise TooMany
        self.prompts.append(str(prompt))
        return self.replies[min(len(self.prompts), len(self.replies)) - 1]
