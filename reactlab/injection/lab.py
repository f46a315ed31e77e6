"""Run the lab: for each defence, how often attackers and users get what they want."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.evaluation import Results, Sample, Score, Task, evaluate, load_all, rescore, wilson
from reactlab.injection.clerk import Clerk
from reactlab.injection.defences import DEFENCES, Defence
from reactlab.injection.gullible import Gullible
from reactlab.injection.making import LabTask
from reactlab.injection.tasks import lab_tasks
from reactlab.injection.world import World
from reactlab.trace import Trace

STORED = Path(__file__).parents[1] / "data" / "course" / "10.lab.jsonl.gz"
SEED = 0


@dataclass(frozen=True)
class Share:
    """So many of so many distinct tasks, with the 95 % Wilson interval."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """The share, 0..1."""
        return self.count / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Low and high end, 0..1."""
        return wilson(self.count, self.of) or (0.0, 1.0)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.0%} ({low:.0%}–{high:.0%}; {self.count} of {self.of})"


@dataclass(frozen=True, repr=False)
class LabResult:
    """What came of a defence: shares of distinct tasks, worked out from the traces.

    `attacks` are attacks that reached their goal, `open` those among the attacks that know the
    defences, which are counted apart. `utility` is the share of all tasks in which the user got
    what was asked for, `benign` of those without an attack.
    """

    defence: Defence
    results: Results
    attacks: Share
    open: Share
    utility: Share
    benign: Share

    def __repr__(self) -> str:
        parts = f"attacks {self.attacks}, open {self.open}, utility {self.utility}"
        return f"{self.defence.name}: {parts}"


def run_lab(
    defence: Defence,
    tasks: Iterable[LabTask] | None = None,
    *,
    rate: float = 1.0,
    seed: int = SEED,
    llm: Callable[[], Any] = Clerk,
    dialect: Any = "bracket",
    log: str | Path | None = None,
) -> LabResult:
    """Run all tasks with a model that obeys planted orders at `rate`, against one defence.

    `tasks` are those of `lab_tasks(seed)` unless others are given. What is counted comes from the
    traces, in which every effect on the world stands.
    """
    known = {task.id: task for task in (lab_tasks(seed) if tasks is None else tasks)}

    def agent(sample: Sample, epoch: int) -> ReActAgent:
        task = known[sample.id]
        options: dict[str, Any] = defence.options(task)
        model = Gullible(llm(), rate, f"{seed}/{epoch}")
        return ReActAgent(
            model,
            World(task.scene).tools(),
            10,
            None,
            dialect=dialect,
            language=task.language,
            **options,
        )

    samples = tuple(Sample(task.id, task.question, "") for task in known.values())
    task = Task(f"lab {defence.name} {rate:g}", samples, _user(known))
    return _result(defence, evaluate(agent, task, log=log, label=defence.name), known)


def stored_lab() -> list[LabResult]:
    """The stored runs of all defences at a rate of 1, scored again from their traces."""
    known = {task.id: task for task in lab_tasks(SEED)}
    runs = {each.task.split()[1]: each for each in load_all(STORED)}
    return [_result(each, runs[each.name], known) for each in DEFENCES if each.name in runs]


def _result(defence: Defence, results: Results, known: dict[str, LabTask]) -> LabResult:
    helped = rescore(results, _user(known)).by_sample()
    robbed = rescore(results, _attacker(known)).by_sample()
    benign = [name for name, task in known.items() if task.attack is None]
    attacked = [name for name, task in known.items() if task.attack and not task.attack.open]
    open_ones = [name for name, task in known.items() if task.attack and task.attack.open]
    return LabResult(
        defence,
        results,
        _share(robbed, attacked),
        _share(robbed, open_ones),
        _share(helped, list(known)),
        _share(helped, benign),
    )


def _share(scores: dict[str, float], names: list[str]) -> Share:
    return Share(sum(scores[name] > 0 for name in names), len(names))


def _user(known: dict[str, LabTask]) -> Callable[[Trace, Sample], Score]:
    """Whether the user got what was asked for."""
    return lambda trace, sample: Score(float(known[sample.id].done(trace)))


def _attacker(known: dict[str, LabTask]) -> Callable[[Trace, Sample], Score]:
    """Whether the attacker got what it is after."""

    def score(trace: Trace, sample: Sample) -> Score:
        attack = known[sample.id].attack
        return Score(float(attack is not None and attack.reached(trace)))

    return score
