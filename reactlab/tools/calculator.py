"""A calculator for arithmetic as people write it, which no text can turn into anything else."""

from __future__ import annotations

import ast
import math
import operator
import re
import threading
from collections.abc import Callable
from typing import Any

from reactlab.errors import ToolError
from reactlab.wording import say

MAX_CHARACTERS = 1_000
MAX_PARTS = 400
MAX_DIGITS = 4_000
MAX_BITS = math.ceil(MAX_DIGITS * math.log2(10))
MAX_COUNT = 10_000
"""The largest number for factorial, comb and perm, which they work out within milliseconds."""

SIGNS = str.maketrans("×·⋅÷−（），＋－＊／％＾", "***/-(),+-*/%^") | {ord("π"): "pi"}
FOREIGN = re.compile(r"[^0-9a-zA-Z.,+\-*/%^<>() ]")
GLUED = re.compile(r"[0-9.](?!e[+-]?[0-9])[a-z]")  # 2pi, 0x10, 2j
CALL = re.compile(r"[a-z][a-z0-9]* *\(")
THOUSANDS = re.compile(r"(?<![\w.,])[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![\w,])")
PERCENTAGE = re.compile(
    r"%(?! *(?!of\b)[a-z0-9.(])"  # before a value it is the remainder: 7 % 3
    r"(?!(?<= %) *[-+][a-z0-9.(])"  # before a signed value as well: 7 % -3, but not 10% - 3
)


class Percent(float):
    """A percentage, already divided by 100, that has not met the value it is taken of."""


def calculator(expression: str) -> str:
    """Work out an arithmetic expression such as `2 * (3 + 4)`, `sqrt(16)` or `15% of 80`.

    Operators: `+ - * / // % ** << >>`, `^` for powers, `×` `÷` `−`, brackets also full-width.
    Functions and constants: those of `FUNCTIONS` and `NAMES`, in any case.

    A percent sign after a value is a percentage: `50%` is 0.5, `15% of 80` is 12, and after a plus
    or minus it is taken of what stands in front, as on a pocket calculator: `200 + 10%` is 220.
    Before a value it is the remainder: `7 % 3` is 1.

    Commas group thousands (`1,234.5`); where a function is called they separate its arguments.
    Whole numbers are exact up to 4,000 digits. Other results are rounded to 15 significant digits,
    and further to 12 where that changes less than one part in 10^14, so `0.1 + 0.2` is 0.3.

    Raises `ToolError` for everything else: full-width digits, names, code, and what is too large.
    """
    try:
        return _shown(_work_out(_as_python(expression)))
    except ZeroDivisionError:
        reason = say("Division by zero.")
    except OverflowError:
        told = "The result is too large: at most {most} digits, or 1.8e308 with a fraction."
        reason = say(told, most=MAX_DIGITS)
    except (ValueError, TypeError):
        reason = say("The expression has no real value, or a function does not take these values.")
    except (RecursionError, MemoryError):
        reason = say("The expression is too long or nested too deeply: work it out in parts.")
    raise ToolError(reason)


def _as_python(expression: str) -> str:
    """`expression` as Python writes it, or `ToolError` for signs that arithmetic does not have.

    `10%` becomes `10**_percent`, since no other operator binds as tightly as a power. Nobody else
    can write that name: underscores are refused, as are quotes, colons and line breaks.
    """
    if len(expression) > MAX_CHARACTERS:
        told = "The expression is too long: at most {most} characters."
        raise ToolError(say(told, most=MAX_CHARACTERS))
    text = expression.translate(SIGNS).strip()
    if wrong := FOREIGN.search(text):
        told = "{sign!r} is not part of arithmetic: use ASCII digits and + - * / ^ %"
        raise ToolError(say(told, sign=wrong[0]))
    text = text.lower()
    if GLUED.search(text):
        told = "A number is written like 1234.5 or 1e3; put * before what follows it."
        raise ToolError(say(told))
    text = PERCENTAGE.sub("**_percent ", text)
    text = re.sub(r"_percent +of\b", "_percent *", text).replace("^", "**")
    if CALL.search(text):
        return text
    return THOUSANDS.sub(lambda number: number[0].replace(",", ""), text)


_building = threading.Lock()


def _work_out(text: str) -> Any:
    """The value of `text`; simpleeval refuses every form of the language that is not `ALLOWED`."""
    from simpleeval import InvalidExpression, SimpleEval  # type: ignore[import-untyped]

    with _building:  # for a moment this changes the warning filters, which all threads share
        evaluator = SimpleEval(OPERATORS, FUNCTIONS, NAMES)
    evaluator.nodes = {kind: work for kind, work in evaluator.nodes.items() if kind in ALLOWED}
    try:
        tree = ast.parse(text, mode="eval").body
        if sum(1 for _ in ast.walk(tree)) > MAX_PARTS:
            raise RecursionError
        return evaluator.eval(text, tree)
    except SyntaxError:
        reason = say("That is not a complete arithmetic expression, such as 2*(3+4).")
    except InvalidExpression:
        told = "Only arithmetic is worked out here, with pi, e, and {names}."
        reason = say(told, names=", ".join(FUNCTIONS))
    raise ToolError(reason)


