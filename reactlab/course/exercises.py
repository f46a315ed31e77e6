"""Checks that run a learner's function on hidden cases, and hints that come one at a time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dis import opmap
from itertools import islice
from types import FrameType
from typing import Any

from reactlab.course.words import Both, plain, value_shown
from reactlab.errors import ConfigError

MOST_STEPS = 5_000_000  # of Python's machine in one call; an honest solution needs some thousand
MOST_SECONDS = 10.0  # for a loop that waits or works in a library
MOST_ITEMS = 10_000  # of what a generator yields
_LATER = 10_000
_JUMPS_BACK = {number for name, number in opmap.items() if "BACKWARD" in name}
_NOT_COUNTED = {"reactlab", *sys.stdlib_module_names}

Judge = Callable[[Any], Iterator[str]]
"""Yields once for each case: what is wrong with the learner's answer, or "" if all is well."""


class NotDone(Exception):
    """The placeholder is still there."""


class Stumble(Exception):
    """The learner's code cannot be judged further; the message says what it did."""


class Raised(Stumble):
    """The learner's function raised `error`; `told` is the error in one line."""

    def __init__(self, case: object, error: Exception) -> None:
        self.error = error
        line = f"{type(error).__name__}: {error}".strip().removesuffix(":")
        self.told = " ".join(line.split())[:300]
        super().__init__(_RAISED.format(case=case, error=self.told))


class Endless(Stumble):
    """The learner's function does not end."""


class TooMany(BaseException):
    """Stops a learner's loop that never ends; no `except Exception` swallows it."""


class _OutOfSteps(TooMany):
    """What was to end did not."""


def run_check(judge: Judge, answer: Any) -> tuple[str, int | str]:
    """Judge an answer: ("passed", number of cases), ("wrong", what to tell) or ("open", "")."""
    cases = 0
    try:
        if answer is ... or answer is NotImplemented:
            raise NotDone
        for told in judge(answer):
            cases += 1
            if told:
                return "wrong", told
    except NotDone:
        return "open", ""
    except Stumble as stumble:
        return "wrong", str(stumble)
    except TooMany as endless:
        return "wrong", str(endless) or str(_NO_END)
    except RecursionError:
        return "wrong", str(_TOO_DEEP)
    return "passed", cases


def attempt(case: object, func: Any, *args: Any, most: int = MOST_STEPS) -> Any:
    """Call the learner's function; whatever it raises is told in one line with its case.

    An iterator that it returns, such as a generator, becomes a list. Raises `NotDone` if it
    returns the placeholder, `Stumble` if it is no function or exits, `Raised` if it fails,
    `Endless` after `most` steps.
    """
    if not callable(func):
        raise Stumble(_NO_FUNCTION.format(value=value_shown(func)))
    try:
        with _ending(most):
            value = func(*args)
            value = list(islice(value, MOST_ITEMS)) if isinstance(value, Iterator) else value
    except _OutOfSteps:
        raise Endless(f"{case}{_COLON}{_NO_END}") from None
    except SystemExit:
        raise Stumble(f"{case}{_COLON}{_EXITS}") from None
    except NotImplementedError:
        raise NotDone from None
    except Exception as error:
        raise Raised(case, error) from None
    if isinstance(value, Coroutine):
        value.close()
        raise Stumble(f"{case}{_COLON}{_ASYNC}")
    if value is ... or value is NotImplemented:
        raise NotDone
    return value


@contextmanager
def _ending(most: int) -> Iterator[None]:
    """Stop what runs inside after so many steps, or some seconds; a loop on one line has steps too.

    Code of this package and of Python's library takes no steps: on first use they load much. One
    call of a library that never returns, such as a slow pattern, is not stopped.
    """
    left, end, outer = most, time.perf_counter() + MOST_SECONDS, sys.exc_info()[1]

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        left -= 1
        over = left < 0 or time.perf_counter() > end
        if over and (left < -most or (sys.exc_info()[1] is outer and _may_stop(frame, left))):
            raise _OutOfSteps
        return count

    def enter(frame: FrameType, event: str, _: Any) -> Any:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _NOT_COUNTED:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return count

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)


def _may_stop(frame: FrameType, left: int) -> bool:
    """Whether a frame is between two rounds of a loop: there no `except:` of the loop catches.

    A while later, for code without such a place, anywhere will do.
    """
    return left < -_LATER or frame.f_code.co_code[frame.f_lasti] in _JUMPS_BACK


def report(number: str, outcome: tuple[str, int | str]) -> str:
    """The line, or two, that a learner reads."""
    state, told = outcome
    if state == "passed":
        return (_PASSED if told != 1 else _PASSED_ONE).format(number=number, cases=told)
    return _OPEN.format(number=number) if state == "open" else _WRONG.format(number, told)


def number_of(text: object) -> str:
    """Read what was typed, such as "5.1" or "０５．１", as "05.1"; raises `ConfigError`."""
    lesson, dot, exercise = plain(text).partition(".")
    if not (dot and lesson and exercise):
        raise ConfigError(_NO_NUMBER.format(value_shown(text)))
    return f"{lesson.zfill(2).upper()}.{exercise}"


_NO_FUNCTION = Both(
    "{value} is a value. Give the function itself, its name without brackets: check(…, name).",
    "{value} 是一个值。请把函数本身交给 check：只写函数名，后面不加括号。",
)
_RAISED = Both(
    "{case}: your function stopped with {error}",
    "{case}：你的函数中断了，报错是 {error}",
)
_COLON = Both(": ", "：")
_NO_END = Both(
    "your function does not end. Which of its loops never stops?",
    "你的函数一直没有结束。哪个循环停不下来？",
)
_ASYNC = Both(
    "your function is async, so calling it runs nothing. Write def without async.",
    "你的函数是 async 的，调用它什么也不会运行。请只写 def，不要 async。",
)
_EXITS = Both(
    "your function calls exit. A result is handed back with return.",
    "你的函数调用了 exit。结果要用 return 交回来。",
)
_TOO_DEEP = Both(
    "your result is nested too deeply to be looked at.",
    "你的结果嵌套得太深，没法查看。",
)
_PASSED = Both("✓ {number} passed ({cases} cases)", "✓ {number} 通过（{cases} 个用例）")
_PASSED_ONE = Both("✓ {number} passed (1 case)", "✓ {number} 通过（1 个用例）")
_NO_NUMBER = Both(
    'An exercise is named like "05.1", not {}.', '练习的编号写成 "05.1" 这样，而不是 {}。'
)
_OPEN = Both(
    '○ {number} not done yet. Replace the placeholder; hint("{number}") helps.',
    '○ {number} 还没有完成。请替换占位符；需要提示可以运行 hint("{number}")。',
)
_WRONG = Both("✗ {}: {}", "✗ {}：{}")
