"""Arithmetic as people write it, rewritten as Python writes it."""

from __future__ import annotations

import math
import re

from reactlab.errors import ToolError
from reactlab.tools.arithmetic import FUNCTIONS, TOO_LARGE

MAX_BRACKETS = 40

SIGNS = str.maketrans(
    {"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "（": "(", "）": ")", "，": ",", "π": "pi"}
    | {"＋": "+", "－": "-", "＊": "*", "／": "/", "％": "%", "＾": "^"}
)
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)(?![a-z0-9.])"
    r"|(?P<name>[a-z][a-z0-9]*)|(?P<sign>\*\*|//|<<|>>|[-+*/%^!(),]))"
)
THOUSANDS = re.compile(r"\s*[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?(?![0-9a-z.])")
POSTFIX = {"%": "_percent", "!": "_factorial"}
"""Signs that follow a value, and the function each becomes; no expression can spell those."""


def to_python(expression: str) -> str:
    """`expression` with `^`, `×`, `5!`, `10%`, `1,234` and `15% of 80` as Python has them.

    The result is not yet known to be well formed, nor to be arithmetic only.
    Raises `ToolError` for any character or number that arithmetic does not have.
    """
    text = expression.translate(SIGNS).strip()
    for character in text:
        if not character.isascii():
            raise ToolError(_refusal(character))
    return " ".join(_Rewriting(text.lower()).tokens())


class _Rewriting:
    """One pass over a text from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._tokens: list[str] = []
        self._open: list[int] = []  # where the values begin whose bracket is still open
        self._value = 0  # where the last complete value begins
        self._last = ""

    def tokens(self) -> list[str]:
        while self._position < len(self._text):
            self._step()
        return self._tokens

    def _step(self) -> None:
        grouped = None if self._in_call() else THOUSANDS.match(self._text, self._position)
        found = grouped or TOKEN.match(self._text, self._position)
        if not found:
            raise ToolError(_refusal(self._text[self._position :].lstrip()[0]))
        self._position = found.end()
        if grouped or found["number"]:
            self._begin_value(_literal(found[0].strip().replace(",", "")))
        elif found["name"]:
            self._name(found["name"])
        else:
            self._sign(found["sign"], after_blank=found[0][0].isspace())

    def _in_call(self) -> bool:
        return bool(self._open) and self._tokens[self._open[-1]] in FUNCTIONS

    def _begin_value(self, token: str) -> None:
        self._value = len(self._tokens)
        self._tokens.append(token)
        self._last = "value"

    def _name(self, name: str) -> None:
        if name == "of" and self._last == "_percent":
            self._append("*")
        elif name in FUNCTIONS:
            self._append(name)
        else:
            self._begin_value(name)

    def _sign(self, sign: str, *, after_blank: bool) -> None:
        if sign == "!" or (sign == "%" and self._is_percentage(after_blank)):
            self._follow(sign)
        elif sign == "(":
            self._open_bracket()
        elif sign == ")" and self._open:
            self._value = self._open.pop()
            self._append(sign, last="value")
        elif sign == "," and not self._in_call():
            raise ToolError("A comma groups thousands, as in 1,234, or parts function arguments.")
        else:
            self._append("**" if sign == "^" else sign)

    def _append(self, token: str, *, last: str = "") -> None:
        self._tokens.append(token)
        self._last = last or token

    def _open_bracket(self) -> None:
        self._open.append(len(self._tokens) - (self._last in FUNCTIONS))
        if len(self._open) > MAX_BRACKETS:
            raise ToolError("The expression is nested too deeply: work it out in parts.")
        self._append("(")

    def _follow(self, sign: str) -> None:
        """Wrap the last value in the function that `sign` stands for."""
        if self._last != "value":
            raise ToolError(f"{sign} follows one value, as in 5{sign} or (2*3){sign}.")
        self._tokens.insert(self._value, f"{POSTFIX[sign]}(")
        self._append(")", last=POSTFIX[sign])

    def _is_percentage(self, after_blank: bool) -> bool:
        """Is this `%` a percentage, going by what follows? In `7 % -3` it is none."""
        rest = self._text[self._position :]
        if re.match(r"\s*[-+]", rest):
            return not (after_blank and re.match(r"\s*[-+][0-9a-z.(]", rest))
        return bool(re.match(r"\s*(?:of\b|[^0-9a-z.(\s]|$)", rest))


def _refusal(character: str) -> str:
    if character in "0123456789.":
        return "A number is written like 1234.5 or 1e3; put an operator before what follows it."
    return f"{character!r} is not part of arithmetic: use ASCII digits, + - * / ^ % and brackets."


def _literal(number: str) -> str:
    """`number` as Python writes it (which forbids 007); numbers without a point stay exact."""
    if number.isdigit():
        return str(int(number))
    if math.isinf(float(number)):
        raise ToolError(TOO_LARGE)
    return repr(float(number))
