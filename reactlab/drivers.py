"""Carry out what a program asks for: the only file that calls a model, a tool or the clock.

`drive` blocks and `adrive` awaits. Both send each result back into the program, add it to the
trace, and answer from the record where a stored trace is being replayed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from inspect import iscoroutine, isgenerator
from typing import Any, TypeVar

from reactlab.effects import Ask, Effect, Program, Single, Sleep, Together, Use
from reactlab.errors import ModelError, ProgramError, ReplayMismatch
from reactlab.events import Event, Failure, ModelCall, ToolUse, Waited
from reactlab.threads import in_thread, side_by_side
from reactlab.trace import Trace
from reactlab.types import Completion, Observation, ToolResult, ToolSet

T = TypeVar("T")
Record = ModelCall | ToolUse | Waited | list[Any]
_ANSWERS = (ModelCall, ToolUse, Waited)
_EFFECTS = (Ask, Use, Sleep, Together)


def drive(program: Program[T], trace: Trace, recorded: Iterable[Event] = ()) -> T:
    """Run `program` to its end and return what it returns; `trace` grows on the way.

    `recorded` holds the events of an earlier run: as long as they last, they answer the effects.
    Raises `ProgramError` for a forgotten `yield from`, `ReplayMismatch` where the record does not
    fit, and whatever a model raises that is no `ModelError`.
    """
    run = Run(program, trace, recorded)
    for _ in performing(run):
        pass
    return run.result  # type: ignore[no-any-return]


def performing(run: Run) -> Iterator[tuple[Effect, Record | None]]:
    """Carry out `run`, showing each effect before it is done (with None) and after it."""
    with closing(run.program):
        effect = run.start()
        while effect is not None:
            yield effect, None
            record = perform(effect, run)
            yield effect, record
            effect = run.resume(record)


async def adrive(program: Program[T], trace: Trace, recorded: Iterable[Event] = ()) -> T:
    """The async twin of `drive`: cancelling the task ends the program where it waits."""
    run = Run(program, trace, recorded)
    with closing(run.program):
        effect = run.start()
        while effect is not None:
            effect = run.resume(await aperform(effect, run))
    return run.result  # type: ignore[no-any-return]


class Run:
    """A program under way, with its trace, its record to replay, and its tools' state."""

    def __init__(self, program: Program[Any], trace: Trace, recorded: Iterable[Event]) -> None:
        self.program = program
        self.trace = trace
        self.recorded = deque(event for event in recorded if isinstance(event, _ANSWERS))
        self.result: Any = None
        self._tools: dict[int, tuple[ToolSet, ToolSet]] = {}

    def start(self) -> Effect | None:
        """The first effect; None if the program asks for nothing."""
        return self._advance(self.program.send, None)

    def resume(self, record: Record) -> Effect | None:
        """Add what happened to the trace, give the program its result, return the next effect."""
        for event in _flat(record):
            self.trace.add(event)
        failure = record.failure if isinstance(record, ModelCall) else None
        if failure:
            return self._advance(self.program.throw, failure.to_error())
        return self._advance(self.program.send, _result(record))

    def _advance(self, step: Any, value: Any) -> Effect | None:
        try:
            return _checked(step(value))
        except StopIteration as done:
            self.result = _refuse_generator(done.value)
            return None

    def tools(self, tools: ToolSet) -> ToolSet:
        """The run's own copy of a tool set, so that what tools remember ends with the run."""
        if id(tools) not in self._tools:
            self._tools[id(tools)] = (tools, tools.for_run())
        return self._tools[id(tools)][1]

    def recall(self, effect: Single) -> Record | None:
        """What the record says to this effect; None when the record is used up."""
        if not self.recorded:
            return None
        event = self.recorded.popleft()
        fits = {Ask: ModelCall, Use: ToolUse, Sleep: Waited}[type(effect)]
        if not isinstance(event, fits) or (
            isinstance(effect, Use) and isinstance(event, ToolUse) and effect.call != event.call
        ):
            self.recorded.appendleft(event)
            raise ReplayMismatch(
                f"The stored trace has {_named(event)} where the agent now wants {_named(effect)}; "
                "resume with the same agent settings, or branch from an earlier step."
            )
        if isinstance(effect, Use):
            self._rebuild_state(effect)
        return event

    def _rebuild_state(self, effect: Use) -> None:
        """Use a tool that remembers things within a run once more: it only reads."""
        tool = effect.tools.get(effect.call.name)
        if tool is not None and tool.per_run is not None:
            self.tools(effect.tools).execute(effect.call)

    def interrupted(self, effect: Use) -> None:
        """If a tool that changes something was interrupted, say so in the trace.

        A run that is resumed then sees the interruption and does not repeat the change.
        """
        if _changes_something(effect):
            text = f"{effect.call.name} was interrupted; check whether it took effect."
            self.trace.add(ToolUse(effect.call, Observation(text, "interrupted")))


