"""Running a task: side by side, in order, each item on its own, in threads and in processes."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from evaluated import TASK, TEN, Plain, Sayer, of, sayer

from reactlab import (
    ConfigError,
    FlightAgent,
    LLMError,
    ReActAgent,
    ReactlabWarning,
    Sample,
    Score,
    ScriptedLLM,
    SimulatedLLM,
    StopReason,
    Task,
    Tool,
    Trace,
    evaluate,
    search_tools,
)
from reactlab.evaluation import load, rescore
from reactlab.evaluation.scorers import contains, strict
from reactlab.evaluation.settings import digest
from reactlab.llm.faulty import FaultyLLM


class Dawdler:
    """An agent that takes a random time and answers with the id that the question names."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def run(self, question: str) -> str:
        time.sleep(Random(f"{self.seed}{question}").random() / 50)
        return question.removeprefix("Say ").rstrip(".")


@pytest.fixture
def processes() -> Any:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


def test_an_agent_is_measured_on_every_sample() -> None:
    results = evaluate(ReActAgent(Sayer()), TASK)
    assert (results.score, results.n, len(results)) == (1.0, 10, 10)
    assert [item.trace.answer for item in results] == [sample.expected for sample in TEN]


def test_results_stand_in_the_order_of_the_samples_d_s10(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.jsonl", "two.jsonl")]
    for seed, file in enumerate(files):
        results = evaluate(Dawdler(seed), TASK, workers=5, log=file)
        assert [item.sample for item in results] == list(TEN)
        assert all(item.trace.answer == item.sample.id for item in results)
        assert results.score == 1.0
    one, two = (file.read_text(encoding="utf-8") for file in files)
    assert one.replace(digest(Dawdler(0)), "") == two.replace(digest(Dawdler(1)), "")


def test_a_function_makes_an_agent_for_each_run() -> None:
    made = []

    def make(sample: Sample, epoch: int) -> Plain:
        made.append((sample.id, epoch))
        return Plain(sample.expected if epoch == 0 else "no idea")

    results = evaluate(make, TASK, epochs=2)
    assert sorted(set(made)) == sorted((s.id, e) for s in TEN for e in (0, 1))
    assert (results.score, results.n, len(results)) == (0.5, 10, 20)
    assert [item.epoch for item in results.items[:4]] == [0, 1, 0, 1]


def test_any_executor_will_do(processes: Any) -> None:
    here = evaluate(sayer, TASK)
    with ThreadPoolExecutor(3) as threads:
        assert evaluate(sayer, TASK, executor=threads) == here
    assert evaluate(sayer, TASK, executor=processes) == here
    assert evaluate(ReActAgent(Sayer()), TASK, executor=processes).items == here.items


def test_the_part_that_cannot_travel_is_named(processes: Any) -> None:
    tool = Tool("shout", "Shout.", lambda text: text.upper())
    with pytest.raises(ConfigError, match=r"agent\.tools.*'shout'.*func cannot be sent"):
        evaluate(ReActAgent(Sayer(), [tool]), TASK, executor=processes)
    with pytest.raises(ConfigError, match="agent cannot be sent to another process"):
        evaluate(lambda sample, epoch: sayer(sample, epoch), TASK, executor=processes)


def test_a_result_that_cannot_travel_fails_alone(processes: Any) -> None:
    results = evaluate(unsendable, TASK, executor=processes)
    assert [item.sample.id for item in results.errors] == ["s3"]


class Odd(Trace):
    """A trace that cannot leave its process."""

    def __reduce__(self) -> Any:
        raise TypeError("not me")


def unsendable(sample: Sample, epoch: int) -> Plain:
    trace = Odd(sample.question)
    trace.stop(StopReason.ANSWERED, answer="x")
    return Plain(trace if sample.id == "s3" else sample.expected)


def test_one_broken_run_fails_alone_with_its_cause_and_its_steps() -> None:
    def make(sample: Sample, epoch: int) -> Any:
        if sample.id == "s4":
            return ReActAgent(ScriptedLLM(["Thought: a\nAction: look[x]", ValueError("burst")]))
        if sample.id == "s5":
            raise KeyError("no agent today")
        return sayer(sample, epoch)

    results = evaluate(make, TASK)
    assert {item.sample.id: item.error for item in results.errors} == {
        "s4": "ValueError: burst",
        "s5": "KeyError: 'no agent today'",
    }
    assert len(results.errors[0].trace) >= 1
    assert results.score == 0.8


def test_a_model_that_fails_for_good_is_an_error_and_no_answer() -> None:
    llm = ScriptedLLM([LLMError("The server is gone.")], repeat_last=True)
    results = evaluate(ReActAgent(llm, policies=()), TASK, workers=1)
    assert results.all_failed
    assert results.errors[0].error == "model_error: The server is gone."


def test_a_scorer_that_raises_loses_no_trace() -> None:
    def moody(trace: Trace, sample: Sample) -> Score:
        if sample.id == "s6":
            raise ZeroDivisionError("bad day")
        return Score(1.0)

    results = evaluate(ReActAgent(Sayer()), Task("ten", TEN, moody))
    (broken,) = results.errors
    assert (broken.error, broken.trace.answer) == ("scoring: ZeroDivisionError: bad day", "s6")
    assert results.score == 0.9
    assert rescore(results, strict).score == 1.0
    assert rescore(results, strict).errors == ()


def test_a_score_outside_0_and_1_is_refused() -> None:
    task = Task("ten", TEN, lambda trace, sample: Score(7))
    assert "between 0 and 1" in evaluate(ReActAgent(Sayer()), task).errors[0].error


def test_somebody_elses_agent_returns_a_text_or_a_trace_and_nothing_else() -> None:
    assert evaluate(Plain(lambda question: question[4:-1]), TASK).score == 1.0
    results = evaluate(Plain(None), TASK)
    assert results.all_failed
    assert "NoneType, neither a trace nor a text" in results.errors[0].error


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: evaluate(7, TASK),
        lambda: evaluate(ReActAgent, TASK),
        lambda: evaluate(lambda sample, epoch: "no agent", TASK),
        lambda: evaluate(sayer, [{"question": "A?", "expected": "a"}]),  # type: ignore[arg-type]
        lambda: evaluate(sayer, TASK, epochs=0),
        lambda: evaluate(sayer, TASK, workers=0),
    ],
)
def test_what_cannot_be_evaluated_is_told_before_the_first_call(wrong: Any) -> None:
    with pytest.raises(ConfigError):
        wrong()


