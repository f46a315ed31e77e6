"""Arithmetic in questions: written out, in words, in short stories, and from unit to unit."""

from __future__ import annotations

import ast
import operator
import re

from .numbers import Quantity, plain, quantities, units_in
from .tables import cue, patterns, rows

_SIGNS = str.maketrans("×÷－＋＊／（）−·", "*/-+*/()-*")
_CALL = r"(?:sqrt|log10|log2|log|exp|sin|cos|tan|abs|factorial)\("
_WRITTEN = re.compile(rf"(?<![A-Za-z_])(?:{_CALL}|[(\d.√])(?:{_CALL}|[\d\s.,+\-*/^()%!]){{1,200}}")
_THING = r"\s(?!squared|cubed|factorial)[a-z]+"  # what a number counts: 50 euros
_CHAIN = re.compile(r"#\d+#(?: [-+*/^%] #\d+#)*")
_NO_SUM = re.compile(r"\d{3,4}[-–]\d{2,4}(?:-\d+)?|[\d\-]{9,}|\d{1,2}/\d{1,2}/\d+|\d{4}/\d{1,2}")
_SYMBOLS = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "Mod": "mod", "Pow": "pow"}


def asks_for_sum(text: str) -> str:
    """The expression that a question asks to work out without looking anything up, or "".

    It holds every number of the question: half of a sum is no answer.
    """
    return _written(text) or _worded(text) or conversion(text)


def _written(text: str) -> str:
    """The arithmetic expression that is written out in a text and holds all of its numbers."""
    if not cue("sum").search(text) and len(text) >= 30:
        return ""
    given = text.translate(_SIGNS)
    found = [m[0].strip(" .,") for m in _WRITTEN.finditer(given)]
    longest = max(filter(_is_sum, found), key=len, default="")
    rest = given.replace(longest, " ", 1)
    return "" if countable(rest) or cue("function").search(rest) else longest


def _is_sum(text: str) -> bool:
    works = re.search(r"[\d)!%]\s*[+\-*/^%]+\s*[\d(]|\d!|[a-z]\(", text)
    return bool(works) and not _NO_SUM.fullmatch(text) and text.count("(") == text.count(")")


def _worded(text: str) -> str:
    """The sum that is told with `plus`, `squared`, `half of`: reduced until one chain is left."""
    numbers = [_unsigned(q, text) if at else q for at, q in enumerate(countable(text))]
    if mixed(text, numbers):
        return ""
    parts, told, last = [plain(q.value) for q in numbers], 0, ""
    holes = _holed(text.translate(_SIGNS), [(q.start, q.stop) for q in numbers])
    while holes != last:
        last = holes
        for sign, words in rows("signs"):
            between = rf"(?i)(?<=#)(?:{_THING})?\s*(?:{words})\s*(?:the )?(?=#)"
            holes, made = re.subn(between, f" {sign} ", holes)
            told += made if words[-1:].isalpha() else 0
        for pattern, cells in patterns("ops"):
            if match := pattern.search(holes):
                named = [_filled(group, parts) for group in match.groups() if group]
                holes = f"{holes[: match.start()]}#{len(parts)}#{holes[match.end() :]}"
                parts.append(cells[0].format(*named))
                told += 1
                break
    chains = _CHAIN.findall(holes)
    if len(chains) != 1 or not told or cue("function").search(_CHAIN.sub(" ", holes)):
        return ""
    return parts[-1] if chains[0] == f"#{len(parts) - 1}#" else _filled(chains[0], parts)


def _unsigned(number: Quantity, text: str) -> Quantity:
    """Behind another number `minus 4` takes away 4."""
    if not text.startswith("minus ", number.start):
        return number
    return number._replace(value=-number.value, start=number.start + 6)


def _filled(chain: str, parts: list[str]) -> str:
    """A part by its number, or a chain `#0# + #1#`, with sums inside it in brackets."""
    held = [f"({part})" if " " in part else part for part in parts]
    return re.sub(r"#?(\d+)#?", lambda match: held[int(match[1])], chain)


def countable(text: str) -> list[Quantity]:
    """The numbers of a text to count with, years too."""
    found = quantities(text, dated=True)
    return [q for q in found if not cue("no_number").match(text, q.start)]


def sounds_like_sum(text: str) -> bool:
    """Whether a text names an operation on its numbers, understood or not."""
    named = cue("function").search(text) or cue("operation").search(text)
    return bool(named and countable(text))


def _holed(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with `#0#` in the place of its first number, and so on."""
    holes, at = "", 0
    for number, (start, end) in enumerate(spans):
        holes += f"{text[at:start]} #{number}# "
        at = end
    return re.sub(r"  +", " ", holes + text[at:])


def by_shape(text: str) -> str:
    """The expression of the first shape of a told sum that fits and uses all of its numbers."""
    numbers = countable(text)
    holes = _holed(text, [(q.start, q.end) for q in numbers])
    tight = re.sub(r"(?<=[^\x00-\x7f]) (?=#)|(?<=#) (?=[^\x00-\x7f])", "", holes)
    for pattern, cells in patterns("shapes"):
        if match := pattern.search(holes) or pattern.search(tight):
            named = [plain(numbers[int(g)].value) for g in match.groups() if g]
            if len(named) == len(numbers):
                return cells[0].format(*named)
    return ""


def conversion(text: str) -> str:
    """`How many feet are 330 metres` as a sum with the factor written out."""
    found = [q for q in quantities(text) if q.unit and text[q.start].isdigit()]
    others = [unit for unit, _ in units_in(text) if found and _kin(unit, found[0])]
    if len(quantities(text)) != 1 or not others or not cue("convert").search(text):
        return ""
    (given,) = found
    size = given.unit.size if given.unit else 1.0
    return f"{plain(given.value)} * {plain(size)} / {plain(others[0].size)}"


def mixed(text: str, numbers: list[Quantity]) -> bool:
    """Whether a text names another unit for what one of its numbers measures."""
    return any(_kin(unit, q) for unit, _ in units_in(text) for q in numbers)


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
    if isinstance(node, ast.BinOp) and type(node.op).__name__ in _SYMBOLS:
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow) and (abs(right) > 64 or abs(left) > 1e6):
            raise OverflowError
        return float(getattr(operator, _SYMBOLS[type(node.op).__name__])(left, right))
    raise ValueError(type(node).__name__)
