"""Everything that the course says, from one file for each notebook and edition."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from reactlab.course.words import Both, current
from reactlab.errors import ConfigError
from reactlab.trace import Trace

_FOLDER = Path(__file__).parents[1] / "data" / "course"


class Texts:
    """What one notebook says in the edition in use: title, examples, hints, quiz, messages."""

    def __init__(self, number: str) -> None:
        self.number = number

    def __call__(self, key: str, *values: object, **slots: object) -> str:
        """A message with its `{slots}` filled in."""
        return str(self["says"][key]).format(*values, **slots)

    def __getitem__(self, part: str) -> Any:
        return _read(f"{self.number}.{current()}")[part]


def stored_run(name: str) -> Trace:
    """A run that ships with the course, such as "05.compare", in the edition in use."""
    path = path_of_run(name)
    if not path.exists():
        raise ConfigError(_NO_RUN.format(name))
    return Trace.load(path)


def stored_runs(number: str) -> list[Trace]:
    """All runs of one notebook, such as "05", that ship with the course in the edition in use."""
    paths = sorted(_FOLDER.glob(f"{number}.*.{current()}.jsonl"))
    return [Trace.load(path) for path in paths if ".voice." not in path.name]


def path_of_run(name: str) -> Path:
    """The file of a stored run in the edition in use."""
    return _FOLDER / f"{name}.{current()}.jsonl"


@cache
def _read(name: str) -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


_NO_RUN = Both("There is no stored run {!r}.", "没有存档的运行 {!r}。")
