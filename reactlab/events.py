"""The events of a run, and the steps that they make up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from reactlab import errors
from reactlab.types import Completion, Decision, Observation, Request, ToolCall, Usage

T = TypeVar("T")


class StopReason(StrEnum):
    """Why a run ended."""

    ANSWERED = "answered"
    MAX_STEPS = "max_steps"
    LOOP = "loop"
    NO_PROGRESS = "no_progress"
    BUDGET = "budget"
    CONTEXT = "context"
    UNREADABLE = "unreadable"
    NO_PLAN = "no_plan"
    HANDOVERS = "handovers"
    TOOL_FAILURE = "tool_failure"
    MODEL_ERROR = "model_error"
    INTERRUPTED = "interrupted"
    DENIED = "denied"


@dataclass(frozen=True)
class Failure:
    """Something that went wrong. `tell` is the correction that the model's next prompt shows."""

    kind: str
    message: str
    tell: str = ""
    retry_after: float | None = None

    @classmethod
    def of(cls, error: errors.ModelError | errors.RunError, tell: str = "") -> Failure:
        """The record of an error."""
        pause = error.retry_after if isinstance(error, errors.ModelError) else None
        return cls(type(error).__name__, error.message, tell, pause)

    def to_error(self) -> errors.ModelError:
        """The error that was recorded, for a replay to raise again."""
        kind = getattr(errors, self.kind, None)
        if not (isinstance(kind, type) and issubclass(kind, errors.ModelError)):
            kind = errors.LLMError
        return kind(self.message, retry_after=self.retry_after)


@dataclass(frozen=True)
class ModelCall:
    """One call of a model: a completion, or the failure that came instead."""

    request: Request
    completion: Completion | None = None
    failure: Failure | None = None
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class ToolUse:
    """One executed tool call, with the arguments as they were bound.

    An `attempt` above 1 takes the place of the one before, whose observation nobody was shown.
    """

    call: ToolCall
    observation: Observation
    arguments: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = field(default=0.0, compare=False)
    attempt: int = 1


@dataclass(frozen=True)
class Waited:
    """A pause before a retry, in seconds."""

    seconds: float
    why: str = ""


Event = ModelCall | Decision | ToolUse | Failure | Waited


@dataclass(frozen=True)
class Step:
    """One turn of the loop: a slice of the trace's events, read as thought, calls, observations."""

    number: int
    events: tuple[Event, ...]
    _shown: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Travel without what was rendered, whose keys are functions."""
        return {**vars(self), "_shown": {}}

    def shown(self, render: Callable[[Step], T]) -> T:
        """The step through `render`, worked out once: a step never changes."""
        if render not in self._shown:
            self._shown[render] = render(self)
        return self._shown[render]  # type: ignore[no-any-return]

    @property
    def decision(self) -> Decision | None:
        """What the reply was understood to mean; None if it could not be read."""
        return next((event for event in self.events if type(event) is Decision), None)

    @property
    def thought(self) -> str:
        """The thought, "" when there is none."""
        return self.decision.thought if self.decision else ""

    @property
    def uses(self) -> tuple[ToolUse, ...]:
        """The tool calls that were carried out, in the order asked, each with its last attempt."""
        uses = [event for event in self.events if type(event) is ToolUse]
        again = [use for use in uses if use.attempt > 1]
        if not again:
            return tuple(uses)
        last = {id(use): use for use in uses if use.attempt == 1}
        for use in again:
            places = (place for place, before in last.items() if before.call == use.call)
            last[next(places, id(use))] = use
        return tuple(last.values())

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls the model asked for."""
        return self.decision.calls if self.decision else ()

    @property
    def observations(self) -> tuple[Observation, ...]:
        """What came back, one for each call that was carried out."""
        return tuple(use.observation for use in self.uses)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What went wrong on the model's side in this step, and what else the model was told."""
        found: list[Failure] = []
        for event in self.events:
            if type(event) is Failure:
                found.append(event)
            elif type(event) is ModelCall and event.failure:
                found.append(event.failure)
        return tuple(found)

    @property
    def told(self) -> list[Failure]:
        """The failures that the model is told about."""
        return [failure for failure in self.failures if failure.tell]

    @property
    def model_calls(self) -> tuple[ModelCall, ...]:
        """All calls of the model in this step; more than one where it was asked again."""
        return tuple([event for event in self.events if type(event) is ModelCall])

    @property
    def completion(self) -> Completion | None:
        """The last raw completion."""
        replies = [call.completion for call in self.model_calls if call.completion]
        return replies[-1] if replies else None

    @property
    def usage(self) -> Usage:
        """Tokens of this step; calls without a report count nothing."""
        return total_usage(self.model_calls)

    @property
    def seconds(self) -> float:
        """Time spent in the model and in tools, in seconds, as if one after another."""
        return sum(getattr(event, "seconds", 0.0) for event in self.events)


def settles(event: Event) -> bool:
    """Whether a step is over with this event, so that the next call of the model begins another."""
    if isinstance(event, Failure):
        return bool(event.tell)
    return isinstance(event, (Decision, ToolUse))


def total_usage(calls: Iterable[ModelCall]) -> Usage:
    """The tokens that were reported for these calls; calls without a report count nothing."""
    reported = (call.completion.usage for call in calls if call.completion)
    return sum((usage for usage in reported if usage), Usage())
