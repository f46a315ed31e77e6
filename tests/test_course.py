"""The course's helpers: editions, examples, checks, hints, progress, source, quiz, comparison."""

from __future__ import annotations

import asyncio
import json
import re
import string
import subprocess
import sys
from enum import Enum
from html.parser import HTMLParser

import pytest

import reactlab
from reactlab import ConfigError, ReActAgent, ScriptedLLM, Trace, course
from reactlab.course import store
from reactlab.course.budget import Budget, Limited
from reactlab.course.exercises import NotDone, Stumble, attempt, number_of, report, run_check
from reactlab.course.lesson import judges, numbers
from reactlab.course.progress import FILE, HAND_IN, note, passed
from reactlab.course.quizzes import Quiz
from reactlab.course.texts import Texts
from reactlab.course.words import plain
from reactlab.types import Completion

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


def test_the_chinese_edition_says_in_chinese_what_there_is_not(monkeypatch):
    with monkeypatch.context() as other:
        other.setenv("REACTLAB_MODEL", "nonsense")
        with pytest.raises(ConfigError, match="没有模型 'nonsense'"):
            course.edition("zh")
    with pytest.raises(ConfigError, match=r"没有例子 '05\.nothing'"):
        course.example("05.nothing")
    with pytest.raises(ConfigError, match=r"没有存档的运行 '05\.other'"):
        course.stored_run("05.other")


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


def on_one_line(_):
    while True: pass  # fmt: skip  # noqa: E701


def through_handlers(_):
    while True:
        try:
            int("x")
        except Exception:
            continue


def through_everything(_):
    while True:
        try:  # noqa: SIM105
            int("x")
        except:  # noqa: E722
            pass


def in_a_handler(_):
    try:
        int("x")
    except ValueError:
        while True: pass  # fmt: skip  # noqa: E701


def comprehended(_):
    return [0 for _ in iter(int, 1)]


def generated(_):
    while True:
        yield from ()


@pytest.mark.parametrize(
    "endless",
    [on_one_line, through_handlers, through_everything, in_a_handler, comprehended, generated],
)
def test_a_function_that_does_not_end_is_stopped_and_told_so(endless):
    with pytest.raises(Stumble, match=r"^Run B: your function does not end"):
        attempt("Run B", endless, 1, most=100_000)
    course.edition("zh")
    with pytest.raises(Stumble, match="你的函数一直没有结束"):
        attempt("Run B", endless, 1, most=100_000)


@pytest.mark.parametrize("number", ["01.1", "01.2", "02.1", "02.2", "03.2", "05.1", "05.2"])
def test_a_loop_on_one_line_ends_every_check(number, capsys):
    course.check(number, lambda *given, **named: on_one_line(given))
    assert printed(capsys).startswith(f"✗ {number}: ")


def test_a_debugger_is_not_put_out_by_a_check():
    def debugger(frame, event, _):
        return None

    before = sys.gettrace()
    sys.settrace(debugger)
    try:
        attempt("Run B", abs, -1)
        with pytest.raises(Stumble):
            attempt("Run B", on_one_line, 1, most=1000)
        assert sys.gettrace() is debugger
    finally:
        sys.settrace(before)


def test_what_libraries_do_for_a_learner_is_not_counted():
    assert attempt("Run B", lambda n: json.loads(json.dumps([n] * 9999, indent=1)), 1, most=100)


def test_a_generator_is_run_inside_the_check_and_cut_where_it_does_not_end():
    def broken(_):
        yield "thought"
        raise ValueError("later")

    def numbers_for_ever(number):
        while True:
            yield number

    with pytest.raises(Stumble, match="your function stopped with ValueError: later"):
        attempt("Run B", broken, 1)
    assert attempt("Run B", lambda n: (n for _ in "ab"), 1) == [1, 1]
    assert set(attempt("Run B", numbers_for_ever, 7)) == {7}


def test_a_function_that_exits_is_told_in_one_line(capsys):
    course.check("05.2", lambda run: sys.exit())
    assert printed(capsys) == (
        "✗ 05.2: Run A: your function calls exit. A result is handed back with return."
    )


@pytest.mark.parametrize("number", ["00.1", "01.1", "01.2", "02.1", "02.2", "05.2"])
def test_a_result_too_deep_to_be_compared_is_told_in_one_line(number, capsys):
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    course.check(number, lambda *given, **named: [deep] * 6)
    line = printed(capsys)
    assert line.startswith(f"✗ {number}: ")
    assert "\n" not in line


def test_a_member_of_an_enum_of_texts_is_taken_as_its_text():
    class Word(str, Enum):  # noqa: UP042
        ACT = " Action。"

    assert plain(Word.ACT) == "Action."


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


