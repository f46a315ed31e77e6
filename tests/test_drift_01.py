"""What notebook 01 builds by hand agrees with finished agents, pictures and costs."""

from __future__ import annotations

import random

import pytest
from handmade import definitions

from reactlab import FlightDesk, ThoughtType, builtin_tools, flight_tools
from reactlab.course import edition, example, lanes
from reactlab.course.lessons.n01 import six_thoughts


@pytest.fixture(params=["en", "zh"])
def language(request):
    yield edition(request.param)
    edition("en")


@pytest.fixture
def five_ways(language, capsys):
    """The five agents of the notebook, built on tools."""
    made = definitions("01", language, {"five_ways"})
    made["ways"] = example("01.ways")
    capsys.readouterr()
    return made["five_ways"]


@pytest.fixture
def rebooked(five_ways, language, capsys):
    """For each way its run of the notebook's question, and the flight that is booked afterwards."""
    question = example("01.rebook")
    capsys.readouterr()
    done = {}
    for way in five_ways([]):
        desk = FlightDesk(language=language)
        run = five_ways(flight_tools(desk, language=language))[way].run(question)
        done[way] = (run, desk.search_booking("12345")["flight_number"])
    return done


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


def test_choose_of_notebook_01_takes_the_cheapest_run_that_is_right(five_ways, language, capsys):
    choose = definitions("01", language, {"choose"})["choose"]
    tasks = example("01.tasks")
    capsys.readouterr()
    for task, right in zip(tasks, ("34567", "10:00", "391"), strict=True):
        tools = [*flight_tools(language=language), builtin_tools(language=language)[1]]
        _, cot, _, one_call, react = five_ways(tools).values()
        agents = {"cot": cot, "one_call": one_call, "react": react}
        runs = {way: agent.run(task["question"]) for way, agent in agents.items()}
        paid = {
            way: sum(len(step.model_calls) + len(step.uses) for step in run)
            for way, run in runs.items()
            if right in str(run)
        }
        assert choose(task) == min(paid, key=paid.__getitem__)


def test_the_six_thoughts_are_one_of_each_type_and_the_booking_is_moved(language, capsys):
    kinds, run = example("01.types"), six_thoughts()
    capsys.readouterr()
    assert kinds == list(ThoughtType)
    assert len(run) == len(kinds)
    assert "RL714" in str(run.steps[4].observations[0])
    assert not any(seen.error for step in run for seen in step.observations)
