"""What all agents share: settings that never change, and one program that drivers carry out."""

from __future__ import annotations

import time
import warnings
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from reactlab.budget import Budget
from reactlab.drivers import adrive, drive
from reactlab.effects import Ask, Program, Sleep
from reactlab.errors import (
    ConfigError,
    ContextOverflow,
    EmptyReply,
    ModelError,
    OverBudget,
    ProgramError,
    ReactlabWarning,
    ReplayMismatch,
    RunError,
)
from reactlab.events import Event, Failure, StopReason
from reactlab.live import Live, live
from reactlab.llm.protocol import as_llm
from reactlab.names import clean_name
from reactlab.policies import Policy, Retry, Tell, Watching, first_answer, troubles
from reactlab.policies.retrying import DEFAULT_POLICIES
from reactlab.tools.registry import ToolRegistry
from reactlab.trace import Trace
from reactlab.types import Completion, Request
from reactlab.wording import say, tell

NOT_DONE = ("denied", "dry_run")
VISIBLE = 5.0
"""A pause of that many seconds or more before a model is asked again comes with a warning."""


class Agent(ABC):
    """A way of answering questions with a model and tools.

    An agent holds settings only and is never changed by a run, so one object may answer many
    questions at once. `llm` is a model, a function `prompt -> str`, or None for `default_llm()`;
    `tools` is a registry or any iterable of tools or functions. `policies` say what to do about
    what goes wrong; `budget` limits a run.
    """

    def __init__(
        self,
        llm: Any = None,
        tools: Iterable[Any] = (),
        *,
        policies: Iterable[Policy] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.llm = as_llm(llm)
        self.tools = ToolRegistry.of(tools)
        self.policies = DEFAULT_POLICIES if policies is None else tuple(policies)
        if not all(map(callable, self.policies)):
            raise ConfigError("policies= holds functions of an error and a number, or is None.")
        self.watching = tuple(each for each in self.policies if isinstance(each, Watching))
        self.budget = budget
        if not isinstance(budget, Budget | None):
            raise ConfigError(f"budget= is a Budget, such as Budget(calls=20), not {budget!r}.")

    @abstractmethod
    def program(self, trace: Trace) -> Program[str | None]:
        """The algorithm: yields effects, adds what it understood to `trace`, returns the answer.

        It returns None when there is no answer; `trace.stop(...)` then says why.
        """

    def run(
        self, question: str, *, trace: Trace | None = None, after: Trace | None = None
    ) -> Trace:
        """Answer `question`; `str()` of the returned trace is the answer.

        A `trace` of the caller's own keeps the steps when the run is interrupted, and running
        again with it goes on from there: nothing in it is asked or done twice. `after` is an
        earlier trace, continued as a conversation. May be called inside a running event loop.
        """
        trace = self._trace(question, trace, after)
        with self._recording(trace) as recorded:
            self._finish(trace, drive(self._guarded(trace), trace, recorded))
        return trace

    async def arun(
        self, question: str, *, trace: Trace | None = None, after: Trace | None = None
    ) -> Trace:
        """The same as `run`, without blocking the event loop."""
        trace = self._trace(question, trace, after)
        with self._recording(trace) as recorded:
            self._finish(trace, await adrive(self._guarded(trace), trace, recorded))
        return trace

    def iter(
        self, question: str, *, trace: Trace | None = None, after: Trace | None = None
    ) -> Iterator[Live]:
        """Run while showing each beginning and end of a run, step, model call or tool call.

        The first event's `item` is the trace. Nothing happens until the iterator is read.
        """
        trace = self._trace(question, trace, after)
        with self._recording(trace) as recorded:
            answer = yield from live(self._guarded(trace), trace, recorded)
            self._finish(trace, answer)
        yield Live("end", "run", trace)

    def ask(self, trace: Trace, request: Request) -> Program[Completion]:
        """Ask the model, as often as the policies say; called with `yield from`.

        Raises the `ModelError` to which no policy answered `Retry`, and `OverBudget`.
        """
        attempts: defaultdict[type, int] = defaultdict(int)
        while True:
            try:
                completion: Completion = yield Ask(self.llm, request, self.time_left(trace))
                if completion.calls or completion.text.strip():
                    return completion
                told = say("The model's reply is empty (finish: {why}).", why=completion.finish)
                empty = EmptyReply(tell(told, self.tools.language))
                trace.add(Failure.of(empty))
                raise empty
            except ModelError as error:
                attempts[type(error)] += 1
                if isinstance(error, ContextOverflow):  # the same request would overflow again
                    raise
                retry = first_answer(self.policies, error, attempts[type(error)])
                if not isinstance(retry, Retry):
                    raise _counted(error, attempts[type(error)], self.tools.language) from None
                if retry.after >= VISIBLE:
                    waiting = f"{error.message} Asking again in {retry.after:.0f} s."
                    warnings.warn(waiting, ReactlabWarning, stacklevel=2)
                yield from self.pause(trace, retry.after, error.message)

    def pause(self, trace: Trace, seconds: float, why: str) -> Program[None]:
        """Wait; raises `OverBudget` if the run has less time than that."""
        left = self.budget.seconds_left(trace) if self.budget else None
        if left is not None and seconds > left:
            told = say("The run has no time left for a pause of {pause:.3g} s.", pause=seconds)
            raise OverBudget(told)
        if seconds > 0:
            yield Sleep(seconds, why)

    def time_left(self, trace: Trace) -> float | None:
        """Seconds that the run may still take, None without a limit; raises `OverBudget`."""
        if self.budget is None:
            return None
        self.budget.check(trace)
        return self.budget.seconds_left(trace)

    def look_back(self, trace: Trace) -> None:
        """Let watching policies see the run so far, and tell the model what they answer.

        Raises the `RunError` to which no policy answered `Tell`.
        """
        for error, attempt in troubles(self.watching, trace):
            told = first_answer(self.policies, error, attempt)
            if not isinstance(told, Tell):
                raise error
            error.message = tell(error.message, self.tools.language)
            trace.add(Failure.of(error, tell(told.text, self.tools.language)))

    def _guarded(self, trace: Trace) -> Program[str | None]:
        """The program, with what went wrong for good turned into the reason why the run ended."""
        try:
            return (yield from self.program(trace))
        except (ModelError, RunError) as error:
            trace.stop(StopReason(error.reason), tell(error.message, self.tools.language))
            return None

    def _trace(self, question: str, trace: Trace | None, after: Trace | None) -> Trace:
        if not isinstance(question, str):
            raise ConfigError(f"A question is a text, not {type(question).__name__}.")
        trace = Trace(question, after=after) if trace is None else trace
        if after is not None and trace.after is None and trace is not after:
            trace.after = after
        if after is not None and trace.after is not after:
            raise ConfigError("The trace continues another conversation than after= says.")
        if trace.question != question:
            raise ConfigError("The trace belongs to another question; begin with Trace(question).")
        trace.agent, trace.model = type(self).__name__, self.llm.model
        return trace

    @contextmanager
    def _recording(self, trace: Trace) -> Iterator[list[Event]]:
        """Time the run; when it is cut short, keep what was known before and say so."""
        began, recorded = time.perf_counter(), trace.rewind()
        try:
            yield recorded
        except BaseException as error:
            if isinstance(error, ReplayMismatch):  # other settings have made other events of it
                trace.rewind()
            for event in recorded[len(trace.events) :]:
                trace.add(event)
            trace.stop(StopReason.INTERRUPTED, repr(error))
            raise
        finally:
            trace.seconds += time.perf_counter() - began

    def _finish(self, trace: Trace, answer: str | None) -> None:
        if not isinstance(answer, str | None):
            made = type(answer).__name__
            raise ProgramError(f"{trace.agent} answered with {made}; an answer is a text or None.")
        if trace.stop_reason is None and answer is None:
            told = tell(say("the program ended without an answer"), self.tools.language)
            trace.stop(StopReason.UNREADABLE, told)
        elif trace.stop_reason is None:
            denied = _denied(trace)
            trace.stop(StopReason.DENIED if denied else StopReason.ANSWERED, denied, answer)


def _counted(error: ModelError, attempts: int, language: str | None) -> ModelError:
    """The error that ends a run, with the number of attempts if there were several."""
    if attempts > 1:
        told = say("{what} (asked {count} times)", what=error.message, count=attempts)
        error.message = tell(told, language)
        error.args = (error.message,)
    return error


def _denied(trace: Trace) -> str:
    """What the last tool call that needed approval was told, if that was a refusal."""
    refused = {
        clean_name(use.call.name): use.observation.text if use.observation.error in NOT_DONE else ""
        for step in trace.steps
        for use in step.uses
    }
    return next((text for text in reversed(list(refused.values())) if text), "")
