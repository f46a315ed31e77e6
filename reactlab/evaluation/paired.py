"""Two agents on the same samples: how far apart, how sure, and on which samples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

from reactlab.errors import ConfigError
from reactlab.evaluation.intervals import cluster_bootstrap
from reactlab.evaluation.results import Results


@dataclass(frozen=True, repr=False)
class Paired:
    """The first set of results against the second, sample by sample.

    `scores` are both means, `difference` is the first minus the second, both over samples. `n`
    counts distinct tasks. `better` and `worse` are the ids of the samples on which the first is
    better or worse. `wins` and `losses` count distinct tasks; `p` is the exact test's.
    """

    names: tuple[str, str]
    models: tuple[str, str]
    scores: tuple[float, float]
    interval: tuple[float, float] | None
    better: tuple[str, ...]
    worse: tuple[str, ...]
    wins: int
    losses: int
    samples: int
    n: int
    language: str = "en"

    @property
    def difference(self) -> float:
        """The first mean minus the second, in -1..1."""
        return self.scores[0] - self.scores[1]

    @property
    def p(self) -> float:
        """How likely so uneven a division of the tasks that differ is, if neither were better."""
        return mcnemar(self.wins, self.losses)

    def __repr__(self) -> str:
        from reactlab.evaluation.report import as_text, paired_rows

        return as_text(paired_rows(self))

    def _repr_html_(self) -> str:
        from reactlab.evaluation.report import as_html, paired_rows

        return as_html(paired_rows(self), self.language)


def paired_comparison(one: Results, other: Results, *, seed: int = 0) -> Paired:
    """Compare two results on the same samples, which are joined by their ids.

    Each sample's score is the mean of its epochs. The interval of the difference draws whole
    distinct tasks anew (`cluster_bootstrap` of the paired differences); None if all tasks differ
    by the same, as where none does. The exact test counts each distinct task once, by which of
    the two was better on it: with one run a task, right or wrong, it is McNemar's. Raises
    `ConfigError` if the samples are not the same, or if all runs of one side broke.
    """
    pairs, distinct = _joined(one, other), {i.sample.id: i.sample.distinct for i in one}
    clusters: defaultdict[str, list[float]] = defaultdict(list)
    for name in sorted(pairs):
        clusters[distinct[name]].append(pairs[name][0] - pairs[name][1])
    drawn = [clusters[name] for name in sorted(clusters)]
    signs = [_sign(sum(values)) for values in drawn]
    return Paired(
        names=(one.agent, other.agent),
        models=(one.model, other.model),
        scores=(_mean(ours for ours, _ in pairs.values()), _mean(t for _, t in pairs.values())),
        interval=cluster_bootstrap(drawn, seed=seed),
        better=tuple(name for name, (ours, theirs) in pairs.items() if ours > theirs),
        worse=tuple(name for name, (ours, theirs) in pairs.items() if ours < theirs),
        wins=signs.count(1),
        losses=signs.count(-1),
        samples=len(pairs),
        n=len(drawn),
        language=one.language,
    )


def mcnemar(wins: int, losses: int) -> float:
    """The two-sided p of the exact McNemar test, in 0..1; 1.0 where nothing differs.

    `wins` and `losses` count the pairs in which only the first, or only the second, is right. It
    is the binomial test of wins against losses at one half. Source: Q. McNemar, "Note on the
    sampling error of the difference between correlated proportions or percentages", Psychometrika
    12 (1947), 153-157; in its exact form F. Mosteller, Psychometrika 17 (1952), 219-226.
    """
    if min(wins, losses) < 0:
        raise ConfigError(f"There cannot be {wins!r} wins and {losses!r} losses.")
    tail = sum(comb(wins + losses, k) for k in range(min(wins, losses) + 1))
    halves: int = 2 ** (wins + losses)
    return min(1.0, 2 * tail / halves)


def _joined(one: Results, other: Results) -> dict[str, tuple[float, float]]:
    """Both scores of each sample, by its id in the order of the first results."""
    for side in (one, other):
        if side.score is None:
            raise ConfigError(f"{side.agent} has no run that did not break; nothing to compare.")
    ours, theirs = one.by_sample(), other.by_sample()
    if missing := sorted(set(ours) ^ set(theirs)):
        shown = ", ".join(missing[:5]) + (" ..." if len(missing) > 5 else "")
        raise ConfigError(f"{len(missing)} samples are in one of the results only: {shown}.")
    asked = [{i.sample.id: (i.sample.question, i.sample.distinct) for i in r} for r in (one, other)]
    for name in ours:
        if asked[0][name] != asked[1][name]:
            raise ConfigError(f"Sample {name!r} is not the same in both results.")
    return {name: (ours[name], theirs[name]) for name in ours}


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _sign(value: float) -> int:
    """1, 0 or -1; what is nothing but rounding is 0."""
    return (value > 1e-9) - (value < -1e-9)
