"""What results say: exact where known, marked where partial, and never a made-up zero."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from evaluated import TASK, Sayer, of

from reactlab import (
    Completion,
    ConfigError,
    LLMError,
    ReActAgent,
    Sample,
    ScriptedLLM,
    SimulatedLLM,
    Task,
    Usage,
    evaluate,
    search_tools,
)
from reactlab.evaluation import Results
from reactlab.evaluation.scorers import contains, strict
from reactlab.policies import Retry


def once(*replies: object, **options: object) -> Results:
    """The results of one sample whose model says this."""
    agent = ReActAgent(ScriptedLLM(replies), **options)  # type: ignore[arg-type]
    return evaluate(agent, Task("one", (Sample("a", "A?", "yes"),), strict))


ACT = "Thought: look\nAction: look[x]"
END = "Thought: done\nFinal Answer: yes"


def test_all_runs_broken_is_no_0_percent_d_s07() -> None:
    results = of(*[None] * 10)
    assert (results.score, results.interval, len(results.errors)) == (None, None, 10)
    assert results.all_failed
    assert "every run ended in an error" in repr(results)
    assert "RuntimeError: broken" in repr(results)
    assert "0.0" not in repr(results)


def test_errors_count_as_wrong_and_are_shown_d_s07() -> None:
    results = of(None, None, None, None, None, 1, 1, 1, 0, 0)
    assert (results.score, len(results.errors)) == (0.3, 5)
    assert "5 of 10 (counted as wrong)" in repr(results)
    assert "30.0%" in repr(results)


def test_missing_usage_is_marked_and_calls_are_exact_d_s12() -> None:
    said = [Completion(ACT, usage=Usage(10, 1)), Completion(ACT), Completion(END, usage=Usage(5))]
    results = once(*said)
    assert (len(results.calls), results.unreported) == (3, 1)
    assert results.usage == Usage(15, 1)
    assert "reported by 2 of 3 calls" in repr(results)


def test_usage_that_is_never_reported_is_unknown_d_s12() -> None:
    assert "tokens unknown" in repr(once(ACT, END))
    assert "tokens       –" in repr(of(1, 0))


def test_an_attempt_that_failed_is_one_call_d_s12() -> None:
    results = once(LLMError("later"), Completion(END, usage=Usage(7)), policies=[patient])
    assert (results.score, len(results.calls), results.unreported) == (1.0, 2, 1)
    assert results.usage == Usage(7)


def test_a_retry_is_paid_once_and_is_no_step_d_s13() -> None:
    empty = Completion("", usage=Usage(10))
    results = once(empty, Completion(END, usage=Usage(12)), policies=[patient])
    assert (results.usage, len(results.calls)) == (Usage(22), 2)
    assert len(results.items[0].trace) == 1


def patient(error: object, attempt: int) -> Retry | None:
    return Retry(0) if attempt < 3 else None


def test_runs_without_an_answer_are_counted_by_their_reason() -> None:
    results = once(*[ACT] * 3, max_steps=3)
    assert (results.score, len(results.unfinished), results.errors) == (0.0, 1, ())
    assert results.stop_reasons == {"max_steps": 1}
    assert "no answer    1 (max_steps 1)" in repr(results)


def test_tools_are_counted() -> None:
    task = Task("tower", (Sample("t", "How tall is the Eiffel Tower?", "330"),), contains)
    results = evaluate(ReActAgent(SimulatedLLM(), search_tools()), task)
    assert results.tool_calls == sum(len(step.uses) for step in results.items[0].trace)
    assert "says nothing about language models" in repr(results)
    assert "不能说明语言模型的水平" in repr(replace(results, language="zh"))


def test_a_real_model_has_its_name_and_no_such_note() -> None:
    results = evaluate(ReActAgent(Sayer()), TASK)
    assert "model        sayer" in repr(results)
    assert "says nothing" not in repr(results)


def test_nothing_is_no_score() -> None:
    empty = Results("t", "a", "m", "", ())
    assert (empty.score, empty.interval, empty.n) == (None, None, 0)
    assert "there are no runs" in repr(empty)


def test_repeats_and_variants_count_once() -> None:
    task = Task("t", (Sample("a", "A?", "yes", cluster="c"), Sample("b", "B?", "yes", cluster="c")),
                strict)  # fmt: skip
    results = evaluate(ReActAgent(Sayer()), task, epochs=3)
    assert (len(results), results.n, results.interval and results.interval[0]) == (6, 1, 0.0)
    mixed = replace(
        task, scorer=lambda trace, sample: strict(sample.id.replace("a", "yes"), sample)
    )
    assert "no interval" in repr(evaluate(ReActAgent(Sayer()), mixed))


def test_what_comes_from_data_is_escaped() -> None:
    page = replace(of(1), agent="<script>alert(1)</script>")._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_language_that_there_is_not_is_told() -> None:
    with pytest.raises(ConfigError, match='"en" or "zh"'):
        repr(replace(of(1), language="fr"))


def test_the_examples_of_the_guide_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = Path(__file__).parent.parent / "docs" / "evaluation.md"
    (code,) = re.findall(r"```python\n(.*?)```", guide.read_text(encoding="utf-8"), re.S)
    monkeypatch.chdir(tmp_path)
    named: dict[str, Any] = {}
    exec(code, named)
    assert (named["full"].score, named["short"].score) == (1.0, 0.0)
