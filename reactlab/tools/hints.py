"""The annotations of anything callable, resolved to types."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any


def hints_of(func: Callable[..., object]) -> dict[str, Any]:
    """The annotations of a function, method, partial, class or callable object, by name."""
    target: Any = func
    while isinstance(target, partial):
        target = target.func
    if isinstance(target, type):
        target = target.__init__  # type: ignore[misc]
    elif not inspect.isroutine(target):
        target = type(target).__call__
    try:
        return typing.get_type_hints(target, include_extras=True)
    except (NameError, TypeError, SyntaxError, AttributeError):
        notes = getattr(inspect.unwrap(target), "__annotations__", {})
        return {name: _look_up(note, target) for name, note in notes.items()}


def _look_up(note: Any, target: Any) -> Any:
    """An annotation that is only text is looked up where the tool is being made, going outward."""
    known = dict(getattr(inspect.unwrap(target), "__globals__", {}))
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        holder = types.SimpleNamespace(__annotations__={"it": note})
        try:
            return typing.get_type_hints(holder, known, frame.f_locals, include_extras=True)["it"]
        except (NameError, TypeError, SyntaxError, AttributeError):
            frame = frame.f_back
    return Any


def split_notes(hint: Any) -> tuple[Any, str]:
    """Split `Annotated[str, "the city"]` into the type and the text."""
    if typing.get_origin(hint) is not Annotated:
        return hint, ""
    kind, *notes = typing.get_args(hint)
    texts = [note for note in notes if isinstance(note, str)]
    others = [note for note in notes if not isinstance(note, str)]
    return (Annotated[(kind, *others)] if others else kind), " ".join(texts)