class Interrupted:
    """An agent that is interrupted at its sixth question."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def run(self, question: str) -> str:
        self.asked.append(question)
        if len(self.asked) == 6:
            raise KeyboardInterrupt
        return question[4:-1]


def test_an_interrupt_ends_the_run_and_keeps_what_is_on_disk(tmp_path: Path) -> None:
    log, agent = tmp_path / "log.jsonl", Interrupted()
    with pytest.raises(KeyboardInterrupt):
        evaluate(agent, TASK, workers=1, log=log)
    assert [item.sample.id for item in load(log)] == ["s1", "s2", "s3", "s4", "s5"]
    assert evaluate(agent, TASK, workers=1, log=log).score == 1.0
    assert len(agent.asked) == 11


def test_a_progress_bar_is_shown_where_tqdm_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    fake = ModuleType("tqdm.auto")
    fake.tqdm = lambda items, total: told.append(total) or items  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tqdm", ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", fake)
    assert evaluate(sayer, TASK, progress=True).score == 1.0
    assert told == [10]


def test_without_tqdm_it_says_so_and_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.warns(ReactlabWarning, match="needs tqdm"):
        assert evaluate(sayer, TASK, progress=True).score == 1.0


def test_settings_tell_agents_apart_and_are_the_same_in_every_process(processes: Any) -> None:
    def with_rate(rate: float) -> Any:
        return lambda sample, epoch: rate

    one, other = ReActAgent(SimulatedLLM()), ReActAgent(SimulatedLLM(), max_steps=3)
    assert digest(one) == digest(ReActAgent(SimulatedLLM())) != digest(other)
    assert digest(ReActAgent(SimulatedLLM(seed=2))) != digest(one)
    assert digest(with_rate(0.1)) != digest(with_rate(0.2)) != digest(partial(with_rate, 0.2))
    faulty = [ReActAgent(FaultyLLM(SimulatedLLM(), {"empty": rate})) for rate in (0.1, 0.2)]
    assert digest(faulty[0]) != digest(faulty[1])
    assert digest(FlightAgent(max_steps=4)) != digest(FlightAgent(max_steps=5))
    assert digest(lambda text: text.upper()) != digest(lambda text: text.lower())
    agent = ReActAgent(SimulatedLLM(), search_tools())
    assert processes.submit(digest, agent).result() == digest(agent)
    before = digest(agent)
    agent.run("How tall is the Eiffel Tower?")
    assert digest(agent) == before


def test_the_embedded_model_is_measured_with_the_bank_s_rule() -> None:
    samples = (
        Sample("en", "How tall is the Eiffel Tower?", "330"),
        Sample("no", "How tall is the Zorbulon Tower?", "not found"),
    )
    results = evaluate(ReActAgent(tools=search_tools()), Task("towers", samples, contains))
    assert [item.score and item.score.why for item in results] == ["right", "right"]


def test_made_up_results_have_the_scores_they_were_given() -> None:
    assert of(1, 0.5, None).by_sample() == {"q0": 1.0, "q1": 0.5, "q2": 0.0}
