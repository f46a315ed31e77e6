"""Agents with one fault each: a good test of an agent tells them from the right one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.course.words import Both
from reactlab.effects import Program
from reactlab.events import StopReason, ToolUse
from reactlab.trace import Trace
from reactlab.types import Decision, Observation

_SORRY = Both("Sorry, I found no answer.", "抱歉，没有找到答案。")


class SkipsTheTool(ReActAgent):
    """Goes on without using the tool."""

    def act(self, trace: Trace, decision: Decision) -> Program[None]:
        """Nothing."""
        yield from ()


class UsesItTwice(ReActAgent):
    """Makes each call of the model twice."""

    def act(self, trace: Trace, decision: Decision) -> Program[None]:
        """The calls, and once more."""
        yield from super().act(trace, decision)
        yield from super().act(trace, decision)


class HidesTheError(ReActAgent):
    """Tells the model “ok” where a tool failed."""

    def act(self, trace: Trace, decision: Decision) -> Program[None]:
        """The calls, with “ok” in the place of every error."""
        yield from super().act(trace, decision)
        for at, event in enumerate(trace.events):
            if isinstance(event, ToolUse) and event.observation.error:
                trace.events[at] = replace(event, observation=Observation("ok"))


class ErrorAsAnswer(ReActAgent):
    """Returns what a failing tool said as its answer."""

    def run(self, question: str, **given: Any) -> Trace:
        """The run with its answer changed."""
        trace = super().run(question, **given)
        errors = [str(seen) for step in trace for seen in step.observations if seen.error]
        if errors:
            trace.stop(StopReason.ANSWERED, "", errors[-1])
        return trace


class LimitAsAnswer(ReActAgent):
    """Returns a sentence as its answer when the steps are used up."""

    def give_up(self, trace: Trace) -> None:
        """The right reason, and an answer that is none."""
        trace.stop(StopReason.MAX_STEPS, "", str(_SORRY))


class WrongReason(ReActAgent):
    """Says that it was answered when the steps are used up."""

    def give_up(self, trace: Trace) -> None:
        """No answer, and the wrong reason."""
        trace.stop(StopReason.ANSWERED)


MUTANTS: Mapping[str, type[ReActAgent]] = {
    "skips": SkipsTheTool,
    "uses_twice": UsesItTwice,
    "hides": HidesTheError,
    "error_answer": ErrorAsAnswer,
    "limit_answer": LimitAsAnswer,
    "wrong_reason": WrongReason,
}
