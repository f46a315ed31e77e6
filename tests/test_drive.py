"""The generator core: drivers, guard rails, interruption, resuming, branching, live events."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import Runner, run_blocking
from scripts import act, answer, scripted

from reactlab import (
    Agent,
    Ask,
    ConfigError,
    LLMError,
    Message,
    Observation,
    Program,
    ProgramError,
    ReActAgent,
    Request,
    ScriptedLLM,
    Sleep,
    StopReason,
    Together,
    Tool,
    ToolCall,
    ToolRegistry,
    Trace,
    Use,
    adrive,
    drive,
    search_tools,
)
from reactlab.errors import RateLimited, ReplayMismatch


def request(text: str) -> Request:
    return Request((Message("user", text),))


def echo(text: str) -> str:
    """Say it again."""
    return text


def test_a_program_pauses_wherever_it_needs_the_world() -> None:
    def program() -> Program[str]:
        reply = yield Ask(ScriptedLLM([]), request("Who is there?"))
        seen = yield Use(ToolRegistry([echo]), ToolCall("echo", reply))
        return f"{reply}, {seen}"

    by_hand = program()
    assert isinstance(next(by_hand), Ask)
    use = by_hand.send("me")
    assert isinstance(use, Use)
    assert use.call == ToolCall("echo", "me")
    with pytest.raises(StopIteration) as end:
        by_hand.send("the world")
    assert end.value.value == "me, the world"


def test_effects_side_by_side_come_back_in_the_order_asked() -> None:
    def slowly(text: str) -> str:
        """Take longer for earlier letters."""
        time.sleep(0.05 * (ord("d") - ord(text)))
        return text

    tools = ToolRegistry([slowly])

    def program() -> Program[list[str]]:
        seen = yield Together([Use(tools, ToolCall("slowly", letter)) for letter in "abc"])
        return [str(observation) for observation in seen]

    one, other = Trace("q"), Trace("q")
    assert drive(program(), one) == ["a", "b", "c"]
    assert asyncio.run(adrive(program(), other)) == ["a", "b", "c"]
    assert [event.call.arguments for event in one.events] == ["a", "b", "c"]
    assert one == other


class Forgetful(Agent):
    """An agent whose author forgot `yield from` in one of two places."""

    def __init__(self, where: str) -> None:
        super().__init__(scripted("x"))
        self.where = where

    def helper(self) -> Program[str]:
        yield Sleep(0)
        return "done"

    def program(self, trace: Trace) -> Program[Any]:
        yield Sleep(0)
        if self.where == "yield":
            yield self.helper()  # type: ignore[misc]
        return self.helper()


@pytest.mark.parametrize("where", ["yield", "return"])
def test_a_forgotten_yield_from_gets_its_hint(run: Runner, where: str) -> None:
    with pytest.raises(ProgramError, match=r"yield from .*helper"):
        run(Forgetful(where), "q")


def test_something_that_is_no_effect_is_refused_by_name(run: Runner) -> None:
    class Odd(Agent):
        def program(self, trace: Trace) -> Program[str]:
            yield "please"  # type: ignore[misc]
            return "x"

    with pytest.raises(ProgramError, match="'please'"):
        run(Odd(scripted()), "q")


def test_an_exhausted_script_is_a_model_error_not_a_stop_iteration(run: Runner) -> None:
    trace = run(ReActAgent(scripted()), "q")
    assert trace.stop_reason is StopReason.MODEL_ERROR


def test_a_models_own_bug_is_raised_and_the_steps_are_kept(run: Runner) -> None:
    llm = scripted(act("bracket", "t", ("echo", "a")), ZeroDivisionError("a bug"))
    trace = Trace("q")
    with pytest.raises(ZeroDivisionError):
        run(ReActAgent(llm, [echo]), "q", trace=trace)
    assert [str(o) for o in trace.steps[0].observations] == ["a"]
    assert trace.stop_reason is StopReason.INTERRUPTED


def test_a_rate_limit_is_waited_for_and_noted(run: Runner) -> None:
    llm = scripted(RateLimited("Slow down.", retry_after=0.02), answer("bracket", "ok"))
    trace = run(ReActAgent(llm), "q")
    assert trace.answer == "ok"
    assert len(trace.steps) == 1
    assert [type(event).__name__ for event in trace.events] == [
        "ModelCall",
        "Waited",
        "ModelCall",
        "Decision",
    ]
    assert trace.events[1].seconds == 0.02


def test_a_rate_limit_that_stays_ends_after_bounded_attempts(run: Runner) -> None:
    llm = scripted(RateLimited("Slow down.", retry_after=0.0), repeat_last=True)
    trace = run(ReActAgent(llm), "q")
    assert trace.stop_reason is StopReason.MODEL_ERROR
    assert len(llm.requests) == 3


def test_a_wait_that_is_too_long_is_not_waited_for(run: Runner) -> None:
    llm = scripted(RateLimited("Slow down.", retry_after=3600), answer("bracket", "ok"))
    assert "Slow down" in str(run(ReActAgent(llm), "q"))


class Stop:
    """A tool that is stopped by the notebook's stop button on its first call."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, text: str) -> str:
        self.calls += 1
        if self.calls == 1:
            raise KeyboardInterrupt
        return text + "!"


