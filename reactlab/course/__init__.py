"""The course's own helpers: examples, checks with hints, quizzes, source code to read, comparisons.

What a notebook brings along is a module of `reactlab.course.lessons` with its checks, and a file of
texts for each edition in `reactlab/data/course`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from reactlab.course import progress as _progress
from reactlab.course.anatomy import Anatomy
from reactlab.course.comparing import Comparison
from reactlab.course.console import Console
from reactlab.course.exercises import report, run_check
from reactlab.course.lesson import exercise, find_example, judges, numbers
from reactlab.course.notebook import show_traces_in
from reactlab.course.quizzes import Quiz
from reactlab.course.source import Source, source_of
from reactlab.course.texts import Texts, stored_run
from reactlab.course.voices import real_model
from reactlab.course.words import Both, Language
from reactlab.course.words import edition as _choose
from reactlab.trace import Trace

__all__ = [
    "annotated",
    "be_the_model",
    "check",
    "compare",
    "edition",
    "example",
    "hint",
    "progress",
    "quiz",
    "real_model",
    "show",
    "stored_run",
]
_shown_hints: dict[str, int] = {}


def edition(language: Language) -> Language:
    """Choose "en" or "zh" for all that the course shows from now on, and return it."""
    show_traces_in(_choose(language))
    return language


def example(name: str) -> Any:
    """The edition's own case, such as `example("05.compare")`; it is printed and returned."""
    case = find_example(name)
    print(case)
    return case


def check(name: str, answer: Any) -> None:
    """Try an answer (a function, or a value where the exercise says so) on cases not shown.

    Prints that it passed, that it is not done yet, or one thing that is wrong. Scripted models
    only, so the result never depends on the model in use.
    """
    number, judge, _ = exercise(name)
    outcome = run_check(judge, answer)
    print(report(number, outcome))
    if outcome[0] == "passed" and not _progress.note(number):
        print(_NOT_STORED)


def hint(name: str) -> None:
    """Print the next of the exercise's three hints."""
    number, _, hints = exercise(name)
    at = min(_shown_hints.get(number, 0), len(hints) - 1)
    _shown_hints[number] = at + 1
    print(_HINT.format(at + 1, len(hints), hints[at]))


def progress() -> None:
    """Print which exercises were passed in this folder; the list never leaves the machine."""
    done = _progress.passed()
    for number in numbers():
        marks = [f"{number}.{key}" for key in judges(number)]
        signs = "   ".join(f"{'✓' if mark in done else '○'} {mark}" for mark in marks)
        print(f"{number} {Texts(number)['title']}   {signs}")


def quiz(number: str) -> Quiz:
    """The three closing questions of a notebook, to unfold."""
    return Quiz(Texts(number)["quiz"])


def show(thing: Any) -> Source:
    """The source of a function, method or class, with the file it stands in."""
    return source_of(thing)


def annotated(trace: Trace) -> Anatomy:
    """A trace with every part labelled once."""
    return Anatomy(trace)


def be_the_model(question: str, tools: Iterable[Any], moves: Sequence[str]) -> Console:
    """Replay your own moves as the model's replies, and show the prompt that comes next."""
    return Console(question, tools, moves)


def compare(stored: Trace, yours: Trace) -> Comparison:
    """Two runs side by side: tools, steps, stop reason, tokens, first difference."""
    return Comparison(stored, yours)


_HINT = Both("Hint {} of {}: {}", "提示 {}/{}：{}")
_NOT_STORED = Both(
    "(This could not be noted in the folder, so progress() will not list it.)",
    "（无法写入这个文件夹，所以 progress() 里不会列出这一题。）",
)
