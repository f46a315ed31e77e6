"""A prompt is text with named gaps, filled in one pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pkgutil import get_data

from reactlab.errors import ConfigError

SLOTS = ("tool_descriptions", "question", "history")
_SLOT = re.compile("{(" + "|".join(SLOTS) + ")}")


@dataclass(frozen=True)
class PromptTemplate:
    """Text with the slots `{tool_descriptions}`, `{question}` and `{history}`.

    Only these three are slots. Every other brace, `$` or percent is plain text, in the template
    and in the values, because a value that was put in is never read again.
    """

    text: str
    examples: str = ""

    def with_examples(self, *examples: str) -> PromptTemplate:
        """Return a copy that shows worked examples (few-shot) just before the question."""
        return PromptTemplate(self.text, "\n".join(example.strip() + "\n" for example in examples))

    def format(self, *, tool_descriptions: str = "", question: str, history: str = "") -> str:
        """Fill the slots. An empty history takes its line with it."""
        values = {
            "tool_descriptions": tool_descriptions,
            "question": question,
            "history": history,
        }
        before, after = _parts(self.text, bool(history))
        shown = [self.examples, "\n"] if self.examples else []
        return "".join([*_filled(before, values), *shown, *_filled(after, values)])


@cache
def _parts(text: str, with_history: bool) -> tuple[list[str], list[str]]:
    """The text before and from the question's line on, each as literal, slot, literal, ..."""
    lines = [line for line in text.splitlines() if "{question}" in line]
    head, line, tail = text.rpartition(lines[-1]) if lines else ("", "", text)
    if not with_history:
        tail = tail.replace("\n{history}", "", 1)
    return _SLOT.split(head), _SLOT.split(line + tail)


def _filled(parts: list[str], values: dict[str, str]) -> list[str]:
    """Every second part is a slot; a value that was put in is never read again."""
    return [values[part] if number % 2 else part for number, part in enumerate(parts)]


@cache
def load(name: str, language: str = "en") -> str:
    """The text of a prompt file, for instance `load("bracket", "zh")`, without the last newline."""
    try:
        stored = get_data("reactlab.prompts", f"{language}/{name}.md") or b""
    except OSError:
        message = f"There is no prompt {name!r} in the language {language!r} (en or zh)."
        raise ConfigError(message) from None
    return stored.decode("utf-8").replace("\r\n", "\n").rstrip("\n")
