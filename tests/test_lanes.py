"""Runs side by side: every word is there, in text and in HTML, and nothing gets out of its box."""

from __future__ import annotations

import re

import pytest

from reactlab import FlightAgent, ReActAgent, ScriptedLLM, Trace
from reactlab.course import edition, lanes
from reactlab.course.scripts import act, answer
from reactlab.render.rows import COLOURS

NASTY = '<script>alert("x")</script> & $x$'


def look(text: str) -> str:
    """Look something up."""
    return f"It reads 7. {text}"


def run(question: str = "Which number?", says: str = "Seven.", text: str = "Vega") -> Trace:
    replies = [act("I look.", "look", text), answer("Enough.", says)]
    return ReActAgent(ScriptedLLM(replies), [look]).run(question)


def markup(traces: dict[str, Trace]) -> str:
    """What stands between style and script."""
    html = lanes(traces)._repr_html_()
    return re.sub(r"<style>.*?</style>|<script>.*</script>", "", html, flags=re.S)


def test_the_text_has_every_box_with_its_author():
    text = repr(lanes({"first": run(), "second": run(says="Eight.")}))
    assert text.splitlines()[0] == "Question: Which number?"
    assert text.count("Question") == 1
    assert "── first ──\nThought · model: I look.\nAction · model: look[Vega]" in text
    assert "Observation · world: It reads 7. Vega\nThought · model: Enough.\n" in text
    assert "Answer · model: Eight." in text
    assert text.count("2 model calls") == 2


def test_different_questions_stand_in_their_lanes():
    text = repr(lanes({"first": run(), "second": run("Which letter?")}))
    assert "── first ──\nQuestion: Which number?" in text
    assert "── second ──\nQuestion: Which letter?" in text
    assert markup({"first": run(), "second": run("Which letter?")}).count("<b>Question</b>") == 2


def test_the_border_is_the_authors_and_the_word_says_it_too():
    html = markup({"only": run()})
    boxes = re.findall(r'border:2px (\w+) (#\w+)"><p><small><b>(\w+)</b> · (\w+)', html)
    assert {(style, who) for style, _, _, who in boxes} == {("solid", "model"), ("dashed", "world")}
    assert {colour for _, colour, _, who in boxes if who == "world"} == {COLOURS["observation"]}
    assert [word for _, _, word, _ in boxes] == [
        "Thought",
        "Action",
        "Observation",
        "Thought",
        "Answer",
    ]


def test_what_data_says_is_shown_and_never_run():
    html = markup({NASTY: run(NASTY, NASTY, NASTY)})
    assert "<script" not in html
    assert "$x$" not in html
    assert html.count("&lt;script&gt;") == 5


def test_a_long_observation_is_folded_and_complete():
    long = " ".join(map(str, range(300)))
    html = markup({"long": run(text=long)})
    assert "<details><summary><small>…" in html
    plain = re.sub(r"<[^>]*>", " ", html)
    assert all(f" {number} " in f" {plain} " for number in range(300))


def test_a_simulated_run_is_called_staged_and_another_is_not():
    staged = FlightAgent(approve="always").run("When does booking 12346 leave?")
    text = repr(lanes({"simulated": staged, "scripted": run()}))
    assert text.count("staged") == 1
    assert "Model: reactlab-simulated" in text
    assert re.search(r"\d+ input \+ \d+ output tokens", text)


def test_a_run_that_failed_and_one_that_never_began_have_lanes():
    failed = ReActAgent(ScriptedLLM([]), [look]).run("Which number?")
    traces = {"failed": failed, "empty": Trace("Which number?")}
    assert "Failure · world" in repr(lanes(traces))
    assert markup(traces).count("<b>empty</b>") == 1
    assert "unfinished" in repr(lanes(traces))


@pytest.mark.parametrize("traces", [{}, {"only": run()}])
def test_any_number_of_lanes_is_a_picture(traces):
    assert "rl-lanes" in lanes(traces)._repr_html_()
    assert markup(traces).count("<b>only</b>") == len(traces)
    assert repr(lanes(traces)).count("── only ──") == len(traces)


def test_a_picture_is_not_a_stepper():
    assert "<script" not in lanes({"first": run(), "second": run()})._repr_html_()


def test_the_words_are_the_editions_own():
    try:
        edition("zh")
        text = repr(lanes({"甲": FlightAgent(language="zh").run("订单12346几点起飞？")}))
    finally:
        edition("en")
    assert "行动 · 模型：SearchBooking[12346]" in text
    assert "演示" in text
