"""The fault sweep of notebook 08: tasks, agents with faults, stored runs that are scored again."""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.agents.robust import RobustReActAgent
from reactlab.course.words import Both
from reactlab.errors import ConfigError
from reactlab.evaluation import (
    Results,
    Sample,
    Task,
    cluster_bootstrap,
    load_all,
    read_samples,
    rescore,
)
from reactlab.evaluation.scorers import contains
from reactlab.events import ModelCall, ToolUse
from reactlab.llm.faulty import MODEL_FAULTS, FaultyLLM
from reactlab.llm.simulated import SimulatedLLM
from reactlab.tools.builtin import builtin_tools
from reactlab.tools.faulty import TOOL_FAULTS, faulty_tools

DATA = Path(__file__).parents[1] / "data" / "course"
TASKS, POINTS = DATA / "08.tasks.jsonl", DATA / "08.sweep.json"
RUNS, KINDS = DATA / "08.sweep.jsonl.xz", DATA / "08.kinds.jsonl.xz"
RATES = (0.0, 0.1, 0.2, 0.3, 0.4)
EPOCHS = 4
HANGS = 1.0
"""Seconds after which a tool that hangs is given up in the sweep."""
MIXED = "mixed"
SERIES = (
    MIXED,
    *(f"model:{kind}" for kind in MODEL_FAULTS),
    *(f"tool:{kind}" for kind in TOOL_FAULTS if kind != "lost_reply"),
)
"""Mixed recoverable faults of model and tools at once, then each kind alone."""
AGENTS = {
    "bare": Both("no policies", "没有策略"),
    "plain": Both("ReActAgent", "ReActAgent"),
    "robust": Both("RobustReActAgent", "RobustReActAgent"),
}


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval, by distinct tasks."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, clusters: dict[str, list[float]], interval: tuple[float, float] | None) -> Mean:
        """The mean over all values; without an interval, both ends are the mean."""
        values = [value for group in clusters.values() for value in group]
        mean = sum(values) / len(values)
        low, high = interval or (mean, mean)
        return cls(mean, low, high)


@dataclass(frozen=True)
class Point:
    """What came of one agent at one rate of faults; calls are paid ones, for each run."""

    series: str
    rate: float
    agent: str
    tasks: int
    runs: int
    success: Mean
    calls: Mean
    tools: Mean

    @classmethod
    def of(cls, results: Results) -> Point:
        """The point of a series that these results are."""
        series, _, rate = results.task.rpartition(" ")
        success = Mean.of(results.clusters, results.interval)
        counts = [_counts(results, kind) for kind in (ModelCall, ToolUse)]
        calls, tools = (Mean.of(each, cluster_bootstrap(each.values())) for each in counts)
        share = int(rate.rstrip("%")) / 100
        return cls(series, share, results.agent, results.n, len(results), success, calls, tools)


def fault_tasks(series: str = MIXED, rate: float = 0.0) -> Task:
    """The tasks, all of them solved without faults, named after a point of the sweep."""
    return Task(f"{series} {rate:.0%}", tuple(read_samples(TASKS)), contains)


def with_faults(agent: str, series: str, rate: float) -> Callable[[Sample, int], ReActAgent]:
    """What `evaluate` takes: for each task and epoch an agent with faults of its own.

    `agent` is a key of `AGENTS`, `series` one of `SERIES`, and `rate` that of each call.
    """
    if agent not in AGENTS or series not in SERIES:
        raise ConfigError(f"Agents are {', '.join(AGENTS)}; series are {', '.join(SERIES)}.")
    return partial(_agent, agent, series, rate)


def _agent(agent: str, series: str, rate: float, sample: Sample, epoch: int) -> ReActAgent:
    language, seed = sample.meta["lang"], f"{sample.id}/{epoch}"
    side, _, kind = series.partition(":")
    rates: Any = {kind: rate} if kind else rate
    llm = FaultyLLM(SimulatedLLM(), 0 if side == "tool" else rates, seed)
    tools = _tools(language)
    if side != "model":
        tools = faulty_tools(tools, rates, seed, limit=HANGS)
    if agent == "robust":
        return RobustReActAgent(llm, tools, language=language)
    return ReActAgent(llm, tools, language=language, policies=() if agent == "bare" else None)


@cache
def _tools(language: str) -> list[Any]:
    return builtin_tools(language=language)


def stored_sweep(agents: Collection[str] = ("bare", "robust")) -> list[Point]:
    """The stored runs of these agents in the mixed series, scored again from their traces."""
    return [Point.of(rescore(results, contains)) for results in stored_runs(RUNS, agents)]


def stored_runs(
    path: Path = RUNS, agents: Collection[str] = tuple(AGENTS), series: str = ""
) -> list[Results]:
    """The stored runs of these agents with their traces; of a series alone, such as "tool:raise".

    `RUNS` holds the mixed series, `KINDS` each kind of fault by itself.
    """
    wanted = tuple(f'", "agent": "{agent}"' for agent in agents)
    text = lzma.decompress(path.read_bytes()).decode()
    lines = (line for line in text.splitlines() if line.startswith(f'{{"task": "{series}'))
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        kept = (line + "\n" for line in lines if any(word in line[:99] for word in wanted))
        log.write_text("".join(kept), encoding="utf-8", newline="\n")
        return load_all(log)


def stored_kinds() -> list[Point]:
    """All points as they were when the sweep ran, each kind of fault alone among them."""
    return [_point(row) for row in json.loads(POINTS.read_text(encoding="utf-8"))["points"]]


def as_rows(points: Iterable[Point]) -> list[dict[str, Any]]:
    """The points as they are stored."""
    return [asdict(point) for point in points]


def _point(row: dict[str, Any]) -> Point:
    means = {name: Mean(**row[name]) for name in ("success", "calls", "tools")}
    return Point(**{**row, **means})


def _counts(results: Results, kind: type) -> dict[str, list[float]]:
    """How many events of a kind each run has, by distinct task."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for item in results.items:
        found[item.sample.distinct].append(sum(isinstance(e, kind) for e in item.trace.events))
    return dict(found)
