"""The notebooks that exist, and what each brings along."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from reactlab.course import lessons
from reactlab.course.exercises import Judge, number_of
from reactlab.course.texts import Texts
from reactlab.course.words import Both, plain
from reactlab.errors import ConfigError


@cache
def numbers() -> tuple[str, ...]:
    """The notebooks that exist, such as "05", in order."""
    return tuple(sorted(module.name[1:] for module in pkgutil.iter_modules(lessons.__path__)))


def chosen(number: object = None) -> tuple[str, ...]:
    """The notebook that was typed, such as "05", 5 or "05.1"; all of them for None."""
    if number is None:
        return numbers()
    typed = plain(number).partition(".")[0].zfill(2)
    found = typed.upper() if typed.upper() in numbers() else typed
    _module(found)
    return (found,)


def judges(number: str) -> Mapping[str, Judge]:
    """The exercises of a notebook by what stands after "05."."""
    found: Mapping[str, Judge] = _module(number).JUDGES
    return found


def exercise(name: object) -> tuple[str, Judge, list[str]]:
    """Number, judge and hints of an exercise, from what was typed."""
    number = number_of(name)
    first, _, last = number.partition(".")
    known = judges(first)
    if last not in known:
        there = ", ".join(f"{first}.{key}" for key in known)
        raise ConfigError(_NO_EXERCISE.format(number, there))
    return number, known[last], Texts(first)["hints"][last]


def find_example(name: str) -> Any:
    """The case of the edition in use: a text, or what the lesson makes."""
    first, _, last = plain(name).partition(".")
    if not (first and last):
        raise ConfigError(_NO_NAME.format(name))
    made: Mapping[str, Callable[[], Any]] = _module(first).EXAMPLES
    written = Texts(first)["examples"]
    if last in made:
        return made[last]()
    if last not in written:
        raise ConfigError(_NO_EXAMPLE.format(name, ", ".join([*written, *made])))
    return written[last]


def _module(number: str) -> ModuleType:
    if number not in numbers():
        raise ConfigError(_NO_NOTEBOOK.format(number, ", ".join(numbers())))
    return import_module(f"{lessons.__name__}.n{number}")


_NO_NAME = Both(
    'An example is named like "05.one", not {!r}.', '例子的名字写成 "05.one" 这样，而不是 {!r}。'
)
_NO_EXAMPLE = Both("There is no example {!r}; there are {}.", "没有例子 {!r}；有的是 {}。")
_NO_EXERCISE = Both("There is no exercise {}; there are {}.", "没有练习 {}；有的是 {}。")
_NO_NOTEBOOK = Both("There is no notebook {}; there are {}.", "没有第 {} 课；有的是 {}。")
