"""What ships as data for the tools: pages, phrases and lists of words."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from reactlab.errors import ConfigError

DATA = Path(__file__).parent.parent / "data"


def shipped(name: str, language: str) -> str:
    """The text of a data file in "en" or "zh"; raises `ConfigError` for other languages."""
    if language not in ("en", "zh"):
        raise ConfigError(f"There is no language {language!r}; choose en or zh.")
    return (DATA / name.format(language)).read_text(encoding="utf-8")


@cache
def words(kind: str) -> frozenset[str]:
    """One of the word lists that ship."""
    lists: dict[str, str] = tomllib.loads((DATA / "words.toml").read_text(encoding="utf-8"))
    return frozenset(lists[kind].split())


@cache
def texts(language: str) -> dict[str, dict[str, str]]:
    """What the tools say in "en" or "zh", by tool; raises `ConfigError` for other languages."""
    return tomllib.loads(shipped("tools.{}.toml", language))
