"""What notebook 09 builds by hand agrees with the finished pieces on shared cases."""

from __future__ import annotations

import re

import pytest
from handmade import definitions

from reactlab import Budget, LoopDetector, ReActAgent, RobustReActAgent, SimulatedLLM, flight_tools
from reactlab.course.bookings import booking_tasks
from reactlab.course.lesson import find_example
from reactlab.course.lessons.n09 import histories, runs
from reactlab.course.recurrence import Recurrence
from reactlab.loops import find_loop
from reactlab.prompts.digest import shortened
from reactlab.prompts.tokens import estimate_tokens, tokens_of

NAMES = {"is_loop", "compact", "three_equal", "first_alarm", "finished", "steps_of"}


@pytest.fixture
def made(language):
    """The notebook's functions, solutions included."""
    return definitions("09", language, NAMES)


@pytest.mark.parametrize("name", [name for name, _ in runs()])
def test_is_loop_of_notebook_09_says_what_the_finished_detector_says(made, name):
    steps = dict(runs())[name]
    detector = LoopDetector(threshold=3)
    for each in steps:
        detector.record("", (each["tool"], each["arguments"]), each["result"])
    assert made["is_loop"](steps) is detector.is_looping()


def test_the_naive_detector_makes_both_kinds_of_mistakes(made):
    polling = [("job[7]", f"{n}0 %") for n in range(9)]
    circle = [("read[a]", "1"), ("read[b]", "2"), ("read[c]", "3")] * 3
    alarm = made["first_alarm"]
    assert alarm(made["three_equal"], polling) == 3
    assert alarm(made["three_equal"], circle) is None
    assert alarm(made["finished"], polling) is None
    assert alarm(made["finished"], circle) == 6


def test_compact_keeps_what_the_finished_shortener_keeps(made):
    for steps, budget in histories():
        by_hand = made["compact"](steps, budget)
        finished = shortened("\n".join(steps), estimate_tokens("\n".join(steps)) * 3 // 4)
        codes = re.findall(r"[A-Z]{2}-\d{4}", "\n".join(steps))
        assert all(code in by_hand for code in codes)
        assert len(by_hand) <= budget
        assert sum(code in finished for code in codes) >= len(codes) - 1


def test_the_run_of_the_notebook_goes_in_circles_only_when_steps_are_dropped(language):
    tools = flight_tools(language=language)[:1]
    question = find_example("09.compare")

    def run(kind, **options):
        agent = kind(SimulatedLLM(), tools, max_context=1, language=language, **options)
        return agent.run(question)

    dropped = run(ReActAgent, older="drop")
    assert dropped.stop_reason == "max_steps"
    assert find_loop(dropped)
    stopped = run(RobustReActAgent, older="drop")
    assert (stopped.stop_reason, len(stopped)) == ("loop", 8)
    assert run(ReActAgent, older="digest").stop_reason == "answered"


def test_the_code_of_the_page_is_lost_by_cutting_and_kept_by_shortening(language):
    page = find_example("09.page")
    assert "RX-4471" in page
    third = len(page) // 3
    assert "RX-4471" not in page[:third] + page[-third:]
    assert "RX-4471" in shortened(page, 60, language)


def test_questions_about_bookings_are_distinct_and_solvable(language):
    tasks = list(booking_tasks(20, seed=3))
    assert len({task.question for task in tasks}) == 20
    for task in tasks:
        run = ReActAgent(SimulatedLLM(), task.tools, language=language).run(task.question)
        assert task.is_right(run.answer), (task.question, run.answer)
        assert re.search(r"\d\d:15", run.answer), "times were compared, not order numbers"


def test_an_answer_that_only_mentions_the_right_order_is_not_right(language):
    (task,) = booking_tasks(1, seed=3)
    other = next(order for order in re.findall(r"\d{5}", task.question) if order != task.wanted)
    assert task.is_right(f"{task.wanted}: 10:00, against {other}.")
    assert not task.is_right(f"{other}: 10:00, against {task.wanted}.")
    assert not task.is_right(None)


def test_with_two_steps_in_sight_two_bookings_can_be_compared_and_three_cannot(language):
    for task in booking_tasks(12, seed=5):
        count = len(re.findall(r"\d{5}", task.question))
        for most in (1, 2, 3):
            agent = ReActAgent(
                SimulatedLLM(), task.tools, max_context=most, older="drop", language=language
            )
            assert task.is_right(agent.run(task.question).answer) == (most >= count)


def test_a_budget_for_a_request_is_kept_on_long_bookings(language):
    (task,) = booking_tasks(1, seed=9)
    whole = ReActAgent(SimulatedLLM(), task.tools, language=language).run(task.question)
    most = tokens_of(whole.steps[-1].model_calls[0].request) * 4 // 5
    agent = ReActAgent(
        SimulatedLLM(), task.tools, language=language, budget=Budget(request_tokens=most)
    )
    run = agent.run(task.question)
    sizes = [tokens_of(call.request) for step in run for call in step.model_calls]
    assert max(sizes) <= most
    assert task.is_right(run.answer)


def test_the_grid_marks_half_for_a_call_and_full_for_its_result_too(language):
    grid = Recurrence([("a[1]", "x"), ("a[1]", "y"), ("b[1]", "x"), ("A[ 1 ]", "y")])
    assert grid.marks() == [[], ["◐"], ["·", "·"], ["◐", "●", "·"]]
    assert "◐ ● ·" in repr(grid)
    assert "<td" in grid._repr_html_()
    hostile = Recurrence([("<b>[x]", "<script>"), ("<b>[x]", "<script>")])
    assert "<script>x" not in hostile._repr_html_()
    assert "&lt;script&gt;" in hostile._repr_html_()
