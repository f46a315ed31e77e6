"""The runs of an evaluation, side by side in threads or processes, each on its own."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from itertools import islice
from typing import Any

from reactlab.agents.base import Agent
from reactlab.errors import ConfigError
from reactlab.evaluation.item import Item
from reactlab.evaluation.task import Sample, Task
from reactlab.evaluation.travel import check_travels
from reactlab.events import StopReason
from reactlab.tools.text import describe
from reactlab.trace import Trace


def run_all(
    agent: Any, task: Task, jobs: list[tuple[int, int]], executor: Executor | None, workers: int
) -> Generator[Item, None, None]:
    """The items without scores, as they finish.

    At most `workers` are under way, and the next one begins only when the caller has taken a
    finished one: whoever writes each down loses none that is over when the process dies.
    """
    if executor is not None and _pickles(executor):
        check_travels(agent)
    pool = ThreadPoolExecutor(workers) if executor is None else executor
    waiting, under_way = iter(jobs), dict[Future[tuple[Trace, str]], tuple[int, int]]()
    try:
        while True:
            for place, epoch in islice(waiting, workers - len(under_way)):
                future = pool.submit(answered, agent, task.samples[place], epoch)
                under_way[future] = (place, epoch)
            if not under_way:
                return
            done = next(iter(wait(under_way, return_when=FIRST_COMPLETED).done))
            place, epoch = under_way.pop(done)
            yield Item(task.samples[place], place, epoch, *_outcome(done, task.samples[place]))
    finally:
        for future in under_way:
            future.cancel()
        if executor is None:
            pool.shutdown(wait=False, cancel_futures=True)


def _pickles(executor: Executor) -> bool:
    """Whether what the executor is given goes to other processes the standard way."""
    from concurrent.futures import ProcessPoolExecutor  # loads what threads do not need

    return isinstance(executor, ProcessPoolExecutor)


def _outcome(future: Future[tuple[Trace, str]], sample: Sample) -> tuple[Trace, str]:
    """What a worker sent back; a pool that is broken ends the evaluation."""
    try:
        return future.result()
    except BrokenExecutor:
        raise
    except Exception as error:
        return Trace(sample.question), describe(error)


def answered(agent: Any, sample: Sample, epoch: int) -> tuple[Trace, str]:
    """One run, wherever it takes place: its trace, and why it broke, "" if it did not."""
    trace = Trace(sample.question)
    try:
        one = agent if hasattr(agent, "run") else agent(sample, epoch)
        if isinstance(one, Agent):
            one.run(sample.question, trace=trace)  # keeps the steps if it breaks
        else:
            trace = _foreign(one, sample.question)
    except Exception as error:
        return trace, describe(error)
    failed = trace.stop_reason is StopReason.MODEL_ERROR
    return trace, f"{trace.stop_reason}: {trace.detail}" if failed else ""


def _foreign(agent: Any, question: str) -> Trace:
    """The trace of somebody else's agent; from a text, one without steps."""
    said = agent.run(question)
    if isinstance(said, Trace):
        return said
    if not isinstance(said, str):
        raise ConfigError(f"run() returned {type(said).__name__}, neither a trace nor a text.")
    trace = Trace(question, type(agent).__name__, model_of(agent))
    trace.stop(StopReason.ANSWERED, answer=said)
    return trace


def model_of(agent: Any) -> str:
    """The name of an agent's model, "" if it has none to show."""
    return str(getattr(getattr(agent, "llm", None), "model", ""))
