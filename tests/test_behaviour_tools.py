"""The cases about tools (section C of the case list), as every kind of agent meets them."""

from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner
from kinds import LOOPS, USERS, Kind, every_way
from scripts import act, answer, scripted
from test_http import SECRET, Server, book, forbidden, serve

from reactlab import Observation, Tool, Trace, builtin_tools
from reactlab.tools.http import HttpClient

OUTSIDE = "the secret outside"
PARAMETER = {
    "Calculator": "expression",
    "QueryDatabase": "sql",
    "ReadFile": "path",
    "CallAPI": "endpoint",
}


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A database, a folder, and beside them what nobody may see."""
    with closing(sqlite3.connect(tmp_path / "shop.db")) as database:
        database.executescript(
            "CREATE TABLE t (n INTEGER, updated_at TEXT);"
            "INSERT INTO t VALUES (1, 'monday'), (2, 'tuesday');"
            "CREATE VIEW big AS WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k"
            " WHERE n < 10000) SELECT n FROM k;"
            "CREATE VIEW fifty AS SELECT n FROM big WHERE n <= 50;"
        )
    for folder in ("data/sub", "data-old"):
        (tmp_path / folder).mkdir(parents=True)
    for path in ("data-old/a.txt", "x"):
        (tmp_path / path).write_text(OUTSIDE)
    for name in ("a b.txt", "报告.txt", "sub/c.txt"):
        (tmp_path / "data" / name).write_text(f"inside {name}", encoding="utf-8")
    texts = {
        "bom": "Grüße".encode("utf-8-sig"),
        "gbk": "会议记录：下周三开会，请带合同。".encode("gbk"),
        "cp1252": "café crème, déjà vu".encode("cp1252"),
        "utf16": "Grüße aus Köln".encode("utf-16"),
        "bad": "Grüße aus".encode() + b"\xff" + " Köln".encode(),
    }
    for name, data in texts.items():
        (tmp_path / "data" / f"{name}.txt").write_bytes(data)
    if os.name == "posix":
        (tmp_path / "data" / "out").symlink_to("../x")
        (tmp_path / "data" / "old").symlink_to("../data-old")
        (tmp_path / "data" / "near").symlink_to("sub/c.txt")
    return tmp_path


def state(world: Path) -> Any:
    """All there is: the files with what is in them, and the rows and tables of the database."""
    files = {path: path.read_bytes() for path in sorted(world.rglob("*")) if path.is_file()}
    with closing(sqlite3.connect(world / "shop.db")) as database:
        return files, list(database.iterdump())


def used(kind: Kind, run: Runner, tools: Any, name: str, given: str) -> tuple[Observation, Trace]:
    """What a tool says when the model asks for it; the run then goes on to its answer."""
    asked = act(kind.dialect, "I try.", (name, {PARAMETER[name]: given}))
    trace = run(kind.make(scripted(asked, answer(kind.dialect, "ok")), tools), "q")
    assert trace.answer == "ok"
    (use,) = trace.steps[0].uses
    assert use.arguments == {PARAMETER[name]: given}  # it was really asked for, unchanged
    return use.observation, trace


REFUSED = [
    # C-s01: the language behind the calculator
    *(("Calculator", text) for text in ("__import__('os').system('touch pwned')", "open('x')")),
    *(("Calculator", text) for text in ("().__class__.__bases__", "lambda: 1", "[x for x in 'a']")),
    *(("Calculator", text) for text in ("f'{1}'", "x := 1", "exec")),
    # C-s02: several lines, statements, decorators, comments, full-width digits
    *(("Calculator", text) for text in ("1\n2", "1;2", "@x", "1 # one", "１＋１")),
    # C-s03: powers without end
    *(("Calculator", text) for text in ("9**9**9", "(((7**60)**60)**60)**60", "3**20000000000")),
    ("Calculator", "1<<100000000"),
    # C-s05: writing behind a WITH
    *(
        ("QueryDatabase", f"WITH k(n) AS (SELECT 7) {rest}")
        for rest in (
            "DELETE FROM t",
            "UPDATE t SET n = 0",
            "INSERT INTO t SELECT n, 'x' FROM k RETURNING n",
        )
    ),
    # C-s07: several statements, comments, other verbs
    *(
        ("QueryDatabase", sql)
        for sql in (
            *("SELECT 1; DROP TABLE t", "SELECT 1;--\nDROP TABLE t", "/*x*/ DeLeTe FROM t"),
            *("REPLACE INTO t VALUES (1, 'x')", "CREATE TABLE z(a)", "ALTER TABLE t ADD z"),
        )
    ),
    # C-s09: out of the folder, beside it, absolute, in other spellings
    *(("ReadFile", path) for path in ("../data-old/a.txt", "../../x", "sub/../../data-old/a.txt")),
    *(
        ("ReadFile", path)
        for path in ("..\\data-old\\a.txt", "%2e%2e/data-old/a.txt", "/etc/hosts")
    ),
    # C-s12: this computer and its neighbours
    *(
        ("CallAPI", f"http://{host}:{{port}}/hello")
        for host in (
            *("127.0.0.1", "LOCALHOST", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "10.0.0.1"),
            *("169.254.169.254", "[::ffff:a9fe:a9fe]"),
        )
    ),
    # C-s12: a redirect, and two, to the same
    ("CallAPI", "http://front.test:{port}/redirect/302?to=http://127.0.0.1:{port}/hello"),
    (
        "CallAPI",
        "http://front.test:{port}/redirect/302?to=http://front.test:{port}"
        "/redirect/302?to=http://169.254.169.254:{port}/hello",
    ),
]
if os.name == "posix":  # C-s10: links that leave the folder
    REFUSED += [("ReadFile", "out"), ("ReadFile", "old/a.txt")]


@pytest.fixture
def server() -> Iterator[Server]:
    server = serve()
    yield server
    server.shutdown()
    server.server_close()


def _tools(world: Path, hosts: Any = ()) -> list[Tool]:
    return builtin_tools(database=world / "shop.db", folder=world / "data", hosts=hosts)


@every_way(*USERS)
def test_what_is_not_allowed_is_told_and_changes_nothing(
    kind: Kind, run: Runner, world: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    names = book(front_test="127.0.0.1")
    client = HttpClient(["*"], private_hosts=["front.test"], resolver=names)
    before, tools = state(world), _tools(world, client)
    for name, given in REFUSED:
        given = given.replace("{port}", str(server.server_port))
        seen, trace = used(kind, run, tools, name, given)
        assert seen.error == "tool_error", given
        assert "Traceback" not in seen.text
        assert OUTSIDE not in repr(trace)
        assert state(world) == before, given
    asked = [path for _, path, _ in server.seen]
    assert all(path.startswith("/redirect/") for path in asked)
    assert len(asked) == 3


READ = [
    # C-s01, C-s04: ordinary arithmetic
    ("Calculator", "2*(3+4)", "14"),
    ("Calculator", "sqrt(16)", "4"),
    ("Calculator", "-2**2", "-4"),
    ("Calculator", "7//2", "3"),
    ("Calculator", "1e3", "1000"),
    ("Calculator", "2**200", str(2**200)),
    ("Calculator", "10**90", str(10**90)),
    ("Calculator", "1.04**300", "128825.48603"),
    ("Calculator", "(1+0.06/12)**240", "3.31020447"),
    ("Calculator", "0.5**9000", "0"),
    ("Calculator", "0**900000", "0"),
    ("Calculator", "2**0.5", "1.41421356237"),
    ("Calculator", "2**-3", "0.125"),
    # C-s05, C-s06: reading, whatever words it contains
    ("QueryDatabase", "WITH k(n) AS (SELECT 7) SELECT * FROM k", "n\n7\n(1 row)"),
    ("QueryDatabase", 'SELECT 5 AS "truncate"', "truncate\n5\n(1 row)"),
    ("QueryDatabase", "SELECT 'DELETE me'", "'DELETE me'\nDELETE me\n(1 row)"),
    ("QueryDatabase", "SELECT updated_at FROM t LIMIT 1", "updated_at\nmonday\n(1 row)"),
    ("QueryDatabase", "SELECT 1 AS one -- DROP TABLE t", "one\n1\n(1 row)"),
    ("QueryDatabase", "SELECT 1 AS one;", "one\n1\n(1 row)"),
    # C-s09, C-s10: files inside
    ("ReadFile", "a b.txt", "inside a b.txt"),
    ("ReadFile", "报告.txt", "inside 报告.txt"),
    # C-s11: other encodings
    ("ReadFile", "bom.txt", "Grüße"),
    ("ReadFile", "gbk.txt", "会议记录：下周三开会，请带合同。\n[read as gb18030]"),
    ("ReadFile", "cp1252.txt", "café crème, déjà vu\n[read as cp1252]"),
    ("ReadFile", "utf16.txt", "Grüße aus Köln"),
    (
        "ReadFile",
        "bad.txt",
        "Grüße aus\ufffd Köln\n[1 unreadable characters replaced; read as utf-8]",
    ),
]
if os.name == "posix":
    READ += [("ReadFile", "near", "inside sub/c.txt")]


@every_way(*USERS)
def test_what_is_allowed_works(kind: Kind, run: Runner, world: Path) -> None:
    tools = _tools(world)
    for name, given, wanted in READ:
        seen, _ = used(kind, run, tools, name, given)
        assert not seen.error
        assert seen.text.startswith(wanted), given


@every_way(*USERS)
def test_a_row_cap_says_so_only_where_rows_are_left(
    kind: Kind, run: Runner, world: Path
) -> None:  # C-s08
    for sql, left in {
        "SELECT * FROM big": True,
        "SELECT * FROM big -- all": True,
        "SELECT * FROM fifty": False,
        "SELECT * FROM big LIMIT 3": False,
    }.items():
        seen, _ = used(kind, run, _tools(world), "QueryDatabase", sql)
        assert ("more rows exist" in seen.text) is left
        assert len(seen.text.splitlines()) == (5 if "LIMIT" in sql else 52)


@every_way(*USERS)
def test_a_named_host_can_be_allowed_by_whoever_sets_the_tool_up(
    kind: Kind, run: Runner, world: Path, server: Server
) -> None:  # C-s12
    hosts = [f"127.0.0.1:{server.server_port}"]
    address = f"http://{hosts[0]}/hello"
    seen, _ = used(kind, run, _tools(world, hosts), "CallAPI", address)
    assert (seen.text, seen.error) == ("hello", "")


@every_way(*USERS)
def test_a_body_without_end_is_cut_and_says_so(
    kind: Kind, run: Runner, world: Path, server: Server
) -> None:  # C-s13
    client = HttpClient([f"127.0.0.1:{server.server_port}"], max_bytes=3_000)
    for path in ("endless", "endless_chunks"):
        address = f"http://127.0.0.1:{server.server_port}/{path}"
        seen, _ = used(kind, run, _tools(world, client), "CallAPI", address)
        assert seen.text == "x" * 3_000 + "\n[cut after 3,000 bytes]"


@every_way(*USERS)
def test_a_server_that_never_answers_is_given_up_and_the_run_goes_on(
    kind: Kind, run: Runner, world: Path, server: Server
) -> None:  # C-s14
    client = HttpClient([f"127.0.0.1:{server.server_port}"], seconds=0.1)
    again = 3 if kind.name == "robust" else 1  # it asks again, within the step
    address = f"http://127.0.0.1:{server.server_port}/silent"
    seen, _ = used(kind, run, _tools(world, client), "CallAPI", address)
    assert "did not answer completely in time" in seen.text
    assert seen.error == "unavailable"
    assert len(server.seen) == again


HANGING = """
import asyncio, sys, threading, time
from kinds import USERS
from scripts import act, answer, scripted
from reactlab import Tool

