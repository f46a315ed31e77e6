"""The schema of trace files says what is written and what is read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import run_blocking
from scripts import DIALECTS, act, answer, scripted

import reactlab
from reactlab import (
    Completion,
    CoTAgent,
    LLMError,
    ReActAgent,
    SimulatedLLM,
    Trace,
    TraceFileError,
    Usage,
    builtin_tools,
)
from reactlab.cli import main
from reactlab.course.runs import stopped_runs
from reactlab.errors import RateLimited
from reactlab.trace_json import from_lines, schema, to_lines

STORED = sorted((Path(reactlab.__file__).parent / "data" / "course").glob("*.*.*.jsonl"))
CHECK = jsonschema.Draft202012Validator(schema())


def echo(text: str) -> str:
    """Say it again."""
    return text


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


def traces(path: Path) -> bool:
    return path.read_text(encoding="utf-8").startswith('{"trace"')


@pytest.mark.parametrize("path", [each for each in STORED if traces(each)], ids=lambda p: p.name)
def test_every_line_of_the_stored_runs_is_valid(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        CHECK.validate(json.loads(line))


def runs() -> Iterator[Trace]:
    """As many kinds of events, failures and stop reasons as there are."""
    for dialect in DIALECTS:
        script = [act(dialect, "t", ("echo", {"text": "a"})), answer(dialect, "ok")]
        yield run_blocking(ReActAgent(scripted(*script), [echo], dialect=dialect), "q")
        agent = ReActAgent(SimulatedLLM(), builtin_tools(), dialect=dialect)
        yield run_blocking(agent, "How tall is the Eiffel Tower?")
    odd = [
        RateLimited("busy", retry_after=0.001),
        Completion("Thought: x\nAction: echo[\ud83d \u2028]", usage=Usage(1, 2, estimated=True)),
        Completion("no step", reasoning="hm", finish="length"),
        "Action: nothing[there]",
        "",
        LLMError("down"),
    ]
    yield run_blocking(ReActAgent(scripted(*odd), [echo]), "q")
    yield run_blocking(CoTAgent(scripted("Final Answer: 1")), "q")
    yield from stopped_runs(1).values()
    yield Trace("never begun")


def test_every_line_that_runs_write_is_valid() -> None:
    written = list(runs())
    for earlier, trace in zip([None, *written], written, strict=False):
        trace.after = earlier
        for line in to_lines(trace):
            CHECK.validate(json.loads(line))
    events = {type(event).__name__ for trace in written for event in trace.events}
    assert events == {"ModelCall", "Decision", "ToolUse", "Failure", "Waited"}


def test_every_event_and_stop_reason_stands_in_the_schema() -> None:
    told = json.dumps(schema())
    for name in ("ModelCall", "Decision", "ToolUse", "Failure", "Waited", *reactlab.StopReason):
        assert f'"{name}"' in told


def broken() -> Iterator[Any]:
    yield from ([], 5, None, "text", {})
    yield from ({"Nonsense": {}}, {"trace": 2, "question": "q"}, {"question": "q"})
    yield from ({"trace": 1, "question": 5}, {"trace": 1, "question": "q", "after": [5]})
    yield {"trace": 1, "question": "q", "after": [[{"Nonsense": {}}]]}
    yield {"end": "because"}
    yield {"Decision": {"calls": 5}}
    yield {"Decision": {"answer": 5}}
    yield {"Waited": {}}
    yield {"Waited": {"seconds": "long"}}
    yield {"ToolUse": {"call": {"name": "echo"}}}
    yield {"ModelCall": {"request": {"messages": [{"role": "nobody", "content": ""}]}}}
    yield {"Failure": {"kind": "LLMError"}}
    yield {"Waited": {"seconds": 1}, "Failure": {"kind": "x", "message": "y"}}


@pytest.mark.parametrize("record", [*broken()], ids=json.dumps)
def test_a_broken_line_is_neither_valid_nor_read(record: Any) -> None:
    assert not CHECK.is_valid(record)
    lines = [json.dumps(record), '{"end": null}']
    if not (isinstance(record, dict) and {"trace", "question"} & set(record)):
        lines.insert(0, '{"trace": 1, "question": "q"}')
    with pytest.raises(TraceFileError):
        from_lines(lines)


def test_the_command_prints_the_schema(capsys: Any) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema()


def test_the_example_in_the_description_is_what_comes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parent.parent / "docs" / "trace-format.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"(?s)```python\n(.*?)```", text)
    (lines,) = re.findall(r"(?s)```json\n(.*?)\n```", text)
    monkeypatch.chdir(tmp_path)
    made: dict[str, Any] = {}
    exec(compile(code, "trace-format.md", "exec", dont_inherit=True), made)
    assert from_lines(lines.splitlines()) == Trace.load(tmp_path / "run.jsonl") == made["trace"]
    for line in lines.splitlines():
        CHECK.validate(json.loads(line))
