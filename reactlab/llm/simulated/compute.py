"""Arithmetic in questions: written out, in words, in short stories, and from unit to unit."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

from .numbers import Quantity, plain, quantities, units_in
from .tables import cue, patterns

_SIGNS = str.maketrans("×÷－＋＊／（）−·", "*/-+*/()-*")
_WRITTEN = re.compile(r"[(\d.√][\d\s.,+\-*/^()%!]{1,200}")
_NO_SUM = re.compile(r"\d{3,4}[-–]\d{2,4}(?:-\d+)?|[\d\-]{9,}|\d{1,2}/\d{1,2}/\d+|\d{4}/\d{1,2}")
_OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def asks_for_sum(text: str) -> str:
    """The expression that a question asks to work out without looking anything up, or ""."""
    direct = _written(text) if cue("sum").search(text) or len(text) < 30 else ""
    return by_shape("ops", text) or direct or conversion(text)


def _written(text: str) -> str:
    """The longest arithmetic expression that is written out in a text."""
    found = [m[0].strip(" .,") for m in _WRITTEN.finditer(text.translate(_SIGNS))]
    return max(filter(_is_sum, found), key=len, default="")


def _is_sum(text: str) -> bool:
    works = re.search(r"[\d)!%]\s*[+\-*/^%]+\s*[\d(]|\d!", text)
    return bool(works) and not _NO_SUM.fullmatch(text) and text.count("(") == text.count(")")


def by_shape(table: str, text: str) -> str:
    """The expression of the first pattern that fits the text with `#0#` for its first number."""
    numbers = [q for q in quantities(text, dated=True) if not cue("no_number").match(text, q.start)]
    holes, at = "", 0
    for number, quantity in enumerate(numbers):
        holes += f"{text[at : quantity.start]} #{number}# "
        at = quantity.end
    holes = re.sub(r"  +", " ", holes + text[at:])
    tight = re.sub(r"(?<=[^\x00-\x7f]) (?=#)|(?<=#) (?=[^\x00-\x7f])", "", holes)
    for pattern, cells in patterns(table):
        if match := pattern.search(holes) or pattern.search(tight):
            named = [plain(numbers[int(g)].value) for g in match.groups() if g]
            return cells[0].format(*named)
    return ""


def conversion(text: str) -> str:
    """`How many feet are 330 metres` as a sum with the factor written out."""
    given = [q for q in quantities(text) if q.unit and text[q.start].isdigit()]
    others = [u for u, _ in units_in(text) if given and given[0].unit and _kin(u, given[0])]
    if (
        len(quantities(text)) != 1
        or len(given) != 1
        or not others
        or given[0].unit is None
        or not cue("convert").search(text)
    ):
        return ""
    return f"{plain(given[0].value)} * {plain(given[0].unit.size)} / {plain(others[0].size)}"


def _kin(unit: object, quantity: Quantity) -> bool:
    same = getattr(unit, "kind", "") == getattr(quantity.unit, "kind", None)
    return same and unit != quantity.unit


def in_the_head(expression: str) -> str:
    """Mental arithmetic as plain models do it: small results exact, long ones slightly wrong."""
    text = re.sub(r"sqrt\(([\d.]+)\)", r"(\1) ** 0.5", expression.replace("^", "**"))
    try:
        value = _value(ast.parse(text.replace(",", ""), mode="eval").body)
    except (ValueError, SyntaxError, ArithmeticError, TypeError, RecursionError, MemoryError):
        return ""
    if 1000 <= abs(value) < 1e15 and value == int(value):
        value += (1 if int(value) % 2 else -1) * 10 ** (len(plain(abs(value))) - 3)
    return plain(round(value, 2))


def _value(node: ast.AST) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow) and (abs(right) > 64 or abs(left) > 1e6):
            raise OverflowError
        return float(_OPERATORS[type(node.op)](left, right))
    raise ValueError(type(node).__name__)
