"""The built-in tools as an agent gets them: on what they are given, described in both languages."""

from __future__ import annotations

import json
import pickle
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from reactlab.errors import ConfigError
from reactlab.tools import builtin_tools, search_tools
from reactlab.tools.database import Database
from reactlab.tools.files import Folder
from reactlab.tools.registry import ToolRegistry
from reactlab.types import Observation, ToolCall

FIVE = ("Search", "Calculator", "QueryDatabase", "ReadFile", "CallAPI")
PAGES = {
    "Mont Ventoux": "Mont Ventoux is a mountain in Provence. It is 1,910 metres high.",
    "Luberon": "The Luberon is a massif in Provence. Its top is the Mourre Nègre.",
}


def ask(registry: ToolRegistry, name: str, text: str) -> Observation:
    return registry.execute(ToolCall(name, text)).observation


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "trees.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE trees (name TEXT, height REAL);"
            "INSERT INTO trees VALUES ('oak', 21.5), ('yew', 9);"
        )
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "notes"
    path.mkdir()
    (path / "todo.txt").write_text("Water the yew.", encoding="utf-8")
    return path


class Echo(BaseHTTPRequestHandler):
    """Answers with the path and the query that it was asked."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        body = json.dumps({"path": parts.path, "query": parse_qs(parts.query)}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def host() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_there_are_five_built_ins_under_the_same_names_in_both_languages(language: str) -> None:
    tools = builtin_tools(language=language)
    assert tuple(tool.name for tool in tools) == FIVE
    assert not any(tool.effects for tool in tools)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_description_and_parameter_is_explained_and_no_slot_is_left(language: str) -> None:
    for tool in [*builtin_tools(language=language), *search_tools(language=language)]:
        about = tool.to_schema()["function"]
        assert len(about["description"]) > 15
        assert "{" not in about["description"]
        for part in about["parameters"]["properties"].values():
            assert part["description"]


def test_parameters_have_the_names_that_learners_know() -> None:
    parameters = [[item.name for item in tool.accepts] for tool in builtin_tools()]
    assert parameters == [["query"], ["expression"], ["sql"], ["path"], ["endpoint", "params"]]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ConfigError, match="choose en or zh"):
        builtin_tools(language="fr")
    with pytest.raises(ConfigError, match="choose en or zh"):
        search_tools(PAGES, language="fr")


def test_the_tools_work_on_what_they_are_given(database: Path, folder: Path) -> None:
    made = ToolRegistry(builtin_tools(pages=PAGES, database=database, folder=folder))
    assert "1,910" in ask(made, "Search", "Mont Ventoux").text
    assert ask(made, "Calculator", "2 * (3 + 4)").text == "14"
    assert "21.5" in ask(made, "QueryDatabase", "SELECT height FROM trees WHERE name = 'oak'").text
    assert ask(made, "ReadFile", "todo.txt").text == "Water the yew."


def test_the_tools_take_objects_as_well_as_paths(database: Path, folder: Path) -> None:
    tools = builtin_tools(database=Database(str(database)), folder=Folder(str(folder)))
    made = ToolRegistry(tools)
    assert "9" in ask(made, "QueryDatabase", "SELECT height FROM trees WHERE name = 'yew'").text
    assert ask(made, "ReadFile", "todo.txt").text == "Water the yew."
    same = ToolRegistry(builtin_tools(database=str(database), folder=str(folder)))
    assert same.to_prompt() == made.to_prompt()


def test_without_arguments_they_work_on_what_ships() -> None:
    made = ToolRegistry(builtin_tools())
    for name, text in (
        ("Search", "Jupiter"),
        ("QueryDatabase", "SELECT count(*) FROM orders"),
        ("ReadFile", "opening hours.txt"),
    ):
        assert ask(made, name, text).error == ""


def test_descriptions_list_tables_and_files(database: Path, folder: Path) -> None:
    prompt = ToolRegistry(builtin_tools(database=database, folder=folder)).to_prompt()
    assert "trees(name TEXT, height REAL)" in prompt
    assert "todo.txt" in prompt


def test_braces_in_a_table_name_stay_as_they_are() -> None:
    data = Database.from_sql('CREATE TABLE "{files}" (a INTEGER)')
    assert "{files}" in builtin_tools(database=data)[2].description


def test_a_long_list_of_tables_is_cut() -> None:
    data = Database.from_sql("".join(f"CREATE TABLE table_{n} (a INTEGER);" for n in range(500)))
    assert len(builtin_tools(database=data)[2].description) < 2000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Calculator", "__import__('os').system('true')"),
        ("QueryDatabase", "DELETE FROM trees"),
        ("ReadFile", "../trees.sqlite"),
        ("CallAPI", "http://127.0.0.1/"),
    ],
)
def test_what_is_not_allowed_is_refused_with_a_reason(
    name: str, text: str, database: Path, folder: Path
) -> None:
    made = ToolRegistry(builtin_tools(database=database, folder=folder))
    observation = ask(made, name, text)
    assert observation.error == "tool_error"
    assert len(observation.text) > 20
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT count(*) FROM trees").fetchone() == (2,)


def test_an_allowed_host_is_called_with_its_parameters(host: str) -> None:
    made = ToolRegistry(builtin_tools(hosts=[host]))
    wanted = {"path": "/find", "query": {"q": ["tea"]}}
    for text in (
        f'http://{host}/find, {{"q": "tea"}}',
        f"http://{host}/find, q=tea",
        f"http://{host}/find?q=tea",
        json.dumps({"endpoint": f"http://{host}/find", "params": {"q": "tea"}}),
    ):
        observation = ask(made, "CallAPI", text)
        assert observation.error == ""
        assert json.loads(observation.text[observation.text.index("{") :]) == wanted
    assert host in made.to_prompt()


def test_lookup_reads_on_in_the_page_that_search_opened_in_the_same_run() -> None:
    made = ToolRegistry(search_tools(PAGES))
    first, second = made.for_run(), made.for_run()
    ask(first, "Search", "Mont Ventoux")
    assert "1,910" in ask(first, "Lookup", "metres").text
    assert ask(second, "Lookup", "metres").error == "tool_error"
    ask(second, "Search", "Luberon")
    assert "Mourre" in ask(second, "Lookup", "top").text
    assert "(Result 1 / 1)" in ask(first, "Lookup", "Provence").text


def test_search_and_lookup_used_by_hand_share_a_page() -> None:
    search, lookup = search_tools(PAGES)
    search.execute("Mont Ventoux")
    assert "1,910" in lookup.execute(keyword="metres").text
    _, other = search_tools(PAGES)
    assert other.execute("metres").error == "tool_error"


def test_built_in_tools_can_be_pickled() -> None:
    for tool in pickle.loads(pickle.dumps([*builtin_tools(pages=PAGES), *search_tools(PAGES)])):
        assert tool.description
    search, lookup = pickle.loads(pickle.dumps(search_tools(PAGES)))
    search.execute("Luberon")
    assert "Mourre" in lookup.execute("top").text
