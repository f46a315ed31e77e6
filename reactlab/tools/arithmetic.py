"""The calculator's numbers: operators and functions that look at the size before they compute."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from reactlab.errors import ToolError

MAX_DIGITS = 4_000
MAX_BITS = math.ceil(MAX_DIGITS * math.log2(10))
TOO_LARGE = f"The result is too large: at most {MAX_DIGITS} digits, or 1.8e308 with a fraction."


@dataclass(frozen=True)
class Percent:
    """A percentage that has not met the value it is taken of; 100 of them are 1."""

    value: int | float


Number: TypeAlias = int | float
Value: TypeAlias = int | float | Percent


def plain(value: Value) -> Number:
    """The number behind `value`: a percentage is divided by 100."""
    return divide(value.value, 100) if isinstance(value, Percent) else value


def bounded(result: Any) -> Number:
    """`result` itself when it is a real number within the bounds; `ToolError` otherwise."""
    if isinstance(result, complex):
        raise ToolError("The result is not a real number.")
    if isinstance(result, int) and result.bit_length() > MAX_BITS:
        raise ToolError(TOO_LARGE)
    if not isinstance(result, int) and not math.isfinite(result):
        raise ToolError(TOO_LARGE)
    return int(result) if isinstance(result, int) else float(result)


def fits(bits: float) -> None:
    """Refuse a whole number that would need more than `bits`, before it is computed."""
    if bits > MAX_BITS + 1:
        raise ToolError(TOO_LARGE)


def shown(value: Value) -> str:
    """`value` as text, without the noise of binary fractions and without a needless `.0`."""
    number = plain(value)
    if isinstance(number, int):
        bounded(number)
        return str(number)
    number += 0.0  # turns -0.0 into 0.0
    is_noise = math.isclose(float(f"{number:.12g}"), number, rel_tol=1e-14)
    text = f"{number:.12g}" if is_noise else f"{number:.15g}"
    return f"{float(text):.0f}" if "e+" in text and abs(number) < 1e15 else text


def add(left: Value, right: Value) -> Value:
    """The sum; a percentage is taken of what stands left of it, and joins other percentages."""
    if isinstance(left, Percent) and isinstance(right, Percent):
        return Percent(bounded(left.value + right.value))
    if isinstance(right, Percent):
        right = divide(plain(left) * right.value, 100)
    return bounded(plain(left) + plain(right))


def negative(value: Value) -> Value:
    """The value with its sign turned."""
    return Percent(-value.value) if isinstance(value, Percent) else -value


def multiply(left: Value, right: Value) -> Number:
    """The product; percentages are divided last, so that 15% of 80 is exactly 12."""
    parts = [part.value if isinstance(part, Percent) else part for part in (left, right)]
    hundreds = sum(isinstance(part, Percent) for part in (left, right))
    return divide(bounded(parts[0] * parts[1]), 100**hundreds)


def divide(left: Number, right: Number) -> Number:
    """The quotient, a whole number where whole numbers divide without remainder."""
    if isinstance(left, int) and isinstance(right, int) and right and left % right == 0:
        return left // right
    return bounded(left / right)


def power(base: Value, exponent: Value) -> Number:
    """`base ** exponent`; a negative base has no fractional powers here."""
    number, times = plain(base), plain(exponent)
    if isinstance(number, int) and isinstance(times, int) and times > 0 and abs(number) > 1:
        fits((abs(number).bit_length() - 1) * times)
    return bounded(number**times)


def shift_left(left: Number, right: Number) -> Number:
    """`left << right` for whole numbers."""
    places = whole(right)
    fits(whole(left).bit_length() + places)
    return whole(left) << places


def whole(number: Number) -> int:
    """`number` as int when it is one, else `ToolError`."""
    if number != int(number):
        raise ToolError("This function takes whole numbers.")
    return int(number)


def factorial(number: Number) -> int:
    """The factorial of a whole number from 0 on."""
    n = whole(number)
    if n > MAX_BITS:  # keeps the estimate below within a float's range
        raise ToolError(TOO_LARGE)
    fits(math.lgamma(n + 1) / math.log(2) if n > 0 else 0)
    return math.factorial(n)


def _choose(function: Callable[[int, int], int]) -> Callable[[Number, Number], int]:
    def counted(total: Number, chosen: Number) -> int:
        n, k = whole(total), whole(chosen)
        few = min(k, n - k) if function is math.comb else k
        fits(min(few * n.bit_length(), n if function is math.comb else few * n.bit_length()))
        return function(n, k)

    return counted


def rounded(number: Number, digits: Number = 0) -> Number:
    """Python's `round` (halves go to the even neighbour); whole when no digits are asked for."""
    places = whole(digits)
    if abs(places) > MAX_DIGITS:
        raise ToolError("round takes at most 4000 places.")
    return round(number, places) if places else round(number)


def mean(*numbers: Number) -> Number:
    """The arithmetic mean."""
    return divide(sum(numbers), len(numbers))


def lcm(*numbers: Number) -> int:
    """The least common multiple of whole numbers, bounded after each step."""
    result = 1
    for number in numbers:
        result = int(bounded(math.lcm(result, whole(number))))
    return result


def _over_numbers(function: Callable[..., Any]) -> Callable[..., Number]:
    """`function` with percentages made plain on the way in and the result checked."""

    def called(*values: Value) -> Number:
        return bounded(function(*(plain(value) for value in values)))

    return called


CONSTANTS: Mapping[str, float] = {"pi": math.pi, "e": math.e}

OPERATORS: Mapping[type[ast.AST], Callable[..., Value]] = {
    ast.Add: add,
    ast.Sub: lambda left, right: add(left, negative(right)),
    ast.Mult: multiply,
    ast.Div: lambda left, right: divide(plain(left), plain(right)),
    ast.FloorDiv: _over_numbers(operator.floordiv),
    ast.Mod: _over_numbers(operator.mod),
    ast.Pow: power,
    ast.LShift: _over_numbers(shift_left),
    ast.RShift: _over_numbers(lambda left, right: whole(left) >> whole(right)),
    ast.USub: negative,
    ast.UAdd: lambda value: value,
}

_MATH = "sqrt cbrt exp log10 log2 sin cos tan asin acos atan sinh cosh tanh floor ceil trunc"
FUNCTIONS: Mapping[str, Callable[..., Number]] = {
    name: _over_numbers(function)
    for name, function in {
        **{name: getattr(math, name) for name in _MATH.split()},
        "degrees": math.degrees,
        "radians": math.radians,
        "hypot": math.hypot,
        "abs": abs,
        "round": rounded,
        "log": math.log,
        "ln": lambda number: math.log(number),
        "min": lambda *numbers: min(numbers),
        "max": lambda *numbers: max(numbers),
        "sum": lambda *numbers: sum(numbers),
        "mean": mean,
        "pow": power,
        "gcd": lambda *numbers: math.gcd(*map(whole, numbers)),
        "lcm": lcm,
        "factorial": factorial,
        "comb": _choose(math.comb),
        "perm": _choose(math.perm),
    }.items()
}
"""`log` is natural with one argument and takes a base as its second; angles are in radians."""

POSTFIX: Mapping[str, Callable[..., Value]] = {
    "_percent": lambda value: Percent(plain(value)),
    "_factorial": _over_numbers(factorial),
}
"""What `10%` and `5!` become; no expression can spell these names."""
