"""The runs of an evaluation, side by side in threads or processes, each on its own."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor, as_completed
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
    """The items without scores, as they finish; what has not begun is called off at the end."""
    if executor is not None and _pickles(executor):
        check_travels(agent)
    pool = ThreadPoolExecutor(workers) if executor is None else executor
    futures: dict[Future[tuple[Trace, str]], tuple[int, int]] = {}
    try:
        for place, epoch in jobs:
            futures[pool.submit(answered, agent, task.samples[place], epoch)] = (place, epoch)
        for future in as_completed(futures):
            place, epoch = futures[future]
            trace, error = _outcome(future, task.samples[place])
            yield Item(task.samples[place], place, epoch, trace, error)
    finally:
        for future in futures:
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