def test_hints_begin_again_where_the_notebook_begins_again(capsys):
    course.edition("en")
    course.hint("05.2")
    course.edition("en")
    course.hint("05.2")
    assert [line[:11] for line in printed(capsys).split("\n")] == ["Hint 1 of 3"] * 2


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


def test_progress_can_be_asked_for_one_notebook_however_it_is_typed(capsys):
    for typed in ("05", 5, "5.1"):
        course.progress(typed)
        assert printed(capsys) == "05 the_loop   ○ 05.1   ○ 05.2"
    with pytest.raises(ConfigError, match="There is no notebook 77; there are 00"):
        course.progress("77")


def test_what_is_handed_in_says_what_is_in_it_and_sends_nothing(capsys, tmp_path):
    course.check("00.1", evidence)
    printed(capsys)
    course.progress("00", export=True)
    assert "In it: the numbers of the exercises passed (1 of 2)" in printed(capsys)
    content = json.loads((tmp_path / HAND_IN).read_text())
    assert content == {
        "course": "reactlab",
        "version": reactlab.__version__,
        "passed": ["00.1"],
        "of": ["00.1", "00.2"],
    }
    course.progress(export=True)
    assert "05.1" in (tmp_path / HAND_IN).read_text()


@pytest.mark.parametrize("text", ["my own notes", "[1, 2]", '{"course": "other"}'])
def test_a_file_to_hand_in_replaces_none_that_is_not_its_own(text, tmp_path, capsys):
    (tmp_path / HAND_IN).write_text(text)
    course.progress(export=True)
    assert "could not be written" in printed(capsys)
    assert (tmp_path / HAND_IN).read_text() == text


def test_one_case_is_told_in_the_singular():
    assert report("00.2", ("passed", 1)) == "✓ 00.2 passed (1 case)"
    assert report("00.2", ("passed", 2)) == "✓ 00.2 passed (2 cases)"


def test_a_helper_called_without_an_exercise_says_how_exercises_are_named():
    for call in (course.hint, lambda: course.check("")):
        with pytest.raises(ConfigError, match=r'named like "05\.1"'):
            call()
    course.edition("zh")
    with pytest.raises(ConfigError, match="练习的编号"):
        course.hint()


def given_nothing():
    run = ReActAgent(ScriptedLLM(["Final Answer: 7"])).run("Which?")
    return {
        "quiz(None)": (lambda: course.quiz(None), "no notebook None; there are 00"),
        'quiz("")': (lambda: course.quiz(""), "there are 00"),
        'quiz("99")': (lambda: course.quiz("99"), "no notebook 99; there are 00"),
        "show(None)": (lambda: course.show(None), r"such as show\(ReActAgent\), not None"),
        "show(text)": (lambda: course.show("x"), r"such as show\(ReActAgent\), not 'x'"),
        "show(run)": (lambda: course.show(run), r"such as show\(ReActAgent\), not "),
        "show(len)": (lambda: course.show(len), r"such as show\(ReActAgent\), not "),
        "show(...)": (lambda: course.show(...), r"such as show\(ReActAgent\), not \.\.\."),
        "compare(None, run)": (lambda: course.compare(None, run), "A run is needed.*not None"),
        "compare(run, ...)": (lambda: course.compare(run, ...), r"A run is needed.*not \.\.\."),
        "annotated(None)": (lambda: course.annotated(None), "A run is needed.*not None"),
        "prompt_xray(None)": (lambda: course.prompt_xray(None), "A run is needed.*not None"),
        "lanes(run)": (lambda: course.lanes(run), r'lanes\(\{"ReAct": run\}\), not '),
        "lanes(...)": (lambda: course.lanes({"mine": ...}), r"A run is needed.*not \.\.\."),
        "example(None)": (lambda: course.example(None), r'named like "05\.one", not None'),
        "example(...)": (lambda: course.example(...), r'named like "05\.one", not Ellipsis'),
        "real_model(99)": (lambda: course.real_model("99"), "No real model .*'99'.* for 0"),
    }


@pytest.mark.parametrize("call", given_nothing())
def test_a_helper_given_the_wrong_thing_says_in_one_line_what_to_give(call):
    made, told = given_nothing()[call]
    with pytest.raises(ConfigError, match=told):
        made()
    course.edition("zh")
    with pytest.raises(ConfigError, match=r"[\u4e00-\u9fff]") as chinese:
        made()
    assert "\n" not in str(chinese.value)


def test_a_quiz_is_found_by_a_number_too():
    assert repr(course.quiz(5)) == repr(course.quiz("05"))


# A model that costs something


