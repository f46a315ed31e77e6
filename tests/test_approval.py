"""Who may do what: permits for every call, approval for changes, a dry run, a list to tick."""

from __future__ import annotations

import io
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import pytest
from conftest import Runner
from scripts import DIALECTS, act, answer, scripted

from reactlab import (
    Approvals,
    ConfigError,
    FlightAgent,
    ReActAgent,
    SimulatedLLM,
    StopReason,
    Tool,
    ToolCall,
    Trace,
    ask_me,
    planned,
)
from reactlab.injection.defences import allow_only, no_tainted, reviewer


class Ledger:
    """Something that can be changed, and something that can be read."""

    def __init__(self) -> None:
        self.paid: list[tuple[str, int]] = []
        self.tools = [
            Tool("Pay", "Pay somebody.", self.pay, effects=True),
            Tool("See", "See a note.", lambda name: f"note of {name}"),
        ]

    def pay(self, to: str, amount: int) -> str:
        self.paid.append((to, amount))
        return "paid"


PAY = ("Pay", {"to": "Ann", "amount": 20})


@pytest.fixture(params=DIALECTS)
def dialect(request: pytest.FixtureRequest) -> Any:
    return request.param


def paying(dialect: Any, *more: Any, **options: Any) -> tuple[Ledger, ReActAgent]:
    ledger = Ledger()
    llm = scripted(act(dialect, "pay", PAY), *more, answer(dialect, "done"))
    return ledger, ReActAgent(llm, ledger.tools, dialect=dialect, **options)


@pytest.mark.parametrize("approve", [None, "never", lambda call: False])
def test_nobody_approves_so_nothing_is_paid(run: Runner, dialect: Any, approve: Any) -> None:
    ledger, agent = paying(dialect, approve=approve)
    trace = run(agent, "q")
    assert ledger.paid == []
    assert (trace.stop_reason, trace.answer) == (StopReason.DENIED, "done")
    assert trace.steps[0].observations[0].error == "denied"


def test_an_approver_sees_the_arguments_by_name(run: Runner, dialect: Any) -> None:
    seen: list[ToolCall] = []

    def approve(call: ToolCall) -> bool:
        seen.append(call)
        return True

    ledger, agent = paying(dialect, approve=approve)
    assert run(agent, "q").answer == "done"
    assert [dict(call.arguments) for call in seen] == [{"to": "Ann", "amount": 20}]  # type: ignore[arg-type]
    assert ledger.paid == [("Ann", 20)]


def test_a_dry_run_changes_nothing_and_lists_what_would_be(run: Runner, dialect: Any) -> None:
    more = act(dialect, "and", ("Pay", {"to": "Bob", "amount": 5}))
    ledger, agent = paying(dialect, more, approve="dry_run")
    trace = run(agent, "q")
    assert ledger.paid == []
    assert [(call.name, call.arguments) for call in planned(trace)] == [
        ("Pay", {"to": "Ann", "amount": 20}),
        ("Pay", {"to": "Bob", "amount": 5}),
    ]
    assert trace.stop_reason is StopReason.DENIED
    assert "Dry run" in trace.detail
    assert "Ann" in str(trace.steps[0].observations[0])


def test_a_dry_run_of_what_cannot_be_done_says_what_is_wrong(run: Runner) -> None:
    ledger = Ledger()
    llm = scripted('Action: Pay[{"to": "Ann"}]', "Final Answer: no")
    trace = run(ReActAgent(llm, ledger.tools, approve="dry_run"), "q")
    assert trace.steps[0].observations[0].error == "bad_arguments"
    assert planned(trace) == []


