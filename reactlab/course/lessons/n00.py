"""Checks of 00 start_here: the evidence for an answer, and a run of one's own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from reactlab.course.exercises import Judge, Raised, Stumble, attempt
from reactlab.course.texts import Texts
from reactlab.course.words import plain, value_shown
from reactlab.events import ModelCall, Step, StopReason, ToolUse
from reactlab.llm.simulated import SimulatedLLM
from reactlab.trace import Trace
from reactlab.types import Completion, Decision, Observation, Request, ToolCall

say = Texts("00")
Row = tuple[str, str | list[str], str]  # thought, observation or several, error


def judge_evidence(evidence_step: Any) -> Iterator[str]:
    """00.1: the first observation that holds the answer, in runs of nine kinds."""
    for seed in (1, 2, 3):
        for name, (trace, right) in receipts(seed).items():
            got = _run(name, evidence_step, trace)
            yield "" if _same(got, right) else _what_is_wrong(name, trace, right, got)


def _run(name: str, evidence_step: Any, trace: Trace) -> Any:
    try:
        return attempt(say("run", name), evidence_step, trace)
    except Raised as raised:
        if isinstance(raised.error, TypeError) and "'Observation'" in str(raised.error):
            raise Stumble(say("as_text", name=name)) from None
        if trace.answer is None and isinstance(raised.error, TypeError | AttributeError):
            raise Stumble(say("none_answer", name=name)) from None
        if isinstance(raised.error, IndexError):
            raise Stumble(say("no_observation", name=name)) from None
        raise


def receipts(seed: int) -> dict[str, tuple[Trace, int | None]]:
    """Runs by letter, each with the number of the step that holds its answer."""
    chance = random.Random(seed)
    right, wrong, unseen = (str(n) for n in chance.sample(range(210, 989), 3))
    place = chance.choice(say["says"]["places"])
    nothing = (say("think"), say("nothing"), "")
    hit = (say("think"), say("seen", place, right), "")
    other = (say("think"), say("seen", place, wrong), "")
    broken = (say("think"), say("failed"), "tool_error")
    guess = (say("guess", right), say("nothing"), "")
    both = (say("think"), [say("nothing"), say("seen", place, right)], "")
    nobody = (say("think"), "None", "")
    wait = chance.randrange(2, 5)
    return {
        "A": (_trace([hit], right), 1),
        "B": (_trace([nothing, hit, broken], right), 2),
        "C": (_trace([nothing, other], unseen), None),
        "D": (_trace([guess, nothing, hit], right), 3),
        "E": (_trace([other, hit, hit], right), 2),
        "F": (_trace([other, broken], None), None),
        "G": (_trace([*[nothing] * wait, hit, other], right), wait + 1),
        "H": (_trace([other, both], right), 2),
        "I": (_trace([nobody], None), None),
    }


def _trace(rows: list[Row], answer: str | None) -> Trace:
    trace, call = Trace(say("question"), "ReActAgent", "scripted"), ToolCall("Search", say("query"))
    for thought, observation, error in rows:
        trace.add(ModelCall(Request(()), Completion()))
        texts = [observation] if isinstance(observation, str) else observation
        trace.add(Decision(thought, (call,) * len(texts)))
        for text in texts:
            trace.add(ToolUse(call, Observation(text, error)))
    if answer is None:
        trace.stop(StopReason.MAX_STEPS)
        return trace
    trace.add(ModelCall(Request(()), Completion()))
    trace.add(Decision(say("conclude", answer), (), answer))
    trace.stop(StopReason.ANSWERED, "", answer)
    return trace


def _same(got: Any, right: int | None) -> bool:
    return got is None if right is None else got == right and not isinstance(got, bool)


def _what_is_wrong(name: str, trace: Trace, right: int | None, got: Any) -> str:
    step = next((step for step in trace.steps if step.number == got), None)
    key = _no_evidence(trace, step) if right is None else _wrong_step(trace, step, right, got)
    return say(key, name=name, right=right, got=value_shown(got), answer=trace.answer)


def _no_evidence(trace: Trace, step: Step | None) -> str:
    if trace.answer is None:
        return "no_answer"
    return "own_words" if step is not None and trace.answer in step.thought else "nowhere"


def _wrong_step(trace: Trace, step: Step | None, right: int, got: Any) -> str:
    if got is None:
        return "not_found"
    if step is None:
        return "from_one" if got == 0 and got is not False else "missed"
    if any(observation.error for observation in step.observations):
        return "error_step"
    if not step.observations:
        return "last"
    if str(trace.answer) in step.thought:
        return "guessed"
    return "first" if step.number > right else "missed"


def judge_own(run: Any) -> Iterator[str]:
    """00.2: the learner's own run, whatever model it used."""
    if not isinstance(run, Trace):
        yield say("no_trace", got=value_shown(run))
        return
    asked = {plain(text) for key, text in say["examples"].items() if key != "own"}
    yield say("not_own") if plain(run.question) in asked else _two_tools(run)


def _two_tools(run: Trace) -> str:
    uses = [use for step in run.steps for use in step.uses]
    if len({use.call.name for use in uses if not use.observation.error}) >= 2:
        return ""
    for use in uses:
        if use.observation.error:
            return say("tool_failed", name=use.call.name, told=value_shown(str(use.observation)))
    key = ("no_tool", "one_call", "twice")[min(len(uses), 2)]
    told = say(key, calls=len(uses), name=uses[0].call.name if uses else "")
    return say("other_words", told=told) if run.model == SimulatedLLM.model else told


JUDGES: dict[str, Judge] = {"1": judge_evidence, "2": judge_own}
EXAMPLES: dict[str, Any] = {}
