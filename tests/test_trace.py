"""Traces: what they say, and how they travel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import run_blocking
from scripts import act, answer, scripted

from reactlab import Completion, LLMError, ReActAgent, StopReason, Trace, TraceFileError, Usage
from reactlab.trace_json import from_lines, to_lines

ODD = "braces {x}, 中文, emoji 🙂, quotes \"'`, half \ud83d, <script>, \u2028 and\nlines"


def echo(text: str) -> str:
    """Say it again."""
    return text


def a_trace() -> Trace:
    replies = [
        Completion("Thought: a\nAction: echo[" + ODD + "]", usage=Usage(10, 5)),
        "no step here",
        "",
        answer("bracket", ODD),
    ]
    return run_blocking(ReActAgent(scripted(*replies), [echo]), ODD)


def test_a_trace_is_its_answer() -> None:
    trace = run_blocking(ReActAgent(scripted(answer("bracket", "42"))), "q")
    assert str(trace) == "42"
    assert len(trace) == 1


def test_a_trace_without_an_answer_says_why() -> None:
    assert str(Trace("q")) == "no answer: unfinished"
    trace = run_blocking(ReActAgent(scripted(LLMError("The server is down."))), "q")
    assert trace.answer is None
    assert str(trace) == "no answer: model_error: The server is down."


def test_json_lines_go_both_ways(tmp_path: Path) -> None:
    trace = a_trace()
    trace.after = run_blocking(ReActAgent(scripted(answer("bracket", "before"))), "earlier")
    path = trace.save(tmp_path / "run.jsonl")
    assert Trace.load(path) == trace
    assert all(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def test_a_torn_last_line_is_tolerated_at_any_character(tmp_path: Path) -> None:
    whole = "\n".join(to_lines(a_trace()))
    *_, last = whole.split("\n")
    for cut in range(1, len(last)):
        trace = from_lines(whole[:-cut].split("\n"))
        assert len(trace.steps) == len(a_trace().steps)
        assert trace.stop_reason is None


def test_an_interrupted_trace_is_resumed_from_its_file(tmp_path: Path) -> None:
    first = scripted(act("bracket", "t", ("echo", "a")), ZeroDivisionError())
    trace = Trace("q")
    with pytest.raises(ZeroDivisionError):
        ReActAgent(first, [echo]).run("q", trace=trace)
    again = Trace.load(trace.save(tmp_path / "t.jsonl"))
    llm = scripted(answer("bracket", "ok"))
    ReActAgent(llm, [echo]).run("q", trace=again)
    assert str(again) == "ok"
    assert len(llm.requests) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[1, 2]\n{}",
        '{"trace": 99}',
        '{"trace": 1, "question": "q"}\n{"Nonsense": {}}\n{"end": null}',
        '{"trace": 1, "question": "q"}\nnot json\n{"end": null}',
        '{"trace": 1, "question": "q"}\n{"Decision": {"calls": 5}}\n{"end": null}',
        '{"trace": 1, "question": "q"}\n{"end": "because"}\n{}',
        '{"trace": 1, "question": 5}',
    ],
)
def test_an_unreadable_file_gets_one_clear_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TraceFileError) as error:
        Trace.load(path)
    assert "bad.jsonl" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_a_folder_and_a_binary_file_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "b.bin").write_bytes(b"\xff\xfe\x00\x9f")
    for path in (tmp_path / "none.jsonl", tmp_path, tmp_path / "b.bin"):
        with pytest.raises(TraceFileError):
            Trace.load(path)


def test_files_are_utf8_under_any_locale(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys; from reactlab import *;"
        "t = Trace('问题 🙂'); t.stop(StopReason.ANSWERED, '', '答案 é');"
        "t.save(sys.argv[1]); assert Trace.load(sys.argv[1]) == t",
        encoding="utf-8",
    )
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    subprocess.run([sys.executable, str(script), str(tmp_path / "t.jsonl")], env=env, check=True)
    stored = (tmp_path / "t.jsonl").read_bytes()
    assert "答案 é".encode() in stored
    (tmp_path / "bom.jsonl").write_bytes(b"\xef\xbb\xbf" + stored)
    assert Trace.load(tmp_path / "bom.jsonl").answer == "答案 é"


def test_usage_is_what_was_reported() -> None:
    assert a_trace().usage == Usage(10, 5)


def test_times_do_not_count_when_traces_are_compared() -> None:
    one, other = a_trace(), a_trace()
    assert one.seconds != other.seconds
    assert one == other


def test_a_step_knows_its_parts() -> None:
    first, second, third = a_trace().steps
    assert (first.number, first.thought) == (1, "a")
    assert first.completion is not None
    assert second.failures[0].tell
    assert [failure.kind for failure in third.failures] == ["EmptyReply"]
    assert third.decision is not None
    assert third.decision.answer == ODD.strip()


def test_stop_reasons_are_the_documented_ones() -> None:
    assert " ".join(StopReason) == (
        "answered max_steps loop no_progress budget context unreadable no_plan handovers "
        "tool_failure model_error interrupted denied"
    )


def test_saving_where_a_folder_is_leaves_nothing_half_written(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        Trace("q").save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
