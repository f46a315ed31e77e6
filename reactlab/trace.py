"""What happened in a run; everything that is shown or measured later is read from here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from reactlab.errors import ConfigError
from reactlab.events import Event, ModelCall, Step, StopReason, Waited, settles, total_usage
from reactlab.types import Observation, Usage

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(repr=False)
class Trace:
    """The record of one run. `str(trace)` is the answer, or says that there is none and why.

    `events` only grows. `after` is the earlier trace that this one continues as a conversation.
    `seconds` is the time the run took, in seconds; times do not count when traces are compared.
    """

    question: str
    agent: str = ""
    model: str = ""
    events: list[Event] = field(default_factory=list)
    answer: str | None = None
    stop_reason: StopReason | None = None
    detail: str = ""
    after: Trace | None = None
    seconds: float = field(default=0.0, compare=False)
    _starts: list[int] = field(default_factory=list, init=False, compare=False)
    _closed: list[Step] = field(default_factory=list, init=False, compare=False)
    _open: Step | None = field(default=None, init=False, compare=False)
    _texts: dict[Any, list[str]] = field(default_factory=dict, init=False, compare=False)

    def __post_init__(self) -> None:
        events, self.events = self.events, []
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        """Append an event; a call of the model after a settled step begins the next one."""
        if not self._starts or (isinstance(event, ModelCall) and _settled(self.events)):
            self._close()
            self._starts.append(len(self.events))
        self.events.append(event)
        self._open = None

    def stop(self, reason: StopReason, detail: str = "", answer: str | None = None) -> None:
        """Note why the run ended."""
        self.stop_reason, self.detail, self.answer = reason, detail, answer

    @property
    def steps(self) -> list[Step]:
        """The steps so far; the last one may still be under way."""
        if not self._starts:
            return []
        return [*self._closed, self._last()]

    @property
    def usage(self) -> Usage:
        """All tokens that were reported."""
        return total_usage(event for event in self.events if isinstance(event, ModelCall))

    def texts(self, render: Callable[[Step], str]) -> list[str]:
        """Each step through `render`; steps that are over are rendered once and remembered."""
        done = self._texts.setdefault(render, [])
        done.extend(step.shown(render) for step in self._closed[len(done) :])
        return [*done, self._last().shown(render)] if self._starts else []

    def branch(
        self,
        step: int,
        observation: str | Observation | None = None,
        *,
        call: int | str | None = None,
    ) -> Trace:
        """Return an unfinished copy up to and with `step` (1 is the first).

        `observation` replaces what a tool of that step said: run the agent on the copy to see what
        would have happened. It changes what the model reads, not the world. `call` says which tool,
        by its place (1 is the first) or its id; without it, the last. Branch again to change
        several. Raises `ConfigError` if there is no such step or call.
        """
        if not isinstance(step, int) or not 1 <= step <= len(self):
            raise ConfigError(f"There is no step {step!r}; this trace has {len(self)}.")
        if observation is None and call is not None:
            raise ConfigError("Say what the tool should have answered: observation=.")
        *kept, last = self.steps[:step]
        events = [event for before in kept for event in before.events]
        events += last.events if observation is None else _edited(last, call, observation)
        return Trace(self.question, self.agent, self.model, events, after=self.after)

    def rewind(self) -> list[Event]:
        """Forget all events and return them: what a replay answers from.

        A last step that ended with the model's failure is left out, so that it is asked again.
        """
        events, self.events = self.events, []
        if self.stop_reason is StopReason.MODEL_ERROR and events and not _settled(events):
            del events[self._starts[-1] :]
        self._starts, self._closed, self._open, self._texts = [], [], None, {}
        self.stop_reason, self.detail, self.answer = None, "", None
        return events

    def save(self, path: str | Path) -> Path:
        """Write JSON Lines, one event a line, in UTF-8."""
        saved: Path = import_module("reactlab.trace_json").save(self, path)
        return saved

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """Read what `save` wrote; raises `TraceFileError` for anything else."""
        trace: Trace = import_module("reactlab.trace_json").load(path)
        return trace

    def __getstate__(self) -> dict[str, Any]:
        """Travel without the rendered texts, whose keys are functions."""
        return {**vars(self), "_texts": {}}

    def __str__(self) -> str:
        if self.stop_reason is StopReason.ANSWERED and self.answer is not None:
            return self.answer
        reason = str(self.stop_reason or "unfinished")
        parts = [self.answer] if self.answer else []
        told = f"no answer: {reason}" if not parts else f"({reason})"
        return " ".join([*parts, told + (f": {self.detail}" if self.detail else "")])

    def __repr__(self) -> str:
        return self._shown("as_text")

    def _repr_markdown_(self) -> str:
        return self._shown("as_markdown")

    def _repr_html_(self) -> str:
        return self._shown("as_html")

    def _shown(self, how: str) -> str:
        """The run as `reactlab.display` shows it, which is loaded when somebody looks."""
        text: str = getattr(import_module("reactlab.display"), how)(self)
        return text

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self._starts)

    def _last(self) -> Step:
        if self._open is None:
            self._open = Step(len(self._starts), tuple(self.events[self._starts[-1] :]))
        return self._open

    def _close(self) -> None:
        if self._starts:
            self._closed.append(self._last())


def as_trace(value: Any) -> Trace:
    """The value, if it is a trace; raises `ConfigError` for anything else."""
    if isinstance(value, Trace):
        return value
    raise ConfigError(
        f"A trace is expected, as agent.run() returns it, not {type(value).__name__}."
    )


def _settled(events: list[Event]) -> bool:
    """Whether the last step is over; a pause after it changes nothing about that."""
    return next((settles(event) for event in reversed(events) if type(event) is not Waited), False)


def _edited(step: Step, call: int | str | None, said: str | Observation) -> list[Event]:
    """The events of a step with another observation for one call."""
    if not isinstance(said, str | Observation):
        raise ConfigError(f"An observation is a text, not {type(said).__name__}.")
    uses = dict(enumerate(step.uses, 1))
    wanted = len(uses) if call is None else call
    found = [use for place, use in uses.items() if wanted in (place, use.call.id or place)]
    if not found:
        known = ", ".join(f"{place} {use.call.id}".rstrip() for place, use in uses.items())
        has = f"it has {known}" if known else "it used no tool"
        raise ConfigError(f"Step {step.number} has no observation {wanted!r}; {has}.")
    seen = said if isinstance(said, Observation) else Observation(said)
    other = replace(found[0], observation=seen)
    return [other if event is found[0] else event for event in step.events]
