"""Two runs side by side."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import run_blocking
from scripts import DIALECTS, act, answer, scripted

from reactlab import (
    Comparison,
    Completion,
    Price,
    ReActAgent,
    StopReason,
    Trace,
    Usage,
)
from reactlab.cli import main
from reactlab.comparison import first_difference
from reactlab.errors import ConfigError, RateLimited

HOSTILE = "<script>alert(1)</script> $x$ \x1b[31m"


def echo(text: str) -> str:
    """Say it again."""
    return text


def ran(*replies: Any, dialect: str = "bracket", question: str = "q", **options: Any) -> Trace:
    agent = ReActAgent(scripted(*replies), [echo], dialect=dialect, **options)
    return run_blocking(agent, question)


def step(text: str, thought: str = "t") -> Completion:
    return act("bracket", thought, ("echo", text))


def marks(one: Trace, other: Trace) -> list[tuple[int, int, str]]:
    return [
        (pair.one.number if pair.one else 0, pair.other.number if pair.other else 0, pair.mark)
        for pair in Comparison(one, other).pairs
    ]


def words_of(markup: str) -> str:
    return unescape(re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<style>.*?</style>", "", markup)))


OK = answer("bracket", "ok")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_equal_runs_are_the_same_in_every_step_whatever_their_ids(dialect: str) -> None:
    call, same_call = (act(dialect, "t", ("echo", {"text": "a"})) for _ in range(2))
    one = ran(call, answer(dialect, "ok"), dialect=dialect)
    other = ran(same_call, answer(dialect, "ok"), dialect=dialect)
    assert marks(one, other) == [(1, 1, "same"), (2, 2, "same")]
    assert Comparison(one, other).difference == "No difference: both runs took the same steps."


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ([step("b"), OK], "in step 1, the action: echo[a] | echo[b]"),
        ([step("a", "u"), OK], "in step 1, the thought: t | u"),
        ([step("a"), answer("bracket", "no")], "in step 2, the answer: ok | no"),
        ([step("a"), "no step", OK], "in step 2, the failure: – | no step ParseError: "),
        ([step("a"), RateLimited("busy", retry_after=0), OK], "the failure: – | RateLimited: busy"),
        ([step("a")], "in step 2, the failure: – | LLMError: "),
    ],
)
def test_the_first_difference_names_step_and_part(other: list[Any], told: str) -> None:
    assert told in first_difference(ran(step("a"), OK), ran(*other))


def test_a_difference_in_what_the_world_said_is_one_of_the_observation() -> None:
    one = ran(step("a"), OK)
    other = one.branch(1, "z")
    assert "in step 1, the observation: a | z" in first_difference(one, other)


def test_two_unreadable_replies_are_not_the_same() -> None:
    one, other = ran("hm", OK), ran("ha", OK)
    assert marks(one, other)[0] == (1, 1, "first_difference")


def test_runs_with_the_same_steps_may_differ_in_how_they_ended() -> None:
    one, other = ran(step("a"), OK), ran(step("a"), OK)
    other.stop(StopReason.BUDGET, "spent")
    assert first_difference(one, other).endswith("at the end: answered | budget")
    shown = Comparison(one, other)
    assert "End · first difference" in repr(shown)
    assert "End · first difference" in words_of(shown._repr_html_())
    assert "Stopped: answered" in repr(shown)
    assert "Stopped (budget): spent" in repr(shown)
    again = ran(step("a"), OK)
    again.stop(StopReason.ANSWERED, "", "other")
    assert first_difference(one, again).endswith("at the end: ok | other")


def test_steps_stand_beside_each_other_by_their_numbers() -> None:
    one = ran(step("a"), step("b"), step("c"), OK)
    other = ran(step("a"), step("x"), step("c"), step("d"), OK)
    assert marks(one, other) == [
        (1, 1, "same"),
        (2, 2, "first_difference"),
        (3, 3, "same"),
        (4, 4, "different"),
        (0, 5, "different"),
    ]


def test_every_step_of_both_runs_is_shown_once() -> None:
    one = ran(*(step(text) for text in "abcabd"), OK)
    other = ran(*(step(text) for text in "abdabcabx"), OK)
    for left, right in ((one, other), (other, one), (one, Trace("q")), (Trace("q"), Trace("q"))):
        pairs = Comparison(left, right).pairs
        assert [p.one.number for p in pairs if p.one] == list(range(1, len(left) + 1))
        assert [p.other.number for p in pairs if p.other] == list(range(1, len(right) + 1))
        assert [p.mark for p in pairs].count("first_difference") <= 1


def test_a_long_text_is_told_from_where_it_differs() -> None:
    long = "x" * 500
    told = first_difference(ran(step(long + "1"), OK), ran(step(long + "2"), OK))
    assert len(told) < 250
    assert "x1]" in told
    assert "x2]" in told


def test_other_questions_are_no_difference_in_steps() -> None:
    told = first_difference(ran(OK, question="one?"), ran(OK, question="two?"))
    assert told.endswith("different questions: “one?” and “two?”.")


def test_tokens_and_a_known_cost_stand_below_each_step() -> None:
    reply = Completion("Final Answer: ok", usage=Usage(1000, 10), model="m")
    one, other = ran(reply), ran(answer("bracket", "no"))
    shown = Comparison(one, other, ("A", "B"), prices={"m": Price(1, 2)})
    assert repr(shown).count("1,000 input + 10 output tokens · $0.0010") == 1
    assert "$0.0010" in words_of(shown._repr_html_()).replace(" $ ", "$")
    assert "tokens ·" not in repr(Comparison(one, other))


def test_the_names_are_the_callers(language: Any) -> None:
    shown = Comparison(ran(OK), ran(step("a"), OK), ("before", "after"), language=language)
    for text in (repr(shown), words_of(shown._repr_html_())):
        assert "before" in text
        assert "after" in text
    named = repr(Comparison(ran(OK), ran(OK), language=language))
    assert ("存档的运行" in named) is (language == "zh")


class Wellformed(HTMLParser):
    """Every element that is opened is closed, in order; collects tags."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.feed(markup)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("steps", [True, False])