class Paid:
    """Stands in the place of a hosted model."""

    model = "paid"

    def complete(self, request):
        return Completion("Final Answer: 7")

    async def acomplete(self, request):
        return self.complete(request)


def limited(most: int) -> Limited:
    return Limited(Paid(), Budget(most))


def test_a_runaway_notebook_is_stopped_with_one_error_that_says_how_to_go_on():
    agent = ReActAgent(limited(2))
    for _ in range(2):
        assert str(agent.run("Which?")) == "7"
    with pytest.raises(ConfigError, match=r"called 2 times .* edition\(\.\.\., calls=4\)"):
        agent.run("Which?")


def test_a_call_that_is_awaited_counts_as_well():
    agent = ReActAgent(limited(1))
    assert str(asyncio.run(agent.arun("Which?"))) == "7"
    with pytest.raises(ConfigError, match="called 1 times"):
        asyncio.run(agent.arun("Which?"))


def test_a_hosted_model_is_announced_with_what_the_stored_runs_took(monkeypatch, capsys):
    monkeypatch.setenv("REACTLAB_MODEL", "http://127.0.0.1:9/v1#some-model")
    course.edition("en", "00", calls=7)
    lines = printed(capsys).split("\n")
    assert lines[0] == "Model in use: some-model"
    assert re.search(r"stored run.* of notebook 00 took \d calls and about [\d,]+ \+ \d+", lines[1])
    assert lines[2].startswith("At most 7 calls")
    agent = ReActAgent()
    assert isinstance(agent.llm, Limited)
    assert "some-model" in agent.llm.model


def test_with_the_embedded_model_nothing_is_announced_and_nothing_is_counted(capsys):
    course.edition("en", "00")
    assert printed(capsys) == ""
    assert not isinstance(ReActAgent().llm, Limited)


def test_a_reader_is_told_which_model_answers_and_that_all_is_there(capsys):
    course.ready()
    assert printed(capsys).startswith("Model in use: reactlab-simulated\nready")
    course.edition("zh")
    course.ready()
    assert printed(capsys).startswith("正在使用的模型：reactlab-simulated\n就绪")


def test_what_is_missing_is_told_with_what_to_do(monkeypatch, capsys):
    with monkeypatch.context() as other:
        other.setenv("REACTLAB_MODEL", "nonsense")
        course.ready()
    assert printed(capsys).startswith("model: not usable. There is no model 'nonsense'. Write")


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


def test_runs_of_two_questions_are_not_taken_for_the_same():
    other = ReActAgent(ScriptedLLM(["Final Answer: 7"])).run("What else?")
    shown = course.compare(ran("Final Answer: 7"), other)
    assert shown.difference.endswith("different questions: “Which?” and “What else?”.")


def test_a_shorter_run_differs_where_it_ends():
    stored = ran("Action: look_up[x]", "Final Answer: 7", tools=[look_up])
    yours = ran("Action: look_up[x]", tools=[look_up], steps=1)
    assert "max_steps" in repr(course.compare(stored, yours))
    assert "step 2" in course.compare(stored, yours).difference


def test_text_of_a_model_cannot_become_markup():
    hostile = ran("Final Answer: <script>alert(1)</script>")
    for shown in (course.compare(hostile, hostile), course.annotated(hostile)):
        assert "<script>" not in shown._repr_html_()


def test_what_could_steer_a_terminal_or_turn_text_around_is_shown_as_its_code():
    hostile = "7\x1b[2J\x00\u202e"
    run = ran(
        f"Thought: {hostile}\nAction: look_up[{hostile}]",
        f"Final Answer: {hostile}",
        tools=[look_up],
    )
    run.question = hostile
    console = course.be_the_model(hostile, [look_up], [f"Thought: a\nAction: look_up[{hostile}]"])
    for shown in (course.compare(ran("Final Answer: 7"), run), course.annotated(run), console):
        for text in (repr(shown), shown._repr_html_()):
            assert not re.search("[\x00\x1b\u202e]", text)
        assert r"\x1b" in repr(shown)


def test_dollars_in_what_is_shown_open_no_formula():
    paid = ran("Final Answer: between $5 and $6")
    console = course.be_the_model("Is it $5 or $6?", [], ["Final Answer: between $5 and $6"])
    quiz = Quiz([{"text": "$5 or $6?", "options": [{"text": "$5 or $6", "why": "$5 and $6"}]}])
    for shown in (course.compare(paid, paid), course.annotated(paid), console, quiz):
        assert not re.search(r"\$[^<]*\$", shown._repr_html_())
        assert re.search(r"\$5 (or|and) \$6", text_of(shown._repr_html_()))


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


LOOK = "Thought: a\nAction: look_up[{}]"


