"""The pictures of notebook 07, and its staged models."""

from __future__ import annotations

import json

import pytest

from reactlab import (
    Completion,
    Message,
    ReActAgent,
    Request,
    ScriptedLLM,
    SimulatedLLM,
    ToolCall,
    flight_tools,
)
from reactlab.course.envelopes import envelopes, time_bars
from reactlab.course.lesson import find_example
from reactlab.course.staged import Eager, Limited, Once
from reactlab.dialects import make_dialect
from reactlab.errors import ConfigError


def tools(language):
    return flight_tools(language=language)[:1]


def run(llm, language):
    agent = ReActAgent(llm, tools(language), dialect="tools", language=language)
    return agent.run(find_example("07.compare"))


@pytest.mark.parametrize("model", [SimulatedLLM(), Eager(SimulatedLLM())])
def test_the_rows_are_what_both_dialects_show_of_each_step(language, model):
    trace = run(model, language)
    rows = envelopes(trace).rows
    text = "\n".join(line for _, line, _ in rows)
    for step in trace.steps[:-1]:
        if step.thought:
            assert make_dialect("bracket", language=language).show(step) in text
    asked = trace.steps[-1].model_calls[0].request.messages
    parts = [json.loads(message) for _, _, message in rows]
    told = [(part["tool_call_id"], part["content"]) for part in parts if "tool_call_id" in part]
    assert told == [(m.call_id, m.content) for m in asked if m.role == "tool"]
    ids = [call["id"] for part in parts for call in part.get("tool_calls", ())]
    assert ids == [call.id for message in asked for call in message.calls]
    assert trace.answer in rows[-1][1]


def test_both_pictures_have_a_text_and_a_page_and_escape_what_comes_from_data(language):
    llm = ScriptedLLM([ToolCall("SearchBooking", '{"order_id": "<script>"}', "a"), "<b>7</b>"])
    for picture in (envelopes(run(llm, language)), time_bars({"<script>": 2, "b": 1.5})):
        assert "<script>" in repr(picture)
        assert "&lt;script&gt;" in picture._repr_html_()
        assert picture._repr_html_().count("<script>") == 0


def test_time_bars_add_up_one_after_another_and_take_the_longest_side_by_side(language):
    lines = repr(time_bars({"a": 2, "b": 3, "c": 1.5})).splitlines()
    assert "6.5" in lines[0]
    assert lines[4].endswith(("3 s", "3 秒"))


@pytest.mark.parametrize(("picture", "wrong"), [(envelopes, ...), (time_bars, 5)])
def test_a_picture_of_something_else_says_in_one_line_what_it_needs(picture, wrong):
    with pytest.raises(ConfigError) as told:
        picture(wrong)
    assert "\n" not in str(told.value)


def asked(text, language, **settings):
    schemas = tuple(tool.to_schema() for tool in tools(language))
    return Request((Message("user", text),), tools=schemas, **settings)


def test_the_eager_model_asks_for_every_number_of_the_question_and_no_other(language):
    question = {
        "en": "Which of the bookings 12346, 34567 and 23456 leaves last?",
        "zh": "订单 12346、34567 和 23456，哪个起飞最晚？",
    }
    reply = Eager(SimulatedLLM()).complete(asked(question[language], language))
    numbers = [json.loads(call.arguments)["order_id"] for call in reply.calls]
    assert numbers == ["12346", "34567", "23456"]
    assert [call.id for call in reply.calls] == ["call_1", "call_2", "call_3"]


def test_staged_models_otherwise_say_what_the_model_behind_them_says(language):
    one = asked({"en": "Who has 12346?", "zh": "12346 是谁的订单？"}[language], language)
    wanted = SimulatedLLM().complete(one)
    assert Eager(SimulatedLLM()).complete(one) == wanted
    assert Limited(SimulatedLLM(), 500).complete(one) == wanted
    made = ToolCall("FindBooking", "{}", "call_1")
    first = Once(SimulatedLLM(), made).complete(one)
    assert first == Completion(calls=(made,), finish="tool_calls", model="reactlab-simulated")
    later = Request((*one.messages, Message("assistant", "…")), tools=one.tools)
    assert Once(SimulatedLLM(), made).complete(later) == SimulatedLLM().complete(later)
