"""Success and calls paid against the rate of faults, for agents with and without policies.

Run: python tests/perf/faults.py FOLDER [--series mixed tool:raise] [--agents plain robust]
Each point is one log in FOLDER; a run that was stopped goes on where it was. With --store, what
the notebook shows is written from the logs.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from reactlab.course import sweep
from reactlab.evaluation import Results, evaluate, load, save


def points(folder: Path, names: list[str], agents: list[str]) -> list[tuple[Path, str, str, float]]:
    """All points that are wanted, with the log of each; at rate 0 the series are one."""
    wanted = []
    for series in names:
        for rate in sweep.RATES:
            for agent in agents:
                alone = series != sweep.MIXED
                if (alone and agent == "bare") or (alone and not rate):
                    continue
                name = f"{series.replace(':', '-')}.{agent}.{rate:.0%}".rstrip("%")
                wanted.append((folder / f"{name}.jsonl", agent, series, rate))
    return wanted


def run(path: Path, agent: str, series: str, rate: float, epochs: int) -> Results:
    """One point, from its log as far as that goes."""
    return evaluate(
        sweep.with_faults(agent, series, rate),
        sweep.fault_tasks(series, rate),
        workers=2,
        log=path,
        requests=False,
        epochs=epochs,
        label=agent,
    )


def store(wanted: list[tuple[Path, str, str, float]], conditions: str) -> None:
    """Write what the notebook shows: the runs of all series, and a row for each point."""
    found = [load(path) for path, *_ in wanted]
    mixed = [one for one in found if one.task.startswith(f"{sweep.MIXED} ")]
    kinds = [one for one in found if not one.task.startswith(f"{sweep.MIXED} ")]
    pack(mixed, sweep.RUNS)
    pack(kinds, sweep.KINDS)
    rows = sweep.as_rows(map(sweep.Point.of, found))
    stored = {"date": datetime.now(UTC).date().isoformat(), "conditions": conditions}
    lines = ",\n".join(json.dumps(row) for row in rows)
    head = json.dumps(stored)[:-1]
    sweep.POINTS.write_text(f'{head}, "points": [\n{lines}\n]}}\n', encoding="utf-8")


def pack(results: list[Results], path: Path) -> None:
    """Write a log without prompts and times, compressed."""
    with TemporaryDirectory() as folder:
        log = save(results, Path(folder) / "log.jsonl", requests=False)
        text = re.sub(r'"seconds": [\d.e-]+', '"seconds": 0', log.read_text(encoding="utf-8"))
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def main() -> None:
    """Run what is missing and print a line for each point."""
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=Path)
    options.add_argument("--series", nargs="*", default=list(sweep.SERIES))
    options.add_argument("--agents", nargs="*", default=list(sweep.AGENTS))
    options.add_argument("--epochs", type=int, default=sweep.EPOCHS)
    options.add_argument("--store", action="store_true")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    wanted = points(given.folder, given.series, given.agents)
    for path, agent, series, rate in wanted:
        began = time.perf_counter()
        results = run(path, agent, series, rate, given.epochs)
        point = sweep.Point.of(results)
        shown = " ".join(
            f"{name} {mean.value:6.3f} [{mean.low:.3f}, {mean.high:.3f}]"
            for name, mean in (
                ("success", point.success),
                ("calls", point.calls),
                ("tools", point.tools),
            )
        )
        spent = f"{time.perf_counter() - began:.0f} s"
        sizes = f"n={point.tasks} runs={point.runs}"
        print(f"{series:28}{agent:8}{rate:4.0%} {sizes} {shown} {spent}", flush=True)
        print(f"    {results.stop_reasons}", flush=True)
    if given.store:
        store(wanted, f"{sweep.EPOCHS} seeds a task, embedded model, bracket dialect")


if __name__ == "__main__":
    main()
