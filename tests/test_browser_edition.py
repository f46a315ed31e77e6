"""Notebooks 00 to 06, and the package, need no thread, numpy, matplotlib, widget or socket."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from reactlab.course.authoring.editions import Edition, assemble
from reactlab.course.authoring.sources import read_source

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "tests" / "browser_site.py"
SOURCES = [path for path in sorted(ROOT.glob("notebooks/source/0*.py")) if path.stem[:2] <= "06"]


def in_browser(cells, folder):
    """What a browser-like Python prints for these cells; each is [code, whether it may fail]."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("REACTLAB_")}
    command = [sys.executable, str(SITE)]
    return subprocess.run(
        command,
        input=json.dumps(cells),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=env | {"PYTHONUTF8": "1"},
    )


def in_one_cell(code, folder):
    done = in_browser([[textwrap.dedent(code), False]], folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_notebook_runs_to_its_end_where_a_browser_would_run_it(path, language, tmp_path):
    notebook = assemble(Edition(read_source(path), language, False, path))
    cells = [
        [cell.source, "raises-exception" in cell.metadata.get("tags", ())]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    done = in_browser(cells, tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    assert f"ran {len(cells)}" in done.stdout


def test_the_site_refuses_what_a_browser_does_not_have(tmp_path):
    told = in_one_cell(
        """
        import asyncio, socket, threading
        for doing in (threading.Thread(target=print).start, lambda: __import__("numpy"),
                      lambda: socket.create_connection(("127.0.0.1", 9), 1)):
            try:
                doing()
            except (RuntimeError, ImportError, OSError) as error:
                print(type(error).__name__)
        """,
        tmp_path,
    )
    assert told.split()[:3] == ["RuntimeError", "ModuleNotFoundError", "OSError"]


TWO_CALLS = """
    from reactlab import ReActAgent, ScriptedLLM, ToolCall, tool

    @tool
    def add(a: int, b: int) -> int:
        "Add two numbers."
        return a + b

    calls = [ToolCall("add", {"a": 1, "b": 2}, "1"), ToolCall("add", {"a": 3, "b": 4}, "2")]
    agent = ReActAgent(ScriptedLLM([calls, "both are there"]), [add], dialect="tools")
"""


@pytest.mark.parametrize("running", ["agent.run('?')", "await agent.arun('?')"])
def test_calls_side_by_side_are_done_one_after_another(running, tmp_path):
    code = (
        textwrap.dedent(TWO_CALLS)
        + f"\nrun = {running}\nprint(run.answer, *run.steps[0].observations)"
    )
    assert "both are there 3 7" in in_one_cell(code, tmp_path)


def test_a_live_run_shows_its_steps(tmp_path):
    code = textwrap.dedent(TWO_CALLS) + "\nprint(*[event.what for event in agent.iter('?')])"
    assert "run step model tool tool tool tool" in in_one_cell(code, tmp_path).replace(
        "model model", "model"
    )


def test_a_time_limit_that_cannot_be_kept_is_told_once(tmp_path):
    told = in_one_cell(
        """
        import warnings
        from reactlab import ReactlabWarning, Tool

        slow = Tool("Slow", "Wait.", lambda: "came", timeout=0.001)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print(slow.execute(), slow.execute(), len(caught), caught[0].category.__name__)
        """,
        tmp_path,
    )
    assert "came came 1 ReactlabWarning" in told


def test_an_async_tool_works_awaited_and_says_so_where_it_is_not(tmp_path):
    told = in_one_cell(
        """
        import asyncio
        from reactlab import ReActAgent, ScriptedLLM, tool

        @tool
        async def wait() -> str:
            "Wait a moment."
            await asyncio.sleep(0)
            return "waited"

        script = ["Thought: wait\\nAction: wait[]", "Final Answer: done"]
        run = ReActAgent(ScriptedLLM(script), [wait]).run("?")
        print(run.steps[0].observations[0])
        run = await ReActAgent(ScriptedLLM(script), [wait]).arun("?")
        print(run.steps[0].observations[0])
        """,
        tmp_path,
    )
    first, second = told.strip().splitlines()[:2]
    assert "await arun()" in first
    assert second == "waited"


def test_a_call_to_another_host_says_why_it_cannot_be(tmp_path):
    told = in_one_cell(
        """
        from reactlab import builtin_tools, ReActAgent, ScriptedLLM

        tools = builtin_tools(hosts=["example.com"])
        script = ["Thought: ask\\nAction: CallAPI[https://example.com/]", "Final Answer: done"]
        print(ReActAgent(ScriptedLLM(script), tools).run("?").steps[0].observations[0])
        """,
        tmp_path,
    )
    assert "cannot be called: no thread can start here" in told