def test_a_permit_is_asked_about_every_call_with_the_trace_so_far(
    run: Runner, dialect: Any
) -> None:
    asked: list[tuple[str, int]] = []

    def permit(call: ToolCall, trace: Trace) -> bool | str:
        asked.append((call.name, len(trace.steps)))
        return "Ann is no customer." if call.name == "Pay" else True

    ledger = Ledger()
    llm = scripted(
        act(dialect, "see", ("See", {"name": "x"})), act(dialect, "pay", PAY), answer(dialect, "ok")
    )
    agent = ReActAgent(llm, ledger.tools, dialect=dialect, permit=permit, approve="always")
    trace = run(agent, "q")
    assert asked == [("See", 1), ("Pay", 2)]
    assert ledger.paid == []
    assert trace.steps[1].observations[0].error == "forbidden"
    assert "Ann is no customer." in llm.requests[2].prompt
    assert (trace.answer, trace.stop_reason) == ("ok", StopReason.ANSWERED)


@pytest.mark.parametrize("said", [False, None, 0, "", "no", "True", 1])
def test_a_permit_that_does_not_say_true_forbids(run: Runner, said: Any) -> None:
    ledger, agent = paying("bracket", approve="always", permit=lambda call, trace: said)
    run(agent, "q")
    assert ledger.paid == []


def test_a_permit_comes_before_an_approver(run: Runner) -> None:
    asked: list[ToolCall] = []
    ledger, agent = paying(
        "bracket", approve=lambda call: not asked.append(call), permit=lambda call, trace: False
    )
    run(agent, "q")
    assert (ledger.paid, asked) == ([], [])


def test_a_permit_that_fails_is_raised_and_nothing_is_done(run: Runner) -> None:
    def permit(call: ToolCall, trace: Trace) -> bool:
        raise KeyError("my own mistake")

    ledger, agent = paying("bracket", approve="always", permit=permit)
    with pytest.raises(KeyError, match="my own mistake"):
        run(agent, "q")
    assert ledger.paid == []


def test_an_async_permit_permits_nothing(run: Runner) -> None:
    async def permit(call: ToolCall, trace: Trace) -> bool:
        return True

    ledger, agent = paying("bracket", approve="always", permit=permit)
    with pytest.raises(ConfigError, match="permit="):
        run(agent, "q")
    assert ledger.paid == []


@pytest.mark.parametrize("wrong", ["always", True, 5])
def test_a_permit_is_a_function(wrong: Any) -> None:
    with pytest.raises(ConfigError, match="permit"):
        ReActAgent(scripted(), permit=wrong)


def test_a_desk_denies_what_waits_and_allows_it_once(run: Runner, dialect: Any) -> None:
    desk = Approvals()
    ledger, agent = paying(dialect, approve=desk)
    run(agent, "q")
    assert (ledger.paid, [call.name for call in desk.asked]) == ([], ["Pay"])
    assert "waits" in repr(desk)
    desk.allow(1)
    assert "allowed" in repr(desk)
    agent.llm = scripted(act(dialect, "pay", PAY), act(dialect, "pay", PAY), answer(dialect, "ok"))
    trace = run(agent, "q")
    assert ledger.paid == [("Ann", 20)]
    assert [seen.error for step in trace for seen in step.observations] == ["", "denied"]
    assert "used" in repr(desk)
    assert len(desk.asked) == 2


def test_an_approval_is_for_these_arguments_alone() -> None:
    desk = Approvals("zh")
    small, large = (ToolCall("Pay", {"to": "Ann", "amount": n}) for n in (20, 2000))
    assert not desk(small)
    desk.allow(1)
    assert not desk(large)
    assert desk(ToolCall("Pay", {"amount": 20, "to": "Ann"}, "id7"))
    assert "已用掉" in repr(desk)
    assert "等待批准" in desk._repr_html_()


@pytest.mark.parametrize("number", [0, 2, -1, True, "1", None])
def test_only_a_call_on_the_list_can_be_allowed(number: Any) -> None:
    desk = Approvals()
    desk(ToolCall("Pay", {"to": "<b>"}))
    with pytest.raises(ConfigError, match="number"):
        desk.allow(number)
    desk.allow(1)
    with pytest.raises(ConfigError, match="does not wait"):
        desk.allow(1)
    assert "&lt;b&gt;" in desk._repr_html_()


