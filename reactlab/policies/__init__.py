"""What an agent does about what goes wrong: ask or use again, tell the model, or give up.

A policy is a function of the error and of how many of its kind there were, 1 for the first: in
this step for a model's failure, for this call of a tool, in this run for the rest. It returns
`Retry`, `Tell`, or None to leave the error to the next policy. When none answers, the run ends
with the error's stop reason; only what a failing tool said goes to the model as it is.

A policy that also has a method `watch(trace) -> RunError | None` looks at the run after each step.
What it finds is put to all policies, itself among them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from reactlab.errors import ConfigError, ModelError, RunError
from reactlab.events import Failure
from reactlab.trace import Trace

NO_MORE_ATTEMPTS = sys.maxsize


@dataclass(frozen=True)
class Retry:
    """Ask the model, or use the tool, again within the same step, after a pause in seconds.

    A tool that changes something is never used again, whatever a policy says.
    """

    after: float = 0.0


@dataclass(frozen=True)
class Tell:
    """Show the model this text as an observation; a reply that could not be read costs a step.

    Raises `ConfigError` where there is no text: the model would not know that anything is wrong.
    """

    text: str

    def __post_init__(self) -> None:
        if not (isinstance(self.text, str) and self.text.strip()):
            raise ConfigError(f"Tell shows the model a text, not {self.text!r}.")


Answer = Retry | Tell | None
Policy = Callable[[ModelError | RunError, int], Answer]


@runtime_checkable
class Watching(Protocol):
    """A policy that also looks at the run after each step."""

    def watch(self, trace: Trace) -> RunError | None:
        """What goes wrong in the run so far, as a pure function of it; None if nothing does."""

    def __call__(self, error: ModelError | RunError, attempt: int) -> Answer:
        """What to do about an error."""


def first_answer(policies: Iterable[Policy], error: ModelError | RunError, attempt: int) -> Answer:
    """The first answer that a policy has."""
    answers = (policy(error, attempt) for policy in policies)
    return next((answer for answer in answers if answer is not None), None)


def troubles(policies: Iterable[Watching], trace: Trace) -> Iterator[tuple[RunError, int]]:
    """What the watching policies see now, each with how many of its kind the run has had."""
    for policy in policies:
        if (error := policy.watch(trace)) is not None:
            yield error, 1 + times_told(trace, type(error))


def times_told(trace: Trace, kind: type[RunError]) -> int:
    """How often the model was told of this kind of trouble."""
    met = (event for event in trace.events if isinstance(event, Failure))
    return sum(failure.kind == kind.__name__ and bool(failure.tell) for failure in met)
