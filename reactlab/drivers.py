"""Carry out what a program asks for: here a model is asked, a tool is used, a pause is waited.

`drive` blocks and `adrive` awaits. Both send each result back into the program, add it to the
trace, and answer from the record where a stored trace is being replayed.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from types import CoroutineType
from typing import Any, TypeVar

from reactlab.effects import Ask, Effect, Program, Single, Sleep, Together, Use
from reactlab.errors import ConfigError, ModelError, Unavailable
from reactlab.events import Event, Failure, ModelCall, ToolUse, Waited
from reactlab.run import Record, Run, waits_its_turn
from reactlab.threads import in_thread, side_by_side
from reactlab.tools.calling import TimedOut, acall, left_of, within
from reactlab.trace import Trace
from reactlab.types import Completion, Delta, Observation, ToolCall, ToolResult, ToolSet
from reactlab.wording import say, tell

T = TypeVar("T")


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


def performing(
    run: Run, *, streaming: bool = False
) -> Iterator[tuple[Effect, Sequence[Record] | Delta | None]]:
    """Carry out `run`, showing each effect before it is done (with None) and after it.

    With `streaming`, a model that can stream is shown piece by piece in between.
    """
    with closing(run.program):
        effect = run.start()
        while effect is not None:
            yield effect, None
            if streaming and isinstance(effect, Ask) and _streams(effect):
                records: Sequence[Record] = yield from _performing_ask(effect, run)
            else:
                records = perform(effect, run)
            yield effect, records
            effect = run.resume(records, together=isinstance(effect, Together))


def _streams(effect: Ask) -> bool:
    """Whether the reply is shown piece by piece; one with a time limit is waited for as a whole."""
    return effect.seconds is None and hasattr(effect.llm, "stream")


def _performing_ask(effect: Ask, run: Run) -> Generator[tuple[Effect, Delta], None, list[Record]]:
    """Ask a model that streams; what it had said when it failed is in no record."""
    record = run.recall(effect)
    if record is None:
        began = time.perf_counter()
        try:
            with closing(effect.llm.stream(effect.request)) as pieces:  # type: ignore[attr-defined]
                reply: Completion | ModelError = yield from _shown(effect, pieces)
        except ModelError as error:
            reply = error
        record = _answered(effect, began, reply)
    run.keep([effect], [record])
    return [record]


def _shown(
    effect: Ask, pieces: Generator[Delta, None, Completion]
) -> Generator[tuple[Effect, Delta], None, Completion]:
    """Each piece with the effect it belongs to; returns the whole reply."""
    while True:
        try:
            piece = next(pieces)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        yield effect, piece


async def adrive(program: Program[T], trace: Trace, recorded: Iterable[Event] = ()) -> T:
    """The async twin of `drive`: cancelling the task ends the program where it waits."""
    run = Run(program, trace, recorded)
    with closing(run.program):
        effect = run.start()
        while effect is not None:
            records = await aperform(effect, run)
            effect = run.resume(records, together=isinstance(effect, Together))
    return run.result  # type: ignore[no-any-return]


def perform(effect: Effect, run: Run) -> Sequence[Record]:
    """Carry out an effect: first what only reads, side by side, then the rest in order."""
    effects = parts(effect)
    records: list[Any] = [run.recall(one) for one in effects]
    began = time.perf_counter()
    try:
        quiet = _quiet(effects, records)
        if quiet:
            done = side_by_side([partial(_do, effects[place], run) for place in quiet])
            for place, record in zip(quiet, done, strict=True):
                records[place] = record
        for place, one in enumerate(effects):
            records[place] = records[place] or _do(one, run, time.perf_counter() - began)
    finally:  # so that what was done is known even if nobody waits for it any more
        run.keep(effects, records)
    return records


async def aperform(effect: Effect, run: Run) -> Sequence[Record]:
    """The same without blocking the event loop."""
    from asyncio import gather  # loaded by those who use it: it takes its time

    effects = parts(effect)
    records: list[Any] = [run.recall(one) for one in effects]
    began = time.perf_counter()
    try:
        quiet = _quiet(effects, records)
        if quiet:
            done = await gather(*(_ado(effects[place], run) for place in quiet))
            for place, record in zip(quiet, done, strict=True):
                records[place] = record
        for place, one in enumerate(effects):
            records[place] = records[place] or await _ado(one, run, time.perf_counter() - began)
    finally:  # so that what was done is known even if nobody waits for it any more
        run.keep(effects, records)
    return records


def parts(effect: Effect) -> Sequence[Single]:
    """The effects that are carried out side by side; mostly one."""
    return effect.effects if isinstance(effect, Together) else (effect,)


def _quiet(effects: Sequence[Single], records: Sequence[Record | None]) -> list[int]:
    """The places of the effects that may be done side by side: open, and in any order."""
    if len(effects) == 1:
        return []
    return [
        place
        for place, one in enumerate(effects)
        if records[place] is None and not waits_its_turn(one)
    ]


def _do(effect: Single, run: Run, spent: float = 0.0) -> Record:
    """Carry out one effect; `spent` seconds of its limit went to those before it."""
    began = time.perf_counter()
    match effect:
        case Ask(llm, request, seconds):
            try:
                reply: Any = within(seconds, partial(llm.complete, request))
            except TimedOut:
                reply = _too_late(effect)
            except ModelError as error:
                reply = error
            return _answered(effect, began, reply)
        case Use(tools, wanted, seconds=seconds):
            try:
                left = left_of(seconds, spent)
                work = partial(run.tools(tools).execute, wanted)
                result: Any = run.admit(effect) or within(left, work)
            except TimedOut:
                result = _given_up(effect)
            return _used(effect, began, result)
        case Sleep(seconds, why):
            time.sleep(seconds)
            return Waited(seconds, why)


async def _ado(effect: Single, run: Run, spent: float = 0.0) -> Record:
    from asyncio import sleep, wrap_future

    began = time.perf_counter()
    match effect:
        case Ask(llm, request, seconds) if hasattr(llm, "acomplete"):
            try:
                asked = partial(llm.acomplete, request)
                reply: Any = await acall(asked, seconds, is_async=True)
            except TimedOut:
                reply = _too_late(effect)
            except ModelError as error:
                reply = error
            return _answered(effect, began, reply)
        case Use(tools, wanted, seconds=seconds) if _is_async(tools, wanted):
            try:
                left = left_of(seconds, spent)
                used = partial(run.tools(tools).aexecute, wanted)
                result: Any = run.admit(effect) or await acall(used, left, is_async=True)
            except TimedOut:
                result = _given_up(effect)
            return _used(effect, began, result)
        case Sleep(seconds, why):
            await sleep(seconds)
            return Waited(seconds, why)
    try:
        waiting = in_thread(partial(_do, effect, run, spent))
    except RuntimeError:  # no thread can start (in a browser): the loop has to wait
        return _do(effect, run, spent)
    return await wrap_future(waiting)


def _is_async(tools: ToolSet, wanted: ToolCall) -> bool:
    tool = tools.get(wanted.name)
    return tool is not None and tool.is_async


def _too_late(effect: Ask) -> Unavailable:
    told = "{model} did not answer within {limit:.3g} s."
    return Unavailable(say(told, model=effect.llm.model, limit=effect.seconds))


def _given_up(effect: Use) -> ToolResult:
    told = say("{name} was given up: the time of the run is used up.", name=effect.call.name)
    return ToolResult(Observation(tell(told, effect.tools.language), "timeout"))


def _answered(effect: Ask, began: float, reply: Completion | ModelError) -> ModelCall:
    seconds = time.perf_counter() - began
    if isinstance(reply, ModelError):
        return ModelCall(effect.request, None, Failure.of(reply), seconds)
    if not isinstance(reply, Completion):
        if isinstance(reply, CoroutineType):
            reply.close()
        made = type(reply).__name__
        raise ConfigError(f"{effect.llm.model} returned {made}; complete() returns a Completion.")
    if not isinstance(reply.text, str):  # None, as in the API for a turn of calls alone
        reply = replace(reply, text="")
    return ModelCall(effect.request, reply, None, seconds)


def _used(effect: Use, began: float, result: ToolResult) -> ToolUse:
    seconds = time.perf_counter() - began
    return ToolUse(effect.call, result.observation, result.arguments, seconds, effect.attempt)
