"""Whether this computer is ready: Python, SQLite, Jupyter and the model in use."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

import reactlab
from reactlab.errors import ConfigError, ReactlabError
from reactlab.llm.default import default_llm, unused_key
from reactlab.tools.fulltext import has_fts5
from reactlab.wording import foreign, say, tell


class Finding(NamedTuple):
    """One thing that was looked at; `fix` says what to do when it is not well."""

    what: str
    found: str
    fix: str = ""


def examine(model: str | None = None, language: str = "en") -> Iterator[Finding]:
    """Look at Python, SQLite, Jupyter and the model in use; told in "en" or "zh"."""
    for finding in _examine(model):
        yield Finding(*(tell(text, language) for text in finding))


def _examine(model: str | None) -> Iterator[Finding]:
    old = say("Install Python 3.11 or newer.") if sys.version_info < (3, 11) else ""
    yield Finding("Python", platform.python_version(), old)
    yield Finding("reactlab", reactlab.__version__)
    yield _full_text(has_fts5())
    in_browser = sys.platform == "emscripten"  # there Jupyter is around Python, not in it
    for package in () if in_browser else ("jupyterlab", "ipywidgets"):
        yield _package(package, find_spec(package) is not None)
    yield Finding(say("local model (optional)"), _local_model())
    yield from _examine_model(model)


def _full_text(there: bool) -> Finding:
    slower = say("Search works without it, more slowly; another Python build has it.")
    what = say("SQLite full-text search")
    return Finding(what, "FTS5") if there else Finding(what, say("not there"), slower)


def _package(name: str, there: bool) -> Finding:
    install = say("For the notebooks: pip install 'reactlab[course]'.")
    return (
        Finding(name, say("installed")) if there else Finding(name, say("not installed"), install)
    )


def _local_model() -> str:
    from reactlab.llm import local

    try:
        name = local.LocalLLM().model
    except ConfigError:
        return say("not installed ({command})", command=local.INSTALL)
    return say('{name}, used with --model local or REACTLAB_MODEL="local"', name=name)


def _examine_model(model: str | None) -> Iterator[Finding]:
    try:
        llm = default_llm(model)
        check = getattr(llm, "check", None)
        answers = check and foreign(check())
        yield Finding(say("model"), say("{model}{note}", model=llm.model, note=unused_key(llm)))
        if answers:
            yield Finding(say("server"), answers)
    except ReactlabError as error:
        what = say("model") if isinstance(error, ConfigError) else say("server")
        yield Finding(what, say("not usable"), foreign(error.message))