def _script() -> list[Any]:
    return [
        act("bracket", "one", ("echo", "a")),
        act("bracket", "two", ("stop", "b")),
        answer("bracket", "ok"),
    ]


def test_an_interrupt_reaches_the_caller_and_the_run_goes_on_later(run: Runner) -> None:
    stop = Stop()
    agent = ReActAgent(ScriptedLLM(_script()), [echo, Tool("stop", "Stop.", stop)])
    trace = Trace("q")
    with pytest.raises(KeyboardInterrupt):
        run(agent, "q", trace=trace)
    assert [step.thought for step in trace.steps] == ["one", "two"]
    assert trace.stop_reason is StopReason.INTERRUPTED
    run(agent, "q", trace=trace)
    assert str(trace) == "ok"
    assert stop.calls == 2
    assert len(agent.llm.requests) == 3  # nothing was asked twice
    assert "b!" in agent.llm.requests[2].prompt


def test_an_interrupted_change_is_not_made_a_second_time(run: Runner) -> None:
    stop = Stop()
    tools = [echo, Tool("stop", "Stop.", stop, effects=True)]
    agent = ReActAgent(ScriptedLLM(_script()), tools, approve="always")
    trace = Trace("q")
    with pytest.raises(KeyboardInterrupt):
        run(agent, "q", trace=trace)
    run(agent, "q", trace=trace)
    assert stop.calls == 1
    assert "check whether it took effect" in agent.llm.requests[2].prompt


def test_of_two_changes_in_a_turn_the_first_is_not_made_again(run: Runner) -> None:
    made: list[str] = []
    stop = Stop()
    tools = [
        Tool("book", "Book.", lambda text: made.append(text) or "booked", effects=True),
        Tool("stop", "Stop.", stop, effects=True),
        echo,
    ]
    calls = [
        ToolCall("book", '{"text": "a"}', "1"),
        ToolCall("echo", '{"text": "b"}', "2"),
        ToolCall("stop", '{"text": "c"}', "3"),
        ToolCall("book", '{"text": "d"}', "4"),
    ]
    llm = ScriptedLLM([calls, "done"])
    agent = ReActAgent(llm, tools, dialect="tools", approve="always")
    trace = Trace("q")
    with pytest.raises(KeyboardInterrupt):
        run(agent, "q", trace=trace)
    assert made == ["a"]
    run(agent, "q", trace=trace)
    assert (made, stop.calls, str(trace)) == (["a", "d"], 1, "done")
    assert [use.call.id for use in trace.steps[0].uses] == ["1", "2", "3", "4"]


def test_an_approver_that_fails_is_raised_and_nothing_was_under_way(run: Runner) -> None:
    def broken(call: ToolCall) -> bool:
        raise ZeroDivisionError

    llm = ScriptedLLM([act("bracket", "t", ("pay", "1")), answer("bracket", "ok")])
    tool = Tool("pay", "Pay.", lambda amount: "paid", effects=True)
    trace = Trace("q")
    with pytest.raises(ZeroDivisionError):
        run(ReActAgent(llm, [tool], approve=broken), "q", trace=trace)
    assert trace.steps[0].uses == ()


def test_cancelling_a_change_in_a_thread_is_noted() -> None:
    release = threading.Event()
    tool = Tool("pay", "Pay.", lambda amount: release.wait(10) and "paid", effects=True)
    trace = Trace("q")

    async def main() -> None:
        llm = scripted(act("bracket", "t", ("pay", "1")))
        agent = ReActAgent(llm, [tool], approve="always")
        task = asyncio.create_task(agent.arun("q", trace=trace))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        release.set()

    asyncio.run(main())
    assert trace.steps[0].observations[0].error == "interrupted"