def perform(effect: Effect, run: Run) -> Record:
    """Carry out one effect, blocking."""
    match effect:
        case Together([one]):
            return [perform(one, run)]
        case Together(effects):
            done, quiet = _recalled(effects, run)
            work = [partial(_perform_one, one, run) for one in quiet]
            done.update(zip(map(id, quiet), side_by_side(work), strict=True))
            return [done.get(id(one)) or _perform_one(one, run) for one in effects]
        case _:
            return run.recall(effect) or _perform_one(effect, run)


def _recalled(effects: Sequence[Single], run: Run) -> tuple[dict[int, Record], list[Single]]:
    """What the record answers, by identity, and what may still be done side by side.

    Tools that change something are left out of both: they go one after another, in order.
    """
    known = {id(one): record for one in effects if (record := run.recall(one))}
    return known, [one for one in effects if id(one) not in known and not _changes_something(one)]


def _perform_one(effect: Single, run: Run) -> Record:
    began = time.perf_counter()
    match effect:
        case Ask(llm, request):
            try:
                return _answered(effect, began, llm.complete(request))
            except ModelError as error:
                return _answered(effect, began, error)
        case Use(tools, call):
            try:
                result = _denied(effect) or run.tools(tools).execute(call)
            except BaseException:
                run.interrupted(effect)
                raise
            return _used(effect, began, result)
        case Sleep(seconds, why):
            time.sleep(seconds)
            return Waited(seconds, why)


async def aperform(effect: Effect, run: Run) -> Record:
    """Carry out one effect without blocking the event loop."""
    match effect:
        case Together([one]):
            return [await aperform(one, run)]
        case Together(effects):
            from asyncio import gather  # loaded by those who use it: it takes its time

            done, quiet = _recalled(effects, run)
            records = await gather(*(_aperform_one(one, run) for one in quiet))
            done.update(zip(map(id, quiet), records, strict=True))
            return [done.get(id(one)) or await _aperform_one(one, run) for one in effects]
        case _:
            return run.recall(effect) or await _aperform_one(effect, run)


async def _aperform_one(effect: Single, run: Run) -> Record:
    from asyncio import sleep, wrap_future

    began = time.perf_counter()
    match effect:
        case Ask(llm, request) if hasattr(llm, "acomplete"):
            try:
                return _answered(effect, began, await llm.acomplete(request))
            except ModelError as error:
                return _answered(effect, began, error)
        case Use(tools, call) if (tool := tools.get(call.name)) is not None and tool.is_async:
            try:
                result = _denied(effect) or await run.tools(tools).aexecute(call)
            except BaseException:
                run.interrupted(effect)
                raise
            return _used(effect, began, result)
        case Sleep(seconds, why):
            await sleep(seconds)
            return Waited(seconds, why)
    return await wrap_future(in_thread(partial(_perform_one, effect, run)))


def _answered(effect: Ask, began: float, reply: Completion | ModelError) -> ModelCall:
    seconds = time.perf_counter() - began
    if isinstance(reply, ModelError):
        return ModelCall(effect.request, None, Failure.of(reply), seconds)
    return ModelCall(effect.request, reply, None, seconds)


def _used(effect: Use, began: float, result: ToolResult) -> ToolUse:
    seconds = time.perf_counter() - began
    return ToolUse(effect.call, result.observation, result.arguments, seconds)


def _changes_something(effect: Effect) -> bool:
    if not isinstance(effect, Use):
        return False
    tool = effect.tools.get(effect.call.name)
    return tool is not None and tool.effects


def _denied(effect: Use) -> ToolResult | None:
    """The refusal of a tool that changes something, unless somebody approves the call."""
    if effect.approve == "always" or not _changes_something(effect):
        return None
    call = effect.tools.bound(effect.call)
    if call is None or (callable(effect.approve) and effect.approve(call)):
        return None
    text = (
        f"Denied: {effect.call.name} changes something and nobody approved it. "
        'To allow it, give the agent approve="always" or a function that says yes to this call.'
    )
    return ToolResult(Observation(text, "denied"))


def _flat(record: Record) -> list[Event]:
    return [e for part in record for e in _flat(part)] if isinstance(record, list) else [record]


def _result(record: Record) -> Any:
    match record:
        case ModelCall(completion=completion):
            return completion
        case ToolUse(observation=observation):
            return observation
        case list():
            return [_result(part) for part in record]
    return None


def _named(thing: Any) -> str:
    match thing:
        case Ask() | ModelCall():
            return "a call of the model"
        case Use(call=call) | ToolUse(call=call):
            return f"the tool call {call.name}[{call.arguments}]"
    return "a pause"


def _checked(effect: Any) -> Effect:
    _refuse_generator(effect)
    if isinstance(effect, _EFFECTS):
        return effect  # type: ignore[no-any-return]
    raise ProgramError(f"A program yielded {effect!r}, no effect; yield Ask, Use or Sleep.")


def _refuse_generator(value: Any) -> Any:
    """A forgotten `yield from` runs nothing and hands out the generator itself; say so."""
    if isgenerator(value) or iscoroutine(value):
        name = getattr(value, "__qualname__", "it")
        word = "await" if iscoroutine(value) else "yield from"
        value.close()
        raise ProgramError(f"{name} was called without waiting for it: write '{word} {name}(...)'.")
    return value
