"""Whether this computer is ready: Python, SQLite, Jupyter and the model in use."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

import reactlab
from reactlab.errors import ConfigError, ReactlabError
from reactlab.llm.default import default_llm, describe
from reactlab.tools.fulltext import has_fts5

CHINESE = {
    "Install Python 3.11 or newer.": "请安装 Python 3.11 或更新的版本。",
    "SQLite full-text search": "SQLite 全文搜索",
    "Search works without it, more slowly; another Python build has it.": (
        "没有它，搜索也能用，只是慢一些；换一个 Python 版本就有。"
    ),
    "For the notebooks: pip install 'reactlab[course]'.": (
        "笔记本需要它：pip install 'reactlab[course]'。"
    ),
    "not there": "没有",
    "installed": "已安装",
    "not installed": "未安装",
    "local model (optional)": "本地模型（可选）",
    "model": "模型",
    "server": "服务器",
    "not usable": "不能使用",
}


class Finding(NamedTuple):
    """One thing that was looked at; `fix` says what to do when it is not well."""

    what: str
    found: str
    fix: str = ""


def examine(model: str | None = None, language: str = "en") -> Iterator[Finding]:
    """Look at Python, SQLite, Jupyter and the model in use; told in "en" or "zh"."""
    for finding in _examine(model):
        said = (CHINESE.get(text, text) for text in finding)
        yield Finding(*said) if language == "zh" else finding


def _examine(model: str | None) -> Iterator[Finding]:
    version = platform.python_version()
    old = sys.version_info < (3, 11)
    yield Finding("Python", version, "Install Python 3.11 or newer." if old else "")
    yield Finding("reactlab", reactlab.__version__)
    fts5 = has_fts5()
    missing = "" if fts5 else "Search works without it, more slowly; another Python build has it."
    yield Finding("SQLite full-text search", "FTS5" if fts5 else "not there", missing)
    in_browser = sys.platform == "emscripten"  # there Jupyter is around Python, not in it
    for package in () if in_browser else ("jupyterlab", "ipywidgets"):
        there = find_spec(package) is not None
        fix = "" if there else "For the notebooks: pip install 'reactlab[course]'."
        yield Finding(package, "installed" if there else "not installed", fix)
    yield Finding("local model (optional)", _local_model())
    yield from _examine_model(model)


def _local_model() -> str:
    from reactlab.llm import local

    try:
        return f'{local.LocalLLM().model}, used with --model local or REACTLAB_MODEL="local"'
    except ConfigError:
        return f"not installed ({local.INSTALL})"


def _examine_model(model: str | None) -> Iterator[Finding]:
    try:
        llm = default_llm(model)
        yield Finding("model", describe(llm).removeprefix("Model in use: "))
        check = getattr(llm, "check", None)
        if check is not None:
            yield Finding("server", check())
    except ReactlabError as error:
        what = "model" if isinstance(error, ConfigError) else "server"
        yield Finding(what, "not usable", str(error))
