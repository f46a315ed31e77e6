"""Run the injection lab against every defence and store its traces without their prompts.

Run: python tests/perf/injection.py [--seeds 3] [--rate 0.5]   (about a minute)
At a rate of 1 the runs of seed 0 are written.
"""

from __future__ import annotations

import argparse

from reactlab.evaluation import paired_comparison, save
from reactlab.injection import DEFENCES, run_lab
from reactlab.injection.lab import SEED, STORED


def main() -> None:
    """Print a line for each defence and seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1.0)
    options = parser.parse_args()
    stored, bare = [], {}
    for defence in DEFENCES:
        for seed in range(SEED, SEED + options.seeds):
            result = run_lab(defence, seed=seed, rate=options.rate)
            paired = paired_comparison(bare.setdefault(seed, result.results), result.results)
            low, high = paired.interval or (paired.difference, paired.difference)
            loss = f"loss {paired.difference:.0%} ({low:.0%} to {high:.0%})"
            stored += [result.results] if seed == SEED else []
            print(f"seed {seed}  {result}, benign {result.benign}, {loss}", flush=True)
    if options.rate == 1:
        save(stored, STORED, requests=False)


if __name__ == "__main__":
    main()
