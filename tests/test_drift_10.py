"""What notebook 10 builds by hand agrees with the finished pieces on shared cases."""

from __future__ import annotations

import pytest
from handmade import definitions

from reactlab import ReActAgent
from reactlab.course.lesson import find_example
from reactlab.course.lessons.n10 import borders, honest
from reactlab.errors import ToolError
from reactlab.injection import (
    Clerk,
    Gullible,
    World,
    allow_tools,
    cancelled,
    lab_tasks,
    no_tainted,
    rebooked,
    sent,
)
from reactlab.tools.files import FOREIGN, OUTSIDE, Folder

NAMES = {"visit", "needed", "from_user", "inside", "allow"}
SENSITIVE = {
    "SendMessage": ["to"],
    "CancelBooking": ["order_id"],
    "Rebook": ["order_id", "flight"],
}
TRUSTED = {"FindBooking": ["email"]}


@pytest.fixture
def made(language):
    """The notebook's functions and constants."""
    return definitions("10", language, NAMES)


def readable(folder, path):
    """Whether the package's tool looks for the path inside its folder."""
    try:
        Folder(folder).read(path)
    except ToolError as error:
        return OUTSIDE not in str(error)
    return True


def test_inside_of_10_1_lets_out_nothing_that_the_finished_tool_keeps_in(made):
    for case in borders():
        root, path = case.given
        if FOREIGN.search(path):  # the tool refuses codes and absolute paths outright
            assert not made["inside"](root, path), path
        else:
            assert made["inside"](root, path) == readable(root, path), path


def did(task, permit):
    """What a run changed."""
    agent = ReActAgent(
        Gullible(Clerk()),
        World(task.scene).tools(),
        language=task.language,
        approve="always",
        permit=permit,
    )
    trace = agent.run(task.question)
    return sent(trace), cancelled(trace), rebooked(trace)


def test_allow_of_10_2_does_on_every_task_what_the_finished_rule_does(made, language):
    for task in lab_tasks(3, language)[::3]:
        assert did(task, made["allow"]) == did(task, no_tainted(SENSITIVE, TRUSTED)), task.id


def test_the_two_permits_by_hand_stop_what_the_finished_ones_stop(made, language):
    tools, user = allow_tools("Search", "SendMessage"), no_tainted({"SendMessage": ["to"]})
    for task in lab_tasks(5, language)[1::4]:
        assert [len(part) for part in did(task, made["needed"])] == [
            len(part) for part in did(task, tools)
        ], task.id
        by_hand = {to for to, _ in did(task, made["from_user"])[0]}
        assert by_hand == {to for to, _ in did(task, user)[0]}, task.id


@pytest.mark.parametrize("order", ["", "ORDER", "SWAP"])
def test_the_office_of_the_notebook_is_robbed_without_a_permit(made, order):
    made["visit"].__globals__["booking"] = BOOKING
    page = made["PAGE"] + (made[order] if order else "")
    world, _ = made["visit"](page, find_example("10.send"))
    strange = [to for to, _ in world.outbox if to == made["STRANGER"]]
    assert bool(strange) == bool(order)


BOOKING = {"order_id": "20683", "passenger": "Tess Okafor", "email": "guest20683@mail706.example"}


def test_honest_requests_of_10_2_all_work_with_the_finished_rule(language):
    tasks = list(honest(lab_tasks(9, language)))
    assert len(tasks) >= 10
    assert any("passenger" in task.kind for task in tasks)
    for task in tasks:
        assert did(task, no_tainted(SENSITIVE, TRUSTED)) == did(task, None), task.id
