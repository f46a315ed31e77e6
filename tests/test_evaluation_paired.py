"""Bootstrap and McNemar: against exact values, in both directions, and where nothing is known."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import NormalDist

import pytest
from evaluated import of
from hypothesis import given
from hypothesis import strategies as some

from reactlab import ConfigError, paired_comparison
from reactlab.evaluation import Results, cluster_bootstrap, mcnemar
from reactlab.evaluation.intervals import mean_interval


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(0, 0, 1.0), (5, 1, 0.21875), (1, 5, 0.21875), (3, 3, 1.0), (6, 0, 0.03125), (1, 0, 1.0),
     (10, 2, 158 / 4096)],
)  # fmt: skip
def test_mcnemar_has_the_exact_p(wins: int, losses: int, p: float) -> None:
    assert mcnemar(wins, losses) == pytest.approx(p)


def test_mcnemar_refuses_impossible_counts_and_takes_large_ones() -> None:
    with pytest.raises(ConfigError, match="wins"):
        mcnemar(-1, 2)
    assert 0 < mcnemar(900, 1100) < 1e-4


def test_the_bootstrap_comes_near_the_exact_interval_of_a_mean() -> None:
    rng = Random(4)
    values = [rng.random() for _ in range(400)]
    mean = sum(values) / 400
    error = (sum((v - mean) ** 2 for v in values) / 400) ** 0.5 / 20
    low, high = cluster_bootstrap([v] for v in values) or (9, 9)
    reach = NormalDist().inv_cdf(0.975) * error
    assert (low, high) == (
        pytest.approx(mean - reach, abs=0.004),
        pytest.approx(mean + reach, abs=0.004),
    )


def test_repeats_make_no_interval_narrower() -> None:
    once = [[1.0]] * 12 + [[0.0]] * 8
    often = [values * 10 for values in once]
    assert cluster_bootstrap(often) == cluster_bootstrap(once)
    uneven = [values * (1 + at % 3) for at, values in enumerate(once)]
    low, high = cluster_bootstrap(uneven) or (0, 0)
    assert high - low > 0.3


def test_the_seed_decides_the_interval() -> None:
    values = [[float(at % 3)] for at in range(30)]
    assert cluster_bootstrap(values, seed=1) == cluster_bootstrap(values, seed=1)


def test_one_cluster_says_nothing_about_others() -> None:
    assert cluster_bootstrap([[0.0, 1.0, 1.0]]) is None
    assert cluster_bootstrap([]) is None


def test_no_spread_is_no_certainty() -> None:
    assert cluster_bootstrap([[0.5], [0.5, 0.5], [0.0, 1.0]]) is None
    pair = paired_comparison(of(1, 1, 1), of(0, 0, 0))
    assert (pair.difference, pair.interval, pair.p) == (1.0, None, 0.25)


def test_all_right_is_no_certainty() -> None:
    low, high = mean_interval([[1.0, 1.0]] * 5) or (0, 0)
    assert (round(low, 3), high) == (0.566, 1.0)
    assert mean_interval([]) is None


@given(some.lists(some.tuples(*[some.sampled_from([0.0, 0.5, 1.0])] * 2), min_size=1, max_size=12))
def test_a_comparison_reads_the_same_from_both_sides(pairs: list[tuple[float, float]]) -> None:
    one, other = (of(*side) for side in zip(*pairs, strict=True))
    there, back = paired_comparison(one, other), paired_comparison(other, one)
    assert there.difference == -back.difference
    assert (there.better, there.worse, there.p) == (back.worse, back.better, back.p)
    assert (there.wins, there.losses) == (back.losses, back.wins)
    if there.interval and back.interval:
        assert there.interval == (-back.interval[1], -back.interval[0])
    else:
        assert there.interval is back.interval is None


def test_samples_are_joined_by_id_and_never_by_position() -> None:
    one, other = of(1, 0, 1, 0), of(0, 0, 1, 0)
    turned = replace(other, items=other.items[::-1])
    assert paired_comparison(one, turned) == paired_comparison(one, other)
    assert paired_comparison(one, turned).better == ("q0",)
    assert "q0" in repr(paired_comparison(one, turned))


def test_other_samples_are_a_clear_error() -> None:
    with pytest.raises(ConfigError, match=r"1 samples are in one of the results only: q2"):
        paired_comparison(of(1, 1), of(1, 1, 1))
    one = of(1, 1)
    odd = replace(one.items[0], sample=replace(one.items[0].sample, question="Other?"))
    with pytest.raises(ConfigError, match="'q0' is not the same"):
        paired_comparison(one, replace(one, items=(odd, one.items[1])))


def test_a_side_that_only_broke_is_not_compared() -> None:
    with pytest.raises(ConfigError, match="did not break"):
        paired_comparison(of(1, 0), of(None, None))


def test_variants_of_one_task_are_one_win() -> None:
    def clustered(results: Results) -> Results:
        items = [
            replace(item, sample=replace(item.sample, cluster=f"c{at % 3}"))
            for at, item in enumerate(results.items)
        ]
        return replace(results, items=tuple(items))

    pair = paired_comparison(clustered(of(*[1] * 9)), clustered(of(*[0] * 9)))
    assert (pair.samples, pair.n, pair.wins, pair.p) == (9, 3, 3, 0.25)


def test_nothing_differs_is_p_1_and_no_interval() -> None:
    pair = paired_comparison(of(1, 0, 1), of(1, 0, 1))
    assert (pair.p, pair.interval, pair.difference) == (1.0, None, 0.0)
    assert "all tasks differ by the same" in repr(pair)


def test_it_says_in_both_languages_what_differs() -> None:
    pair = paired_comparison(of(1, 1, 1, 0), of(1, 0, 0, 0))
    assert "first better   q1, q2" in repr(pair)
    assert "第一个更好" in repr(replace(pair, language="zh"))
    assert "<table" in pair._repr_html_()