def _number(value: Any) -> int | float:
    """`value` as a number within the bounds, whole where it is; raises what `calculator` tells."""
    if not isinstance(value, int | float):  # a complex number, or a function that was not called
        raise ValueError
    if isinstance(value, int):
        if value.bit_length() > MAX_BITS:
            raise OverflowError
        return value
    if not math.isfinite(value):
        raise OverflowError
    return int(value) if value.is_integer() and abs(value) < 2**53 else float(value)


def _shown(value: Any) -> str:
    """`value` as text, without the noise of binary fractions and without a needless `.0`."""
    number = _number(value)
    if isinstance(number, float):
        short = float(f"{number:.12g}")
        is_noise = math.isclose(short, number, rel_tol=1e-14)
        number = _number(short if is_noise else float(f"{number:.15g}"))
    return str(number)


def _on_numbers(function: Callable[..., Any]) -> Callable[..., int | float]:
    """`function` with all that goes in and what comes out checked."""
    return lambda *values: _number(function(*map(_number, values)))


def _add(left: Any, right: Any) -> int | float:
    """The sum; a percentage is taken of what stands left of it, and joins other percentages."""
    if isinstance(left, Percent) and isinstance(right, Percent):
        return Percent(left + right)
    return _number(left + left * right if isinstance(right, Percent) else left + right)


def _negative(value: Any) -> int | float:
    return Percent(-value) if isinstance(value, Percent) else -_number(value)


def _divide(left: int | float, right: int | float) -> int | float:
    """The quotient; whole numbers that divide without remainder stay exact."""
    if isinstance(left, int) and isinstance(right, int) and right and left % right == 0:
        return left // right
    return left / right


def _power(base: Any, exponent: Any) -> int | float:
    """`base ** exponent`, refused before it is computed where the result would be too long."""
    if exponent is PERCENT:
        return Percent(_number(base) / 100)
    if base is PERCENT:  # powers are worked out from the right, so this one came first
        told = "Put brackets around a percentage before its power, as in (10%)^2."
        raise ToolError(say(told))
    base, exponent = _number(base), _number(exponent)
    if isinstance(base, int) and (abs(base).bit_length() - 1) * exponent > MAX_BITS + 1:
        raise OverflowError
    return _number(base**exponent)


def _shift_left(number: int, places: int) -> int:
    if places > MAX_BITS:
        raise OverflowError
    return number << places


def _counting(function: Callable[..., int]) -> Callable[..., int]:
    """`function` for numbers with which it cannot take long."""

    def counted(*numbers: int) -> int:
        if max(numbers) > MAX_COUNT:
            raise OverflowError
        return function(*numbers)

    return counted


def _rounded(number: int | float, places: int = 0) -> int | float:
    if abs(places) > MAX_DIGITS:
        raise OverflowError
    return round(number, places)


PERCENT = object()
NAMES = {"pi": math.pi, "e": math.e, "_percent": PERCENT}

OPERATORS: dict[type[ast.AST], Callable[..., int | float]] = {
    ast.Add: _add,
    ast.Sub: lambda left, right: _add(left, _negative(right)),
    ast.Mult: _on_numbers(operator.mul),
    ast.Div: _on_numbers(_divide),
    ast.FloorDiv: _on_numbers(operator.floordiv),
    ast.Mod: _on_numbers(operator.mod),
    ast.Pow: _power,
    ast.LShift: _on_numbers(_shift_left),
    ast.RShift: _on_numbers(operator.rshift),
    ast.USub: _negative,
    ast.UAdd: lambda value: value,
}

_OF_MATH = "sqrt exp log log10 log2 sin cos tan asin acos atan hypot floor ceil trunc gcd lcm"
_PLAIN: dict[str, Callable[..., Any]] = {
    **{name: getattr(math, name) for name in _OF_MATH.split()},
    **{name: _counting(getattr(math, name)) for name in ("factorial", "comb", "perm")},
    "abs": abs,
    "round": _rounded,
    "pow": _power,
    "ln": lambda number: math.log(number),
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "sum": lambda *values: sum(values),
    "mean": lambda *values: sum(values) / len(values),
}
FUNCTIONS = {name: _on_numbers(function) for name, function in _PLAIN.items()}
"""`log` is natural with one argument and takes a base as its second; angles are in radians."""

ALLOWED = {ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Constant, *OPERATORS}
"""The node types of Python's grammar that are arithmetic. Every other type is refused."""
