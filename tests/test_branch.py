"""Another observation put into a step, and the run that would have followed."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Runner, run_blocking
from scripts import DIALECTS, act, answer, scripted

from reactlab import (
    ConfigError,
    Observation,
    ReActAgent,
    Trace,
    search_tools,
    tool,
)

PAGES = {"Tea": "Tea is a drink. Tea is hot.", "Ice": "Ice is cold."}


def echo(text: str) -> str:
    """Say it again."""
    return text


def agent(llm: Any, *tools: Any, dialect: str = "tools", **options: Any) -> ReActAgent:
    return ReActAgent(llm, tools or [echo], dialect=dialect, **options)


def parallel(run: Runner, *texts: str) -> Trace:
    turn = act("tools", "t", *(("echo", {"text": text}) for text in texts))
    return run(agent(scripted(turn, answer("tools", "old"))), "q")


def seen(llm: Any) -> list[str]:
    return [m.content for m in llm.requests[0].messages if m.role == "tool"]


@pytest.mark.parametrize(
    ("edit", "wanted"),
    [
        ({"observation": "new"}, ["a", "b", "new"]),
        ({"observation": "new", "call": 1}, ["new", "b", "c"]),
        ({"observation": "new", "call": "id1"}, ["a", "new", "c"]),
        ({}, ["a", "b", "c"]),
        ({"observation": Observation("too slow", "timeout"), "call": 2}, ["a", "too slow", "c"]),
    ],
)
def test_any_of_several_observations_can_be_another(
    run: Runner, edit: dict[str, Any], wanted: list[str]
) -> None:
    trace = parallel(run, "a", "b", "c")
    original = list(trace.events)
    branch = trace.branch(1, **edit)
    llm = scripted(answer("tools", "new"))
    run(agent(llm), "q", trace=branch)
    assert seen(llm) == wanted
    assert len(llm.requests) == 1
    assert str(branch) == "new"
    assert trace.events == original
    assert str(trace) == "old"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_branch_pays_only_for_what_comes_after_it(run: Runner, dialect: str) -> None:
    script = [act(dialect, f"t{n}", ("echo", {"text": f"fact{n}"})) for n in range(3)]
    trace = run(agent(scripted(*script, answer(dialect, "old")), dialect=dialect), "q")
    branch = trace.branch(2, "something else", call=1)
    llm = scripted(answer(dialect, "new"))
    run(agent(llm, dialect=dialect), "q", trace=branch)
    assert len(llm.requests) == 1
    assert "something else" in llm.requests[0].prompt
    assert "fact2" not in llm.requests[0].prompt
    assert branch.steps[0] == trace.steps[0]
    assert branch.steps[1].decision == trace.steps[1].decision
    assert str(branch) == "new"


@pytest.mark.parametrize("which", [0, 4, -1, "id9", "", "x"])
def test_a_call_that_is_not_there_is_named_with_those_that_are(which: int | str) -> None:
    trace = parallel(run_blocking, "a", "b", "c")
    with pytest.raises(ConfigError, match="1 id0, 2 id1, 3 id2"):
        trace.branch(1, "new", call=which)
    with pytest.raises(ConfigError, match="used no tool"):
        trace.branch(2, "new")
    with pytest.raises(ConfigError, match="is a text, not int"):
        trace.branch(1, 5)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="observation="):
        trace.branch(1, call=1)


def test_a_tool_that_changes_something_is_not_used_again_on_a_branch(run: Runner) -> None:
    done: list[str] = []

    @tool(effects=True)
    def book(flight: str) -> str:
        """Book a flight."""
        done.append(flight)
        return f"booked {flight}"

    turn = act("tools", "t", ("book", {"flight": "A"}), ("echo", {"text": "b"}))
    first = agent(scripted(turn, answer("tools", "old")), book, echo, approve="always")
    trace = run(first, "q")
    for call, said in ((1, "sold out"), (2, "c")):
        llm = scripted(answer("tools", "new"))
        run(agent(llm, book, echo, approve="always"), "q", trace=trace.branch(1, said, call=call))
    assert done == ["A"]
    assert seen(llm) == ["booked A", "c"]


@pytest.mark.parametrize("dialect", ["bracket", "tools"])
def test_what_a_tool_remembers_is_what_it_read_and_not_what_was_put_in(
    run: Runner, dialect: str
) -> None:
    tools = {each.name: each.to_schema()["function"]["parameters"] for each in search_tools(PAGES)}

    def call(name: str, text: str) -> Any:
        (key,) = tools[name]["properties"]
        return act(dialect, "t", (name, {key: text} if dialect == "tools" else text))

    script = [call("Search", "Tea"), call("Lookup", "hot"), answer(dialect, "hot")]
    trace = run(agent(scripted(*script), *search_tools(PAGES), dialect=dialect), "q")
    branch = trace.branch(1, "Tea is a colour.")
    llm = scripted(*script[1:])
    run(agent(llm, *search_tools(PAGES), dialect=dialect), "q", trace=branch)
    assert "Tea is a colour." in llm.requests[0].prompt
    assert "Tea is hot." in str(branch.steps[1].observations[0])
    assert len(llm.requests) == 2


def test_a_branch_of_a_branch_leaves_both_as_they_were(run: Runner) -> None:
    trace = parallel(run, "a", "b")
    once = trace.branch(1, "x", call=1)
    twice = once.branch(1, "y", call=2)
    assert [str(o) for o in once.steps[0].observations] == ["x", "b"]
    assert [str(o) for o in twice.steps[0].observations] == ["x", "y"]
    assert [str(o) for o in trace.steps[0].observations] == ["a", "b"]


@pytest.mark.parametrize("step", ["1", None, 1.0, [1]])
def test_a_step_that_is_no_number_is_no_step(step):
    with pytest.raises(ConfigError, match="There is no step"):
        Trace("q").branch(step)
