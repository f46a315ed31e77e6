"""A task refuses what cannot be measured, before any model is called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from reactlab import ConfigError, Sample, Task
from reactlab.evaluation import read_samples
from reactlab.evaluation.scorers import contains, strict


def task(*samples: object) -> Task:
    return Task("quiz", samples, strict)  # type: ignore[arg-type]


def test_a_task_without_samples_is_refused_d_s06() -> None:
    with pytest.raises(ConfigError, match=r"'quiz' has no samples"):
        task()


def test_a_filter_that_leaves_nothing_is_refused_d_s06() -> None:
    full = task(Sample("a", "A?", "a"))
    with pytest.raises(ConfigError, match="nothing to measure"):
        replace(full, samples=tuple(s for s in full.samples if s.meta.get("lang") == "xx"))


def test_two_samples_with_one_id_are_refused_with_their_places_d_s09() -> None:
    with pytest.raises(ConfigError, match=r"samples 1 and 3 have the same id 'q1'"):
        task(Sample("q1", "A?", "a"), Sample("q2", "B?", "b"), Sample("q1", "C?", "c"))


def test_the_number_1_and_the_text_1_are_one_id_d_s09() -> None:
    given = [{"id": 1, "question": "A?", "expected": "a"}, Sample("1", "B?", "b")]
    with pytest.raises(ConfigError, match=r"samples 1 and 2 have the same id '1'"):
        task(*given)


def test_a_missing_id_is_the_same_wherever_the_sample_stands_d_s09() -> None:
    one, two = {"question": "A?", "expected": "a"}, {"question": "B?", "answer": ["b", "bee"]}
    here, there = task(one, two, Sample("x", "C?", "c")), task(two, {**one, "id": None})
    assert [sample.id for sample in here.samples[:2]] == [s.id for s in there.samples[::-1]]
    assert len({sample.id for sample in here.samples}) == 3


def test_the_same_sample_twice_without_an_id_is_refused_d_s09() -> None:
    with pytest.raises(ConfigError, match=r"samples 1 and 2 have the same id 'q-"):
        task({"question": "A?", "expected": "a"}, {"question": "A?", "expected": "a"})


def test_samples_come_from_keys_or_attributes_and_keep_what_they_do_not_know() -> None:
    mapping = {"question": "A?", "answer": ["a", "ay"], "also": ["eh"], "kind": "letter"}
    assert Sample.of(mapping) == Sample("", "A?", "a", ("ay", "eh"), meta={"kind": "letter"})
    assert Sample.of(SimpleNamespace(question="A?", expected=4)).expected == "4"


@pytest.mark.parametrize(
    "item", [{"question": "A?"}, {"expected": "a"}, {"question": "A?", "expected": []}, 7, "A?"]
)
def test_what_has_no_question_or_no_answer_is_no_sample(item: object) -> None:
    with pytest.raises(ConfigError, match="A sample has a question"):
        Sample.of(item)


def test_the_question_bank_can_be_read() -> None:
    bank = Path(__file__).parent / "data" / "questions_tune.jsonl"
    samples = Task("bank", tuple(read_samples(bank)), contains).samples
    assert len(samples) == 65
    assert {sample.meta["lang"] for sample in samples} == {"en", "zh"}