def test_a_new_question_after_an_interrupt_is_well_formed(run: Runner) -> None:
    agent = ReActAgent(
        ScriptedLLM([*_script()[:2], answer("bracket", "fine")]),
        [echo, Tool("stop", "Stop.", Stop())],
    )
    trace = Trace("q")
    with pytest.raises(KeyboardInterrupt):
        run(agent, "q", trace=trace)
    assert str(run(agent, "and now?", after=trace)) == "fine"


def test_a_finished_trace_is_replayed_without_the_world(run: Runner) -> None:
    calls = []

    def note(text: str) -> str:
        """Note it."""
        calls.append(text)
        return text

    llm = ScriptedLLM([act("bracket", "t", ("note", "a")), answer("bracket", "ok")])
    agent = ReActAgent(llm, [note])
    trace = run(agent, "q")
    before = list(trace.events)
    run(agent, "q", trace=trace)
    assert trace.events == before
    assert (calls, len(llm.requests), trace.answer) == (["a"], 2, "ok")


def test_a_run_that_ended_with_the_models_failure_goes_on_when_it_is_back(run: Runner) -> None:
    llm = ScriptedLLM([act("bracket", "t", ("echo", "a")), LLMError("down"), _script()[2]])
    agent = ReActAgent(llm, [echo])
    trace = run(agent, "q")
    assert trace.stop_reason is StopReason.MODEL_ERROR
    run(agent, "q", trace=trace)
    assert str(trace) == "ok"
    assert len(llm.requests) == 3


def test_a_trace_of_another_question_is_refused() -> None:
    with pytest.raises(ConfigError, match="another question"):
        ReActAgent(scripted()).run("q", trace=Trace("something else"))


def test_a_trace_that_does_not_fit_is_refused_and_kept(run: Runner) -> None:
    trace = run(ReActAgent(scripted(*_script()[:1], answer("bracket", "ok")), [echo]), "q")
    before = list(trace.events)

    class Other(ReActAgent):
        def parse_response(self, completion: Any) -> Any:
            decision = super().parse_response(completion)
            calls = tuple(ToolCall("echo", "other") for _ in decision.calls)
            return type(decision)(decision.thought, calls, decision.answer)

    with pytest.raises(ReplayMismatch, match="echo"):
        run(Other(scripted(), [echo]), "q", trace=trace)
    assert trace.events[: len(before)][-1] == before[-1]
    assert len(trace.events) == len(before)


def test_a_branch_asks_only_from_there_on(run: Runner) -> None:
    script = [act("bracket", f"t{n}", ("echo", f"fact{n}")) for n in range(3)]
    trace = run(ReActAgent(scripted(*script, answer("bracket", "old")), [echo]), "q")
    original = list(trace.events)
    branch = trace.branch(2, observation="something else")
    assert branch.stop_reason is None
    llm = scripted(answer("bracket", "new"))
    run(ReActAgent(llm, [echo]), "q", trace=branch)
    assert str(branch) == "new"
    assert len(llm.requests) == 1
    assert "something else" in llm.requests[0].prompt
    assert "fact2" not in llm.requests[0].prompt
    assert trace.events == original
    assert trace.steps[0] == branch.steps[0]


@pytest.mark.parametrize("step", [0, 4, -1])
def test_a_branch_from_a_step_that_is_not_there_says_so(step: int) -> None:
    trace = ReActAgent(scripted(*_script()[:1], answer("bracket", "ok")), [echo]).run("q")
    with pytest.raises(ConfigError, match="2"):
        trace.branch(step)


def test_what_a_tool_remembers_is_rebuilt_on_a_branch() -> None:
    pages = {"Tea": "Tea is a drink. Tea is hot.", "Ice": "Ice is cold. Ice is frozen water."}
    script = [
        act("bracket", "a", ("Search", "Tea")),
        act("bracket", "b", ("Lookup", "hot")),
        answer("bracket", "hot"),
    ]
    trace = ReActAgent(scripted(*script), search_tools(pages)).run("q")
    assert "Tea is hot." in str(trace.steps[1].observations[0])
    branch = trace.branch(1)
    ReActAgent(scripted(*script[1:]), search_tools(pages)).run("q", trace=branch)
    assert "Tea is hot." in str(branch.steps[1].observations[0])
    fresh = ReActAgent(scripted(*script[1:]), search_tools(pages)).run("q")
    assert "Tea is hot." not in str(fresh.steps[0].observations[0])


def _pairs(events: Iterator[Any]) -> None:
    open_ends: list[str] = []
    for event in events:
        if event.phase == "begin":
            open_ends.append(event.what)
        else:
            assert open_ends.pop() == event.what
    assert open_ends == []


