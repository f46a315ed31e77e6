"""What notebook 01 builds by hand agrees with finished agents, pictures and costs."""

from __future__ import annotations

import random
import re

import pytest
from handmade import definitions

from reactlab import FlightDesk, ReActAgent, ThoughtType, builtin_tools, flight_tools
from reactlab.course import example, lanes
from reactlab.course.lessons.n01 import six_thoughts


@pytest.fixture
def ways(language, capsys):
    """The names of the five ways."""
    names = example("01.ways")
    capsys.readouterr()
    return names


@pytest.fixture
def run_as(language, ways):
    """The notebook's function that runs a question in one way."""
    made = definitions("01", language, {"run_as"})
    made.update(zip(("asked", "cot", "act", "one_call", "react"), ways, strict=True))
    return made["run_as"]


@pytest.fixture
def rebooked(run_as, ways, language, capsys):
    """For each way its run of the notebook's question, and the flight that is booked afterwards."""
    question = example("01.rebook")
    capsys.readouterr()
    return {way: booked(run_as, way, question, language) for way in ways}


def booked(run_as, way, question, language):
    desk = FlightDesk(language=language)
    run = run_as(way, question, flight_tools(desk, language=language))
    return run, desk.search_booking("12345")["flight_number"]


def test_the_five_databases_say_what_the_table_of_notebook_01_says(rebooked):
    assert [flight for _, flight in rebooked.values()] == [
        "RL701",
        "RL701",
        "RL709",
        "RL701",
        "RL714",
    ]
    run, _ = list(rebooked.values())[-1]
    assert "09:00" in run.steps[3].thought


def test_act_only_and_react_take_the_same_number_of_steps(rebooked):
    _, _, (act, _), _, (react, _) = rebooked.values()
    assert len(act) == len(react) == 5
    assert not any(step.thought for step in act)


def test_react_writes_as_many_times_the_output_as_the_table_says(rebooked, language):
    _, _, (act, _), _, (react, _) = rebooked.values()
    told = {"en": 2.5, "zh": 2.3}[language]
    assert round(react.usage.output_tokens / act.usage.output_tokens, 1) == told


def test_when_no_flight_fits_act_only_rebooks_and_react_does_not(run_as, ways, language, capsys):
    earlier = example("01.rebook").replace("17:00", "15:00")
    capsys.readouterr()
    flights = [booked(run_as, way, earlier, language)[1] for way in (ways[2], ways[4])]
    assert flights == ["RL709", "RL701"]


def test_who_wrote_of_notebook_01_agrees_with_the_boxes_of_the_picture(rebooked, language):
    who_wrote = definitions("01", language, {"who_wrote"})["who_wrote"]
    for lane in lanes({way: run for way, (run, _) in rebooked.items()}).lanes:
        boxes = [box for box in lane.boxes if box.kind in ("thought", "action", "observation")]
        actions = [box.text for box in boxes if box.kind == "action"]
        seen = [box.text for box in boxes if box.kind == "observation"]
        world = dict(zip(actions, seen, strict=True))
        random.Random(1).shuffle(boxes)
        wrote = who_wrote([box.text for box in boxes], lambda n, x, w=world: w[f"{n}[{x}]"])
        assert wrote == [box.kind for box in boxes]


def test_choose_of_notebook_01_takes_the_cheapest_run_that_is_right(run_as, ways, language, capsys):
    choose = definitions("01", language, {"choose"})["choose"]
    tasks = example("01.tasks")
    capsys.readouterr()
    tools = [*flight_tools(language=language), builtin_tools(language=language)[1]]
    names = {"cot": ways[1], "one_call": ways[3], "react": ways[4]}
    for task, right in zip(tasks, ("34567", "10:00", "391"), strict=True):
        runs = {name: run_as(way, task["question"], tools) for name, way in names.items()}
        prices = {name: price(run) for name, run in runs.items() if right in str(run)}
        assert choose(task) == min(prices, key=prices.__getitem__)
        assert len(set(prices.values())) == len(prices)


def price(run):
    """Calls of the model and tools, then tokens, which decide at equal calls."""
    calls = sum(len(step.model_calls) + len(step.uses) for step in run)
    return calls, run.usage.input_tokens + run.usage.output_tokens


def test_the_six_thoughts_are_one_of_each_type_and_the_booking_is_moved(language, capsys):
    kinds, run = example("01.types"), six_thoughts()
    capsys.readouterr()
    for kind, known in zip(kinds, ThoughtType, strict=True):
        assert known in kind.replace(" ", "_")
    assert len(run) == len(kinds)
    assert "RL714" in str(run.steps[4].observations[0])
    assert not any(seen.error for step in run for seen in step.observations)


MONTHS = {
    "en": ("January 2026", "June 2026", "July 2026"),
    "zh": ("2026年1月", "2026年6月", "2026年7月"),
}


def test_june_is_found_on_the_page_and_july_is_not(language, capsys):
    sales = example("01.sales")
    capsys.readouterr()
    agent = ReActAgent(tools=builtin_tools(language=language)[:1], language=language)
    january, june, july = MONTHS[language]
    assert "570" in str(agent.run(sales.replace(january, june)))
    assert not any(sign.isdigit() for sign in str(agent.run(sales.replace(january, july))))


def test_each_paper_has_the_number_of_an_arxiv_paper(language, capsys):
    papers = example("01.papers")
    capsys.readouterr()
    assert dict(papers)["2210.03629"].startswith("ReAct")
    assert all(re.fullmatch(r"2[23](0[1-9]|1[0-2])\.\d{5}", number) for number, _ in papers)
