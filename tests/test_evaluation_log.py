"""The log: whole items at once, nothing paid twice, everything worked out again from it alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import evaluated
import pytest
from evaluated import TASK, TEN, Sayer, of, sayer

from reactlab import (
    ReActAgent,
    Sample,
    ScriptedLLM,
    SimulatedLLM,
    Task,
    TraceFileError,
    evaluate,
    search_tools,
)
from reactlab.errors import ConfigError
from reactlab.evaluation import load, load_all, rescore, save
from reactlab.evaluation.scorers import contains, normalized, strict

NAMES = ("log.jsonl", "log.jsonl.gz")


def started(log: Path, calls: Path, **given: str) -> int:
    command = [sys.executable, evaluated.__file__, str(log), str(calls)]
    env = {**os.environ, **given}
    return subprocess.run(command, env=env, stderr=subprocess.DEVNULL, check=False).returncode


def without_times(file: Path) -> list[object]:
    def bare(value: object) -> object:
        if isinstance(value, dict):
            return {key: bare(part) for key, part in value.items() if key != "seconds"}
        return [bare(part) for part in value] if isinstance(value, list) else value

    return [bare(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", ["SIGKILL", "SIGINT"])
def test_a_killed_run_goes_on_where_it_stopped_d_s08(tmp_path: Path, name: str, how: str) -> None:
    log, calls, whole = tmp_path / name, tmp_path / "calls", tmp_path / f"whole-{name}"
    assert started(log, calls, DIE="s6", SIGNAL=how) == -signal.Signals[how]
    assert [item.sample.id for item in load(log)] == ["s1", "s2", "s3", "s4", "s5"]
    assert started(log, calls) == 0
    asked = calls.read_text(encoding="utf-8").split()
    assert Counter(asked) == {**Counter(sample.id for sample in TEN), "s6": 2}
    assert started(whole, calls) == 0
    assert load(log) == load(whole)
    if name.endswith("jsonl"):
        assert without_times(log) == without_times(whole)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("torn", [1, 40, 400])
def test_a_torn_end_is_cut_off_and_the_rest_is_kept(tmp_path: Path, name: str, torn: int) -> None:
    log = tmp_path / name
    results = evaluate(sayer, TASK, log=log)
    raw = log.read_bytes()
    log.write_bytes(raw[: -min(torn, len(raw) // 2)])
    assert sum(map(len, load_all(log))) < 10 or torn == 1
    assert evaluate(sayer, TASK, log=log) == results
    assert load(log) == results


def test_the_same_call_again_asks_no_model(tmp_path: Path) -> None:
    log, calls = tmp_path / "log.jsonl", tmp_path / "calls"
    agent = ReActAgent(Sayer(str(calls)))
    first = evaluate(agent, TASK, log=log)
    before, written = calls.read_text(encoding="utf-8"), log.read_bytes()
    assert evaluate(agent, TASK, log=log) == first
    assert (calls.read_text(encoding="utf-8"), log.read_bytes()) == (before, written)
    more = evaluate(agent, TASK, log=log, epochs=2)
    assert (len(more), len(calls.read_text(encoding="utf-8").split())) == (20, 20)
    assert evaluate(agent, TASK, log=log) == first
    assert len(load(log)) == 20


def test_one_file_holds_several_evaluations_apart(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    one = evaluate(ReActAgent(Sayer()), TASK, log=log)
    two = evaluate(ReActAgent(Sayer(), max_steps=2), TASK, log=log)
    assert load_all(log) == [one, two]
    with pytest.raises(ConfigError, match="holds 2 evaluations"):
        load(log)


def test_a_question_that_changed_is_asked_again_and_another_answer_only_scored(
    tmp_path: Path,
) -> None:
    log, calls = tmp_path / "log.jsonl", tmp_path / "calls"
    agent = ReActAgent(Sayer(str(calls)))
    evaluate(agent, TASK, log=log)
    changed = (
        replace(TEN[0], question="Say s11.", expected="s11"),
        replace(TEN[1], expected="S2"),
        *TEN[2:],
    )
    results = evaluate(agent, Task("ten", changed, strict), log=log)
    assert calls.read_text(encoding="utf-8").split()[10:] == ["s11"]
    assert [item.value for item in results][:3] == [1.0, 0.0, 1.0]


def test_an_error_is_kept_and_is_run_again_when_asked(tmp_path: Path) -> None:
    log, calls = tmp_path / "log.jsonl", tmp_path / "calls"
    calls.mkdir()  # the model cannot note what it is asked, so that every run breaks
    agent = ReActAgent(Sayer(str(calls)))
    assert evaluate(agent, TASK, log=log).all_failed
    calls.rmdir()
    assert evaluate(agent, TASK, log=log).all_failed
    assert evaluate(agent, TASK, log=log, retry_errors=True).score == 1.0
    assert load(log).score == 1.0


def test_a_scorer_that_raised_is_tried_again_without_a_call(tmp_path: Path) -> None:
    log, calls, sick = tmp_path / "log.jsonl", tmp_path / "calls", [True]
    agent = ReActAgent(Sayer(str(calls)))

    def scorer(trace, sample):  # type: ignore[no-untyped-def]
        if sick and sample.id == "s6":
            raise ValueError("sick")
        return strict(trace, sample)

    task = Task("ten", TEN, scorer)
    assert len(evaluate(agent, task, log=log).errors) == 1
    assert len(load(log).errors) == 1
    sick.clear()
    assert evaluate(agent, task, log=log).score == 1.0
    assert len(calls.read_text(encoding="utf-8").split()) == 10


@pytest.mark.parametrize("name", NAMES)
def test_prompts_may_be_left_out_and_everything_is_still_worked_out(
    tmp_path: Path, name: str
) -> None:
    question = "How tall is the Eiffel Tower?"
    task = Task("tower", (Sample("t", question, "330"),), contains)
    agent = ReActAgent(SimulatedLLM(), search_tools())
    results = evaluate(agent, task, log=tmp_path / f"full-{name}")
    bare = save([results], tmp_path / name, requests=False)
    assert bare.stat().st_size < (tmp_path / f"full-{name}").stat().st_size
    back = load(bare)
    assert not any(call.request.messages for call in back.calls)
    assert repr(back) == repr(results)
    for scorer in (contains, strict, normalized):
        assert rescore(back, scorer).by_sample() == rescore(results, scorer).by_sample()


def test_a_saved_file_is_the_same_byte_by_byte(tmp_path: Path) -> None:
    results = of(1, 0, None, 0.5)
    one, two = (save([results], tmp_path / name) for name in ("a.jsonl.gz", "b.jsonl.gz"))
    assert one.read_bytes() == two.read_bytes()
    assert load(one) == results


def test_what_the_model_said_survives_in_any_language(tmp_path: Path) -> None:
    said = "Thought: 想\u2028好了 \ud83d 🙂\nFinal Answer: 答案 “是” \x85"
    task = Task("zh", (Sample("一", "问题？", "答案"),), contains)
    results = evaluate(ReActAgent(ScriptedLLM([said])), task, log=tmp_path / "日志.jsonl")
    assert load(tmp_path / "日志.jsonl") == results


@pytest.mark.parametrize("text", ["{}\n", "[1]\n", "nothing\n", '{"trace": 1}\n'])
def test_what_is_no_log_is_told_with_its_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TraceFileError, match=r"Line 1 of .*other\.jsonl is no line"):
        load_all(file)
    with pytest.raises(TraceFileError):
        evaluate(sayer, TASK, log=file)
    assert file.read_text(encoding="utf-8") == text


def test_a_missing_file_is_told() -> None:
    with pytest.raises(TraceFileError, match="cannot be read"):
        load("nowhere.jsonl")
