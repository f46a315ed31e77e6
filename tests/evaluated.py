"""Agents and a task to evaluate, importable in other processes; run as a script it may be killed.

`python evaluated.py LOG CALLS`: ten samples, one after another; every question that the model is
asked is noted in the file CALLS; the process gets the signal SIGNAL at the sample DIE, both from
the environment.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reactlab import Completion, Request, Sample, Task, Usage, evaluate
from reactlab.agents.react import ReActAgent
from reactlab.evaluation import Results
from reactlab.evaluation.scorers import strict

TEN = tuple(Sample(f"s{number}", f"Say s{number}.", f"s{number}") for number in range(1, 11))
TASK = Task("ten", TEN, strict)


@dataclass(frozen=True)
class Sayer:
    """A model that answers "Say X." with X, and notes what it was asked."""

    calls: str = ""
    model = "sayer"

    def complete(self, request: Request) -> Completion:
        wanted = request.prompt.rpartition("Say ")[2].partition(".")[0]
        if self.calls:
            with Path(self.calls).open("a", encoding="utf-8") as file:
                file.write(wanted + "\n")
        if wanted == os.environ.get("DIE"):
            os.kill(os.getpid(), signal.Signals[os.environ["SIGNAL"]])
        return Completion(f"Thought: easy.\nFinal Answer: {wanted}", usage=Usage(10, 2))


def sayer(sample: Sample, epoch: int) -> ReActAgent:
    """An agent for each run, which other processes can import."""
    return ReActAgent(Sayer())


class Plain:
    """Somebody else's agent: it returns a text, or whatever it was told to do."""

    def __init__(self, said: Any) -> None:
        self.said = said

    def run(self, question: str) -> Any:
        said = self.said(question) if callable(self.said) else self.said
        if isinstance(said, BaseException):
            raise said
        return said


def of(*values: float | None, task: str = "t", **options: Any) -> Results:
    """Results with these scores, one sample each; None is a run that breaks."""
    samples = [Sample(f"q{at}", f"Question {at}?", "yes") for at in range(len(values))]
    given = {sample.id: value for sample, value in zip(samples, values, strict=True)}

    def judge(trace: Any, sample: Sample) -> Any:
        from reactlab import Score

        return Score(given[sample.id] or 0.0)

    def agent(sample: Sample, epoch: int) -> Plain:
        return Plain(RuntimeError("broken") if given[sample.id] is None else "said")

    return evaluate(agent, Task(task, tuple(samples), judge), **options)


def main() -> None:
    log, calls = sys.argv[1:]
    evaluate(ReActAgent(Sayer(calls)), TASK, log=log, workers=1)


if __name__ == "__main__":
    main()
