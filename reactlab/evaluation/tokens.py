"""An answer as words and numbers, each in the one form that equal ones share."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import partial

from reactlab.tools.pages import in_pieces

_NUMBER = r"(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,4})?"
_TOKENS = re.compile(
    rf"(?<![\w.])-?{_NUMBER}(?![^\W_\u3400-\u9fff])|\d+(?:\.\d+)?"
    r"|[\u3400-\u9fff]|[^\W_\d\u3400-\u9fff]+|[%‰°$€£¥]"
)


def tokens(text: str) -> list[str]:
    """Words, Chinese characters, numbers and their signs, each in one form of writing."""
    text = in_pieces(partial(unicodedata.normalize, "NFKC"), text).casefold()
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", re.sub(r"[−–](?=[\d.])", "-", text))
    return [_canonical(token) for token in _TOKENS.findall(text)]


def _canonical(token: str) -> str:
    """A number in the one form that equal numbers share; one with leading zeros stays as it is."""
    bare = token.lstrip("-")
    if (not bare[0].isdecimal() and bare[0] != ".") or re.match(r"0\d", bare) or len(bare) > 25:
        return token
    return str(Decimal(token).normalize() + 0)
