"""The six kinds of thought in a ReAct run."""

from __future__ import annotations

from enum import StrEnum


class ThoughtType(StrEnum):
    """What a thought is for."""

    INFORMATION_SEEKING = "information_seeking"
    PLANNING = "planning"
    CALCULATION = "calculation"
    REASONING = "reasoning"
    VERIFICATION = "verification"
    FINAL_ANSWER = "final_answer"
