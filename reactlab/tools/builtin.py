"""The tools that ship: search, calculator, database, files and HTTP, each on what it is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from reactlab.errors import ConfigError
from reactlab.tools.calculator import calculator
from reactlab.tools.database import Database, sample_database
from reactlab.tools.files import Folder, sample_folder
from reactlab.tools.http import HttpClient
from reactlab.tools.pageindex import PageIndex, embedded_index
from reactlab.tools.pages import Source
from reactlab.tools.search import Browser
from reactlab.tools.text import cut
from reactlab.tools.tool import Tool

Place: TypeAlias = "str | os.PathLike[str]"
_LONGEST_LIST = 1500
_TEXT = {"type": "string"}
_PAIRS = {"type": ["object", "string"]}

# Per tool: what it does, then what each of its parameters means.
ABOUT: dict[str, dict[str, tuple[str, dict[str, str]]]] = {
    "en": {
        "Search": (
            "Look up a title or words in the encyclopaedia; returns the beginning of the page, or"
            " the best sentences of several pages.",
            {"query": "a page title, such as a name, or a few words"},
        ),
        "Lookup": (
            "Find the next sentence with a keyword on the page that Search opened last; the same"
            " keyword again gives the sentence after it.",
            {"keyword": "a word or phrase to find on the page"},
        ),
        "Calculator": (
            "Work out an arithmetic expression with numbers, + - * / ** % and functions such as"
            " sqrt, round or max.",
            {"expression": "for example (3 + 4) * 2.5"},
        ),
        "QueryDatabase": (
            "Ask an SQLite database with one read-only SELECT statement. Tables: {tables}",
            {"sql": "one SELECT statement"},
        ),
        "ReadFile": (
            "Read a text file of the folder, or list a subfolder. The folder holds: {files}",
            {"path": "a path inside the folder"},
        ),
        "CallAPI": (
            "Call a web API by HTTP GET and return what it answers. Allowed hosts: {hosts}",
            {
                "endpoint": "the full address, https://host/path",
                "params": "names and values of the query string",
            },
        ),
    },
    "zh": {
        "Search": (
            "在百科中查找词条或关键词，返回该页面的开头，或几个页面中最相关的句子。",
            {"query": "词条名称，或几个关键词"},
        ),
        "Lookup": (
            "在 Search 最近打开的页面上查找包含关键词的下一句；再次用同一关键词会返回其后的句子。",
            {"keyword": "要在页面上查找的词"},
        ),
        "Calculator": (
            "计算算术表达式：数字、+ - * / ** %，以及 sqrt、round、max 等函数。",
            {"expression": "例如 (3 + 4) * 2.5"},
        ),
        "QueryDatabase": (
            "用一条只读的 SELECT 语句查询 SQLite 数据库。数据表：{tables}",
            {"sql": "一条 SELECT 语句"},
        ),
        "ReadFile": (
            "读取文件夹中的文本文件，或列出子文件夹。文件夹中有：{files}",
            {"path": "文件夹内的路径"},
        ),
        "CallAPI": (
            "用 HTTP GET 调用网络接口并返回其内容。允许的主机：{hosts}",
            {"endpoint": "完整地址 https://主机/路径", "params": "查询参数的名称和值"},
        ),
    },
}
NOBODY = {"en": "none", "zh": "无"}


def builtin_tools(
    *,
    pages: Source | PageIndex | None = None,
    database: Database | Place | None = None,
    folder: Folder | Place | None = None,
    hosts: Iterable[str] | HttpClient = (),
    language: str = "en",
) -> list[Tool]:
    """Search, Calculator, QueryDatabase, ReadFile and CallAPI, in this order.

    `pages` is whatever `Pages` takes, `database` an SQLite file, `folder` the only folder that
    can be read, `hosts` the only hosts that can be called (none by default). What is left out is
    the embedded encyclopaedia, shop and papers. `language`, "en" or "zh", is that of descriptions
    and of the encyclopaedia. Raises `ConfigError` for what cannot be opened.
    """
    data = _database(database)
    files = _folder(folder)
    client = hosts if isinstance(hosts, HttpClient) else HttpClient(allowed_hosts=tuple(hosts))
    find = partial(_search_once, _index(pages, language), language)
    allowed = ", ".join([*client.allowed_hosts, *client.private_hosts])
    return [
        _tool("Search", find, language),
        _tool("Calculator", calculator, language),
        _tool("QueryDatabase", data.query, language, tables=_one_line(data.schema_text())),
        _tool("ReadFile", files.read, language, files=_one_line(_names(files))),
        _tool("CallAPI", client.call, language, hosts=allowed or NOBODY[language]),
    ]


def search_tools(pages: Source | PageIndex | None = None, *, language: str = "en") -> list[Tool]:
    """Search and Lookup as in the ReAct paper: Lookup reads on in the page that Search opened.

    Every run has its own open page. `pages` and `language` are those of `builtin_tools`.
    """
    browse = partial(Browser, _index(pages, language), language=language)
    return [
        _tool("Search", Browser.search, language, per_run=browse),
        _tool("Lookup", Browser.lookup, language, per_run=browse),
    ]


def _tool(
    name: str,
    func: Callable[..., str],
    language: str,
    *,
    per_run: Callable[[], Browser] | None = None,
    **facts: str,
) -> Tool:
    description, meanings = _about(language)[name]
    for slot, fact in facts.items():
        description = description.replace(f"{{{slot}}}", fact)
    parameters: dict[str, dict[str, Any]] = {
        key: {**(_PAIRS if key == "params" else _TEXT), "description": meaning}
        for key, meaning in meanings.items()
    }
    return Tool(name, description, func, parameters, per_run=per_run)


def _about(language: str) -> dict[str, tuple[str, dict[str, str]]]:
    if language not in ABOUT:
        raise ConfigError(f"There is no language {language!r}; choose en or zh.")
    return ABOUT[language]


def _index(pages: Source | PageIndex | None, language: str) -> PageIndex:
    if isinstance(pages, PageIndex):
        return pages
    _about(language)
    return embedded_index(language) if pages is None else PageIndex(pages)


def _database(database: Database | Place | None) -> Database:
    if isinstance(database, Database):
        return database
    return sample_database() if database is None else Database(Path(database))


def _folder(folder: Folder | Place | None) -> Folder:
    if isinstance(folder, Folder):
        return folder
    return sample_folder() if folder is None else Folder(Path(folder))


def _search_once(index: PageIndex, language: str, query: str) -> str:
    return Browser(index, language=language).search(query)


def _names(folder: Folder) -> str:
    """What lies in the folder when the tool is made, without the heading of the list."""
    return folder.read(".").partition("\n")[2]


def _one_line(text: str) -> str:
    return cut("; ".join(text.splitlines()), _LONGEST_LIST)
