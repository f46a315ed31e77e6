"""The tools that ship: search, calculator, database, files and HTTP, each on what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from reactlab.tools.calculator import calculator
from reactlab.tools.database import Database, sample_database
from reactlab.tools.files import Folder, sample_folder
from reactlab.tools.http import HttpClient
from reactlab.tools.pageindex import PageIndex, embedded_index
from reactlab.tools.pages import Source
from reactlab.tools.search import Browser
from reactlab.tools.shipped import texts
from reactlab.tools.tool import Tool
from reactlab.wording import tell

MAX_FACTS = 1_500
TYPES = {"params": ["object", "string"]}


def builtin_tools(
    *,
    pages: Source | PageIndex | None = None,
    database: Database | str | Path | None = None,
    folder: Folder | str | Path | None = None,
    hosts: Iterable[str] | HttpClient = (),
    language: str = "en",
) -> list[Tool]:
    """Search, Calculator, QueryDatabase, ReadFile and CallAPI, in this order.

    `pages` is whatever `Pages` takes, `database` an SQLite file, `folder` the only folder that
    can be read, `hosts` the only hosts that can be called (none by default). What is left out is
    the embedded encyclopaedia, shop and papers. `language`, "en" or "zh", is that of descriptions,
    of errors and notices, and of the encyclopaedia. Raises `ConfigError` for what cannot be opened.
    """
    search, _ = search_tools(pages, language=language)
    if not isinstance(database, Database):
        database = sample_database() if database is None else Database(database)
    if not isinstance(folder, Folder):
        folder = sample_folder() if folder is None else Folder(folder)
    client = hosts if isinstance(hosts, HttpClient) else HttpClient(tuple(hosts))
    names = tell(folder.read("."), language).partition("\n")[2]  # without the heading of the list
    allowed = "\n".join([*client.allowed_hosts, *client.private_hosts])
    return [
        search,
        _tool("Calculator", calculator, language),
        _tool("QueryDatabase", database.query, language, database.schema_text()),
        _tool("ReadFile", folder.read, language, names),
        _tool("CallAPI", client.call, language, allowed or texts(language)["phrases"]["none"]),
    ]


def search_tools(pages: Source | PageIndex | None = None, *, language: str = "en") -> list[Tool]:
    """Search and Lookup as in the ReAct paper: Lookup reads on in the page that Search opened.

    Every run has its own open page. `pages` and `language` are those of `builtin_tools`.
    """
    if not isinstance(pages, PageIndex):
        pages = embedded_index(language) if pages is None else PageIndex(pages)
    browse = partial(Browser, pages, language=language)
    return [
        _tool("Search", Browser.search, language, per_run=browse),
        _tool("Lookup", Browser.lookup, language, per_run=browse),
    ]


def _tool(
    name: str,
    func: Callable[..., str],
    language: str,
    facts: str = "",
    per_run: Callable[[], Browser] | None = None,
) -> Tool:
    """The tool as the data files describe it; `facts` are shown on one line, cut if long."""
    (_, about), *parameters = texts(language)[name].items()
    line = "; ".join(facts.splitlines())
    shown = line if len(line) <= MAX_FACTS else f"{line[:MAX_FACTS]}…"
    schema = {key: {"type": TYPES.get(key, "string"), "description": it} for key, it in parameters}
    about = about.replace("{facts}", shown)
    return Tool(name, about, func, schema, per_run=per_run, language=language)
