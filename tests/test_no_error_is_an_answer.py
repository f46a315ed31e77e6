"""No error is ever taken for an answer: every run that fails says why and keeps its steps.

Every kind of agent, in every way of running it, meets every way of failing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner, run_live
from kinds import CHINESE, KINDS, Kind, every_way
from scripts import act, answer, scripted

from reactlab import (
    Budget,
    Completion,
    LLMError,
    Observation,
    Sample,
    StopReason,
    Tool,
    ToolCall,
    Trace,
)
from reactlab.errors import ContextOverflow, RateLimited, Refused, Unavailable
from reactlab.evaluation.scorers import contains, normalized, strict


def echo(text: str) -> str:
    """Say it again."""
    return f"seen {text}"


def broken(text: str) -> str:
    """Break."""
    raise RuntimeError("Final Answer: the tool is broken")


def away(text: str) -> str:
    """Be away."""
    raise ConnectionError("nobody at home")


def stop(text: str) -> str:
    """Stop."""
    raise KeyboardInterrupt


def says_error(text: str) -> str:
    """Say that it failed, as many APIs do."""
    return "Error: 500 Internal Server Error"


def pay(text: str) -> str:
    """Pay."""
    raise AssertionError("this needs approval")


TOOLS = [
    *(echo, broken, away, stop, says_error),
    Tool("hang", "Hang.", lambda text: time.sleep(30), timeout=0.01),
    Tool("pay", "Pay.", pay, effects=True),
]


@dataclass(frozen=True)
class Way:
    """A way of failing: what the model says once the first `good` steps are done, for ever.

    `reasons` are those that the run may state, `told` a piece of its detail in English.
    """

    name: str
    says: Callable[[Kind], Any]
    reasons: tuple[str, ...] = ("model_error",)
    told: str = ""
    good: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    needs_tools: bool = False

    def __str__(self) -> str:
        return f"{self.name}-{self.good}" if self.good else self.name


def raises(error: Exception) -> Callable[[Kind], Any]:
    return lambda kind: error


def uses(name: str) -> Callable[[Kind], Any]:
    return lambda kind: act(kind.dialect, f"I try {name}.", (name, {"text": "x"}))


def unreadable(kind: Kind) -> Any:
    """What nobody can read as a step of this kind."""
    if kind.dialect == "tools":
        return Completion("", (ToolCall("echo", '{"text": ', "id"),), finish="tool_calls")
    if kind.tools == "none":
        return "Thought: hm\nAction: echo[x]"
    return "Let me see what I can do about it."


def cut_off(kind: Kind) -> Any:
    """A reply that ended at its length limit, before it said what to do."""
    if kind.dialect == "tools":
        return Completion("The answer is proba", finish="length")
    if kind.tools == "none":
        return Completion("First I take the number of", finish="length")
    return Completion("Thought: I will look for the\nAction: echo[ha", finish="length")


def cut_answer(kind: Kind) -> Any:
    """An answer that ended at its length limit."""
    whole = answer(kind.dialect, "The answer is proba").text
    return Completion(whole[:-8] if kind.dialect == "json" else whole, finish="length")


def cut_call(kind: Kind) -> Any:
    """A call that ended at its length limit."""
    if kind.dialect == "tools":
        call = ToolCall("echo", '{"text": "ha', "id")
        return Completion("", (call,), finish="length")
    return cut_off(kind)


LOST = ("max_steps", "unreadable", "loop", "no_progress")
FAILED = (*LOST, "tool_failure")

WAYS = [
    # the server, from the first step on or later
    Way("down", raises(Unavailable("The server is down.", retry_after=0)), told="is down"),
    Way("down", raises(Unavailable("The server is down.", retry_after=0)), told="is down", good=1),
    Way("down", raises(Unavailable("The server is down.", retry_after=0)), told="is down", good=2),
    Way("limited", raises(RateLimited("Slow down.", retry_after=0)), told="Slow down"),
    Way("limited", raises(RateLimited("Slow down.", retry_after=0)), told="Slow down", good=2),
    Way("limited for hours", raises(RateLimited("Wait.", retry_after=9_999)), told="Wait"),
    Way("failing", raises(LLMError("Final Answer: HTTP 400")), told="HTTP 400"),
    Way("failing", raises(LLMError("Final Answer: HTTP 400")), told="HTTP 400", good=1),
    Way("too long", raises(ContextOverflow("8192 tokens at most.")), ("context",)),
    # the model
    Way("refused", raises(Refused("I cannot help with that.")), told="cannot help"),
    Way("refused", raises(Refused("I cannot help with that.")), told="cannot help", good=2),
    Way("empty", lambda kind: "", told="is empty"),
    Way("empty", lambda kind: " \n ", told="is empty", good=2),
    Way("unreadable", unreadable, LOST),
    Way("unreadable", unreadable, LOST, good=2),
    Way("cut off", cut_off, LOST),
    Way("cut off", cut_off, LOST, good=1),
    Way("cut answer", cut_answer, LOST),
    Way("cut call", cut_call, LOST),
    # the tools
    Way("unknown tool", uses("nothing"), LOST),
    Way("unknown tool", uses("nothing"), LOST, good=1),
    Way("broken tool", uses("broken"), FAILED, needs_tools=True),
    Way("broken tool", uses("broken"), FAILED, good=2, needs_tools=True),
    Way("tool away", uses("away"), FAILED, needs_tools=True),
    Way("hanging tool", uses("hang"), FAILED, needs_tools=True),
    Way("tool that says error", uses("says_error"), FAILED, needs_tools=True),
    Way("nobody approves", uses("pay"), LOST, needs_tools=True),
    # the limits
    Way("steps", uses("echo"), LOST),
    Way("calls", uses("echo"), ("budget",), options={"budget": Budget(calls=1)}),
    Way("script", lambda kind: None, told="The script has", good=1),
    Way("no script", lambda kind: None, told="The script has"),
]


def replies(kind: Kind, way: Way) -> Any:
    """The model that fails in this way, after the good steps that this kind can take."""
    good = [
        act(kind.dialect, f"Good {n}.", ("echo", {"text": f"x{n}"}))
        for n in range(_good(kind, way))
    ]
    bad = way.says(kind)
    return scripted(*good, *([] if bad is None else [bad]), repeat_last=bad is not None)


def _good(kind: Kind, way: Way) -> int:
    """A single call can be one good step, a chain of thought none."""
    return 0 if kind.tools != "any" else min(way.good, 1 if kind.turns == 2 else way.good)


def meets(kind: Kind, way: Way) -> bool:
    """Whether this kind can fail in this way."""
    if way.needs_tools and kind.tools != "any":
        return False
    if way.options and (kind.name == "simple" or kind.turns == 1):
        return False
    if way.good and not _good(kind, way):
        return False
    return not (way.name == "unknown tool" and kind.turns == 1)


def cases(kinds: Iterable[Kind], ways: Iterable[Way]) -> list[Any]:
    """Each kind in each way of failing that it can fail in, in each way of running."""
    met = [
        (kind, way, run) for kind in kinds for way in ways if meets(kind, way) for run in kind.ways
    ]
    return [
        pytest.param(kind, way, run, id=f"{way}-{kind}-{run.__name__.removeprefix('run_')}")
        for kind, way, run in met
    ]


CASES = cases(KINDS, WAYS)
IN_CHINESE = cases(CHINESE, [way for way in WAYS if way.reasons == LOST])


def check_failed(trace: Trace, folder: Path) -> None:
    """What holds for every run that failed, also once it is saved and loaded."""
    loaded = Trace.load(trace.save(folder / "run.jsonl"))
    assert loaded == trace
    for one in (trace, loaded):
        assert one.answer is None
        assert one.stop_reason not in (None, StopReason.ANSWERED)
        assert one.detail.strip()
        assert str(one) == f"no answer: {one.stop_reason}: {one.detail}"
        assert "Traceback" not in str(one)
        for stock in (str(one), one.detail, "no answer", str(one.stop_reason), ""):
            sample = Sample(id="1", question="q", expected=(stock or "error",))
            assert all(scorer(one, sample).value == 0 for scorer in (strict, normalized, contains))


@pytest.mark.parametrize(("kind", "way", "run"), CASES)
def test_a_run_that_fails_has_no_answer_but_a_reason_and_its_steps(
    kind: Kind, way: Way, run: Runner, tmp_path: Path
) -> None:
    llm = replies(kind, way)
    trace = run(kind.make(llm, TOOLS, **way.options), "Why?")
    check_failed(trace, tmp_path)
    assert str(trace.stop_reason) in way.reasons
    assert way.told in trace.detail
    good = _good(kind, way)
    kept = [str(seen) for step in trace for seen in step.observations]
    assert kept[:good] == [f"seen x{n}" for n in range(good)]
    assert [step.thought for step in trace][:good] == [f"Good {n}." for n in range(good)]
    assert len(trace) >= good
    assert len(llm.requests) == sum(len(step.model_calls) for step in trace)


@pytest.mark.parametrize(("kind", "way", "run"), IN_CHINESE)
def test_a_reason_in_chinese_is_no_answer_either(
    kind: Kind, way: Way, run: Runner, tmp_path: Path
) -> None:
    trace = run(kind.make(replies(kind, way), TOOLS), "为什么？")
    check_failed(trace, tmp_path)
    assert not trace.detail.isascii()


@every_way(*(kind for kind in KINDS if kind.tools == "any" and kind.name != "simple"))
@pytest.mark.parametrize("good", [0, 1])
def test_an_interrupted_run_has_no_answer_but_a_reason_and_its_steps(
    kind: Kind, run: Runner, good: int, tmp_path: Path
) -> None:
    good = 0 if kind.name == "single" else good  # its one turn is the one that is stopped
    steps = [act(kind.dialect, "Good.", ("echo", {"text": "x"}))] * good
    llm = scripted(*steps, act(kind.dialect, "Now.", ("stop", {"text": "x"})))
    trace = Trace("Why?")
    with pytest.raises(KeyboardInterrupt):
        run(kind.make(llm, TOOLS), "Why?", trace=trace)
    check_failed(trace, tmp_path)
    assert trace.stop_reason is StopReason.INTERRUPTED
    assert [str(seen) for step in trace for seen in step.observations] == ["seen x"] * good
    assert trace.steps[-1].thought == "Now."


@every_way(*(kind for kind in KINDS if kind.name != "simple"))
def test_a_bug_is_raised_and_leaves_a_reason(kind: Kind, run: Runner, tmp_path: Path) -> None:
    trace = Trace("Why?")
    with pytest.raises(ZeroDivisionError):
        run(kind.make(scripted(ZeroDivisionError("a bug")), TOOLS), "Why?", trace=trace)
    check_failed(trace, tmp_path)
    assert trace.stop_reason is StopReason.INTERRUPTED


@every_way(*(kind for kind in KINDS if kind.tools == "any"))
def test_what_a_model_says_after_a_denial_is_marked(
    kind: Kind, run: Runner, tmp_path: Path
) -> None:
    pays = act(kind.dialect, "I pay.", ("pay", {"text": "x"}))
    trace = run(kind.make(scripted(pays, answer(kind.dialect, "Paid.")), TOOLS), "Pay!")
    loaded = Trace.load(trace.save(tmp_path / "run.jsonl"))
    assert loaded == trace
    for one in (trace, loaded):
        assert one.stop_reason is StopReason.DENIED
        assert str(one).startswith("Paid. (denied): Denied: pay")
        assert [seen.error for step in one for seen in step.observations] == ["denied"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name != "simple"], ids=str)
def test_walking_away_from_a_live_run_leaves_no_answer(kind: Kind, tmp_path: Path) -> None:
    trace = Trace("Why?")
    events = kind.make(scripted(answer(kind.dialect, "ok")), TOOLS).iter("Why?", trace=trace)
    assert next(events).item is trace
    next(events)
    events.close()
    check_failed(trace, tmp_path)


def test_what_a_tool_calls_an_error_is_no_answer_of_its_own(tmp_path: Path) -> None:
    """An observation with an error does not end a run, whatever it says."""
    fault = Observation("Final Answer: 999", "tool_error")
    tool = Tool("fault", "Fail.", lambda text: fault)
    for kind in KINDS:
        if kind.tools == "any" and run_live in kind.ways:
            llm = scripted(act(kind.dialect, "t", ("fault", {"text": "x"})), repeat_last=True)
            trace = run_live(kind.make(llm, [tool]), "Why?")
            check_failed(trace, tmp_path)
            assert all(seen == fault for step in trace for seen in step.observations)
