"""What each scorer takes for right: the documented verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from reactlab import Sample, Trace
from reactlab.evaluation.scorers import (
    by,
    contains,
    hotpot_em,
    hotpot_f1,
    normalized,
    number,
    strict,
)


def sample(expected: str, *also: str) -> Sample:
    return Sample("q", "?", expected, also)


@pytest.mark.parametrize(
    ("expected", "answer", "right"),
    [
        ("6.28", "(6.28)", True),
        ("6.28", "6.28.", True),
        ("4000", "4,000", True),
        ("-8", "−8", True),
        ("50%", "50 %", True),
        ("5", "$5", False),  # a price is more than a number
        ("50", "50 %", False),
    ],
)
def test_punctuation_around_a_number_does_not_count_but_its_unit_does_d_s01(
    expected: str, answer: str, right: bool
) -> None:
    assert normalized(answer, sample(expected)).value == right
    assert strict(answer, sample(expected)).value == 0


@pytest.mark.parametrize(
    ("expected", "answer", "right"),
    [
        ("20", "2.0", False),
        ("2.5", "25", False),
        ("4", "4.0", True),
        ("0.3", "3", False),
        ("1e3", "1000", True),
        ("007", "7", False),  # leading zeros belong to a name or a code
        ("007", "007", True),
        ("0.5", ".5", True),
        ("5", ".5", False),
        ("8", "-8", False),
        ("1990-2000", "1990–2000", True),
        ("1e9999", "1e9999", True),
        ("1e99999999", "2e99999999", False),
        ("1" * 40, "1" * 39 + "2", False),
    ],
)
def test_numbers_match_by_their_value_and_by_nothing_else_d_s02(
    expected: str, answer: str, right: bool
) -> None:
    assert normalized(answer, sample(expected)).value == right


def test_the_official_rule_is_a_scorer_of_its_own_and_takes_25_for_2_5_d_s02() -> None:
    assert hotpot_em("25", sample("2.5")).value == 1
    assert hotpot_em("2.0", sample("20")).value == 1
    assert hotpot_f1("Paris, France", sample("Paris")).value == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("green", "Green."),
        ("The Beatles", "beatles"),
        ("café", "cafe\u0301"),
        ("2026", "２０２６"),
        ("长江", "长江。"),
        ("长江三峡", "“长江三峡”"),
    ],
)
def test_both_sides_are_cleaned_alike_and_strict_says_otherwise_d_s03(
    expected: str, answer: str
) -> None:
    assert normalized(answer, sample(expected)).value == 1
    assert normalized(expected, sample(answer)).value == 1
    assert strict(answer, sample(expected)).value == 0
    assert strict(f" {expected}\n", sample(expected)).value == 1


def test_any_accepted_answer_is_right_d_s03() -> None:
    for scorer in (strict, normalized, hotpot_em, contains):
        assert scorer("USA", sample("United States", "USA")).value == 1


@pytest.mark.parametrize(
    ("expected", "answer", "why"),
    [
        ("Gustave Eiffel", "It was designed by Gustave Eiffel in 1889.", "right"),
        ("Eiffel", "It was Eiffelson.", "wrong"),
        ("330", "It is 330 metres tall.", "right"),
        ("33", "It is 330 metres tall.", "wrong"),
        ("1,642 metres", "The lake is 1642 metres deep.", "right"),
        ("8", "It is -8.", "wrong"),
        ("-8", "It is −8 degrees.", "right"),
        ("3.14159", "about 3.1416", "right"),
        ("3.14159", "about 3.2", "wrong"),
        ("yes", "Yes, both are in Paris.", "right"),
        ("yes", "No, yes is not the word.", "wrong"),
        ("no", "不是，它在东京。", "right"),
        ("杭州", "他出生在杭州。", "right"),
        ("杭州", "他出生在广州。", "wrong"),
        ("约 6300 公里", "长江全长约 6300 公里。", "right"),
        ("Paris", "I could not find it.", "missing"),
        ("not found", "I could not find it.", "right"),
        ("not found", "没有找到相关的内容。", "right"),
        ("not found", "It is Paris.", "wrong"),
    ],
)
def test_a_sentence_is_right_if_it_holds_what_is_expected(
    expected: str, answer: str, why: str
) -> None:
    score = contains(answer, sample(expected))
    assert (score.why, score.value) == (why, why == "right")


@pytest.mark.parametrize(
    ("expected", "answer", "right"),
    [
        ("1000", "about 1000.4 m", True),
        ("1000", "1001", False),
        ("0.0004", "0.0007", True),
        ("-2", "2", False),
        ("Paris", "Paris", False),
        ("", "1", False),
    ],
)
def test_a_number_is_right_within_rounding(expected: str, answer: str, right: bool) -> None:
    assert number(answer, sample(expected)).value == right


def test_a_run_without_an_answer_is_never_right_not_even_where_nothing_can_be_found() -> None:
    stopped = Trace("?")
    stopped.stop("max_steps", "10 steps without an answer")  # type: ignore[arg-type]
    for scorer in (strict, normalized, hotpot_em, hotpot_f1, number, contains):
        assert scorer(stopped, sample("not found", "max_steps")).value == 0


def test_a_plain_function_is_a_scorer() -> None:
    near = by(lambda answer, expected: 1 - min(1, abs(len(answer) - len(expected)) / 10))
    assert near("four", sample("seven", "fours")).value == pytest.approx(0.9)
    assert near("seven", sample("seven")).why == "right"


def test_the_guide_s_table_tells_the_verdicts_that_the_scorers_give() -> None:
    guide = Path(__file__).parent.parent / "docs" / "evaluation.md"
    rows = [line.strip("| ").split(" | ") for line in guide.read_text("utf-8").splitlines()]
    head = next(row for row in rows if row[0] == "scorer")
    pairs = [cell.split(" for ") for cell in head[2:]]
    named = {"strict": strict, "normalized": normalized, "number": number, "contains": contains}
    for name, scorer in {**named, "hotpot_em`, `hotpot_f1": hotpot_em}.items():
        told = next(row[2:] for row in rows if row[0] == f"`{name}`")
        given = [scorer(answer, sample(expected)).value for answer, expected in pairs]
        assert told == ["yes" if value else "no" for value in given]
