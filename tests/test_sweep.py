"""The fault sweep: its tasks are solved without faults, and what is stored is what comes out."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from reactlab.course import edition
from reactlab.course.fault_slider import fault_slider, kind_table
from reactlab.course.sweep import (
    AGENTS,
    KINDS,
    MIXED,
    POINTS,
    RATES,
    RUNS,
    SERIES,
    fault_tasks,
    stored_kinds,
    stored_runs,
    stored_sweep,
    with_faults,
)
from reactlab.errors import ConfigError
from reactlab.evaluation import evaluate
from reactlab.evaluation.scorers import contains


def test_at_least_fifty_distinct_tasks_in_both_languages():
    samples = fault_tasks().samples
    assert len({sample.question for sample in samples}) == len(samples) >= 50
    assert {sample.meta["lang"] for sample in samples} == {"en", "zh"}


@pytest.mark.parametrize("agent", AGENTS)
def test_all_tasks_are_solved_without_faults(agent):
    results = evaluate(with_faults(agent, MIXED, 0.0), fault_tasks(), workers=2)
    assert results.score == 1.0


def test_the_stored_rows_are_what_the_stored_runs_score_now():
    again = {(p.agent, p.rate): p for p in stored_sweep(AGENTS)}
    rows = {(p.agent, p.rate): p for p in stored_kinds() if p.series == MIXED}
    assert again == rows
    assert {rate for _, rate in again} == set(RATES)


def test_a_stored_run_comes_out_the_same_when_it_is_made_again():
    """If agents, policies or the embedded model have changed, run tests/perf/faults.py --store."""
    for results in stored_runs(RUNS):
        series, rate = results.task.rsplit(" ", 1)
        make = with_faults(results.agent, series, int(rate.rstrip("%")) / 100)
        for item in results.items[::70]:
            trace = make(item.sample, item.epoch).run(item.sample.question)
            assert (trace.answer, trace.stop_reason) == (item.trace.answer, item.trace.stop_reason)
            assert contains(trace, item.sample).value == item.value


def test_at_least_two_hundred_runs_a_point_for_every_series():
    points = stored_kinds()
    assert {point.series for point in points} == set(SERIES)
    assert min(point.runs for point in points) >= 200


def test_the_robust_agent_holds_and_is_nowhere_worse_than_the_plain_one():
    points = {(p.series, p.rate, p.agent): p for p in stored_kinds()}
    assert points[MIXED, 0.2, "robust"].success.value >= 0.95
    for (series, rate, agent), plain in points.items():
        if agent == "plain":
            robust = points[series, rate, "robust"]
            assert robust.success.high >= plain.success.value, (series, rate)


def test_the_stored_data_is_small():
    assert sum(path.stat().st_size for path in (RUNS, KINDS, POINTS)) < 1_500_000


@pytest.mark.parametrize(("agent", "series"), [("none", MIXED), ("plain", "model:none")])
def test_an_unknown_agent_or_series_is_told_with_those_there_are(agent, series):
    with pytest.raises(ConfigError, match="mixed, model:broken_format"):
        with_faults(agent, series, 0.1)


class Tags(HTMLParser):
    """Opening and closing tags, to see that they fit."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(re.sub(r"<script>.*?</script>|<style>.*?</style>", "", text, flags=re.DOTALL))

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("br", "rect", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "path"):
            assert self.open.pop() == tag


def test_the_slider_says_in_text_all_that_it_draws(language):
    slider = fault_slider(stored_kinds())
    text, markup = repr(slider), slider._repr_html_()
    assert Tags(markup).open == []
    for rate in RATES:
        assert f"{rate:.0%}" in text
    for line in text.splitlines()[2:4]:
        assert line.strip() in markup
    edition("en")


def test_agents_differ_in_marker_and_dashes_not_in_colour_alone():
    markup = fault_slider(stored_kinds())._repr_html_()
    assert len(set(re.findall(r'stroke-dasharray="([^"]*)"', markup))) == 2
    assert len(set(re.findall(r'<path d="(M[^"]*z)"', markup))) == 2


def test_the_table_has_a_row_for_each_series():
    table = kind_table(stored_kinds(), 0.2)
    assert list(table.rows) == list(SERIES)
    assert all(name in repr(table) for name in SERIES)
    assert Tags(table._repr_html_()).open == []


def test_without_points_there_is_no_slider():
    with pytest.raises(ConfigError):
        fault_slider([], series="model:none")
