"""What a tool needs to know of the function it is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from inspect import iscoroutinefunction
from typing import Any
from weakref import WeakKeyDictionary

from reactlab.errors import ToolDefinitionError
from reactlab.tools.docstrings import docstring_of, first_paragraph

Function = Callable[..., Any]
MakeState = Callable[[], Any]
_states_by_hand: WeakKeyDictionary[MakeState, Any] = WeakKeyDictionary()


def name_of(func: Function) -> str:
    """Its name, a callable object's class name; raises `ToolDefinitionError` for a lambda."""
    while isinstance(func, partial):
        func = func.func
    name = getattr(func, "__name__", type(func).__name__)
    if name == "<lambda>":
        raise ToolDefinitionError("A lambda has no name: write Tool(name, description, func).")
    return str(name)


def description_of(func: Function, name: str) -> str:
    """The first paragraph of its docstring, or `name` as words."""
    return first_paragraph(docstring_of(func)) or name.replace("_", " ").strip()


def is_async(func: Function) -> bool:
    """Whether calling it only makes something to await.

    A sync decorator around an async function is not looked through: it may wait by itself.
    """
    while isinstance(func, partial):
        func = func.func
    return iscoroutinefunction(func) or iscoroutinefunction(type(func).__call__)


def call_by_hand(func: Function, per_run: MakeState, /, *args: Any, **kwargs: Any) -> Any:
    """Outside a run: with the state that all tools of this `per_run` object share by hand."""
    state = _states_by_hand.get(per_run)
    if state is None:
        state = _states_by_hand.setdefault(per_run, per_run())
    return func(state, *args, **kwargs)


def check_settings(given: Mapping[str, Any]) -> None:
    """Raise `ToolDefinitionError` for what makes no tool; `given` holds the fields of `Tool`."""
    limit, most, per_run = given["timeout"], given["max_chars"], given["per_run"]
    for fits, need in (
        (isinstance(given["name"], str), "a name that is text"),
        (isinstance(given["description"], str), "a description that is text"),
        (callable(given["func"]), "a function: Tool(name, description, func)"),
        (
            limit is None or (_is_number(limit) and limit > 0),
            "timeout= in seconds above 0, or None",
        ),
        (_is_number(most) and most >= 1, "max_chars= of 1 or more"),
        (per_run is None or callable(per_run), "per_run= that is a function, or None"),
        (not (per_run and given["effects"]), "either per_run= or effects=, not both"),
    ):
        if not fits:
            raise ToolDefinitionError(f"Tool {given['name']!r} needs {need}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
