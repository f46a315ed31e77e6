"""The course's helpers: editions, examples, checks, hints, progress, source, quiz, comparison."""

from __future__ import annotations

import json
import re
import string
from html.parser import HTMLParser

import pytest

import reactlab
from reactlab import ConfigError, ReActAgent, ScriptedLLM, Trace, course
from reactlab.course import store
from reactlab.course.exercises import NotDone, Stumble, attempt, number_of, run_check
from reactlab.course.lesson import judges, numbers
from reactlab.course.progress import FILE, note, passed
from reactlab.course.texts import Texts
from reactlab.course.words import plain

EXERCISES = [f"{number}.{key}" for number in numbers() for key in judges(number)]


@pytest.fixture(autouse=True)
def _in_an_empty_folder_and_in_english(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    course.edition("en")
    yield
    course.edition("en")


def printed(capsys) -> str:
    return capsys.readouterr().out.strip()


def evidence(trace):
    for step in trace.steps:
        if any(trace.answer and trace.answer in str(seen) for seen in step.observations):
            return step.number
    return None


# Editions and texts


def test_an_example_is_printed_and_returned_in_the_language_of_the_edition(capsys):
    assert course.example("05.compare") == printed(capsys)
    assert course.edition("zh") == "zh"
    assert "订单" in course.example("05.compare")


def test_an_unknown_edition_example_or_exercise_says_what_there_is():
    with pytest.raises(ConfigError, match='choose edition\\("en"\\)'):
        course.edition("fr")
    with pytest.raises(ConfigError, match="there are one, compare, runs"):
        course.example("05.nothing")
    with pytest.raises(ConfigError, match="there are 00"):
        course.example("77.nothing")
    with pytest.raises(ConfigError, match=r"there are 05\.1, 05\.2"):
        course.check("05.9", None)
    with pytest.raises(ConfigError, match=r'named like "05\.1"'):
        course.hint("five")


def shape(value):
    """Keys and slots of a text file, without its words."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shape(one) for one in value]
    if isinstance(value, str):
        return sorted(
            name or "" for _, name, *_ in string.Formatter().parse(value) if name is not None
        )
    return value


@pytest.mark.parametrize("number", numbers())
def test_both_editions_say_the_same_things_with_the_same_slots(number):
    parts = ("examples", "hints", "says", "quiz")
    english = {part: shape(Texts(number)[part]) for part in parts}
    course.edition("zh")
    assert {part: shape(Texts(number)[part]) for part in parts} == english


@pytest.mark.parametrize("number", numbers())
def test_the_chinese_edition_is_written_in_chinese(number):
    course.edition("zh")
    for text in words_of(Texts(number)["hints"]) + words_of(Texts(number)["quiz"]):
        assert re.search("[\u4e00-\u9fff]", text), text


def words_of(value) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for one in inner for text in words_of(one)]


# Checks


@pytest.mark.parametrize("typed", ["05.1", "5.1", "０５．１", " 05。1 ", 5.1])
def test_an_exercise_is_found_however_its_number_is_typed(typed):
    assert number_of(typed) == "05.1"


def test_full_width_signs_count_as_their_half_width_twins():
    assert plain("［１２：３０］（是）") == "[12:30](是)"


def test_what_a_learners_function_raises_is_told_in_one_line_with_its_case():
    def broken(_):
        raise ValueError("first line\nsecond line")

    with pytest.raises(
        Stumble, match=r"^Run B: your function stopped with ValueError: first line second"
    ):
        attempt("Run B", broken, 1)
    with pytest.raises(Stumble, match="Give the function itself"):
        attempt("Run B", 3, 1)


def test_a_placeholder_of_any_usual_kind_is_not_done():
    def unwritten(_):
        raise NotImplementedError

    for stub in (lambda _: ..., lambda _: NotImplemented, unwritten):
        with pytest.raises(NotDone):
            attempt("Run B", stub, 1)


def test_stopping_the_kernel_stops_a_check():
    def stopped(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attempt("Run B", stopped, 1)


def test_a_value_that_cannot_even_be_shown_does_not_break_the_check():
    class Odd:
        def __repr__(self):
            raise RuntimeError("no repr")

    outcome, told = run_check(judges("00")["1"], lambda trace: Odd())
    assert outcome == "wrong"
    assert "Odd" in str(told)


def test_a_check_returns_nothing_so_a_cell_shows_its_line_once(capsys):
    assert course.check("00.1", ...) is None
    assert printed(capsys).count("\n") == 0


# Hints


def test_hints_come_one_at_a_time_and_the_last_one_stays(capsys):
    course._shown_hints.clear()
    for _ in range(4):
        course.hint("05.2")
    lines = printed(capsys).split("\n")
    assert [line[:11] for line in lines] == [
        "Hint 1 of 3",
        "Hint 2 of 3",
        "Hint 3 of 3",
        "Hint 3 of 3",
    ]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_exercise_has_three_different_hints(exercise, capsys):
    course._shown_hints.clear()
    for _ in range(3):
        course.hint(exercise)
    assert len({line.partition(": ")[2] for line in printed(capsys).split("\n")}) == 3


# Progress


def test_what_is_passed_is_kept_in_the_folder_and_listed(capsys, tmp_path):
    course.progress()
    assert "○ 00.1" in printed(capsys)
    course.check("00.1", evidence)
    printed(capsys)
    course.progress()
    assert "✓ 00.1   ○ 00.2" in printed(capsys)
    assert json.loads((tmp_path / FILE).read_text()) == {"passed": ["00.1"]}


def test_a_later_wrong_try_does_not_take_back_what_is_passed(capsys):
    course.check("00.1", evidence)
    course.check("00.1", lambda trace: 1)
    assert passed() == ["00.1"]


@pytest.mark.parametrize("text", ["my own notes", "[1, 2]", '{"passed": 3}', ""])
def test_a_file_of_the_learners_own_is_left_alone(text, tmp_path, capsys):
    (tmp_path / FILE).write_text(text)
    course.check("00.1", evidence)
    assert "could not be noted" in printed(capsys)
    assert (tmp_path / FILE).read_text() == text


def test_a_folder_that_cannot_be_written_only_costs_the_note(tmp_path):
    assert note("00.1", tmp_path / "missing") is False


# Source


def test_source_is_shown_with_its_file_and_nothing_of_the_machine():
    shown = course.show(ReActAgent.program)
    assert repr(shown).startswith("# reactlab/agents/react.py\ndef program(")
    assert "</b>" in shown._repr_html_()
    assert str(reactlab.__path__[0]) not in shown._repr_html_()


def test_highlighted_source_is_the_source_and_nothing_else():
    shown = course.show(course)
    html = shown._repr_html_()
    assert html == course.show(course)._repr_html_()
    assert text_of(html).strip() == f"{shown.place}\n{shown.code}"


class Text(HTMLParser):
    def __init__(self):
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data):
        self.parts.append(data)


def text_of(html: str) -> str:
    reader = Text()
    reader.feed(html)
    return "".join(reader.parts)


# Quiz


@pytest.mark.parametrize("number", numbers())
def test_a_quiz_has_three_questions_with_one_right_option_and_a_reason_for_each(number):
    quiz = course.quiz(number)
    assert len(quiz.questions) == 3
    for question in quiz.questions:
        assert sum(bool(one.get("right")) for one in question["options"]) == 1
        assert all(one["why"] for one in question["options"])
    rights = [[bool(o.get("right")) for o in q["options"]].index(True) for q in quiz.questions]
    assert len(set(rights)) > 1
    assert quiz._repr_html_().count("<details>") == sum(len(q["options"]) for q in quiz.questions)
    assert quiz.questions[0]["text"] in repr(quiz)


# Comparing runs


def ran(*replies: str, tools=(), steps: int = 5) -> Trace:
    return ReActAgent(ScriptedLLM(replies), tools, steps).run("Which?")


def look_up(text: str) -> str:
    """Look up."""
    return f"{text} is 7"


def test_two_equal_runs_have_no_difference():
    runs = [ran("Action: look_up[x]", "Final Answer: 7", tools=[look_up]) for _ in range(2)]
    assert "No difference" in repr(course.compare(*runs))


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Thought: a\nAction: look_up[y]", "step 1, the action: look_up[x] | look_up[y]"),
        ("Thought: b\nAction: look_up[x]", "step 1, the thought: a | b"),
        ("Thought: a\nFinal Answer: 3", "step 1, the action: look_up[x] | "),
    ],
)
def test_the_first_difference_of_two_runs_is_named(reply, told):
    stored = ran("Thought: a\nAction: look_up[x]", "Final Answer: 7", tools=[look_up])
    yours = ran(reply, "Final Answer: 7", tools=[look_up])
    shown = course.compare(stored, yours)
    assert told in repr(shown)
    assert told in text_of(shown._repr_html_())


def test_a_shorter_run_differs_where_it_ends():
    stored = ran("Action: look_up[x]", "Final Answer: 7", tools=[look_up])
    yours = ran("Action: look_up[x]", tools=[look_up], steps=1)
    assert "max_steps" in repr(course.compare(stored, yours))
    assert "step 2" in course.compare(stored, yours).difference


def test_text_of_a_model_cannot_become_markup():
    hostile = ran("Final Answer: <script>alert(1)</script>")
    for shown in (course.compare(hostile, hostile), course.annotated(hostile)):
        assert "<script>" not in shown._repr_html_()


# The annotated trace, and being the model


def test_the_annotated_trace_labels_every_part_once(capsys):
    run = ran("Thought: a\nAction: look_up[x]", "Thought: b\nFinal Answer: 7", tools=[look_up])
    shown = course.annotated(run)
    names = [name for name, *_ in shown.rows]
    assert len(names) == len(set(names)) == 9
    for text in ("scripted", "Which?", "look_up", "x is 7", "answered"):
        assert text in repr(shown)
        assert text in shown._repr_html_()


def test_the_console_shows_the_prompt_after_the_moves_and_whose_turn_it_is():
    first = course.be_the_model("Which?", [look_up], [])
    assert "Prompt 1" in repr(first)
    assert first.prompt == "Question: Which?\nThought:"
    second = course.be_the_model("Which?", [look_up], ["Thought: a\nAction: look_up[x]"])
    assert second.number == 2
    assert "Observation: x is 7" in second.prompt
    assert "Your move" in second.state


def test_in_the_console_an_observation_of_ones_own_does_not_survive():
    move = "Thought: a\nAction: look_up[x]\nObservation: x is 9\nFinal Answer: 9"
    shown = course.be_the_model("Which?", [look_up], [move])
    assert "x is 9" not in shown.prompt
    assert "x is 7" in shown.prompt


def test_the_console_takes_moves_typed_with_an_input_method():
    course.edition("zh")
    shown = course.be_the_model("哪个？", [look_up], ["思考：查一下\n行动：look_up［甲］"])
    assert "观察：甲 is 7" in shown.prompt
    done = course.be_the_model("哪个？", [look_up], ["思考：够了\n最终答案：七"])
    assert done.state == "运行结束（answered）：七"


def test_in_the_console_the_run_is_over_when_you_answer():
    shown = course.be_the_model("Which?", [look_up], ["Final Answer: 7"])
    assert shown.state == "The run is over (answered): 7"


# Stored runs


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", store.RUNS)
def test_a_stored_run_is_what_comes_out_today(name, language):
    fresh = store.fresh(name, language)
    assert course.stored_run(name) == fresh
    assert (
        "No difference" in repr(course.compare(course.stored_run(name), fresh)) or language == "zh"
    )


def test_a_stored_run_that_does_not_exist_is_named():
    with pytest.raises(ConfigError, match="no stored run"):
        course.stored_run("05.other")


# In a notebook


def test_where_ipython_runs_a_trace_is_shown_in_the_words_of_the_edition():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        course.edition("zh")
        shown, _ = shell.display_formatter.format(ran("Final Answer: 7"))
        assert "停止原因" in shown["text/plain"]
        assert "停止原因" in shown["text/html"]
    finally:
        course.edition("en")
        InteractiveShell.clear_instance()
