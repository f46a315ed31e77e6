"""Looking at the run after each step: circles, steps that bring nothing, the last step."""

from __future__ import annotations

from dataclasses import dataclass

from reactlab.errors import Looping, ModelError, NoProgress, OutOfSteps, RunError, ToolFailed
from reactlab.events import Failure, Step
from reactlab.loops import find_loop
from reactlab.policies import Tell, times_told
from reactlab.policies.handler import FAILED_CALLS, correction
from reactlab.trace import Trace
from reactlab.wording import tell

Error = ModelError | RunError


@dataclass(frozen=True)
class NoLoops:
    """Tell the model once of each loop; end the run if the same one comes about again.

    Not at the very next turn: a model that could still answer may repeat itself by chance.
    """

    threshold: int = 3

    def watch(self, trace: Trace) -> Looping | None:
        """A loop at the end of the run."""
        if not find_loop(_since_told(trace, Looping), self.threshold):
            return None
        told = correction("infinite_loop", trace) or ""
        before = {event.tell for event in trace.events if isinstance(event, Failure)}
        return Looping(told, again=not before.isdisjoint({str(told), tell(told, "zh")}))

    def __call__(self, error: Error, attempt: int) -> Tell | None:
        """Told the first time only."""
        return Tell(error.message) if isinstance(error, Looping) and not error.again else None


@dataclass(frozen=True)
class Progress:
    """Tell the model once that `patience` steps in a row brought nothing; end after as many again.

    A step brings something if a tool says what no step before it has said.
    """

    patience: int = 4

    def watch(self, trace: Trace) -> NoProgress | ToolFailed | None:
        """Too many steps that brought nothing: `ToolFailed` if a failing tool is the cause."""
        steps = _fruitless(trace)
        told = times_told(trace, NoProgress) + times_told(trace, ToolFailed)
        if len(steps) < self.patience * (1 + told):
            return None
        if all(_only_failed(step) for step in steps):
            return ToolFailed(correction("tool_failure", trace) or "")
        return NoProgress(correction("no_progress", trace) or "")

    def __call__(self, error: Error, attempt: int) -> Tell | None:
        """Told the first time only; a single failure of a tool is none of its business."""
        mine = isinstance(error, NoProgress) or (isinstance(error, ToolFailed) and not error.kind)
        return Tell(error.message) if mine and attempt == 1 else None


@dataclass(frozen=True)
class LastStep:
    """Tell the model that the last of `max_steps` steps has come."""

    max_steps: int = 10

    def watch(self, trace: Trace) -> OutOfSteps | None:
        """Whether one step is left."""
        if len(trace) != self.max_steps - 1:
            return None
        return OutOfSteps(correction("max_steps", trace) or "")

    def __call__(self, error: Error, attempt: int) -> Tell | None:
        """Told once, which is all there is time for."""
        return Tell(error.message) if isinstance(error, OutOfSteps) else None


def _since_told(trace: Trace, kind: type[RunError]) -> Trace:
    """The run after the model was last told of this kind of trouble."""
    told = [
        at
        for at, event in enumerate(trace.events, 1)
        if isinstance(event, Failure) and event.kind == kind.__name__ and event.tell
    ]
    return Trace(trace.question, events=trace.events[told[-1] :]) if told else trace


def _fruitless(trace: Trace) -> list[Step]:
    """The steps since a tool last said something new."""
    seen: set[str] = set()
    last: list[Step] = []
    for step in trace.steps:
        said = {str(each) for each in step.observations if not each.error}
        last = [] if said - seen else [*last, step]
        seen |= said
    return last


def _only_failed(step: Step) -> bool:
    return bool(step.uses) and all(each.error in FAILED_CALLS for each in step.observations)
