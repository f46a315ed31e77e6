"""Every exercise: right solutions pass, wrong ones get the hint that fits, stubs are "not done".

`exercises/nNN.py` brings a notebook's solutions: `RIGHT`, at least three different ones for each
exercise; `WRONG`, at least three typical ones with what their hint says; `SAMPLES`, hard-coded ones
that give the right result for what the notebook shows. `VALUES` names the exercises whose answer
is no function.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from pathlib import Path

import pytest
from exercises.n05 import by_questions

from reactlab.course import check, edition
from reactlab.course.lesson import judges, numbers

PASSED = {"en": "✓ {} passed", "zh": "✓ {} 通过"}
OPEN = {"en": "○ {} not done yet", "zh": "○ {} 还没有完成"}
FOLDER = Path(__file__).parent / "exercises"
BROUGHT = [importlib.import_module(f"exercises.{path.stem}") for path in FOLDER.glob("n*.py")]
RIGHT = [case for brought in BROUGHT for case in brought.RIGHT]
WRONG = [case for brought in BROUGHT for case in brought.WRONG]
SAMPLES = [case for brought in BROUGHT for case in brought.SAMPLES]
VALUES = {number for brought in BROUGHT for number in getattr(brought, "VALUES", ())}
EXERCISES = [f"{number}.{key}" for number in numbers() for key in judges(number)]


@pytest.fixture
def told(capsys, tmp_path, monkeypatch):
    """A function that checks an answer in an empty folder and returns what was printed."""
    monkeypatch.chdir(tmp_path)

    def tell(number: str, answer: object) -> str:
        check(number, answer)
        return capsys.readouterr().out.strip()

    return tell


@pytest.mark.parametrize("number", EXERCISES)
def test_every_exercise_is_tried_with_three_right_three_wrong_and_one_hard_coded(number):
    right = {answer for name, answer in RIGHT if name == number and callable(answer)}
    hints = Counter(hint for name, _, hint in WRONG if name == number)
    assert len(right) >= 3 or number in VALUES
    assert len(hints) >= 3
    assert number in VALUES or any(name == number for name, _ in SAMPLES)


@pytest.mark.parametrize(("number", "answer"), RIGHT)
def test_a_right_answer_passes_in_both_languages(told, language, number, answer):
    assert told(number, answer).startswith(PASSED[language].format(number))


@pytest.mark.parametrize(("number", "answer", "hint"), WRONG)
def test_a_wrong_answer_gets_the_hint_that_fits(told, number, answer, hint):
    out = told(number, answer)
    assert out.startswith(f"✗ {number}: ")
    assert hint in out
    assert "Traceback" not in out


@pytest.mark.parametrize(("number", "answer", "hint"), WRONG)
def test_a_wrong_answer_is_told_in_chinese_too(told, number, answer, hint):
    edition("zh")
    try:
        out = told(number, answer)
    finally:
        edition("en")
    assert out.startswith((f"✗ {number}：", "✓ 00.2"))  # 00.2 knows its edition's own examples
    assert out.startswith("✓") or re.search("[\u4e00-\u9fff]", out)


@pytest.mark.parametrize(("number", "answer"), SAMPLES)
def test_a_hard_coded_sample_does_not_pass(told, language, number, answer):
    assert told(number, answer).startswith(f"✗ {number}")


@pytest.mark.parametrize("number", EXERCISES)
@pytest.mark.parametrize(
    "stub", [lambda *given, **named: ..., ..., lambda *given, **named: NotImplemented]
)
def test_a_stub_is_not_done_yet(told, language, number, stub):
    if number in VALUES:
        stub = ...
    assert told(number, stub).startswith(OPEN[language].format(number))


def test_what_a_learner_prints_and_changes_does_not_reach_the_next_case(told):
    def spoil(run):
        reason = by_questions(run)
        run.events.clear()
        return reason

    assert told("05.2", spoil).startswith("✓")
    assert told("05.2", by_questions).startswith("✓")
