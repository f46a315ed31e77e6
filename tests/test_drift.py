"""What notebooks build by hand agrees with the finished pieces on shared cases."""

from __future__ import annotations

import re

import pytest
from handmade import definitions

from reactlab import Message, ReActAgent, Request, ScriptedLLM, SimulatedLLM, flight_tools
from reactlab.course import example
from reactlab.course.lessons.n05 import nothing_there
from reactlab.course.scripts import Script, act, answer


def script(length: int) -> list[str]:
    orders = ["12346", "34567", "12345", "23456", "99999"]
    looks = [act(f"I need {order}.", "SearchBooking", order) for order in orders[:length]]
    return [*looks, answer("Enough.", "34567")]


@pytest.mark.parametrize("length", range(6))
def test_the_loop_of_notebook_05_builds_the_same_history_as_the_agent(language, length, capsys):
    made = definitions("05", language, {"react", "as_lines", "build_prompt"})
    question, tools = example("05.compare"), flight_tools(language=language)[:1]
    by_hand, finished = Script(script(length)), ScriptedLLM(script(length))
    got = made["react"](question, by_hand, {tool.name: tool for tool in tools}, 10)
    run = ReActAgent(finished, tools, max_context=None, language=language).run(question)
    assert got == run.answer == "34567"
    assert by_hand.prompts == [request.prompt for request in finished.requests]
    capsys.readouterr()


def test_both_loops_show_the_same_text_for_a_tool_with_several_inputs(language, capsys):
    made = definitions("05", language, {"react", "as_lines", "build_prompt"})
    tools = flight_tools(language=language)
    question = {"en": "What is the status of flight {} on {}?", "zh": "{} 航班 {} 的状态是什么？"}
    question = question[language].format("RL802", "2026-07-16")
    call = ("CheckFlightStatus", '{"flight_number": "RL802", "date": "2026-07-16", "名": "甲"}')
    replies = [act("I look.", *call), act("Again.", "SearchBooking", "12346"), answer("So.", "7")]
    by_hand, finished = Script(replies), ScriptedLLM(replies)
    made["react"](question, by_hand, {tool.name: tool for tool in tools})
    ReActAgent(finished, tools, max_context=None, language=language).run(question)
    assert by_hand.prompts == [request.prompt for request in finished.requests]
    assert "RL802" in by_hand.prompts[1].partition(question)[2]
    shown = []

    def llm(prompt):
        shown.append(prompt)
        return SimulatedLLM().complete(Request((Message("user", prompt),))).text

    got = made["react"](question, llm, {tool.name: tool for tool in tools})
    run = ReActAgent(SimulatedLLM(), tools, language=language).run(question)
    assert (got, len(shown)) == (run.answer, 2)
    assert shown == [step.model_calls[0].request.prompt for step in run]
    capsys.readouterr()


def test_the_solution_of_05_1_answers_the_question_about_bookings(language, capsys):
    made = definitions("05", language, {"my_react", "look_up", "as_lines", "build_prompt"})
    tool = flight_tools(language=language)[0]
    look_up = made["look_up"]
    look_up.__globals__["tools"] = {tool.name: tool}
    look_up.__doc__ = tool.description

    def llm(prompt):
        return SimulatedLLM().complete(Request((Message("user", prompt),))).text

    got = made["my_react"](example("05.compare"), llm, {tool.name: look_up}, 6)
    assert "34567" in got
    assert "12:20" in got
    capsys.readouterr()


@pytest.mark.parametrize("limit", range(1, 5))
def test_both_loops_stop_at_the_same_number_of_calls(language, limit, capsys):
    made = definitions("05", language, {"react", "as_lines", "build_prompt"})
    question, tools = example("05.compare"), flight_tools(language=language)[:1]
    by_hand, finished = Script(script(4)), ScriptedLLM(script(4))
    made["react"](question, by_hand, {tool.name: tool for tool in tools}, limit)
    run = ReActAgent(finished, tools, limit, language=language).run(question)
    assert len(by_hand.prompts) == len(finished.requests) == limit
    assert run.answer is None
    capsys.readouterr()


def test_the_solution_of_05_1_and_the_agent_go_on_after_an_unknown_tool(language):
    made = definitions("05", language, {"my_react", "as_lines", "build_prompt"})
    replies = [act("I want to see it.", "Telescope", "Vega"), answer("Enough.", "7")]
    assert made["my_react"]("Which?", Script(replies), {"Lookup": nothing_there}, 5) == "7"
    assert ReActAgent(ScriptedLLM(replies), [], language=language).run("Which?").answer == "7"


def test_the_solution_of_05_2_agrees_with_the_stop_reasons_of_the_agent(language, capsys):
    why_stopped = definitions("05", language, {"why_stopped"})["why_stopped"]
    runs = example("05.runs")
    assert {name: why_stopped(run) for name, run in runs.items()} == runs.reasons
    capsys.readouterr()


def test_the_first_loop_of_notebook_05_shows_the_newest_step_alone(language, capsys):
    made = definitions("05", language, {"newest_only", "as_lines", "build_prompt"})
    question, tools = example("05.compare"), flight_tools(language=language)[:1]
    llm = Script(script(3))
    made["newest_only"](question, llm, {tool.name: tool for tool in tools})
    assert "I need 12345." in llm.prompts[-1]
    assert "I need 34567." not in llm.prompts[-1]
    capsys.readouterr()


@pytest.mark.parametrize(("loop", "looks"), [("newest_only", 6), ("react", 2)])
def test_the_embedded_model_looks_twice_and_goes_back_and_forth_where_it_sees_too_little(
    language, loop, looks, capsys
):
    made = definitions("05", language, {loop, "as_lines", "build_prompt"})
    question, tools = example("05.compare"), flight_tools(language=language)[:1]
    capsys.readouterr()

    def llm(prompt):
        return SimulatedLLM().complete(Request((Message("user", prompt),))).text

    got = made[loop](question, llm, {tool.name: tool for tool in tools})
    orders = re.findall(r"SearchBooking\[(\d+)\]", capsys.readouterr().out)
    assert orders == (["12346", "34567"] * 3)[:looks]
    assert ("34567" in got) == (loop == "react")
