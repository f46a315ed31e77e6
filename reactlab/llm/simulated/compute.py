"""Arithmetic in questions: written out, in words, and in short stories."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from itertools import pairwise

from reactlab.llm.simulated.extract import unit_of, units
from reactlab.llm.simulated.tables import patterns
from reactlab.llm.simulated.text import Quantity, plain, quantities

_SIGNS = str.maketrans("×÷－＋＊／（）−·", "*/-+*/()-*")
_WRITTEN = re.compile(r"[(\d.√][\d\s.,+\-*/^()%!]{1,200}")
_ASKS_SUM = re.compile(
    r"what(?:'s| is| are| do| would|s)?\b|how much|how many|calculate|compute|work out|evaluate|solve|equal|result|=|value|多少|算|等于|几|求|结果",
    re.IGNORECASE,
)
MOST_NUMBERS = 24  # more are no sum that a person asks for


def written(text: str) -> str:
    """The longest arithmetic expression that is written out in a text, "" if there is none."""
    found = [m[0].strip(" .,") for m in _WRITTEN.finditer(text.translate(_SIGNS))]
    sums = [f for f in found if _is_sum(f)]
    return max(sums, key=len, default="")


def _is_sum(text: str) -> bool:
    if (
        re.fullmatch(
            r"\d{3,4}\s*[-–]\s*\d{2,4}(?:-\d+)?|[\d\s\-]{9,}|\d{1,2}/\d{1,2}(?:/\d+)?", text
        )
        and " " not in text
    ):
        return bool(re.fullmatch(r"\d{1,3}/\d{1,3}", text))
    return bool(re.search(r"[\d)!%]\s*[+\-*/^%]+\s*[\d(]|\d!", text)) and text.count(
        "("
    ) == text.count(")")


def masked(text: str) -> tuple[str, list[Quantity]]:
    """A text with `#0#` for its first number, and the numbers."""
    found = quantities(text)[:MOST_NUMBERS]
    out, at = "", 0
    for number, quantity in enumerate(found):
        out += f"{text[at : quantity.start]} #{number}# ".replace("  ", " ")
        at = quantity.end
    return re.sub(r" +(?=,)", "", re.sub(r"  +", " ", out + text[at:])), found


def in_words(text: str) -> str:
    """`48 is multiplied by 37` as `48 * 37`; "" where no operation is named."""
    holes, numbers = masked(text)
    return _chain(holes, numbers) or _first("ops", holes, numbers)


_LINKS = (
    (
        re.compile(
            r"^(?:is |are )?(?:,? (?:and )?(?:then )?)?(?:multiplied by|times|multiply by)$|^(?:再)?乘以?上?$"
        ),
        "*",
    ),
    (re.compile(r"^,? ?(?:and )?(?:then )?(?:divided by|divide by|over)$|^(?:再)?除以$"), "/"),
    (
        re.compile(r"^,? ?(?:and )?(?:then )?(?:plus|add|added to|increased by)$|^(?:再)?加上?$"),
        "+",
    ),
    (
        re.compile(
            r"^,? ?(?:and )?(?:then )?(?:minus|subtract|less|take away|decreased by)$|^(?:再)?减去?掉?$"
        ),
        "-",
    ),
)


def _chain(holes: str, numbers: list[Quantity]) -> str:
    """Three or more numbers with an operation between each: worked out from left to right."""
    gaps = [gap.strip(" ,，") for gap in re.split(r"#\d+#", holes)[1:-1]]
    signs = [next((sign for link, sign in _LINKS if link.match(gap)), "") for gap in gaps]
    if len(numbers) < 3 or not all(signs):
        return ""
    low = any(a in "+-" and b in "*/" for a, b in pairwise(signs))
    out = plain(numbers[0].value)
    for sign, number in zip(signs, numbers[1:], strict=True):
        out = (
            f"({out})"
            if low
            and sign in "*/"
            and re.search(r" [+-] ", out)
            and ("then" in holes or "再" in holes)
            else out
        )
        out = f"{out} {sign} {plain(number.value)}"
    return out


def story(text: str) -> str:
    """The sum that a word problem asks for; "" where the rules do not see one."""
    holes, numbers = masked(text)
    return _first("problems", holes, numbers) if len(numbers) >= 2 else ""


def _first(table: str, holes: str, numbers: list[Quantity]) -> str:
    flat = re.sub(
        r"\s+(?=[的乘除减加和与占是比个折%％、余])|(?<=[的乘除减加和与占是比从以上去掉])\s+",
        "",
        holes,
    )
    for pattern, cells in patterns(table):
        for text in dict.fromkeys((holes, flat)):
            if match := pattern.search(text):
                named = [plain(numbers[int(g)].value) for g in match.groups() if g and g.isdigit()]
                return _filled(cells[0], named, [plain(q.value) for q in numbers])
    return ""


def _filled(template: str, named: list[str], everything: list[str]) -> str:
    joined = {
        "ALL+": " + ".join(everything),
        "ALL*": " * ".join(everything),
        "FIRST-REST": " - ".join(everything),
        "AVERAGE": f"({' + '.join(everything)}) / {len(everything)}",
        "RATIO": " / ".join(sorted(everything[:2], key=float, reverse=True)),
        "PERCENT": f"{named[0]} / {named[1]} * 100" if len(named) > 1 else "",
        "CHANGE": f"{everything[-1]} - {everything[0]} * {everything[1]}"
        if len(everything) > 1
        else "",
    }
    if template == "FIRST-REST" and len(everything) == 2:
        return " - ".join(sorted(everything, key=float, reverse=True))
    if template.startswith("abs"):
        return " - ".join(sorted(named, key=float, reverse=True))
    return joined[template] if template in joined else template.format(*named)


def conversion(text: str) -> str:
    """`How many feet are 330 metres` as a sum with the factor written out."""
    given = [(q, u) for q in quantities(text) if (u := unit_of(q, ""))]
    if len(given) != 1:
        return ""
    quantity, (_, unit, factor) = given[0]
    target = asked_unit(
        text[: quantity.start] + " ; " + quantity.after[len(given[0][1][0]) :], unit
    )
    return f"{plain(quantity.value)} * {plain(factor)} / {plain(target[1])}" if target else ""


def asked_unit(text: str, unit: str) -> tuple[str, float] | None:
    """The other unit of the same dimension that a text names, with its size in the base unit."""
    family = next((f for f in map(units, _DIMENSIONS) if any(u == unit for u, _ in f.values())), {})
    for word, (other, factor) in family.items():
        edge = r"(?![a-z])" if word.isascii() else ""
        if (
            other != unit
            and len(word) > 1
            and re.search(rf"(?<![a-z]){re.escape(word)}{edge}", text)
        ):
            return word, factor
    return None


_DIMENSIONS = ("length", "mass", "area", "speed", "volume", "duration")


def asks_for_sum(text: str) -> str:
    """The expression that a question asks to work out without looking anything up."""
    direct = written(text) if _ASKS_SUM.search(text) or len(text) < 30 else ""
    return direct or in_words(text) or conversion(text)


_BINARY: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip


def in_the_head(expression: str) -> str:
    """Mental arithmetic as plain models do it: small results exact, long ones slightly wrong."""
    text = re.sub(
        r"sqrt\(([\d.]+)\)", r"(\1) ** 0.5", expression.replace("^", "**").replace(",", "")
    )
    try:
        value = _value(ast.parse(text, mode="eval").body)
    except (
        SyntaxError,
        ValueError,
        ZeroDivisionError,
        OverflowError,
        TypeError,
        RecursionError,
        MemoryError,
    ):
        return ""
    if abs(value) >= 1000 and value == int(value) and abs(value) < 1e15:
        digits = len(plain(abs(value)))
        value += (1 if int(value) % 2 else -1) * 10 ** (digits - 3)
    return plain(round(value, 2))


def _value(node: ast.AST) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow) and (abs(right) > 64 or abs(left) > 1e6):
            raise OverflowError
        result = _BINARY[type(node.op)](left, right)
        return float(result) if isinstance(result, int | float) else 0.0
    raise ValueError(ast.dump(node)[:40])