@pytest.mark.parametrize(
    ("move", "rest"),
    [
        (LOOK.format("x") + "\nObservation: x is 9\nFinal Answer: 9", "Observation: x is 9"),
        (LOOK.format("x") + " and more", "and more"),
        ("Final Answer: 7\nAction: look_up[x]", "Action: look_up[x]"),
        (LOOK.format("x[1]") + "\n", ""),
        ("Thought: a\nFinal Answer: 7\nin two lines", ""),
        ("no step at all", ""),
    ],
)
def test_the_console_says_what_of_a_move_was_cut_off(move, rest):
    notes = "\n".join(course.be_the_model("Which?", [look_up], [move]).notes)
    assert rest in notes
    assert ("was cut off" in notes) == bool(rest)


def test_a_placeholder_is_no_move_yet_and_is_named():
    shown = course.be_the_model("Which?", [look_up], [LOOK.format("x"), LOOK.format("…"), " "])
    assert shown.number == 2
    assert "Not played yet, “…” is still in it: move 2." in repr(shown)
    assert "Not played yet" in text_of(shown._repr_html_())


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        ("Thought: a", "a list of texts, .* not 'Thought: a'"),
        (None, "not None"),
        (["a", 3], "Move 2 is no text: 3"),
    ],
)
def test_moves_that_are_no_list_of_texts_get_one_clear_error(moves, told):
    with pytest.raises(ConfigError, match=told):
        course.be_the_model("Which?", [look_up], moves)


def later(*moves: str):
    question = course.example("05.compare")
    return course.be_the_model(question, reactlab.flight_tools()[:1], moves)


@pytest.mark.parametrize(
    ("answer", "told", "otherwise"),
    [
        ("34567", "34567 stands in the observation of step 2. That shows where", False),
        ("Booking 34567, at 12:20.", "34567, 12:20 stands in the observation of step 2", False),
        ("12346", "12346 stands in the observation of step 1. That shows where", True),
        ("77777", "No observation holds this answer: 77777.", True),
        ("the first", "No observation holds this answer: the first.", True),
    ],
)
def test_an_answer_is_judged_by_the_observations_and_by_the_simulator(answer, told, otherwise):
    looks = [f"Action: SearchBooking[{order}]" for order in (12346, 34567)]
    shown = repr(later(*looks, f"Final Answer: {answer}"))
    assert told in shown
    assert ("answers otherwise: “The answer is 34567" in shown) == otherwise


def test_an_answer_before_the_first_look_up_is_told_so_and_later_moves_are_counted():
    shown = later("Final Answer: 34567", "Action: SearchBooking[12346]")
    assert "Answered before anything was looked up" in shown.notes[1]
    assert "before your last 1 move" in shown.notes[0]


def test_the_desk_plays_and_takes_back_the_same_moves_as_the_list():
    desk = course.be_the_model("Which?", [look_up], ["Thought: …"], buttons=True)
    assert desk.moves == []
    assert desk.send(LOOK.format("x"))
    assert not desk.send(LOOK.format("…"))
    assert "Not played yet" in repr(desk)
    assert desk.send("Final Answer: 7")
    assert not desk.send(LOOK.format("y"))
    kept: dict[str, list[str]] = {}
    exec(desk.kept, kept)
    assert kept["moves"] == desk.moves == [LOOK.format("x"), "Final Answer: 7"]
    assert repr(course.be_the_model("Which?", [look_up], desk.moves)) == repr(desk)
    assert desk.take_back() == "Final Answer: 7"
    assert desk.console.number == 2


def test_the_buttons_of_the_desk_do_what_they_say():
    desk = course.be_the_model("Which?", [look_up], buttons=True)
    prompt, field, buttons, kept = desk.box().children
    send, back = buttons.children
    assert field.value == "Thought: \nAction: "
    send.click()
    assert desk.moves == []
    field.value = LOOK.format("x")
    send.click()
    assert "x is 7" in prompt.value
    assert "look_up[x]" in kept.value
    field.value = "Final Answer: 7"
    send.click()
    assert send.disabled
    assert field.disabled
    back.click()
    assert (field.value, send.disabled) == ("Final Answer: 7", False)


def test_a_stored_notebook_and_a_machine_without_widgets_see_the_console():
    desk = course.be_the_model("Which?", [look_up], [LOOK.format("x")], buttons=True)
    shown = desk._repr_mimebundle_()
    assert shown["text/plain"] == repr(desk.console)
    assert shown["text/html"] == desk.console._repr_html_()
    script = (
        "import sys; sys.modules['ipywidgets'] = None\n"
        "from reactlab import course\n"
        "print(sorted(course.be_the_model('Which?', [], buttons=True)._repr_mimebundle_()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "['text/html', 'text/plain']", done.stderr


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
