"""The pattern of checks: cases, typical mistakes, and what a learner is told."""

from __future__ import annotations

import pytest

from reactlab.course.cases import Case, by_cases
from reactlab.course.exercises import run_check

SAYS = {
    "doubled": "In {case} you doubled: {got}.",
    "wrong": "{case}: {got}, not {wanted}.",
    "no_error": "{case}: {got}, though it is no number.",
    "special": "{case}: think of {thing}.",
    "strict": "{case}: too strict, {got}.",
}


def say(key, *values, **slots):
    return SAYS[key].format(*values, **slots)


def cases():
    yield Case("case 1", (3,), 9)
    yield Case("case 2", (2,), 4)
    yield Case("case 3", ("x",), ValueError)
    yield Case("case 4", (5,), 25, {"otherwise": "special", "thing": "5 × 5"})


def strict(n):
    raise TypeError("never")


def square(n):
    if isinstance(n, str):
        raise ValueError("no number")
    return n * n


judge = by_cases(say, cases, {"doubled": lambda n: n * 2, "strict": strict})


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda n: n + n, "In case 1 you doubled: 6."),
        (lambda n: 10, "case 1: 10, not 9."),
        (lambda n: n * n if n in (2, 3) else 0, "case 3: 0, though it is no number."),
        (lambda n: square(n) if n != 5 else 24, "case 4: think of 5 × 5."),
        (strict, "case 1: too strict, TypeError: never."),
        (lambda n: {"a": 1}[n], "case 1: your function stopped with KeyError: 3"),
        (lambda n: n * n, "case 3: too strict, TypeError: can"),
        (lambda n: float("nan"), "case 1: nan, not 9."),
        (lambda n: None, "case 1: your function returned None. Is there a return"),
        (lambda n: n * n if n in (2, 3) else None, "case 3: None, though it is no number."),
    ],
)
def test_a_wrong_result_is_explained_by_the_mistake_that_gives_it(answer, told):
    state, line = run_check(judge, answer)
    assert state == "wrong"
    assert line.startswith(told)


def test_what_is_right_in_all_cases_passes_and_the_cases_are_counted():
    assert run_check(judge, square) == ("passed", 4)


def test_none_may_be_what_is_wanted_and_what_a_known_mistake_gives():
    none = by_cases(say, lambda: [Case("case", (0,), None)], {})
    assert run_check(none, lambda n: None) == ("passed", 1)
    assert run_check(none, lambda n: 1) == ("wrong", "case: 1, not None.")
    doubled = by_cases(say, lambda: [Case("case", (0,), 1)], {"doubled": lambda n: None})
    assert run_check(doubled, lambda n: None) == ("wrong", "In case you doubled: None.")


def test_true_is_not_one():
    one = by_cases(say, lambda: [Case("case", (0,), 1)], {})
    assert run_check(one, lambda n: True)[0] == "wrong"


def test_a_function_that_changes_what_it_is_given_spoils_no_later_case():
    given = [1, 2]
    same = by_cases(say, lambda: [Case("a", (given,), 2), Case("b", (given,), 2)], {})
    assert run_check(same, lambda numbers: numbers.pop()) == ("passed", 2)
    assert given == [1, 2]
