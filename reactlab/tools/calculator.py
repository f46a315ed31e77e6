"""A calculator for arithmetic as people write it, which no text can turn into anything else."""

from __future__ import annotations

import ast
import threading
from functools import cache
from typing import TYPE_CHECKING

from reactlab.errors import ToolError
from reactlab.tools.arithmetic import (
    CONSTANTS,
    FUNCTIONS,
    OPERATORS,
    POSTFIX,
    TOO_LARGE,
    Value,
    shown,
)
from reactlab.tools.expression import to_python

if TYPE_CHECKING:
    from simpleeval import SimpleEval  # type: ignore[import-untyped]

MAX_CHARACTERS = 1_000
MAX_DEPTH = 150

ALLOWED = frozenset(
    [ast.Expression, ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Constant, ast.Load, *OPERATORS]
)
"""The node types of Python's grammar that are arithmetic. Every other type is refused."""


def calculator(expression: str) -> str:
    """Work out an arithmetic expression such as `2 * (3 + 4)`, `sqrt(16)` or `15% of 80`.

    Operators: `+ - * / // % ** << >>`, `^` for powers, `×` `÷` `−`, brackets also full-width.
    Functions and constants: those of `arithmetic`, in any case. `5!` is a factorial.

    A percent sign after a value is a percentage: `50%` is 0.5, `15% of 80` is 12, and after a plus
    or minus it is taken of what stands in front, as on a pocket calculator: `200 + 10%` is 220.
    Before a value it is the remainder: `7 % 3` is 1. Before a sign it is a percentage, unless the
    blanks show a signed value, as in `7 % -3`; `7 % (-3)` is always clear.

    Commas group thousands (`1,234.5`); inside a function's brackets they separate arguments.
    Whole numbers are exact up to 4,000 digits. Other results are rounded to 15 significant digits,
    and further to 12 where that changes less than one part in 10^14, so `0.1 + 0.2` is 0.3.

    Raises `ToolError` for everything else: full-width digits, names, code, and what is too large.
    """
    if len(expression) > MAX_CHARACTERS:
        raise ToolError(f"The expression is too long: at most {MAX_CHARACTERS} characters.")
    tree = parse(to_python(expression))
    try:
        value: Value = _evaluator().eval(expression, previously_parsed=tree.body)
        return shown(value)
    except ZeroDivisionError:
        reason = "Division by zero."
    except OverflowError:
        reason = TOO_LARGE
    except ValueError:
        reason = "The expression has no real value: a function is not defined there."
    except TypeError:
        reason = "Wrong number of values: in a function's brackets every comma starts a new one."
    except RecursionError:
        reason = "The expression is nested too deeply: work it out in parts."
    raise ToolError(reason)


def parse(text: str) -> ast.Expression:
    """The syntax tree of `text`, or `ToolError` when any part of it is not arithmetic."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ToolError("That is not a complete arithmetic expression, such as 2*(3+4).") from None
    level: list[ast.AST] = [tree]
    for _ in range(MAX_DEPTH):
        for node in level:
            _check(node)
        level = [child for node in level for child in _parts(node)]
        if not level:
            return tree
    raise ToolError("The expression is too long or nested too deeply: work it out in parts.")


def _parts(node: ast.AST) -> list[ast.AST]:
    """The nodes below one; a function's name is no value, so it is not among them."""
    return list(node.args) if isinstance(node, ast.Call) else list(ast.iter_child_nodes(node))


def _check(node: ast.AST) -> None:
    if type(node) not in ALLOWED:
        raise ToolError(f"Only arithmetic is worked out here, no {type(node).__name__}.")
    if isinstance(node, ast.Constant) and type(node.value) not in (int, float):
        raise ToolError("Only numbers can be worked with here.")
    if isinstance(node, ast.Name) and node.id not in CONSTANTS:
        raise ToolError(_unknown(node.id))
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name):
            raise ToolError("Write * between a value and a bracket.")
        if node.func.id not in {**FUNCTIONS, **POSTFIX} or node.keywords:
            raise ToolError(_unknown(node.func.id))


def _unknown(name: str) -> str:
    if name in FUNCTIONS:
        return f"{name} is a function: write it with plain arguments in brackets, {name}(...)."
    return f"'{name[:30]}' is not known here. Functions: {', '.join(FUNCTIONS)}; also pi and e."


_building = threading.Lock()


@cache
def _build() -> SimpleEval:
    from simpleeval import SimpleEval

    functions = {**FUNCTIONS, **POSTFIX}
    evaluator = SimpleEval(dict(OPERATORS), functions, dict(CONSTANTS))
    evaluator.nodes = {kind: do for kind, do in evaluator.nodes.items() if kind in ALLOWED}
    return evaluator


def _evaluator() -> SimpleEval:
    """The one evaluator. Building it touches the global warning filters, hence the lock."""
    with _building:
        return _build()
