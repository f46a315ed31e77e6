"""A prompt is text with named gaps, filled in one pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

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
        values = dict(zip(SLOTS, (tool_descriptions, question, history), strict=True))
        lines = [line for line in self.text.splitlines() if "{question}" in line]
        head, line, tail = self.text.rpartition(lines[-1]) if lines else ("", "", self.text)
        if not history:
            tail = tail.replace("\n{history}", "", 1)
        return (
            _fill(head, values)
            + (self.examples + "\n" if self.examples else "")
            + _fill(line + tail, values)
        )


def _fill(text: str, values: dict[str, str]) -> str:
    return _SLOT.sub(lambda slot: values[slot[1]], text)


@cache
def load(name: str, language: str = "en") -> str:
    """The text of a prompt file, for instance `load("bracket", "zh")`, without the last newline."""
    file = resources.files(__package__) / language / f"{name}.md"
    if not file.is_file():
        raise ConfigError(f"There is no prompt {name!r} in the language {language!r} (en or zh).")
    return file.read_text(encoding="utf-8").rstrip("\n")
