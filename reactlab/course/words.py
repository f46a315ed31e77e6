"""The edition that a notebook is read in, and texts that stand in both."""

from __future__ import annotations

import reprlib
import unicodedata
from dataclasses import dataclass
from typing import Any, Literal

from reactlab.errors import ConfigError

Language = Literal["en", "zh"]
_edition: list[Language] = ["en"]
_repr = reprlib.Repr()
_repr.maxstring = _repr.maxother = 160
_repr.maxlist = _repr.maxtuple = 12
_LONGEST = 600  # characters of a value as a hint shows it


def edition(language: Language) -> Language:
    """Choose "en" or "zh" for all that the course prints from now on, and return it."""
    if language not in ("en", "zh"):
        raise ConfigError(f'There is no edition {language!r}; choose edition("en") or ("zh").')
    _edition[0] = language
    return language


def current() -> Language:
    """The edition in use."""
    return _edition[0]


@dataclass(frozen=True)
class Both:
    """A text in English and Chinese; `str()` is the one of the edition in use."""

    en: str
    zh: str

    def __str__(self) -> str:
        return self.zh if current() == "zh" else self.en

    def format(self, *values: object, **slots: object) -> str:
        """The text with its `{slots}` filled in."""
        return str(self).format(*values, **slots)


def plain(text: object) -> str:
    """What was typed, as if without an input method: half-width signs, no outer blanks."""
    # A member of an Enum of texts is its text, though str() says otherwise.
    typed = str.__str__(text) if isinstance(text, str) else str(text)
    return unicodedata.normalize("NFKC", typed).replace("。", ".").strip()


def needed(value: Any, kind: type | tuple[type, ...], told: Both) -> None:
    """Raise `ConfigError` with the value, {}, unless it is of that kind."""
    if not isinstance(value, kind):
        raise ConfigError(told.format("..." if value is ... else value_shown(value)))


def value_shown(value: Any) -> str:
    """A learner's value as a hint shows it: one line, never long, never failing."""
    line = " ".join(_repr.repr(value).splitlines())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} … {line[-_LONGEST // 2 :]}"


A_RUN = Both(
    "A run is needed here, what agent.run(question) returns, not {}.",
    "这里要给一次运行，也就是 agent.run(question) 返回的轨迹，而不是 {}。",
)
