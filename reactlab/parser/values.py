"""JSON as models write it: single or curly quotes, comments, Python words, trailing commas."""

from __future__ import annotations

import re
from typing import Any

MAX_DEPTH = 60
WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_PAIRS = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_BODIES = {
    opening: re.compile(rf"[^{closing}\\]*(?:\\.[^{closing}\\]*)*{closing}", re.DOTALL)
    for opening, closing in _PAIRS.items()
}
_TRIPLE = re.compile(r"\"\"\"|'''")
_NOISE = re.compile(r"(?:[\s\u200b\ufeff]|//[^\n]*|#[^\n]*|/\*(?s:.*?)\*/)*")
_WORD = re.compile(r"[^\W\d][\w-]*")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
_ESCAPE = re.compile(
    r"\\(u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)", re.S
)
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}


class NotAValue(ValueError):
    """No value can be read; `position` is where, `cut` tells that the text ended too early."""

    def __init__(self, position: int, *, cut: bool = False) -> None:
        super().__init__(position)
        self.position = position
        self.cut = cut


def read_value(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins at `start`, and where it ends. Raise `NotAValue`."""
    reader = _Reader(text, start)
    return reader.value(0), reader.position


class _Reader:
    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position

    def value(self, depth: int) -> Any:
        char = self.next_char()
        if depth > MAX_DEPTH:
            raise NotAValue(self.position)
        if char == "{":
            return dict(self.items("}", depth))
        if char in "[［":
            return list(self.items("]］", depth))
        if char in _PAIRS:
            return self.string(char)
        return self.bare()

    def next_char(self) -> str:
        """Skip blanks and comments; a text that ends here was cut."""
        match = _NOISE.match(self.text, self.position)
        self.position = match.end() if match else self.position
        if self.position >= len(self.text):
            raise NotAValue(self.position, cut=True)
        return self.text[self.position]

    def items(self, closers: str, depth: int) -> list[Any]:
        """The elements of a list, or the (key, value) pairs of an object, up to the closer."""
        self.position += 1
        found: list[Any] = []
        while self.next_char() not in closers:
            found.append(self.pair(depth) if closers == "}" else self.value(depth + 1))
            if self.next_char() in ",，":
                self.position += 1
            elif self.text[self.position] not in closers:
                raise NotAValue(self.position)
        self.position += 1
        return found

    def pair(self, depth: int) -> tuple[str, Any]:
        char = self.next_char()
        key = self.string(char) if char in _PAIRS else self.word()
        if self.next_char() not in ":：":
            raise NotAValue(self.position)
        self.position += 1
        return key, self.value(depth + 1)

    def string(self, opening: str) -> str:
        start = self.position + 1
        if _TRIPLE.match(self.text, self.position):
            return self.triple(opening * 3)
        match = _BODIES[opening].match(self.text, start)
        if match is None:
            raise NotAValue(len(self.text), cut=True)
        self.position = match.end()
        return unescape(self.text[start : match.end() - 1])

    def triple(self, sign: str) -> str:
        start = self.position + 3
        found = self.text.find(sign, start)
        if found < 0:
            raise NotAValue(len(self.text), cut=True)
        self.position = found + 3
        return unescape(self.text[start:found])

    def word(self) -> str:
        match = _WORD.match(self.text, self.position)
        if match is None:
            raise NotAValue(self.position)
        self.position = match.end()
        return match.group()

    def bare(self) -> Any:
        """A number, or one of the words true, false, null in either spelling."""
        match = _NUMBER.match(self.text, self.position)
        if match is None:
            start, word = self.position, self.word()
            if word not in WORDS:
                raise NotAValue(start)
            return WORDS[word]
        self.position = match.end()
        return self.number(match.group())

    def number(self, digits: str) -> int | float:
        try:
            return int(digits)
        except ValueError:
            pass
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            raise NotAValue(self.position)
        return value


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
    if code in _SHORT:
        return _SHORT[code]
    return code if code in "\\\"'/`“”‘’" else match.group()
