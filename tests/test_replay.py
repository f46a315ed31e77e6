"""Runs that were stored and are played once more: by request, or from the trace itself."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Runner
from scripts import DIALECTS, act, answer, scripted

from reactlab import (
    Comparison,
    FlightDesk,
    LLMError,
    ReActAgent,
    RecordedLLM,
    Trace,
    flight_tools,
    tool,
)
from reactlab.course import stored_run
from reactlab.course.store import RUNS
from reactlab.errors import ConfigError, RateLimited, TraceFileError


def echo(text: str) -> str:
    """Say it again."""
    return text


def agent(llm: Any, *tools: Any, **options: Any) -> ReActAgent:
    return ReActAgent(llm, tools or [echo], **options)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_a_model_said_is_said_again_to_the_same_requests(run: Runner, dialect: str) -> None:
    script = [act(dialect, "t", ("echo", {"text": text})) for text in "ab"]
    first = run(agent(scripted(*script, answer(dialect, "ok")), dialect=dialect), "q")
    llm = RecordedLLM.of(first)
    again = run(agent(llm, dialect=dialect), "q")
    assert again.events == first.events
    assert again.model == first.model
    assert {pair.mark for pair in Comparison(first, again).pairs} == {"same"}


def test_several_traces_are_played_by_request_and_in_order(run: Runner) -> None:
    runs = [run(agent(scripted(answer("bracket", text))), "q") for text in ("one", "two")]
    other = run(agent(scripted(answer("bracket", "three"))), "another question")
    llm = RecordedLLM.of(*runs, other)
    told = [str(run(agent(llm), question)) for question in ("another question", *"qqq")]
    assert told == ["three", "one", "two", "two"]


def test_a_request_that_was_never_made_is_told_with_what_differs(run: Runner) -> None:
    first = run(agent(scripted(answer("bracket", "ok"))), "How old is tea?")
    trace = run(agent(RecordedLLM.of(first)), "How old is ice?")
    assert trace.answer is None
    assert "- Question: How old is tea?" in trace.detail
    assert "+ Question: How old is ice?" in trace.detail
    with pytest.raises(LLMError, match="Nothing is recorded"):
        RecordedLLM.of(Trace("q")).complete(first.steps[0].model_calls[0].request)


def test_an_edited_observation_is_a_request_that_was_never_made(run: Runner) -> None:
    script = [act("bracket", "t", ("echo", "a")), answer("bracket", "ok")]
    first = run(agent(scripted(*script)), "q")
    branch = first.branch(1, "something else")
    run(agent(RecordedLLM.of(first)), "q", trace=branch)
    assert "+ Observation: something else" in branch.detail


def test_failures_are_not_played_again(run: Runner) -> None:
    busy = RateLimited("busy", retry_after=0)
    first = run(agent(scripted(busy, answer("bracket", "ok"))), "q")
    again = run(agent(RecordedLLM.of(first)), "q")
    assert str(again) == "ok"
    assert len(first.steps[0].model_calls) == 2
    assert len(again.steps[0].model_calls) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_run_of_a_stored_trace_asks_nobody_and_changes_nothing(run: Runner, dialect: str) -> None:
    done: list[str] = []

    @tool(effects=True)
    def book(flight: str) -> str:
        """Book a flight."""
        done.append(flight)
        return f"booked {flight}"

    script = [act(dialect, "t", ("book", {"flight": "A"})), answer(dialect, "ok")]
    options = {"dialect": dialect, "approve": "always"}
    trace = run(agent(scripted(*script), book, **options), "q")
    before = list(trace.events)
    silent = scripted()
    run(agent(silent, book, **options), "q", trace=trace)
    assert trace.events == before
    assert str(trace) == "ok"
    assert silent.requests == []
    assert done == ["A"]


@pytest.mark.parametrize("name", RUNS)
def test_the_stored_runs_of_the_course_can_be_played_for_nothing(
    run: Runner, name: str, language: Any
) -> None:
    stored = stored_run(name)
    before, said = list(stored.events), stored.answer
    tools = RUNS[name][1]
    native = stored.steps[0].model_calls[0].request.tools
    options = {"language": language, "approve": "always"}
    options["dialect"] = "tools" if native else "bracket"
    silent = scripted()
    run(agent(silent, *tools(language), **options), stored.question, trace=stored)
    assert (stored.events, stored.answer) == (before, said)
    assert silent.requests == []
    again = run(agent(RecordedLLM.of(stored), *tools(language), **options), stored.question)
    assert again.events == before


def test_tools_are_real_where_a_model_is_recorded_and_rest_where_a_run_is() -> None:
    stored = stored_run("01.rebook")
    leaves = []
    for llm, trace in ((RecordedLLM.of(stored), None), (scripted(), stored)):
        desk = FlightDesk()
        mine = ReActAgent(llm, flight_tools(desk), approve="always")
        mine.run(stored.question, trace=trace)
        leaves.append(desk.search_booking("12345")["departure"])
    assert leaves == ["14:00", "07:00"]


@pytest.mark.parametrize("value", [5, None, "x", [], b"x"])
def test_what_is_no_trace_and_no_path_is_no_recording(value):
    with pytest.raises(ConfigError, match="A trace is expected"):
        RecordedLLM.of(value)
    if value is not None and value != "x":
        with pytest.raises(ConfigError, match="named by its path"):
            RecordedLLM(value)


def test_a_file_that_is_no_text_and_a_folder_are_no_recordings(tmp_path):
    (tmp_path / "broken").write_bytes(b"\xff\xfe")
    for path in (tmp_path, tmp_path / "broken"):
        with pytest.raises(TraceFileError, match="cannot be read as a recording"):
            RecordedLLM(path)