def nap(text):
    time.sleep(600)

async def nap_later(text):
    time.sleep(600)

way, = sys.argv[1:]
tools = [
    Tool("nap", "Hang.", nap, timeout=0.2),
    Tool("later", "Hang in a loop of its own.", nap_later, timeout=0.2),
    Tool("fine", "Work.", lambda text: f"fine {text}"),
]
for kind in USERS:
    names = ["nap"] if way == "arun" else ["nap", "later"]  # it would hold the loop
    for name in names:
        llm = scripted(act(kind.dialect, "t", (name, {"text": "a"})), answer(kind.dialect, "ok"))
        if kind.dialect == "tools":  # a tool that hangs beside one that works
            calls = ((name, {"text": "a"}), ("fine", {"text": "b"}), (name, {"text": "c"}))
            llm = scripted(act(kind.dialect, "t", *calls), answer(kind.dialect, "ok"))
        agent = kind.make(llm, tools)
        if way == "run":
            trace = agent.run("q")
        elif way == "arun" and kind.name != "simple":
            trace = asyncio.run(agent.arun("q"))
        elif way == "iter" and kind.name != "simple":
            trace = list(agent.iter("q"))[0].item
        else:
            continue
        seen = [(use.call.name, use.observation.error) for use in trace.steps[0].uses]
        wanted = [(name, "timeout")]
        if kind.dialect == "tools":
            wanted = [(name, "timeout"), ("fine", ""), (name, "timeout")]
        assert (trace.answer, seen) == ("ok", wanted), (kind.name, seen, trace)
        text = str(trace.steps[0].observations[0])
        assert name in text and "0.2" in text, text
        after = kind.make(scripted(act(kind.dialect, "t", ("fine", {"text": "b"})),
                                   answer(kind.dialect, "ok")), tools).run("q")
        assert str(after.steps[0].observations[0]) == "fine b"
