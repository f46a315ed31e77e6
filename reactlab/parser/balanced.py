"""Which bracket closes this one: a single scan that knows nesting and quotes."""

from __future__ import annotations

import re

# Brackets of one family close each other: `[` may be closed by a full-width `］`.
FAMILIES = {"[": "[［", "［": "[［", "(": "(（", "（": "(（", "【": "【", "{": "{"}
CLOSERS = {"[［": "]］", "(（": ")）", "【": "】", "{": "}"}
_STOPS = re.compile(r"\"\"\"|'''|[\"'“‘「\[\](){}［］（）【】]")
_QUOTE_ENDS = {
    '"': re.compile(r'[^"\\\n]*(?:\\.[^"\\\n]*)*"'),
    "'": re.compile(r"[^'\\\n]*(?:\\.[^'\\\n]*)*'(?!\w)"),
    "“": re.compile(r"[^”\n]*”"),
    "‘": re.compile(r"[^’\n]*’(?!\w)"),
    "「": re.compile(r"[^」\n]*」"),
}
FIRST_UNSPACED = "\u2e80"  # Chinese, Japanese and Korean put no blank before a quote
_PREFIXES = re.compile(r"(?<![\w])[rbfuRBFU]{1,2}$")


def closing_bracket(text: str, start: int, end: int | None = None) -> int | None:
    """Return where the bracket at `text[start]` is closed before `end`, or None.

    Brackets of the same family nest; other families are plain characters, as in `[0, 1)`. A bracket
    inside quotes does not count. An apostrophe opens no quote, and neither does a quote that its
    own line never closes. Time is linear in the length of the text.
    """
    end = len(text) if end is None else end
    openers = FAMILIES[text[start]]
    closers = CLOSERS[openers]
    quotes = _Quotes(text, end)
    depth, position = 0, start
    while (stop := _STOPS.search(text, position, end)) is not None:
        position = stop.end()
        sign = stop.group()
        if sign in openers:
            depth += 1
        elif sign in closers:
            depth -= 1
            if depth == 0:
                return stop.start()
        elif sign in quotes.unclosed_until:
            position = quotes.skip(stop.start(), sign)
    return None


class _Quotes:
    """Jumps over quoted text; remembers what was never closed, so that no text is read twice."""

    def __init__(self, text: str, end: int) -> None:
        self.text = text
        self.end = end
        self.unclosed_until = dict.fromkeys((*_QUOTE_ENDS, '"""', "'''"), 0)

    def skip(self, start: int, sign: str) -> int:
        """Return where the quote that opens at `start` ends, or the next position if none does."""
        after = start + len(sign)
        if start < self.unclosed_until[sign] or not self._may_open(start):
            return start + 1
        closed = self._close(after, sign)
        if closed is None:
            self.unclosed_until[sign] = self._horizon(start, sign)
            return start + 1
        return closed

    def _may_open(self, start: int) -> bool:
        """After a letter or digit it is an apostrophe or an inch, unless a prefix: r"", f""."""
        before = self.text[max(0, start - 3) : start]
        in_word = before[-1:].isalnum() and before[-1] < FIRST_UNSPACED
        return not in_word or _PREFIXES.search(before) is not None

    def _close(self, after: int, sign: str) -> int | None:
        if len(sign) == 3:
            found = self.text.find(sign, after, self.end)
            return None if found < 0 else found + 3
        match = _QUOTE_ENDS[sign].match(self.text, after, self.end)
        return match.end() if match else None

    def _horizon(self, start: int, sign: str) -> int:
        """A plain quote has to close on its line, a triple one anywhere."""
        line_end = self.text.find("\n", start, self.end)
        return self.end if len(sign) == 3 or line_end < 0 else line_end
