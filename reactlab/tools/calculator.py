"""A calculator for arithmetic as people write it, which no text can turn into anything else."""

from __future__ import annotations

import ast
import re
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

if TYPE_CHECKING:
    from simpleeval import SimpleEval  # type: ignore[import-untyped]

MAX_CHARACTERS = 1_000
MAX_BRACKETS = 40
MAX_DEPTH = 150

ALLOWED = frozenset(
    [ast.Expression, ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Constant, ast.Load, *OPERATORS]
)
"""The node types of Python's grammar that are arithmetic. Every other type is refused."""

SIGNS = str.maketrans(
    {"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "（": "(", "）": ")", "，": ",", "π": "pi"}
    | {"＋": "+", "－": "-", "＊": "*", "／": "/", "％": "%", "＾": "^"}
)
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)(?![a-z0-9.])"
    r"|(?P<name>[a-z][a-z0-9]*)|(?P<sign>\*\*|//|<<|>>|[-+*/%^!(),]))"
)
THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?(?![0-9a-z.])")


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
    text = expression.translate(SIGNS).strip()
    for character in text:
        if not character.isascii():
            raise ToolError(_refusal(character))
    tree = parse(" ".join(_tokens(text.lower())))
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
    if isinstance(node, ast.Name) and node.id not in CONSTANTS and node.id not in POSTFIX:
        raise ToolError(_unknown(node.id))
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name):
            raise ToolError("Write * between a value and a bracket.")
        if node.func.id not in FUNCTIONS or node.keywords:
            raise ToolError(_unknown(node.func.id))


def _unknown(name: str) -> str:
    if name in FUNCTIONS:
        return f"{name} is a function: write it with plain arguments in brackets, {name}(...)."
    return f"'{name[:30]}' is not known here. Functions: {', '.join(FUNCTIONS)}; also pi and e."


def _tokens(text: str) -> list[str]:
    """`text` cut into tokens of Python; percentages and factorials become marked powers."""
    tokens: list[str] = []
    brackets: list[bool] = []  # for each open bracket: does it hold a function's arguments?
    position = 0
    while position < len(text):
        grouped = None if brackets and brackets[-1] else THOUSANDS.match(text, position)
        found = grouped or TOKEN.match(text, position)
        if not found:
            raise ToolError(_refusal(text[position:].lstrip()[0]))
        position = found.end()
        if grouped or found["number"]:
            tokens.append(_literal(found[0].strip().replace(",", "")))
        else:
            tokens.append(_sign(found[0], text[position:], tokens, brackets))
    return tokens


def _refusal(character: str) -> str:
    if character in "0123456789.":
        return "A number is written like 1234.5 or 1e3; put an operator before what follows it."
    return f"{character!r} is not part of arithmetic: use ASCII digits, + - * / ^ % and brackets."


def _literal(number: str) -> str:
    """`number` as Python writes it (which forbids 007); numbers without a point stay exact."""
    return str(int(number)) if number.isdigit() else repr(_finite(float(number)))


def _finite(value: float) -> float:
    if value in (float("inf"), float("-inf")):
        raise ToolError(TOO_LARGE)
    return value


def _sign(found: str, rest: str, before: list[str], brackets: list[bool]) -> str:
    """The Python token for one name or sign; keeps count of the brackets."""
    sign = found.strip()
    if sign == "(":
        brackets.append(bool(before) and before[-1] in FUNCTIONS)
        if len(brackets) > MAX_BRACKETS:
            raise ToolError("The expression is nested too deeply: work it out in parts.")
    elif sign == ")" and brackets:
        brackets.pop()
    elif sign == "," and not (brackets and brackets[-1]):
        raise ToolError("A comma groups thousands, as in 1,234, or separates function arguments.")
    elif sign == "of" and before[-1:] == ["**_percent"]:
        return "*"
    elif sign == "%" and _is_percentage(found, rest):
        return "**_percent"
    return {"^": "**", "!": "**_factorial"}.get(sign, sign)


def _is_percentage(found: str, rest: str) -> bool:
    """Is this `%` a percentage, going by what follows? `7 % -3` is a remainder, `7% - 3` is not."""
    if re.match(r"\s*[-+]", rest):
        return not (found[0].isspace() and re.match(r"\s*[-+][0-9a-z.(]", rest))
    return bool(re.match(r"\s*(?:of\b|[^0-9a-z.(\s]|$)", rest))


_building = threading.Lock()


@cache
def _build() -> SimpleEval:
    from simpleeval import SimpleEval

    names = {**CONSTANTS, **POSTFIX}
    evaluator = SimpleEval(operators=dict(OPERATORS), functions=dict(FUNCTIONS), names=names)
    evaluator.nodes = {kind: do for kind, do in evaluator.nodes.items() if kind in ALLOWED}
    return evaluator


def _evaluator() -> SimpleEval:
    """The one evaluator. Building it touches the global warning filters, hence the lock."""
    with _building:
        return _build()
