"""How sure a share of successes is, given how often it was tried."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from reactlab.errors import ConfigError


def wilson(successes: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float] | None:
    """The Wilson score interval of a share: its low and high end, both in 0..1.

    None without trials, since nothing was measured. `confidence` lies between 0 and 1. Unlike
    "mean plus or minus two standard errors" it stays within 0..1 and keeps its width at 0 of n.
    Raises `ConfigError` for counts that are impossible. Source: E. B. Wilson, "Probable
    inference, the law of succession, and statistical inference", JASA 22 (1927), 209-212.
    """
    if not 0 < confidence < 1:
        raise ConfigError(f"confidence lies between 0 and 1, as in 0.95, not {confidence!r}.")
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