assert sum(thread.name == "reactlab" for thread in threading.enumerate()) > 5  # they still hang
print("ended")
"""


@pytest.mark.parametrize("way", ["run", "arun", "iter"])
def test_a_hanging_tool_holds_neither_run_nor_exit(way: str) -> None:
    """C-s15: the tools hang for ten minutes; a fresh process with all kinds of agents ends."""
    done = subprocess.run(
        [sys.executable, "-c", HANGING, way],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )
    assert (done.returncode, done.stdout.strip()) == (0, "ended"), done.stderr


@every_way(*LOOPS)
def test_a_secret_is_in_nothing_that_a_run_leaves(
    kind: Kind,
    run: Runner,
    world: Path,
    server: Server,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:  # C-s16
    caplog.set_level(logging.DEBUG)
    client = HttpClient(
        [f"127.0.0.1:{server.server_port}"],
        headers={"Authorization": f"Bearer {SECRET}", "X-Api-Key": SECRET},
        resolver=forbidden,
    )
    tools = _tools(world, client)
    base = f"http://127.0.0.1:{server.server_port}"
    paths = ("echo_secret", "drop", "redirect_secret", "status/401")
    script = [
        act(kind.dialect, f"t{path}", ("CallAPI", {"endpoint": f"{base}/{path}"})) for path in paths
    ]
    llm = scripted(*script, answer(kind.dialect, "ok"))
    agent = kind.make(llm, tools)
    trace = run(agent, "q")
    assert trace.answer == "ok"
    assert [use.observation.error for step in trace for use in step.uses] == [
        *("tool_error", "unavailable", "tool_error", "tool_error")
    ]
    sent = [headers["X-Api-Key"] for *_, headers in server.seen]
    assert set(sent) == {SECRET}
    assert len(sent) >= len(paths)
    shown = [str(trace), repr(trace), trace._repr_html_(), trace._repr_markdown_()]
    shown += [trace.save(world / "t.jsonl").read_text(encoding="utf-8"), repr(agent), repr(tools)]
    shown += [request.prompt for request in llm.requests]
    shown += [caplog.text, *capfd.readouterr()]
    try:
        client.call(f"{base}/echo_secret")
    except Exception as error:
        shown += ["".join(traceback.format_exception(error)), repr(error)]
    if kind.name != "simple":
        again = kind.make(scripted(*script, answer(kind.dialect, "ok")), tools)
        shown += [repr(event) for event in again.iter("q")]
    for text in shown:
        assert SECRET not in text
        assert SECRET.lower() not in text.lower()
