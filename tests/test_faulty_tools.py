"""Tools with faults: each kind happens, nothing is done twice, and the exit is never held."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import unicodedata
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from reactlab import (
    ConfigError,
    RobustReActAgent,
    ScriptedLLM,
    Tool,
    ToolCall,
    ToolRegistry,
    builtin_tools,
    faulty_tools,
    search_tools,
    tool,
)
from reactlab.evaluation import wilson
from reactlab.faults import Injected
from reactlab.tools.faulty import TOOL_FAULTS
from reactlab.types import Observation

LIMIT = 0.05


@tool
def depth(lake: str, unit: str = "m") -> str:
    """Tell how deep a lake is."""
    return f"{lake} is 1642 {unit} deep."


@tool(name="depth")
async def awaited_depth(lake: str, unit: str = "m") -> str:
    """Tell how deep a lake is."""
    return f"{lake} is 1642 {unit} deep."


@pytest.fixture(params=[depth, awaited_depth], ids=["plain", "async"])
def one(request: pytest.FixtureRequest) -> Tool:
    return request.param


def used(some: Tool, kind: str, written: str = "Baikal") -> tuple[Observation, list[Injected]]:
    faults: list[Injected] = []
    registry = ToolRegistry(faulty_tools([some], {kind: 1.0}, limit=LIMIT, faults=faults)).for_run()
    call = ToolCall(some.name, written)
    if some.is_async:
        return asyncio.run(registry.aexecute(call)).observation, faults
    return registry.execute(call).observation, faults


def test_a_tool_that_raises_could_not_be_reached(one):
    seen, faults = used(one, "raise")
    assert seen.error == "unavailable"
    assert "ConnectionError" in seen.text
    assert [fault.kind for fault in faults] == ["raise"]


def test_a_tool_that_hangs_is_given_up_at_its_limit(one):
    seen, faults = used(one, "hang")
    assert seen.error == "timeout"
    assert [fault.kind for fault in faults] == ["hang"]


def test_an_empty_result_is_told_as_such(one):
    assert used(one, "empty")[0] == Observation("(the tool returned an empty text)")


def test_a_huge_result_is_cut_with_a_note_and_keeps_its_head(one):
    seen, _ = used(one, "huge")
    assert seen.text.startswith("Baikal is 1642 m deep.")
    assert len(seen.text) == one.max_chars
    assert "characters cut" in seen.text


def test_garbage_is_control_and_replacement_signs(one):
    seen, _ = used(one, "garbage")
    assert "1642" not in seen.text
    signs = [sign for sign in seen.text if unicodedata.category(sign) in ("Cc", "So")]
    assert len(signs) > len(seen.text) / 3


def test_a_slow_tool_is_right(one):
    seen, faults = used(one, "slow")
    assert seen == Observation("Baikal is 1642 m deep.")
    assert [fault.kind for fault in faults] == ["slow"]


def test_a_wrong_value_shows_nowhere(one):
    seen, _ = used(one, "wrong_value")
    assert seen.error == ""
    assert seen.text != "Baikal is 1642 m deep."
    assert len(seen.text) == len("Baikal is 1642 m deep.")


def paying() -> tuple[Tool, list[int]]:
    paid: list[int] = []

    @tool(effects=True)
    def pay(amount: int) -> str:
        """Pay an amount."""
        paid.append(amount)
        return f"paid {amount}"

    return pay, paid


@pytest.mark.parametrize(("kind", "error"), [("raise", "unavailable"), ("hang", "timeout")])
def test_before_an_effect_a_fault_means_that_nothing_was_done(kind, error):
    pay, paid = paying()
    assert used(pay, kind, "7")[0].error == error
    assert paid == []


def test_a_lost_reply_comes_after_the_effect():
    pay, paid = paying()
    seen, faults = used(pay, "lost_reply", "7")
    assert seen.error == "unavailable"
    assert paid == [7]
    assert [fault.kind for fault in faults] == ["lost_reply"]


@pytest.mark.parametrize(("kind", "done"), [("lost_reply", [7]), ("raise", []), ("hang", [])])
def test_a_robust_agent_never_pays_twice(kind, done):
    pay, paid = paying()
    faulty = faulty_tools([pay], {kind: 1.0}, limit=LIMIT)
    llm = ScriptedLLM(["Thought: t\nAction: pay[7]", "Thought: t\nFinal Answer: not sure"])
    trace = RobustReActAgent(llm, faulty, approve="always").run("Pay 7.")
    assert paid == done
    assert [use.attempt for step in trace for use in step.uses] == [1]
    assert str(trace) == "not sure"


def test_a_robust_agent_uses_a_tool_again_that_only_reads():
    faulty = faulty_tools([depth], {"raise": 0.5}, seed=1)
    llm = ScriptedLLM(["Thought: t\nAction: depth[Baikal]", "Thought: t\nFinal Answer: 1642 m"])
    trace = RobustReActAgent(llm, faulty).run("How deep is Baikal?")
    (use,) = trace.steps[0].uses
    assert (use.attempt, use.observation.text) == (2, "Baikal is 1642 m deep.")


@pytest.mark.parametrize("kind", ["empty", "huge", "garbage", "wrong_value"])
def test_the_result_of_an_effect_is_never_changed(kind):
    pay, paid = paying()
    assert used(pay, kind, "7") == (Observation("paid 7"), [])
    assert paid == [7]


def test_a_tool_that_only_reads_loses_no_reply():
    assert used(depth, "lost_reply") == (Observation("Baikal is 1642 m deep."), [])


def test_names_schemas_and_descriptions_stay(language):
    tools = [*search_tools(language=language), *builtin_tools(language=language)[1:], depth]
    registry, faulty = ToolRegistry(tools), ToolRegistry(faulty_tools(tools, 0.5))
    assert faulty.names == registry.names
    assert faulty.to_prompt(language) == registry.to_prompt(language)
    assert faulty.to_openai_schema() == registry.to_openai_schema()


def test_without_faults_they_do_what_the_tools_do():
    registry = ToolRegistry(faulty_tools([depth, *search_tools()], 0.0)).for_run()
    assert registry.execute(ToolCall("depth", "Baikal, ft")).observation.text.endswith("ft deep.")
    assert "330" in str(registry.execute(ToolCall("Search", "Eiffel Tower")).observation)
    assert depth("Baikal") == "Baikal is 1642 m deep."


def test_what_a_run_remembers_stays_with_the_run():
    registry = ToolRegistry(faulty_tools(search_tools(), 0.0))
    first, second = registry.for_run(), registry.for_run()
    first.execute(ToolCall("Search", "Eiffel Tower"))
    assert "330" in str(first.execute(ToolCall("Lookup", "tall")).observation)
    assert "330" not in str(second.execute(ToolCall("Lookup", "tall")).observation)


def results(registry: ToolRegistry, lakes: list[str]) -> list[str]:
    run = registry.for_run()
    return [str(run.execute(ToolCall("depth", lake)).observation) for lake in lakes]


def test_every_run_has_the_same_faults_whatever_other_runs_do():
    lakes = [f"lake {number % 20}" for number in range(60)]
    rates = {"raise": 0.2, "empty": 0.2, "garbage": 0.2}
    registry = ToolRegistry(faulty_tools([depth], rates, seed=3))
    expected = results(registry, lakes)
    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda _: results(registry, lakes), range(16)))
    assert runs == [expected] * 16
    assert results(ToolRegistry(faulty_tools([depth], rates, seed=4)), lakes) != expected
    backwards = results(registry, lakes[::-1])
    assert sorted(backwards) == sorted(expected)
    assert len(set(expected[::20])) > 1 or len(set(expected[1::20])) > 1  # a retry draws anew


def test_tools_with_effects_have_the_same_faults_with_threads():
    def outcomes(workers: int) -> list[str]:
        pay, _ = paying()
        registry = ToolRegistry(faulty_tools([pay], {"raise": 0.3, "lost_reply": 0.3}))
        with ThreadPoolExecutor(workers) as pool:
            calls = [ToolCall("pay", str(number % 50)) for number in range(200)]
            return sorted(str(done.observation) for done in pool.map(registry.execute, calls))

    assert outcomes(8) == outcomes(1)


def test_rates_are_met_for_each_kind():
    n, rates = 2000, {"raise": 0.1, "empty": 0.2, "garbage": 0.05}
    faults: list[Injected] = []
    registry = ToolRegistry(faulty_tools([depth], rates, faults=faults))
    results(registry, [f"lake {number}" for number in range(n)])
    happened = Counter(fault.kind for fault in faults)
    for kind, rate in rates.items():
        low, high = wilson(happened[kind], n, confidence=0.99)
        assert low <= rate <= high, kind


def test_one_rate_is_shared_by_what_can_be_recovered_from():
    hidden = {name for name, kind in TOOL_FAULTS.items() if not kind.recoverable}
    assert hidden == {"lost_reply", "wrong_value"}


@pytest.mark.parametrize(
    "rates", [{"explode": 0.1}, {"raise": 2}, 1.5, {"raise": 0.6, "hang": 0.6}]
)
def test_an_impossible_rate_is_told_with_the_kinds_there_are(rates):
    with pytest.raises(ConfigError, match="raise, hang"):
        faulty_tools([depth], rates)


@pytest.mark.parametrize("limit", [0, -1, "long"])
def test_an_impossible_limit_is_told(limit: Any):
    with pytest.raises(ConfigError, match="seconds"):
        faulty_tools([depth], 0.1, limit=limit)


def test_a_time_limit_of_their_own_stays():
    (own,) = faulty_tools([tool(timeout=9)(depth.func)], {"hang": 0.1}, limit=1)
    (given,) = faulty_tools([depth], {"hang": 0.1}, limit=1)
    (none,) = faulty_tools([depth], {"raise": 0.1}, limit=1)
    assert [own.timeout, given.timeout, none.timeout] == [9, 1, None]


def test_they_travel_to_another_process():
    registry = ToolRegistry(faulty_tools([*search_tools()], {"raise": 0.5}, seed=1))
    other = pickle.loads(pickle.dumps(registry))
    calls = [ToolCall("Search", f"page {number}") for number in range(20)]
    here, there = registry.for_run(), other.for_run()
    assert [here.execute(call) for call in calls] == [there.execute(call) for call in calls]


HANGING = """
from reactlab import Tool, ToolCall, ToolRegistry, faulty_tools
wait = Tool("wait", "Wait.", lambda: "done", timeout=0.05)
registry = ToolRegistry(faulty_tools([wait], {"hang": 1.0}, limit=1800))
print(registry.for_run().execute(ToolCall("wait")).observation.error)
"""


def test_a_tool_that_hangs_never_holds_the_exit():
    done = subprocess.run(
        [sys.executable, "-c", HANGING], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "timeout\n"
