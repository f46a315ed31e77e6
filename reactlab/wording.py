"""What tools, parser and run say: written in English where it is said, with its Chinese beside it.

A text does not know who will read it, so it carries both; who hands it to a model picks one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from reactlab.errors import ConfigError

TABLE = Path(__file__).parent / "data" / "wording.zh.toml"


class Wording(str):
    """An English text; `zh` is the same in Chinese."""

    zh: str

    def __new__(cls, english: str, chinese: str = "") -> Wording:
        """Put both together."""
        made = super().__new__(cls, english)
        made.zh = chinese
        return made


def say(english: str, /, **slots: object) -> Wording:
    """The text with its `{slots}` filled, in English and as the table has it in Chinese.

    A slot may hold a `Wording`. Without slots, braces are plain signs.
    """
    chinese = _table().get(english, english)
    if not slots:
        return Wording(english, chinese)
    theirs = {n: slot.zh if isinstance(slot, Wording) else slot for n, slot in slots.items()}
    return Wording(english.format(**slots), chinese.format(**theirs))


def foreign(text: str) -> Wording:
    """What Python, pydantic or SQLite says, in Chinese as well if it is one of the usual texts.

    A `Wording` stays as it is.
    """
    if isinstance(text, Wording):
        return text
    for pattern, chinese in _usual():
        if found := pattern.fullmatch(text):
            return Wording(text, chinese.format(**found.groupdict()))
    return Wording(text, text)


def tell(text: str, language: str | None) -> str:
    """The text in "en" or "zh"; None is English, and what has one language only stays as it is."""
    if not isinstance(text, Wording):
        return text
    return text.zh if language == "zh" else str(text)


def each(text: str, work: Callable[[str], str]) -> str:
    """What `work` makes of the text, of both versions if there are two."""
    return Wording(work(text), work(text.zh)) if isinstance(text, Wording) else work(text)


def join(parts: Iterable[str], between: str = "\n") -> Wording:
    """The parts as one text, in both languages."""
    parts = list(parts)
    chinese = tell(between, "zh").join(tell(part, "zh") for part in parts)
    return Wording(between.join(parts), chinese)


def known_language(language: str | None) -> str | None:
    """`language` if it is "en", "zh" or None; raises `ConfigError` for others."""
    if language not in (None, "en", "zh"):
        raise ConfigError(f"There is no language {language!r}; choose en or zh.")
    return language


@cache
def _parts() -> dict[str, dict[str, str]]:
    parts: dict[str, dict[str, str]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return parts


@cache
def _table() -> dict[str, str]:
    """English patterns and their Chinese, from all parts of the table."""
    return {english: chinese for part in _parts().values() for english, chinese in part.items()}


@cache
def _usual() -> list[tuple[re.Pattern[str], str]]:
    """The texts of others, as patterns, in the order in which they are tried."""
    slot = r"\\\{(\w+)\\\}"
    return [
        (re.compile(re.sub(slot, r"(?P<\1>.*)", re.escape(english)), re.DOTALL), chinese)
        for english, chinese in _parts()["others"].items()
    ]
