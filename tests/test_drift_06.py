"""What notebook 06 builds by hand agrees with the plain loop, the package's driver and branch."""

from __future__ import annotations

import ast
import inspect

import pytest
from handmade import definitions, source

from reactlab import ReActAgent, ScriptedLLM, flight_tools
from reactlab.course import example
from reactlab.course.pause import Ask, Use, dialogue
from reactlab.course.pause import drive as package_drive
from reactlab.course.scripts import Script, act, answer
from reactlab.errors import ProgramError

NAMES = {"plain", "paused", "drive", "resume", "branch", "build_prompt", "as_lines"}
ORDERS = ["12346", "34567", "12345", "99999", "23456"]


def scripts() -> dict[str, list[str]]:
    looks = [act(f"I need {order}.", "SearchBooking", order) for order in ORDERS]
    end = answer("Enough.", "34567")
    return {
        "no tool": [end],
        "one": [looks[0], end],
        "three": [*looks[:3], end],
        "unknown tool": [looks[0], act("?", "Telescope", "Vega"), looks[3], end],
        "steps used up": [*looks, *looks],
    }


@pytest.fixture
def made(language):
    return definitions("06", language, NAMES)


@pytest.fixture
def tools(language):
    booking = flight_tools(language=language)[0]
    return {"SearchBooking": lambda order: str(booking.execute(order))}


@pytest.fixture
def later(language, capsys):
    return example("06.later")


@pytest.mark.parametrize("name", scripts())
def test_the_learners_driver_and_the_packages_run_the_plain_loop(
    made, tools, later, name, language
):
    replies = scripts()[name]
    plain, by_hand, finished, recorded = (Script(replies) for _ in range(4))
    wanted = made["plain"](later, plain, tools)
    assert made["drive"](made["paused"](later, tools), by_hand, tools) == wanted
    assert package_drive(made["paused"](later, tools), finished, tools) == wanted
    assert made["resume"](made["paused"](later, tools), [], recorded, tools) == wanted
    assert plain.prompts == by_hand.prompts == finished.prompts == recorded.prompts


@pytest.mark.parametrize("name", ["one", "three"])
def test_the_plain_loop_shows_what_the_agent_shows(made, later, name, language):
    replies = scripts()[name]
    booking = flight_tools(language=language)[0]
    by_hand, finished = Script(replies), ScriptedLLM(replies)
    tools = {"SearchBooking": booking}
    made["plain"](later, by_hand, {"SearchBooking": _described(booking)})
    ReActAgent(finished, tools, max_context=None, language=language).run(later)
    assert by_hand.prompts == [request.prompt for request in finished.requests]


def _described(tool):
    def look_up(order_id):
        return str(tool.execute(order_id))

    look_up.__doc__ = tool.description
    return look_up


def test_two_lines_of_the_loop_change(language):
    bodies = {
        node.name: [ast.unparse(line) for line in ast.walk(node) if isinstance(line, ast.Assign)]
        for node in functions(language)
        if node.name in ("plain", "paused")
    }
    changes = [
        pair for pair in zip(bodies["plain"], bodies["paused"], strict=True) if len(set(pair)) > 1
    ]
    assert sorted(changes) == [
        ("observation = tools[name](text)", "observation = (yield Use(name, text))"),
        ("reply = llm(prompt)", "reply = (yield Ask(prompt))"),
    ]


def functions(language):
    for slot in source("06").slots:
        if slot.en.kind == "code":
            tree = ast.parse(slot[language].render(language, solutions=True))
            yield from (node for node in tree.body if isinstance(node, ast.FunctionDef))


def test_a_replay_asks_nobody_and_a_branch_asks_only_from_the_edit_on(made, tools, later):
    replies, record = scripts()["three"], []
    wanted = made["resume"](made["paused"](later, tools), record, Script(replies), tools)
    assert made["resume"](made["paused"](later, tools), record, Script([]), {}) == wanted
    other = made["branch"](record, 2, "23:59")
    assert record[:3] == other[:3]
    asked = Script(replies[2:])
    assert made["resume"](made["paused"](later, tools), other, asked, tools) == wanted
    assert len(asked.prompts) == 2
    assert "23:59" in asked.prompts[0]


def test_the_branch_by_hand_keeps_what_the_packages_branch_keeps(made, tools, later, language):
    replies, record = scripts()["three"], []
    made["resume"](made["paused"](later, tools), record, Script(replies), tools)
    agent = ReActAgent(ScriptedLLM(replies), flight_tools(language=language)[:1], language=language)
    trace = agent.run(later)
    for step in (1, 2, 3):
        by_hand = made["branch"](record, step, "23:59")
        kept = trace.branch(step, "23:59")
        seen = [result for effect, result in by_hand if isinstance(effect, Use)]
        assert seen == [str(seen) for one in kept for seen in one.observations]
        assert sum(isinstance(effect, Ask) for effect, _ in by_hand) == len(kept)


def test_a_forgotten_yield_from_is_an_error_of_the_packages_driver(language):
    made = definitions("06", language, {"readable", "waits", "hasty"})
    said = Script(["hm", answer("So.", "7")])
    assert package_drive(made["waits"]("?"), said, {}).answer == "7"
    with pytest.raises(ProgramError, match=r"write 'yield from readable\(\.\.\.\)'"):
        package_drive(made["hasty"]("?"), said, {})


def test_what_is_no_effect_of_the_two_is_refused_by_the_packages_driver():
    def program():
        yield "Ask"

    assert inspect.isgeneratorfunction(program)
    with pytest.raises(ProgramError, match="yielded 'Ask'"):
        package_drive(program(), Script([]), {})


def test_the_dialogue_hands_the_turn_to_and_fro_and_escapes_what_it_shows(language):
    record = [(Ask("who?"), "<b>me</b>"), (Use("Look", "<i>"), "seen\nthere")]
    talk = dialogue(record)
    lines = repr(talk).splitlines()
    assert [line[:2] for line in lines] == ["1.", "2.", "3.", "4."]
    assert lines[3].endswith("send “seen there”")
    assert "<b>me" not in talk._repr_html_()
    assert talk._repr_html_().count("→") == talk._repr_html_().count("←") == 2
