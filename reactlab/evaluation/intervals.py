"""How sure a share or a mean is, given how often it was tried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random
from statistics import NormalDist

from reactlab.errors import ConfigError


def wilson(successes: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float] | None:
    """The Wilson score interval of a share: its low and high end, both in 0..1.

    None without trials, since nothing was measured. `confidence` lies between 0 and 1. Unlike
    "mean plus or minus two standard errors" it stays within 0..1 and keeps its width at 0 of n.
    Raises `ConfigError` for counts that are impossible. Source: E. B. Wilson, "Probable
    inference, the law of succession, and statistical inference", JASA 22 (1927), 209-212.
    """
    check_confidence(confidence)
    if not 0 <= successes <= trials:
        raise ConfigError(f"There cannot be {successes!r} successes in {trials!r} trials.")
    if trials == 0:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = successes / trials, z * z / trials
    middle = (share + weight / 2) / (1 + weight)
    reach = z / (1 + weight) * sqrt(share * (1 - share) / trials + weight / (4 * trials))
    # Rounding must not put the share itself outside.
    return max(0.0, min(middle - reach, share)), min(1.0, max(middle + reach, share))


def cluster_bootstrap(
    clusters: Iterable[Sequence[float]],
    *,
    resamples: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
) -> tuple[float, float] | None:
    """The percentile interval of the mean over all values, when whole clusters are drawn anew.

    Values of one cluster (repeats of one task, variants of one template) stay together, so they
    are never counted as independent. None where all clusters have the same mean, or there are
    fewer than two: drawing anew then shows no spread, and that is no certainty. The same `seed`
    gives the same interval. With few clusters it is rather too narrow. Sources: B. Efron, R. J.
    Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13; C. A. Field, A. H. Welsh,
    "Bootstrapping clustered data", Journal of the Royal Statistical Society B 69 (2007), 369-390.
    """
    check_confidence(confidence)
    drawn = [(sum(values), len(values)) for values in clusters if values]
    if len({total / size for total, size in drawn}) < 2:
        return None
    rng, count = Random(seed), len(drawn)
    sizes = {size for _, size in drawn}
    if len(sizes) == 1:
        totals = [total for total, _ in drawn]
        size = count * sizes.pop()
        means = [sum(rng.choices(totals, k=count)) / size for _ in range(resamples)]
    else:
        means = [_ratio(rng.choices(drawn, k=count)) for _ in range(resamples)]
    means.sort()
    out = int((1 - confidence) / 2 * resamples)
    return means[out], means[-1 - out]


def mean_interval(
    clusters: Iterable[Sequence[float]], *, confidence: float = 0.95
) -> tuple[float, float] | None:
    """How sure a mean of scores in 0..1 is; None for nothing or too little.

    Wilson's interval where each cluster has one score, right or wrong, and where all scores are
    right, or all wrong (then of that many clusters); else the cluster bootstrap.
    """
    groups = [values for values in clusters if values]
    kinds = {value for values in groups for value in values}
    alone = all(len(values) == 1 for values in groups)
    if kinds <= {0.0, 1.0} and (alone or len(kinds) == 1):
        return wilson(
            round(sum(values[0] for values in groups)), len(groups), confidence=confidence
        )
    return cluster_bootstrap(groups, confidence=confidence)


def check_confidence(confidence: float) -> None:
    """Raise `ConfigError` for a confidence that is none."""
    if not 0 < confidence < 1:
        raise ConfigError(f"confidence lies between 0 and 1, as in 0.95, not {confidence!r}.")


def _ratio(drawn: list[tuple[float, int]]) -> float:
    return sum(total for total, _ in drawn) / sum(size for _, size in drawn)
