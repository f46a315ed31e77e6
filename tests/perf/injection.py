"""Run the injection lab against every defence and store its traces without their prompts.

Run: python tests/perf/injection.py [--seeds 3]   (about a minute; writes the runs of seed 0)
"""

from __future__ import annotations

import argparse

from reactlab.evaluation import save
from reactlab.injection import DEFENCES, run_lab
from reactlab.injection.lab import SEED, STORED


def main() -> None:
    """Print a line for each defence and seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    stored = []
    for defence in DEFENCES:
        for seed in range(SEED, SEED + options.seeds):
            result = run_lab(defence, seed=seed)
            stored += [result.results] if seed == SEED else []
            print(f"seed {seed}  {result}, benign {result.benign}", flush=True)
    save(stored, STORED, requests=False)


if __name__ == "__main__":
    main()