def test_one_approval_is_used_by_one_run_of_many() -> None:
    desk, call = Approvals(), ToolCall("Pay", {"to": "Ann"})
    desk(call)
    desk.allow(1)
    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(lambda _: desk(call), range(64))) == 1


@pytest.mark.parametrize(
    ("typed", "allowed"),
    [("y\n", True), ("Yes\n", True), ("是\n", True), ("\n", False), ("", False), ("yeah\n", False)],
)
def test_the_person_at_the_keyboard_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, typed: str, allowed: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert ask_me(ToolCall("Pay", {"to": "Ann"})) is allowed
    assert 'Pay[{"to": "Ann"}]' in capsys.readouterr().out


def test_where_nobody_can_be_asked_nothing_is_done(run: Runner) -> None:
    ledger, agent = paying("bracket", approve=ask_me)  # pytest gives no keyboard
    assert run(agent, "q").stop_reason is StopReason.DENIED
    assert ledger.paid == []


def test_the_flight_agent_plans_its_change_in_a_dry_run(run: Runner) -> None:
    agent = FlightAgent(SimulatedLLM(), approve="dry_run")
    before = agent.desk.search_booking("12345")
    question = "My flight with order 12345 is delayed. I have to be in Beijing by 17:00. Rebook me."
    trace = run(agent, question)
    assert [call.name for call in planned(trace)] == ["RescheduleFlight"]
    assert agent.desk.search_booking("12345") == before


def test_calls_are_permitted_one_by_one_when_they_run_side_by_side(run: Runner) -> None:
    ledger = Ledger()
    llm = scripted(act("tools", "both", ("See", {"name": "a"}), ("See", {"name": "b"})), "ok")
    agent = ReActAgent(
        llm, ledger.tools, dialect="tools", permit=lambda c, t: c.arguments["name"] == "a"
    )
    trace = run(agent, "q")
    assert [seen.error for seen in trace.steps[0].observations] == ["", "forbidden"]


@pytest.mark.parametrize("said", ["no", "n", [0], object()])
def test_an_approver_that_does_not_say_true_denies(run: Runner, said: Any) -> None:
    ledger, agent = paying("bracket", approve=lambda call: said)
    trace = run(agent, "Pay Ann 20.")
    assert (ledger.paid, trace.stop_reason) == ([], StopReason.DENIED)


def test_what_a_refusal_quotes_is_not_trusted_afterwards(run: Runner) -> None:
    rule = no_tainted({"See": ("name",)}, {"See": ("*",)})
    look = act("bracket", "look", ("See", "secret"))
    llm = scripted(look, look, answer("bracket", "done"))
    trace = run(ReActAgent(llm, Ledger().tools, permit=rule), "See the note of Ann.")
    assert [seen.error for step in trace for seen in step.observations] == ["forbidden"] * 2


def test_one_allowed_value_may_be_a_text_and_no_part_of_it_is_allowed() -> None:
    rule = allow_only({"Pay": {"to": "ann@bank.org"}})
    said = [rule(ToolCall("Pay", {"to": to}), Trace("")) for to in ("ann@bank.org", "bank.org", "")]
    assert [each is True for each in said] == [True, False, False]


def test_a_reviewer_reads_arguments_that_are_no_json() -> None:
    assert reviewer([("Pay", {})])(ToolCall("Pay", {"day": date(2024, 1, 1)}))


def test_a_change_that_was_made_after_all_is_not_denied_under_another_spelling(run: Runner) -> None:
    said = [False, True]
    ledger = Ledger()
    calls = [act("tools", "pay", (name, {"to": "Ann", "amount": 2})) for name in ("Pay", "pay")]
    llm = scripted(*calls, answer("tools", "done"))
    agent = ReActAgent(llm, ledger.tools, dialect="tools", approve=lambda call: said.pop(0))
    trace = run(agent, "q")
    assert (ledger.paid, trace.stop_reason) == ([("Ann", 2)], StopReason.ANSWERED)