def test_live_events_are_paired_when_all_goes_well() -> None:
    agent = ReActAgent(ScriptedLLM([*_script()[:1], answer("bracket", "ok")]), [echo])
    events = list(agent.iter("q"))
    _pairs(iter(events))
    assert [(e.phase, e.what) for e in events if e.what in ("run", "step")] == [
        ("begin", "run"),
        ("begin", "step"),
        ("end", "step"),
        ("begin", "step"),
        ("end", "step"),
        ("end", "run"),
    ]
    assert str(events[-1].item) == "ok"


def test_live_events_are_paired_on_failure_and_carry_the_error() -> None:
    llm = ScriptedLLM([*_script()[:1], ZeroDivisionError("a bug")])
    events: list[Any] = []

    def collect() -> Iterator[Any]:
        try:
            for event in ReActAgent(llm, [echo]).iter("q"):
                events.append(event)
                yield event
        except ZeroDivisionError:
            return

    _pairs(collect())
    assert isinstance(events[-1].error, ZeroDivisionError)
    assert (events[-1].phase, events[-1].what) == ("end", "run")


def test_a_model_error_shows_in_the_live_end_of_the_call() -> None:
    events = list(ReActAgent(ScriptedLLM([LLMError("down")])).iter("q"))
    _pairs(iter(events))
    (call,) = [e.item for e in events if (e.phase, e.what) == ("end", "model")]
    assert call.failure.message == "down"
    assert events[-1].item.stop_reason is StopReason.MODEL_ERROR


def test_cancelling_a_task_ends_the_run_where_it_waits() -> None:
    async def hang(text: str) -> str:
        """Never return."""
        await asyncio.Event().wait()
        return text

    trace = Trace("q")

    async def main() -> None:
        agent = ReActAgent(scripted(act("bracket", "t", ("hang", "x"))), [hang])
        task = asyncio.create_task(agent.arun("q", trace=trace))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert trace.stop_reason is StopReason.INTERRUPTED
    assert trace.steps[0].thought == "t"


def test_a_hanging_tool_holds_neither_the_run_nor_the_exit() -> None:
    code = """
import time
from reactlab import ReActAgent, ScriptedLLM, Tool
nap = Tool("nap", "Sleep.", lambda x: time.sleep(60), timeout=0.2)
llm = ScriptedLLM(["Action: nap[x]", "Action: two[y]", "Final Answer: out"])
trace = ReActAgent(llm, [nap, Tool("two", "Work.", lambda y: "fine")]).run("q")
assert "nap" in str(trace.steps[0].observations[0]), trace
assert trace.steps[0].observations[0].error == "timeout"
assert str(trace.steps[1].observations[0]) == "fine"
print(trace)
"""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=50, check=True
    )
    assert done.stdout.strip() == "out"
    assert time.monotonic() - began < 40


def test_approval_is_asked_for_changes_only_and_denied_without_anyone() -> None:
    def pay(amount: int) -> str:
        """Pay."""
        return f"paid {amount}"

    asked: list[ToolCall] = []

    def yes_below_ten(call: ToolCall) -> bool:
        asked.append(call)
        assert not isinstance(call.arguments, str)
        return int(call.arguments["amount"]) < 10

    tools = [echo, Tool("pay", "Pay.", pay, effects=True)]
    for approve, said in [
        (None, "Denied"),
        ("never", "Denied"),
        ("always", "paid 20"),
        (yes_below_ten, "Denied"),
    ]:
        llm = scripted(
            act("bracket", "t", ("echo", "hi")),
            act("bracket", "t", ("pay", "20")),
            answer("bracket", "done"),
        )
        trace = run_blocking(ReActAgent(llm, tools, approve=approve), "q")
        assert said in str(trace.steps[1].observations[0])
        denied = said == "Denied"
        assert trace.stop_reason is (StopReason.DENIED if denied else StopReason.ANSWERED)
        if denied:
            assert 'approve="always"' in str(trace)
    assert [call.name for call in asked] == ["pay"]


def test_a_run_in_a_thread_leaves_no_thread_behind(run: Runner) -> None:
    before = threading.active_count()
    run(ReActAgent(scripted(*_script()[:1], answer("bracket", "ok")), [echo]), "q")
    time.sleep(0.05)
    assert threading.active_count() <= before + 1


def test_an_observation_prints_without_its_marker() -> None:
    assert str(Observation("plain")) == "plain"
