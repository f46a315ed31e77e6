"""Loops: what is one, what only looks like one, and that finding them costs little."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reactlab.errors import ConfigError
from reactlab.events import Failure, ModelCall, ToolUse
from reactlab.loops import Loop, LoopDetector, find_loop
from reactlab.samecall import same_call, split_call
from reactlab.trace import Trace
from reactlab.types import Completion, Decision, Message, Observation, Request, ToolCall

CASES = Path(__file__).parent / "cases" / "loops.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
ASKED = Request((Message("user", "q"),))


class Naive:
    """The detector that circulates: three equal actions in a row, or A-B-A."""

    def __init__(self) -> None:
        self.actions: list[str] = []

    def record(self, thought: str, action: Any, observation: Any = None) -> None:
        self.actions.append(str(action))

    def is_looping(self) -> bool:
        last = self.actions[-3:]
        return len(last) == 3 and last[0] == last[2]


def turns(row: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """The turns of a labelled sequence as `record` takes them."""

    def one(action: Any) -> Any:
        return (action["name"], action["input"]) if isinstance(action, dict) else action

    for thought, action, seen in row["turns"]:
        yield thought, list(map(one, action)) if isinstance(action, list) else one(action), seen


def found_at(detector: Any, row: dict[str, Any]) -> int | None:
    """The number of the turn at which a loop was first seen."""
    for number, turn in enumerate(turns(row), 1):
        detector.record(*turn)
        if detector.is_looping():
            return number
    return None


def is_right(detector: Any, row: dict[str, Any]) -> bool:
    found = found_at(detector, row)
    return found is not None and found <= row["by"] if row["loop"] else found is None


def as_trace(row: dict[str, Any]) -> Trace:
    """The sequence as an agent would have recorded it."""
    trace = Trace("q")
    for thought, action, seen in turns(row):
        actions, seen = (action, seen) if isinstance(action, list) else ([action], [seen])
        calls = tuple(as_call(each) for each in actions if each)
        trace.add(ModelCall(ASKED, Completion(thought, calls)))
        trace.add(Decision(thought, calls))
        for call, text in zip(calls, seen, strict=False):
            trace.add(ToolUse(call, Observation(text or "")))
    return trace


def as_call(action: Any) -> ToolCall:
    name, given = split_call(action)
    return ToolCall(name, given)


def repeated(call: ToolCall, results: list[str]) -> Trace:
    trace = Trace("q")
    for number, result in enumerate(results):
        trace.add(ModelCall(ASKED, Completion(f"turn {number}", (call,))))
        trace.add(Decision(f"turn {number}", (call,)))
        trace.add(ToolUse(call, Observation(result)))
    return trace


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['id']}-{row['kind']}")
def test_each_labelled_sequence_is_judged_right(row):
    assert is_right(LoopDetector(), row)


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r["id"])
def test_a_trace_is_judged_by_the_same_rule(row):
    trace = as_trace(row)
    assert (find_loop(trace) is not None) == row["loop"]


def test_there_are_as_many_sequences_of_both_kinds_as_promised():
    for loop in (True, False):
        rows = [row for row in ROWS if row["loop"] is loop]
        assert len(rows) >= 30
        assert {row["lang"] for row in rows} == {"en", "zh"}
        assert len(rows) // 2 == sum(row["held_out"] for row in rows)
    assert len({json.dumps(row["turns"]) for row in ROWS}) == len(ROWS)


def test_the_circulating_detector_is_wrong_on_a_third_of_them():
    right = sum(is_right(Naive(), row) for row in ROWS)
    assert right < 0.7 * len(ROWS)


@pytest.mark.parametrize("threshold", [2, 3, 4, 6])
def test_a_repeat_is_a_loop_when_the_threshold_is_reached(threshold):
    detector = LoopDetector(threshold)
    for number in range(1, 10):
        detector.record("Again.", "Search[x]", "nothing")
        assert detector.is_looping() == (number >= threshold)


@pytest.mark.parametrize("length", [2, 3, 4])
def test_a_cycle_is_seen_within_three_rounds_wherever_it_begins(length):
    detector = LoopDetector()
    for start in range(5):
        detector.record("", f"start[{start}]", "ok")
    seen = []
    for number in range(3 * length):
        detector.record("", f"turn[{number % length}]", f"result {number % length}")
        seen.append(detector.is_looping())
    assert seen[-1]
    assert not any(seen[: 2 * length - 1])
    assert detector.loop is not None
    assert detector.loop.length == length


def test_a_loop_says_what_repeats():
    detector = LoopDetector()
    assert detector.loop is None
    for _ in range(3):
        detector.record("a", "Search[x]", "1")
        detector.record("b", ("read", {"path": "a.txt"}), "2")
    assert detector.loop == Loop(2, ("Search[x]", "read[{'path': 'a.txt'}]"), 2, True)


def test_thoughts_alone_are_compared_by_their_first_hundred_characters():
    detector = LoopDetector()
    for number in range(3):
        detector.record("t" * 100 + str(number), "")
    assert detector.loop == Loop(1, ("t" * 100,), 3, False)
    other = LoopDetector()
    for number in range(3):
        other.record("t" * 99 + str(number), None)
    assert not other.is_looping()


def test_a_changed_result_is_no_repeat_however_often_the_call_is_made():
    trace = repeated(ToolCall("status"), [f"{done}%" for done in range(0, 100, 10)])
    assert find_loop(trace) is None
    assert find_loop(repeated(ToolCall("status"), ["10%"] * 3)) is not None


def test_the_loop_is_over_when_something_else_is_done():
    detector = LoopDetector()
    for _ in range(4):
        detector.record("", "Search[x]", "nothing")
    assert detector.is_looping()
    detector.record("", "Search[y]", "something")
    assert not detector.is_looping()


def test_an_attempt_that_was_made_again_in_the_same_step_counts_once():
    trace = Trace("q")
    call = ToolCall("rates")
    for _ in range(2):
        trace.add(ModelCall(ASKED, Completion("", (call,))))
        trace.add(Decision("", (call,)))
        for attempt in (1, 2, 3):
            trace.add(ToolUse(call, Observation("503", "unavailable"), attempt=attempt))
    assert find_loop(trace) is None


def test_the_same_reply_that_cannot_be_read_is_a_loop_and_different_ones_are_not():
    def failed(*texts: str) -> Trace:
        trace = Trace("q")
        for text in texts:
            trace.add(ModelCall(ASKED, Completion(text)))
            trace.add(Failure("ParseError", "No action.", "Write an Action."))
        return trace

    assert find_loop(failed("Search x", "Search x", "Search x")) == Loop(1, ("Search x",), 3, False)
    long = "I will now look for it. " * 10
    assert find_loop(failed(long + "a", long + "b", long + "c")) is None
    assert find_loop(failed()) is None


def test_the_same_result_and_the_same_text_with_an_error_are_two_results():
    detector = LoopDetector()
    for error in ("", "timeout", ""):
        detector.record("", "rates[]", Observation("no rates", error))
    assert not detector.is_looping()


SAME = [
    ("Search[Oslo weather]", "search[ weather in Oslo ]"),
    ("Search[Oslo weather]", ("Search", {"query": "Oslo weather"})),
    ("Search[“Oslo” weather?]", ToolCall("search", "OSLO WEATHER")),
    ('read["a.txt"]', "read[a.txt]"),
    ('f[{"a": 1, "b": "x"}]', ("f", {"b": " X", "a": "1"})),
    ('f[a=1, b="x"]', ("f", {"b": "x", "a": 1.0})),
    ("计算器[１ ＋ ２]", "计算器[1+2]"),
    ("搜索[北京的天气]", "搜索［天气 北京］"),
    ("QueryDatabase[SELECT 1 ;]", "query_database[select 1]"),
]
OTHER = [
    ("Search[Paris 2021]", "Search[Paris 2022]"),
    ("Search[flights from Oslo to Rome]", "Search[flights from Rome to Oslo]"),
    ("Flights[Oslo, Rome]", "Flights[Rome, Oslo]"),
    ("Calculator[3 - 4]", "Calculator[4 - 3]"),
    ("Search[x]", "Lookup[x]"),
    ("f[1 2]", "f[12]"),
    ("Search[10 of 12 apostles]", "Search[12 of 10 apostles]"),
    (("f", {"a": 1, "b": 2}), ("f", {"a": 2, "b": 1})),
    ("搜索[从上海到北京]", "搜索[从北京到上海]"),
    ("搜索[有国王的国家]", "搜索[没有国王的国家]"),
    ("read[a b]", "read[a/b]"),
    ("f[]", "f[0]"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_call_in_other_words_is_the_same(one, other):
    assert same_call(one, other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_a_call_that_asks_for_something_else_is_another(one, other):
    assert not same_call(one, other)


class Broken:
    def __str__(self) -> str:
        raise ZeroDivisionError


def round_and_round() -> dict[str, Any]:
    inner: dict[str, Any] = {}
    inner["self"] = inner
    return inner


ODD: list[Any] = [
    None, "", 0, 1.5, float("nan"), b"x", [], [None], {}, {"name": None}, (), Broken(), object(),
    ("a", round_and_round()), ("a", "{" * 100_000), ("f", "[" * 100_000), "x" * 1_000_000,
    "\ud800", ("a", Broken()), ToolCall("", ""), {1, 2}, "{}", "[]", "a[", "］",
    ("f", {1: 2, None: 3}),
]  # fmt: skip


def test_whatever_is_recorded_nothing_is_raised():
    rng, detector = random.Random(1), LoopDetector()
    for _ in range(400):
        detector.record(rng.choice(ODD), rng.choice(ODD), rng.choice(ODD))
        assert detector.is_looping() in (True, False)


@pytest.mark.parametrize("threshold", [0, 1, -3, 2.5, True, "3", None])
def test_a_threshold_below_two_says_so(threshold):
    with pytest.raises(ConfigError, match="threshold"):
        LoopDetector(threshold)


def test_a_verdict_looks_at_the_last_turns_only():
    detector = LoopDetector()
    for number in range(1000):
        detector.record("", f"Search[{number}]", "x")
    assert len(detector._turns) < 20
    trace = repeated(ToolCall("Search", "x"), ["same"] * 300)
    assert find_loop(trace) is not None
    looked = [step for step in trace.steps if step._shown]
    assert len(looked) < 20