def test_the_picture_needs_no_script_and_lets_none_in(language: Any, steps: bool) -> None:
    one = ran(step(HOSTILE), answer("bracket", HOSTILE), question=HOSTILE)
    other = ran(answer("bracket", HOSTILE), question=HOSTILE)
    shown = Comparison(one, other, (HOSTILE, HOSTILE), language=language, steps=steps)
    markup = shown._repr_html_()
    assert "script" not in Wellformed(markup).seen
    assert "\x1b" not in markup
    assert "\x1b" not in repr(shown)
    assert f'lang="{language}"' in markup


def test_the_command_compares_two_files(tmp_path: Path, capsys: Any) -> None:
    one = ran(step("a"), OK).save(tmp_path / "one.jsonl")
    other = ran(step("b"), OK).save(tmp_path / "other.jsonl")
    assert main(["compare", str(one), str(other)]) == 0
    told = capsys.readouterr().out
    assert "one.jsonl  |  other.jsonl" in told
    assert "Step 1 · first difference" in told
    assert main(["compare", str(one), str(other), "--language", "zh"]) == 0
    assert "第一处差别" in capsys.readouterr().out
    assert main(["compare", str(one), str(tmp_path / "none.jsonl")]) == 1


@pytest.mark.parametrize("names", ["ab", ("a",), ("a", "b", "c"), (1, 2), 5])
def test_names_that_are_not_two_are_refused(names):
    with pytest.raises(ConfigError, match="two texts"):
        Comparison(Trace("q"), Trace("q"), names)


def test_only_traces_are_compared():
    with pytest.raises(ConfigError, match="A trace is expected"):
        Comparison(Trace("q"), "x")
