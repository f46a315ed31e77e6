"""What notebook 08 builds by hand agrees with the finished pieces on shared cases."""

from __future__ import annotations

from random import Random

import pytest
from handmade import definitions

from reactlab import (
    ConfigError,
    ParseError,
    Retry,
    RobustReActAgent,
    ScriptedLLM,
    SimulatedLLM,
    patient,
)
from reactlab.course.lesson import find_example
from reactlab.course.lessons.n08 import refund_tools, troubles
from reactlab.errors import EmptyReply, LLMError, RateLimited, ToolFailed, Unavailable
from reactlab.policies import first_answer
from reactlab.policies.retrying import DEFAULT_POLICIES

NAMES = {"turn", "run", "again", "run_on", "by_kind", "policy", "one_run", "what_to_do"}
BUSY = Unavailable("HTTP 503", retry_after=0.0)
UNREADABLE = "I would rather not say."


def ask(request):
    return SimulatedLLM().complete(request).text


CASES = {
    "no faults": (ask,),
    "busy at first": (BUSY, ask),
    "busy after the refund": (ask, ask, ask, BUSY, ask),
    "down": (BUSY,),
    "limited": (ask, RateLimited("HTTP 429", retry_after=0.0), ask),
    "unreadable": (ask, UNREADABLE, ask),
    "no policy's business": (ask, LLMError("HTTP 400"), ask),
    "never answers": ("Action: SearchBooking[12345]",),
}


class Desk:
    """The tools with a count of the refunds that they made."""

    def __init__(self, language):
        self.paid = []
        self.tools = refund_tools(language)
        pay = self.tools[-1].func
        self.tools[-1] = self.tools[-1].__class__(
            "ProcessRefund", self.tools[-1].description, self.refund, effects=True
        )
        self.pay = pay

    def refund(self, order_id: str):
        self.paid.append(order_id)
        return self.pay(order_id)


@pytest.fixture
def made(language):
    """The notebook's functions, with tools whose refunds are counted."""
    from reactlab import ToolRegistry

    names = definitions("08", language, NAMES)
    names["desk"] = Desk(language)
    names["turn"].__globals__["tools"] = ToolRegistry(names["desk"].tools)
    return names


def finished(calls, language, **options):
    """What the robust agent makes of the same calls."""
    desk, llm = Desk(language), ScriptedLLM(calls, repeat_last=True)
    agent = RobustReActAgent(llm, desk.tools, 6, language=language, approve="always", **options)
    run = agent.run(find_example("08.refund"))
    return run, len(llm.requests), desk.paid


@pytest.mark.parametrize("name", CASES)
def test_by_kind_of_notebook_08_does_what_the_robust_agent_does(made, language, name):
    llm = ScriptedLLM(CASES[name], repeat_last=True)
    answer, why = made["by_kind"](find_example("08.refund"), llm)
    run, calls, paid = finished(CASES[name], language)
    assert answer == run.answer
    assert made["desk"].paid == paid
    if name == "never answers":  # the robust agent sees the loop, notebook 09 builds that
        assert (why, run.stop_reason) == ("max_steps", "loop")
    else:
        assert len(llm.requests) == calls
        assert (why == "answered") == (run.stop_reason == "answered")
        assert why in ("answered", *run.detail.split(" (")) or why in run.detail


def test_the_naive_repairs_of_notebook_08_do_their_harm(made, capsys):
    question, busy = find_example("08.refund"), CASES["busy after the refund"]
    made["again"](question, ScriptedLLM(busy, repeat_last=True))
    assert len(made["desk"].paid) == 2
    down = ScriptedLLM((BUSY,), repeat_last=True)
    assert made["run_on"](question, down) == made["LIMIT"]
    assert len(down.requests) == 6
    assert "Unavailable" in capsys.readouterr().out


def test_a_wrong_key_is_asked_for_once_by_both(made, language):
    llm = ScriptedLLM((ConfigError("HTTP 401"),), repeat_last=True)
    assert made["by_kind"](find_example("08.refund"), llm) == (None, "HTTP 401")
    assert len(llm.requests) == 1
    with pytest.raises(ConfigError):
        finished((ConfigError("HTTP 401"),), language)


@pytest.mark.parametrize("attempt", [1, 2, 3, 4])
@pytest.mark.parametrize("error", [BUSY, RateLimited("429"), LLMError("400")])
def test_the_policy_of_notebook_08_retries_what_the_finished_ones_retry(made, error, attempt):
    for policies in (patient(), DEFAULT_POLICIES):
        answer = first_answer(policies, error, attempt)
        assert isinstance(answer, Retry) == (made["policy"](error, attempt) == "retry")
    assert made["policy"](ParseError("?"), attempt) == "tell"
    assert made["policy"](EmptyReply("?"), attempt) == "stop"


def as_error(error):
    """An error of exercise 08.1 as the package has it."""
    if error["kind"] == "tool_timeout":
        return ToolFailed("late", kind="timeout", repeatable=not error["effects"])
    if error["kind"] == "unknown_tool":
        return ParseError("unknown")
    if error["status"] == 429:
        return RateLimited("429", retry_after=error["retry_after"])
    if error["status"] >= 500:
        return Unavailable("503", retry_after=error["retry_after"])
    return LLMError(str(error["status"]))


def test_what_to_do_of_08_1_retries_what_the_finished_policies_retry(made):
    for error, attempt in troubles():
        answer = first_answer(patient(), as_error(error), attempt)
        todo, *_ = made["what_to_do"](error, attempt)
        assert isinstance(answer, Retry) == (todo == "retry"), (error, attempt)
        if isinstance(answer, Retry) and error["retry_after"] is not None:
            assert made["what_to_do"](error, attempt)[1] >= answer.after


def test_success_of_08_2_is_what_the_dice_of_the_notebook_come_to(made, language):
    success = definitions("08", language, {"success"})["success"]
    for p, calls, attempts in ((0.2, 6, 1), (0.2, 6, 3), (1.0, 6, 3), (0.3, 4, 2)):
        chance = Random(1)
        runs = [made["one_run"](p, calls, attempts, chance)[0] for _ in range(5_000)]
        assert sum(runs) / 5_000 == pytest.approx(success(p, calls, attempts), abs=0.02)


def test_the_stored_run_has_the_tools_of_the_notebook(language):
    names = definitions("08", language, {"refund", "ask"})
    pay = refund_tools(language)[-1]
    assert pay.description == names["refund"].__doc__
    written = []
    names["refund"].__globals__["account"] = Account(written)
    assert names["refund"]("12345") == pay.func("12345")
    assert written == [("12345",)]


class Account:
    """Keeps what would have been written."""

    def __init__(self, written):
        self.written = written

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def execute(self, sql, values):
        self.written.append(values)
