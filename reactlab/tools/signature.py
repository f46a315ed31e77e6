"""What a function says of itself: its name, its parameters, and what its docstring tells."""

from __future__ import annotations

import builtins
import inspect
import re
import sys
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import FrameType
from typing import Any

from reactlab.errors import ToolDefinitionError

Function = Callable[..., Any]
_SECTION = r"^ *(?:args|arguments|param(?:eter)?s|参数) *[:：]?$(\n *-{3,}$)?"
_FLAGS = re.MULTILINE | re.IGNORECASE


def name_of(func: Function) -> str:
    """Its name, a callable object's class name; raises `ToolDefinitionError` for a lambda."""
    name = getattr(_bare(func), "__name__", type(_bare(func)).__name__)
    if name == "<lambda>":
        raise ToolDefinitionError("A lambda has no name: write Tool(name, description, func).")
    return str(name)


def is_async(func: Function) -> bool:
    """Whether calling it only makes something to await.

    A sync decorator around an async function is not looked through: it may wait by itself.
    """
    func = _bare(func)
    return inspect.iscoroutinefunction(func) or inspect.iscoroutinefunction(type(func).__call__)


def description_of(func: Function) -> str:
    """The first paragraph of its docstring on one line, or its name as words."""
    ends = rf"\n\s*\n|^:\w|{_SECTION}"
    first = re.split(ends, _docstring(func), maxsplit=1, flags=_FLAGS)[0]
    name = getattr(_bare(func), "__name__", type(_bare(func)).__name__)
    return " ".join(first.split()) or name.replace("_", " ").strip()


def parameter_texts(func: Function, names: Iterable[str]) -> dict[str, str]:
    """What its docstring says of each parameter, in the Google, NumPy or Sphinx manner."""
    doc, texts = _docstring(func), {}
    section = re.search(_SECTION, doc, _FLAGS)
    body = doc[section.end() :] if section else doc
    for name in names:
        entry = rf"^( *)(?::param\b.*?)?\*{{0,2}}\b{name} *(?:\(.*\))?(?: *[:：](.*))?"
        if found := re.search(rf"{entry}((?:\n\1 +\S.*)*)$", body, re.MULTILINE):
            beside = "" if section and section[1] else found[2] or ""  # in NumPy's it is the type
            texts[name] = " ".join(f"{beside} {found[3]}".split())
    return texts


def parameters_in(func: Function, *, otherwise: list[inspect.Parameter]) -> list[inspect.Parameter]:
    """Its parameters, with annotations that are text looked up where the tool is being made.

    A type that cannot be found there is `Any`. A function without a readable signature has those
    in `otherwise`; raises `ToolDefinitionError` if there are none.
    """
    known = sys.modules.get(getattr(_bare(func), "__module__", None) or "", builtins)
    names = _Names(vars(known), vars(builtins), *_locals_outward())
    try:
        return [*inspect.signature(func, eval_str=True, locals=names).parameters.values()]
    except (ValueError, TypeError, AttributeError, SyntaxError):
        if otherwise:
            return otherwise
        raise ToolDefinitionError(
            f"The parameters of {func!r} cannot be read; pass parameters= or wrap it."
        ) from None


def _locals_outward() -> Iterator[dict[str, Any]]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame.f_locals
        frame = frame.f_back


class _Names(ChainMap[str, Any]):
    def __missing__(self, key: str) -> Any:
        return Any


def _docstring(func: Function) -> str:
    return inspect.getdoc(_bare(func)) or ""


def _bare(func: Function) -> Function:
    return _bare(func.func) if isinstance(func, partial) else func
