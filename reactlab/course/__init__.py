"""The course's own helpers: examples, checks with hints, quizzes, source code to read, comparisons.

What a notebook brings along is a module of `reactlab.course.lessons` with its checks, and a file of
texts for each edition in `reactlab/data/course`.
"""

from __future__ import annotations

from typing import Any

from reactlab.course import progress as _progress
from reactlab.course.anatomy import annotated
from reactlab.course.attacks import Attacks
from reactlab.course.budget import CALLS, begin
from reactlab.course.clinic import clinic
from reactlab.course.comparing import compare
from reactlab.course.exercises import report, run_check
from reactlab.course.gallery import gallery
from reactlab.course.journey import journey
from reactlab.course.lanes import lanes
from reactlab.course.lesson import chosen, exercise, find_example, judges
from reactlab.course.notebook import show_traces_in
from reactlab.course.parser_xray import parser_xray
from reactlab.course.prompt_xray import prompt_xray
from reactlab.course.quizzes import quiz
from reactlab.course.ready import ready
from reactlab.course.scoreboard import scoreboard
from reactlab.course.shop import choice_request
from reactlab.course.source import show
from reactlab.course.texts import Texts, stored_run
from reactlab.course.voices import real_model
from reactlab.course.widget import be_the_model
from reactlab.course.words import Both, Language
from reactlab.course.words import edition as _choose

__all__ = [
    "Attacks",
    "annotated",
    "be_the_model",
    "check",
    "choice_request",
    "clinic",
    "compare",
    "edition",
    "example",
    "gallery",
    "hint",
    "journey",
    "lanes",
    "parser_xray",
    "progress",
    "prompt_xray",
    "quiz",
    "ready",
    "real_model",
    "scoreboard",
    "show",
    "stored_run",
]
_shown_hints: dict[str, int] = {}


def edition(language: Language, notebook: str = "", *, calls: int = CALLS) -> Language:
    """Choose "en" or "zh" for all that the course shows from now on, and return it.

    Hints begin at the first again. Where a hosted or local model is in use, at most `calls` calls
    of it are made from now on, and what the stored runs of `notebook`, such as "05", took is
    printed.
    """
    show_traces_in(_choose(language))
    _shown_hints.clear()
    for line in begin(notebook, calls):
        print(line)
    return language


def example(name: str) -> Any:
    """The edition's own case, such as `example("05.compare")`; it is printed and returned."""
    case = find_example(name)
    print(case)
    return case


def check(name: str, answer: Any = None) -> None:
    """Try an answer (a function, or a value where the exercise says so) on cases not shown.

    Prints that it passed, that it is not done yet, or one thing that is wrong. Scripted models
    only, so the result never depends on the model in use.
    """
    number, judge, _ = exercise(name)
    outcome = run_check(judge, answer)
    print(report(number, outcome))
    if outcome[0] == "passed" and not _progress.note(number):
        print(_NOT_STORED)


def hint(name: str = "") -> None:
    """Print the next of the exercise's three hints."""
    number, _, hints = exercise(name)
    at = min(_shown_hints.get(number, 0), len(hints) - 1)
    _shown_hints[number] = at + 1
    print(_HINT.format(at + 1, len(hints), hints[at]))


def progress(notebook: str | None = None, *, export: bool = False) -> None:
    """Print which exercises were passed in this folder, of all notebooks or of one, such as "05".

    The list never leaves the machine. With `export`, a file to hand in is written beside it.
    """
    done, every = _progress.passed(), list[str]()
    for number in chosen(notebook):
        marks = [f"{number}.{key}" for key in judges(number)]
        signs = "   ".join(f"{'✓' if mark in done else '○'} {mark}" for mark in marks)
        print(f"{number} {Texts(number)['title']}   {signs}")
        every += marks
    if export:
        path = _progress.export(every)
        passed = len({*done} & {*every})
        print(_EXPORTED.format(path.name, passed, len(every)) if path else _NOT_EXPORTED)


_EXPORTED = Both(
    "Written: {}. In it: the numbers of the exercises passed ({} of {}) and the version of the "
    "course. No code, no name, no time. Nothing was sent; hand the file in yourself.",
    "已写入：{}。里面有：通过的练习编号（{}/{}）和课程版本。没有代码、姓名或时间。"
    "没有发送任何内容；请自己提交这个文件。",
)
_NOT_EXPORTED = Both(
    "The file could not be written: the folder refuses it, or another file has its name.",
    "无法写入文件：文件夹不允许，或者已有同名的其他文件。",
)
_HINT = Both("Hint {} of {}: {}", "提示 {}/{}：{}")
_NOT_STORED = Both(
    "(This could not be noted in the folder, so progress() will not list it.)",
    "（无法写入这个文件夹，所以 progress() 里不会列出这一题。）",
)
