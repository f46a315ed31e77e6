"""The interval of a share: against published values, at its edges, and as promised by its name."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as some

from reactlab import ConfigError
from reactlab.evaluation import wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(14, 20, 0.481, 0.855), (0, 20, 0.0, 0.161), (8, 20, 0.219, 0.613), (5, 20, 0.112, 0.469),
     (20, 20, 0.839, 1.0), (1, 1, 0.207, 1.0), (81, 263, 0.255, 0.366)],
)  # fmt: skip
def test_the_interval_has_the_published_ends(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert wilson(successes, trials) == (
        pytest.approx(low, abs=6e-4),
        pytest.approx(high, abs=6e-4),
    )


def test_nothing_tried_is_nothing_known() -> None:
    assert wilson(0, 0) is None


@given(trials=some.integers(1, 400), data=some.data())
def test_it_stays_within_0_and_1_around_the_share_and_mirrors(
    trials: int, data: some.DataObject
) -> None:
    successes = data.draw(some.integers(0, trials))
    low, high = wilson(successes, trials) or (2, -1)
    assert 0 <= low <= successes / trials <= high <= 1
    assert wilson(trials - successes, trials) == (pytest.approx(1 - high), pytest.approx(1 - low))
    assert (wilson(successes, trials, confidence=0.5) or (0, 0))[0] >= low


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.9])
def test_about_19_of_20_intervals_hold_the_true_share(share: float) -> None:
    trials = 40
    chance = [comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(trials + 1)]
    ends = [wilson(k, trials) or (2, 2) for k in range(trials + 1)]
    covered = sum(p for p, (low, high) in zip(chance, ends, strict=True) if low <= share <= high)
    assert 0.91 < covered < 0.99


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5), (0, -1)])
def test_impossible_counts_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(ConfigError, match="trials"):
        wilson(successes, trials)


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_a_confidence_that_is_none_is_refused(confidence: float) -> None:
    with pytest.raises(ConfigError, match=r"0\.95"):
        wilson(1, 2, confidence=confidence)
