"""Run an agent on a task: side by side, each item on its own, and never twice for the same."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from reactlab.errors import ConfigError, ReactlabWarning
from reactlab.evaluation import log as logs
from reactlab.evaluation.item import Item
from reactlab.evaluation.linefile import append, appending
from reactlab.evaluation.results import Results
from reactlab.evaluation.settings import digest
from reactlab.evaluation.task import Scorer, Task
from reactlab.evaluation.workers import model_of, run_all
from reactlab.tools.text import describe


def evaluate(
    agent: Any,
    task: Task,
    *,
    executor: Executor | None = None,
    workers: int = 4,
    log: str | Path | None = None,
    requests: bool = True,
    epochs: int = 1,
    retry_errors: bool = False,
    label: str = "",
    language: str = "en",
    progress: bool = False,
) -> Results:
    """Run every sample of the task `epochs` times and score what comes out.

    `agent` is anything with `run(question)` that returns a trace or a text, or a function
    `(sample, epoch) -> agent`, called for each run. `workers` runs are under way at once: in
    threads, or in an `executor` of `concurrent.futures`, where other processes have to be able to
    import what they get.

    `log` is a file that gets each finished item at once. The same call with the same file goes on
    where it stopped: an item is known by task, sample, epoch, agent, settings and model, and is
    not run again, unless it ended in an error and `retry_errors` is set. `requests=False` leaves
    the prompts out of the file. `label` names the agent in reports. A run that breaks fails alone,
    with its cause in `Item.error`. `progress` shows a bar if tqdm is installed.
    """
    if not isinstance(task, Task):
        raise ConfigError(f"evaluate() takes a Task, not {type(task).__name__}.")
    for name, count in (("epochs", epochs), ("workers", workers)):
        if not isinstance(count, int) or count < 1:
            raise ConfigError(f"{name} has to be a whole number from 1 on, not {count!r}.")
    jobs = [(place, epoch) for place in range(len(task.samples)) for epoch in range(epochs)]
    results = replace(_described(agent, task, label), language=language)
    path = None if log is None else Path(log)
    known = {} if path is None else _known(path, results, task, retry_errors)
    score = partial(_scored, scorer=task.scorer, kind=digest(task.scorer))
    done = [score(known[job]) for job in jobs if job in known]
    todo = [job for job in jobs if job not in known]
    runs = closing(run_all(agent, task, todo, executor, workers))
    with nullcontext() if path is None else appending(path) as file, runs as finished:
        for item in _bar(finished, len(todo), progress):
            done.append(score(item))
            if file is not None:
                append(file, logs.to_line(results, done[-1], requests))
    results = replace(results, items=tuple(done)).ordered()
    if path is not None:
        logs.sort(path, results, requests)
    return results


def rescore(results: Results, scorer: Scorer) -> Results:
    """The same runs with new scores, from their traces alone."""
    kind = digest(scorer)
    items = (_scored(replace(item, score=None), scorer, kind) for item in results.items)
    return replace(results, items=tuple(items))


def _described(agent: Any, task: Task, label: str) -> Results:
    """Results without items, with what is known of the agent before the first call."""
    one = agent
    if not hasattr(agent, "run") and callable(agent):
        one = agent(task.samples[0], 0)
    if isinstance(one, type) or not callable(getattr(one, "run", None)):
        told = "An agent has run(question), or is made by a function (sample, epoch) -> agent"
        raise ConfigError(f"{told}; not {one!r}.")
    return Results(task.name, label or type(one).__name__, model_of(one), digest(agent), ())


def _known(
    path: Path, results: Results, task: Task, retry_errors: bool
) -> dict[tuple[int, int], Item]:
    """The items that the log has of this evaluation, by place and epoch."""
    if not path.exists():
        return {}
    group = (results.task, results.agent, results.model, results.settings)
    places = {sample.id: place for place, sample in enumerate(task.samples)}
    found: dict[tuple[int, int], Item] = {}
    for item in logs.items_of(path, group):
        place = places.get(item.sample.id)
        broken = retry_errors and item.error and not item.scored_by
        if place is None or broken or item.sample.question != task.samples[place].question:
            continue
        sample = task.samples[place]
        kept = item if sample == item.sample else replace(item, score=None)
        found[place, item.epoch] = replace(kept, sample=sample, place=place)
    return found


def _scored(item: Item, scorer: Scorer, kind: str) -> Item:
    """The item with its score, unless its run broke or the very same scorer has scored it.

    `kind` is the scorer's digest.
    """
    if (item.error and not item.scored_by) or (item.scored_by == kind and item.score is not None):
        return item
    try:
        score = scorer(item.trace, item.sample)
        value = float(score.value)
        if not 0 <= value <= 1:
            raise ConfigError(f"a score lies between 0 and 1, not at {value!r}.")
        return replace(item, score=replace(score, value=value), error="", scored_by=kind)
    except Exception as error:
        return replace(item, score=None, error=f"scoring: {describe(error)}", scored_by=kind)


def _bar(items: Iterable[Item], total: int, wanted: bool) -> Iterable[Item]:
    """The items, with a progress bar around them if it is wanted and can be had."""
    if not wanted:
        return items
    try:
        bar: Iterable[Item] = import_module("tqdm.auto").tqdm(items, total=total)
    except ImportError:
        told = "progress=True needs tqdm, which is not installed; the evaluation runs without."
        warnings.warn(told, ReactlabWarning, stacklevel=3)
        return items
    return bar
