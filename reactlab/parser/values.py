"""JSON as models write it: single or curly quotes, comments, Python words, trailing commas."""

from __future__ import annotations

import re
from typing import Any

MAX_DEPTH = 32
WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", '"""': '"""', "'''": "'''"}
_QUOTE = re.compile(r"\"\"\"|'''|[\"'“‘]")
_STRINGS = {
    opening: re.compile(rf"((?:[^\\]|\\.)*?){closing}" if len(opening) > 1 else
                        rf"([^{closing}\\]*(?:\\.[^{closing}\\]*)*){closing}", re.DOTALL)
    for opening, closing in _CLOSING.items()
}  # fmt: skip
_NOISE = re.compile(r"(?:[\s\u200b\ufeff]++|//[^\n]*|#[^\n]*|/\*(?s:.*?)(?:\*/|\Z))*")
_WORD = re.compile(r"[^\W\d][\w-]*")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
_ESCAPE = re.compile(
    r"\\(u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)", re.DOTALL
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}


class NotAValueError(ValueError):
    """No value can be read; `position` is where, `cut` tells that the text ended too early."""

    def __init__(self, position: int, *, cut: bool = False) -> None:
        super().__init__(position)
        self.position = position
        self.cut = cut


def read_value(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins at `start`, and where it ends. Raise `NotAValueError`."""
    reader = _Reader(text, start)
    return reader.value(0), reader.position


class _Reader:
    """A position in a text that moves on with every value read."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position

    def value(self, depth: int) -> Any:
        char = self.next_char()
        if depth > MAX_DEPTH:
            raise NotAValueError(self.position)
        if char == "{":
            return dict(self.items("}", depth))
        if char in "[［":
            return self.items("]］", depth)
        if char in "rR" and self.text[self.position + 1 : self.position + 2] in ('"', "'"):
            self.position += 1
            return self.string(raw=True)
        return self.string() if char in _CLOSING else self.bare()

    def next_char(self) -> str:
        """Skip blanks and comments; a text that ends here was cut."""
        char = self.text[self.position : self.position + 1]
        if char.isspace() or char in "/#\u200b\ufeff":
            noise = _NOISE.match(self.text, self.position)
            self.position = noise.end() if noise else self.position
            char = self.text[self.position : self.position + 1]
        if not char:
            raise NotAValueError(self.position, cut=True)
        return char

    def items(self, closers: str, depth: int) -> list[Any]:
        """The elements of a list, or the (key, value) pairs of an object, up to the closer."""
        self.position += 1
        found: list[Any] = []
        while (char := self.next_char()) not in closers:
            found.append(self.pair(char, depth) if closers == "}" else self.value(depth + 1))
            char = self.next_char()
            if char in ",，":
                self.position += 1
            elif char not in closers:
                raise NotAValueError(self.position)
        self.position += 1
        return found

    def pair(self, char: str, depth: int) -> tuple[str, Any]:
        key = self.string() if char in _CLOSING else self.take(_WORD)
        if self.next_char() not in ":：":
            raise NotAValueError(self.position)
        self.position += 1
        return key, self.value(depth + 1)

    def string(self, *, raw: bool = False) -> str:
        opening = self.take(_QUOTE)
        match = _STRINGS[opening].match(self.text, self.position)
        if match is None:
            raise NotAValueError(len(self.text), cut=True)
        self.position = match.end()
        return match[1] if raw else unescape(match[1])

    def bare(self) -> Any:
        """A number, or one of the words true, false, null in either spelling."""
        start = self.position
        if match := _NUMBER.match(self.text, start):
            self.position = match.end()
            return self.number(match.group())
        word = self.take(_WORD)
        if word not in WORDS:
            raise NotAValueError(start)
        return WORDS[word]

    def number(self, digits: str) -> int | float:
        """Python refuses integers of more than 4,300 digits, and JSON has no infinity."""
        whole = digits.lstrip("+-").isdigit()
        value = int(digits) if whole and len(digits) < 4000 else float(digits)
        if abs(value) == float("inf"):
            raise NotAValueError(self.position)
        return value

    def take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.position)
        if match is None:
            raise NotAValueError(self.position)
        self.position = match.end()
        return match.group()


def unescape(text: str) -> str:
    r"""Resolve `\n`, `\"`, `\u00e9` and the like; an unknown escape such as `\d` stays as it is."""
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1)
    if len(code) == 11:
        high, low = int(code[1:5], 16), int(code[7:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if len(code) == 5:
        number = int(code[1:], 16)
        return "\ufffd" if 0xD800 <= number < 0xE000 else chr(number)
    if code in _ESCAPED:
        return _ESCAPED[code]
    return code if code in "\\\"'/`“”‘’" else match.group()
