"""What goes wrong in a run is found, answered and seen in the trace, in every dialect."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Runner
from scripts import DIALECTS, act, answer, scripted

from reactlab import (
    ActAgent,
    Budget,
    Completion,
    ConfigError,
    CoTAgent,
    FlightAgent,
    Price,
    ReActAgent,
    ReActErrorHandler,
    Request,
    Retry,
    RobustReActAgent,
    SingleCallAgent,
    StopReason,
    Tell,
    Tool,
    Trace,
    Usage,
    patient,
)
from reactlab.agents.base import Agent
from reactlab.effects import Program, Sleep
from reactlab.errors import (
    ContextOverflow,
    EmptyReply,
    LLMError,
    ModelError,
    RateLimited,
    Refused,
    ReplayMismatch,
    RunError,
    ToolError,
    ToolUnavailable,
    Unavailable,
)
from reactlab.events import ToolUse
from reactlab.policies.retrying import DEFAULT_POLICIES
from reactlab.policies.watching import NoLoops, Progress
from reactlab.tools.text import flaw_of

Dialect = Any


@pytest.fixture(params=DIALECTS)
def dialect(request: pytest.FixtureRequest) -> str:
    """The four ways in which a model and an agent write to each other."""
    return str(request.param)


def read(text: str) -> str:
    """Read a file."""
    return f"{text} says 42"


def robust(llm: Any, *tools: Any, **options: Any) -> RobustReActAgent:
    return RobustReActAgent(llm, tools, **options)


class Flaky:
    """A tool that returns or raises one thing after another, and counts."""

    def __init__(self, *results: Any, effects: bool = False) -> None:
        self.results = list(results)
        self.calls = 0
        self.tool = Tool("look", "Look it up.", self.look, effects=effects)

    def look(self, text: str) -> Any:
        self.calls += 1
        result = self.results.pop(0) if len(self.results) > 1 else self.results[0]
        if isinstance(result, Exception):
            raise result
        return result


LOOK = ("look", {"text": "x"})


def kinds(trace: Trace) -> list[str]:
    return [failure.kind for step in trace for failure in step.failures if failure.tell]


# Loops


def test_a_repeated_call_is_told_and_then_ends_the_run(run: Runner, dialect: Dialect) -> None:
    llm = scripted(act(dialect, "again", ("read", {"text": "a"})), repeat_last=True)  # B-s01
    trace = run(robust(llm, read, max_steps=20, dialect=dialect), "q")
    assert trace.stop_reason is StopReason.LOOP
    assert len(trace) == 6  # three, the warning, and as many again
    assert kinds(trace) == ["Looping", "NoProgress"]
    assert "in circles" in llm.requests[3].prompt
    assert "in circles" not in llm.requests[2].prompt
    assert str(trace.steps[-1].observations[0]) == "a says 42"
    assert trace.answer is None
    assert "read" in trace.detail


def test_two_calls_in_turns_are_a_loop_within_three_rounds(run: Runner, dialect: Dialect) -> None:
    replies = [
        act(dialect, "on", ("read", {"text": name})) for _ in range(10) for name in "ab"
    ]  # B-s02
    trace = run(robust(scripted(*replies), read, max_steps=20, dialect=dialect), "q")
    assert trace.stop_reason is StopReason.LOOP
    assert trace.steps[3].told  # after two rounds, and it ends after two more
    assert len(trace) == 8


KINDS: list[Callable[[Any], Agent]] = [
    lambda llm: ReActAgent(llm, [read], 20, policies=patient()),
    lambda llm: ActAgent(llm, [read], 20, policies=patient()),
    lambda llm: RobustReActAgent(llm, [read], 20),
    lambda llm: RobustReActAgent(llm, [read], 20, language="zh"),
]


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_every_agent_with_a_loop_takes_the_policies(run: Runner, kind: int) -> None:  # B-s01
    llm = scripted("Thought: on\nAction: read[a]", repeat_last=True)
    trace = run(KINDS[kind](llm), "q")
    assert (trace.stop_reason, len(trace)) == (StopReason.LOOP, 6)


def test_who_listens_to_the_warning_may_go_on(run: Runner, dialect: Dialect) -> None:
    again = act(dialect, "again", ("read", {"text": "a"}))
    llm = scripted(
        *[again] * 3, act(dialect, "else", ("read", {"text": "b"})), answer(dialect, "42")
    )
    trace = run(robust(llm, read, dialect=dialect), "q")
    assert (trace.answer, trace.stop_reason) == ("42", StopReason.ANSWERED)


def test_polling_is_no_loop_for_a_robust_agent(run: Runner, dialect: Dialect) -> None:  # B-s03
    left = iter([f"{n}0 %" for n in range(1, 8)] + ["done"])
    poll = Tool("poll", "Poll.", lambda text: next(left))
    llm = scripted(*[act(dialect, "wait", ("poll", {"text": "job"}))] * 8, answer(dialect, "done"))
    trace = run(robust(llm, poll, dialect=dialect), "q")
    assert (trace.answer, kinds(trace)) == ("done", [])


def test_the_same_unreadable_reply_again_and_again_is_a_loop(run: Runner) -> None:
    llm = scripted("no format at all", repeat_last=True)
    trace = run(robust(llm, read, max_steps=20), "q")
    assert trace.stop_reason is StopReason.LOOP
    assert trace.detail
    assert trace.answer is None


# Steps that bring nothing, and the last step


def test_steps_that_bring_nothing_are_told_and_then_end_the_run(
    run: Runner, dialect: Dialect
) -> None:
    replies = [act(dialect, f"try {n}", ("read", {"text": f"f{n % 5}"})) for n in range(20)]
    blank = Tool("read", "Read.", lambda text: "(nothing here)")
    trace = run(robust(scripted(*replies), blank, max_steps=20, dialect=dialect), "q")
    assert trace.stop_reason is StopReason.NO_PROGRESS
    assert kinds(trace) == ["NoProgress"]
    assert len(trace) == 9  # one that brought something, four, and four more


def test_a_tool_that_fails_for_good_ends_the_run_with_its_name(
    run: Runner, dialect: Dialect
) -> None:
    broken = Flaky(ToolError("The disk is full."))
    replies = [act(dialect, f"try {n}", ("look", {"text": f"f{n}"})) for n in range(20)]
    trace = run(robust(scripted(*replies), broken.tool, max_steps=20, dialect=dialect), "q")
    assert trace.stop_reason is StopReason.TOOL_FAILURE
    assert "look failed" in trace.detail
    assert kinds(trace) == ["ToolFailed"]
    assert broken.calls == 8


def test_the_model_is_told_of_its_last_step(run: Runner, dialect: Dialect) -> None:
    llm = scripted(
        act(dialect, "one", ("read", {"text": "a"})),
        act(dialect, "two", ("read", {"text": "b"})),
        answer(dialect, "42"),
    )
    trace = run(robust(llm, read, max_steps=3, dialect=dialect), "q")
    assert trace.answer == "42"
    assert "last step" in llm.requests[2].prompt
    assert "last step" not in llm.requests[1].prompt


# Tools used again


@pytest.mark.parametrize(
    "bad",
    [
        ToolUnavailable("Come back later."),
        ConnectionError("reset"),
        TimeoutError("late"),
        "",
        None,
        "\x00\x01\ufffd\ufffd\x02",
    ],
)
def test_a_reading_tool_that_could_not_is_used_again_within_the_step(
    run: Runner, dialect: Dialect, bad: Any
) -> None:
    look = Flaky(bad, bad, "42")
    llm = scripted(act(dialect, "look", LOOK), answer(dialect, "42"))
    trace = run(robust(llm, look.tool, dialect=dialect), "q")
    assert (trace.answer, look.calls, len(llm.requests)) == ("42", 3, 2)
    assert [str(seen) for seen in trace.steps[0].observations] == ["42"]
    uses = [event for event in trace.events if isinstance(event, ToolUse)]
    assert [use.attempt for use in uses] == [1, 2, 3]
    if dialect == "tools":
        results = [message for message in llm.requests[1].messages if message.role == "tool"]
        assert [message.content for message in results] == ["42"]


def test_a_tool_is_used_three_times_in_all_and_then_the_model_hears_of_it(run: Runner) -> None:
    look = Flaky(ConnectionError("reset"))
    llm = scripted(act("bracket", "look", LOOK), answer("bracket", "no luck"))
    trace = run(robust(llm, look.tool), "q")
    assert (look.calls, trace.answer) == (3, "no luck")
    assert trace.steps[0].observations[0].error == "unavailable"


@pytest.mark.parametrize("bad", [ToolError("No such order."), ValueError("not a number")])
def test_a_considered_answer_is_not_asked_for_again(run: Runner, bad: Exception) -> None:
    look = Flaky(bad)
    trace = run(robust(scripted(act("bracket", "l", LOOK), answer("bracket", "a")), look.tool), "q")
    assert (look.calls, trace.answer) == (1, "a")


@pytest.mark.parametrize("bad", [ConnectionError("reset"), TimeoutError("late"), "", None])
def test_a_tool_that_changes_something_is_never_used_again(
    run: Runner, dialect: Dialect, bad: Any
) -> None:
    pay = Flaky(bad, "paid", effects=True)
    llm = scripted(act(dialect, "pay", LOOK), answer(dialect, "unclear"))
    trace = run(robust(llm, pay.tool, dialect=dialect, approve="always"), "q")
    assert (pay.calls, trace.answer) == (1, "unclear")


def test_of_several_calls_only_the_failed_one_is_used_again(run: Runner) -> None:
    look, other = Flaky(ConnectionError("reset"), "42"), Flaky("fine")
    fine = Tool("fine", "Fine.", other.look)
    llm = scripted(act("tools", "both", LOOK, ("fine", {"text": "y"})), answer("tools", "42"))
    trace = run(robust(llm, look.tool, fine, dialect="tools"), "q")
    assert (look.calls, other.calls) == (2, 1)
    assert [str(seen) for seen in trace.steps[0].observations] == ["42", "fine"]
    ids = [message.call_id for message in llm.requests[1].messages if message.role == "tool"]
    assert ids == ["id0", "id1"]


def test_a_plain_agent_uses_nothing_again(run: Runner) -> None:
    look = Flaky(ConnectionError("reset"), "42")
    run(ReActAgent(scripted(act("bracket", "l", LOOK), answer("bracket", "a")), [look.tool]), "q")
    assert look.calls == 1


def test_a_policy_may_tell_the_model_about_a_failing_tool(run: Runner, dialect: Dialect) -> None:
    def explain(error: ModelError | RunError, attempt: int) -> Tell | None:
        return Tell("The archive is closed today.") if isinstance(error, RunError) else None

    llm = scripted(act(dialect, "look", LOOK), answer(dialect, "closed"))
    agent = ReActAgent(llm, [Flaky("").tool], policies=[explain], dialect=dialect)
    trace = run(agent, "q")
    assert trace.answer == "closed"
    assert "The archive is closed today." in llm.requests[1].prompt


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("fine", ""),
        ("a\tb\r\nc", ""),
        ("价格 5 元", ""),
        ("💶 5", ""),
        ("one odd \ufffd sign in a longer text", ""),
        ("\x00\x01\x02abc", "garbled"),
        ("\ufffd\ufffdabc", "garbled"),
        ("(the tool returned an empty text)", "empty"),
    ],
)
def test_what_nobody_can_read_is_told_from_what_looks_odd(text: str, flaw: str) -> None:
    assert flaw_of(text) == flaw


# Models asked again


@pytest.mark.parametrize(
    "bad",
    [
        "",
        EmptyReply("Nothing."),
        Refused("I cannot help with that."),
        RateLimited("Slow down.", retry_after=0),
        Unavailable("Down.", retry_after=0),
    ],
)
def test_what_chance_may_heal_is_asked_again_and_counted(
    run: Runner, dialect: Dialect, bad: Any
) -> None:
    llm = scripted(bad, bad, answer(dialect, "42"))
    trace = run(robust(llm, read, dialect=dialect), "q")
    assert (trace.answer, len(llm.requests), len(trace)) == ("42", 3, 1)


@pytest.mark.parametrize(
    ("retries", "reason"), [(2, StopReason.MODEL_ERROR), (3, StopReason.ANSWERED)]
)
def test_max_retries_is_the_number_of_attempts_in_all(
    run: Runner, retries: int, reason: StopReason
) -> None:
    bad = Unavailable("Down.", retry_after=0)
    llm = scripted(bad, bad, answer("bracket", "42"))
    assert run(robust(llm, read, max_retries=retries), "q").stop_reason is reason


def test_an_error_that_stays_is_asked_once(run: Runner) -> None:
    llm = scripted(LLMError("No credit."), repeat_last=True)
    trace = run(robust(llm, read), "q")
    assert (len(llm.requests), trace.stop_reason) == (1, StopReason.MODEL_ERROR)


# Context


class Narrow:
    """A model that takes no more than so many characters, as a server with a small context."""

    model = "narrow"

    def __init__(self, llm: Any, limit: int) -> None:
        self.llm, self.limit = llm, limit
        self.sizes: list[int] = []

    def complete(self, request: Request) -> Completion:
        self.sizes.append(len(request.prompt))
        if len(request.prompt) > self.limit:
            raise ContextOverflow("This model's maximum context length is small.")
        return self.llm.complete(request)  # type: ignore[no-any-return]


def long_run(dialect: Dialect) -> tuple[Any, Tool]:
    pages = Tool("read", "Read.", lambda text: f"code {text}-7731 " + "and more text " * 150)
    replies = [act(dialect, f"page {n}", ("read", {"text": f"p{n}"})) for n in range(5)]
    return scripted(*replies, answer(dialect, "42")), pages


def test_an_overflowing_context_is_shortened_and_the_codes_stay(
    run: Runner, dialect: Dialect
) -> None:
    script, pages = long_run(dialect)
    narrow = Narrow(script, 7000)
    trace = run(robust(narrow, pages, dialect=dialect), "q")
    assert trace.answer == "42"
    assert any(size > 7000 for size in narrow.sizes)
    assert [f"p{n}-7731" in script.requests[-1].prompt for n in range(5)] == [True] * 5
    assert (1, "context_overflow") not in ReActErrorHandler().find(trace)
    assert "context_overflow" in {kind for _, kind in ReActErrorHandler().find(trace)}


def test_without_a_policy_an_overflowing_context_ends_the_run(
    run: Runner, dialect: Dialect
) -> None:
    script, pages = long_run(dialect)
    trace = run(ReActAgent(Narrow(script, 7000), [pages], dialect=dialect), "q")
    assert trace.stop_reason is StopReason.CONTEXT
    assert "maximum context" in trace.detail
    assert len(trace) > 1


def test_a_budget_for_one_request_is_kept(run: Runner, dialect: Dialect) -> None:
    script, pages = long_run(dialect)
    agent = ReActAgent(
        script, [pages], dialect=dialect, budget=Budget(request_tokens=1500), max_context=None
    )
    trace = run(agent, "q")
    assert trace.answer == "42"
    assert max(len(request.prompt) for request in script.requests) < 1700 * 4
    impossible = ReActAgent(
        scripted("x"), [pages], dialect=dialect, budget=Budget(request_tokens=9)
    )
    trace = run(impossible, "q")
    assert (trace.stop_reason, len(trace.events)) == (StopReason.CONTEXT, 0)


# Budgets


def paid(text: str, tokens: int) -> Completion:
    return Completion(text, usage=Usage(tokens, 0), model="m")


STEP = "Thought: on\nAction: read[{}]"


@pytest.mark.parametrize(
    ("budget", "calls"),
    [
        (Budget(calls=2), 2),
        (Budget(tokens=25), 3),
        (Budget(tokens=20), 2),
        (Budget(dollars=0.00003, prices={"m": Price(1, 1), "scripted": Price(1, 1)}), 3),
    ],
)
def test_a_run_ends_when_its_budget_is_used_up(run: Runner, budget: Budget, calls: int) -> None:
    llm = scripted(*[paid(STEP.format(n), 10) for n in range(9)])
    trace = run(ReActAgent(llm, [read], budget=budget), "q")
    assert (len(llm.requests), trace.stop_reason) == (calls, StopReason.BUDGET)
    assert len(trace.steps[-1].observations) == 1
    assert "used up" in trace.detail


def test_failed_calls_are_counted_in_a_budget(run: Runner) -> None:  # D-s13
    bad = Unavailable("Down.", retry_after=0)
    llm = scripted(bad, bad, "Final Answer: 42")
    trace = run(robust(llm, read, budget=Budget(calls=2)), "q")
    assert (len(llm.requests), trace.stop_reason) == (2, StopReason.BUDGET)


def test_tokens_that_nobody_reported_are_estimated(run: Runner) -> None:
    llm = scripted(*[STEP.format(n) for n in range(9)])
    trace = run(ReActAgent(llm, [read], budget=Budget(tokens=500)), "q")
    assert trace.stop_reason is StopReason.BUDGET
    assert 1 <= len(trace) < 9


def test_money_needs_a_price(run: Runner) -> None:
    agent = ReActAgent(scripted(*[paid(STEP.format(n), 1) for n in range(3)]), [read],
                       budget=Budget(dollars=1))  # fmt: skip
    with pytest.raises(ConfigError, match="price"):
        run(agent, "q")


@pytest.mark.parametrize("limit", [0, -1, "5", True, float("nan")])
def test_a_budget_is_a_number_above_zero(limit: Any) -> None:
    for name in ("calls", "tokens", "seconds", "dollars", "request_tokens"):
        with pytest.raises(ConfigError, match=name):
            Budget(**{name: limit})


BUDGETED: list[Callable[[Any], Any]] = [
    lambda llm: ReActAgent(llm, [read], budget=Budget(calls=1)),
    lambda llm: ActAgent(llm, [read], budget=Budget(calls=1)),
    lambda llm: SingleCallAgent(llm, [read], budget=Budget(calls=1)),
    lambda llm: FlightAgent(llm, budget=Budget(calls=1)),
    lambda llm: CoTAgent(llm, budget=Budget(calls=1), policies=patient()),
]


@pytest.mark.parametrize("kind", range(len(BUDGETED)))
def test_every_agent_takes_a_budget(run: Runner, kind: int) -> None:
    empty = Completion("") if kind == 4 else "Thought: t\nAction: read[a]"
    trace = run(BUDGETED[kind](scripted(empty, repeat_last=True)), "q")
    assert trace.stop_reason is StopReason.BUDGET


def test_a_hanging_tool_is_given_up_with_the_time_of_the_run(run: Runner, dialect: Dialect) -> None:
    release = threading.Event()
    hang = Tool("look", "Hang.", lambda text: release.wait(30))
    llm = scripted(act(dialect, "look", LOOK), answer(dialect, "42"))
    began = time.monotonic()
    trace = run(ReActAgent(llm, [hang], dialect=dialect, budget=Budget(seconds=0.3)), "q")
    release.set()
    assert time.monotonic() - began < 15
    assert trace.stop_reason is StopReason.BUDGET
    assert trace.steps[0].observations[0].error == "timeout"


def test_a_hanging_model_is_given_up_with_the_time_of_the_run(run: Runner) -> None:
    release = threading.Event()

    class Hanging:
        model = "hanging"

        def complete(self, request: Request) -> Completion:
            release.wait(30)
            return Completion("late")

    trace = run(ReActAgent(Hanging(), budget=Budget(seconds=0.2), policies=patient()), "q")
    release.set()
    assert trace.stop_reason in (StopReason.BUDGET, StopReason.MODEL_ERROR)
    assert trace.answer is None


def test_a_hanging_async_tool_and_model_are_given_up_too() -> None:
    async def hang(text: str) -> str:
        """Hang."""
        await asyncio.sleep(60)
        return text

    class Hanging:
        model = "hanging"

        def complete(self, request: Request) -> Completion:
            raise AssertionError

        async def acomplete(self, request: Request) -> Completion:
            await asyncio.sleep(60)
            return Completion("late")

    limits: dict[str, Any] = {"budget": Budget(seconds=0.2)}
    llm = scripted("Action: hang[x]", "Final Answer: ok")
    trace = asyncio.run(ReActAgent(llm, [hang], **limits).arun("q"))
    assert trace.stop_reason is StopReason.BUDGET
    trace = asyncio.run(ReActAgent(Hanging(), **limits, policies=[]).arun("q"))
    assert trace.stop_reason is StopReason.MODEL_ERROR


EXIT = """
import time
from reactlab import Budget, ReActAgent, ScriptedLLM, Tool
hang = Tool("hang", "Hang.", lambda text: time.sleep(60), timeout={limit})
llm = ScriptedLLM(["Action: hang[x]", "Final Answer: ok"])
print(ReActAgent(llm, [hang], budget={budget}).run("q").stop_reason)
"""


@pytest.mark.parametrize(
    ("limit", "budget", "reason"),
    [("0.2", "None", "answered"), ("None", "Budget(seconds=0.2)", "budget")],
)
def test_a_hanging_tool_does_not_hold_the_exit(limit: str, budget: str, reason: str) -> None:
    code = EXIT.format(limit=limit, budget=budget)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=50, check=True
    )
    assert done.stdout.strip() == reason


# The handler


def test_each_error_type_has_a_sentence_and_an_answer_in_both_languages() -> None:
    assert list(ReActErrorHandler.ERROR_TYPES) == [
        "invalid_action",
        "tool_failure",
        "no_progress",
        "max_steps",
        "context_overflow",
        "infinite_loop",
    ]
    for kind in ReActErrorHandler.ERROR_TYPES:
        for history in (Trace("q"), "Thought: ...", [], [{"action": "x"}], None):
            english = ReActErrorHandler().handle_error(history, kind)
            chinese = ReActErrorHandler(language="zh").handle_error(history, kind)
            assert (english is None) == (chinese is None) == (kind == "context_overflow")
            assert english is None or (english.isascii() and not str(chinese).isascii())


@pytest.mark.parametrize("kind", ["", "Infinite_Loop", "timeout", None])
def test_an_unknown_error_type_is_refused_and_the_six_are_listed(kind: Any) -> None:
    with pytest.raises(ConfigError, match="infinite_loop"):
        ReActErrorHandler().handle_error(Trace("q"), kind)


def test_the_correction_names_what_the_trace_shows() -> None:
    llm = scripted("Action: Raed[a]", "Action: read[a]", "Final Answer: 42")
    trace = ReActAgent(llm, [read]).run("q")
    first = trace.branch(1)
    told = ReActErrorHandler().handle_error(first, "invalid_action") or ""
    assert "Raed" in told
    assert "read[a]" in (ReActErrorHandler().handle_error(trace.branch(2), "infinite_loop") or "")
    assert ReActErrorHandler().find(trace) == [(1, "invalid_action")]


# The rest


def test_policies_are_functions_and_what_they_see_is_in_their_words(run: Runner) -> None:
    llm = scripted("Thought: on\nAction: read[a]", repeat_last=True)
    trace = run(robust(llm, read, language="zh", max_steps=20), "q")
    assert "原地打转" in llm.requests[3].prompt
    assert "原地打转" in trace.detail


@pytest.mark.parametrize("value", [0, -1, 1.5, "3", True])
def test_patience_is_a_whole_number(value: Any) -> None:
    with pytest.raises(ConfigError, match="max_retries"):
        RobustReActAgent(scripted(), max_retries=value)


def test_a_run_that_was_told_can_be_saved_and_resumed(run: Runner, tmp_path: Any) -> None:
    replies = [act("tools", "again", ("read", {"text": "a"}))] * 3
    trace = Trace("q")
    agent = robust(scripted(*replies), read, dialect="tools")
    run(agent, "q", trace=trace)
    assert trace.stop_reason is StopReason.MODEL_ERROR  # the script is used up
    again = Trace.load(trace.save(tmp_path / "t.jsonl"))
    assert again == trace
    run(robust(scripted(answer("tools", "42")), read, dialect="tools"), "q", trace=again)
    assert (again.answer, kinds(again)) == ("42", ["Looping"])


def test_the_default_policies_watch_nothing() -> None:
    assert not any(hasattr(policy, "watch") for policy in DEFAULT_POLICIES)
    assert all(hasattr(policy, "watch") for policy in (NoLoops(), Progress()))


def test_no_policy_uses_a_tool_again_that_changes_something(run: Runner, dialect: Dialect) -> None:
    tool = Flaky(ConnectionError("lost"), effects=True)
    policies = [lambda error, attempt: Retry() if attempt < 3 else None]
    llm = scripted(act(dialect, "look", LOOK), answer(dialect, "done"))
    run(ReActAgent(llm, [tool.tool], dialect=dialect, approve="always", policies=policies), "q")
    assert tool.calls == 1


@pytest.mark.parametrize("text", ["", " ", None])
def test_to_tell_nothing_is_refused_and_does_not_go_on_for_ever(text: Any) -> None:
    with pytest.raises(ConfigError, match="Tell shows"):
        Tell(text)


def test_policies_are_functions() -> None:
    with pytest.raises(ConfigError, match="policies="):
        ReActAgent(scripted(), policies=["retry"])  # type: ignore[list-item]


def test_odd_times_are_no_times(run: Runner) -> None:
    llm = scripted(
        RateLimited("wait", retry_after=-1), act("bracket", "a", LOOK), answer("bracket", "b")
    )
    agent = ReActAgent(llm, [Flaky("42").tool], budget=Budget(seconds=float("inf")))
    assert str(run(agent, "q")) == "b"


def test_changes_of_one_turn_share_the_time_that_is_left(run: Runner) -> None:
    done: list[str] = []

    def pay(text: str) -> None:
        done.append(text)
        time.sleep(3)

    calls = [("pay", {"text": str(number)}) for number in range(5)]
    llm = scripted(act("tools", "pay all", *calls), answer("tools", "done"))
    tool = Tool("pay", "Pay.", pay, effects=True)
    budget = Budget(seconds=0.3)
    agent = ReActAgent(llm, [tool], dialect="tools", approve="always", budget=budget)
    began = time.perf_counter()
    trace = run(agent, "q")
    assert time.perf_counter() - began < 2
    assert (done, trace.stop_reason) == (["0"], StopReason.BUDGET)
    assert [seen.error for seen in trace.steps[0].observations] == ["timeout"] * 5


def test_a_model_that_is_late_is_told_in_the_language_of_the_run(run: Runner) -> None:
    def late(prompt: str) -> str:
        time.sleep(0.5)
        return "Final Answer: x"

    agent = ReActAgent(late, language="zh", policies=[], budget=Budget(seconds=0.05))
    assert "秒内回答" in run(agent, "问").detail


def test_a_record_outlives_an_agent_with_other_policies() -> None:
    look = act("bracket", "look", LOOK)
    llm = scripted(look, look, look, look, answer("bracket", "done"))
    trace = ReActAgent(llm, [Flaky("same").tool]).run("q")
    events = list(trace.events)
    other = robust(llm, Flaky("same").tool, max_steps=3)
    with pytest.raises(ReplayMismatch):
        other.run("q", trace=trace)
    assert trace.events == events


class Slow(ReActAgent):
    """Waits after each step."""

    def act(self, trace: Trace, decision: Any) -> Program[None]:
        yield from super().act(trace, decision)
        yield Sleep(0.001)


def test_a_pause_after_a_step_does_not_keep_it_open(run: Runner) -> None:
    tool = Flaky("paid", effects=True)
    llm = scripted(act("bracket", "pay", LOOK), LLMError("down"), answer("bracket", "done"))
    agent = Slow(llm, [tool.tool], approve="always")
    trace = run(agent, "q")
    assert (len(trace), trace.stop_reason) == (2, StopReason.MODEL_ERROR)
    assert (str(agent.run("q", trace=trace)), tool.calls) == ("done", 1)
