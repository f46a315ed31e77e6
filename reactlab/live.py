"""A run shown while it happens: every beginning has its end, also when something fails."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from reactlab.drivers import parts, performing
from reactlab.effects import Ask, Effect, Program, Sleep, Use
from reactlab.events import Event, settles
from reactlab.run import Run
from reactlab.trace import Trace
from reactlab.types import Delta

T = TypeVar("T")
What = Literal["run", "step", "model", "tool", "pause"]
_WHAT: dict[type, What] = {Ask: "model", Use: "tool", Sleep: "pause"}


@dataclass(frozen=True)
class Live:
    """Something began or ended, or a piece of a model's reply has come.

    `item` is the trace (run), the number (step), the effect at the beginning of a model call, tool
    call or pause, its record at the end, and a `Delta` in between where the model streams.
    `error` is what was raised, None when all went well.
    """

    phase: Literal["begin", "piece", "end"]
    what: What
    item: Any = None
    error: BaseException | None = None


def live(
    program: Program[T], trace: Trace, recorded: Iterable[Event] = ()
) -> Generator[Live, None, T]:
    """Carry out `program` and yield what happens, from the run's beginning to its last step."""
    run = Run(program, trace, recorded)
    open_ends: list[Live] = [Live("end", "run", trace)]
    yield Live("begin", "run", trace)
    try:
        for effect, records in performing(run, streaming=True):
            if isinstance(records, Delta):
                yield Live("piece", "model", records)
                continue
            if records is None and _begins_step(effect, trace):
                yield from _end(open_ends, down_to=1)
                number = len(trace) + 1
                open_ends.append(Live("end", "step", number))
                yield Live("begin", "step", number)
            if records is None:
                for one in parts(effect):
                    open_ends.append(Live("end", _WHAT[type(one)], one))
                    yield Live("begin", _WHAT[type(one)], one)
            else:
                del open_ends[len(open_ends) - len(records) :]
                for one, done in zip(parts(effect), records, strict=True):
                    yield Live("end", _WHAT[type(one)], done)
    except GeneratorExit:  # nobody reads on, so there is nobody to tell
        raise
    except BaseException as error:
        yield from _end(open_ends, down_to=0, error=error)
        raise
    yield from _end(open_ends, down_to=1)
    return run.result  # type: ignore[no-any-return]


def _begins_step(effect: Effect, trace: Trace) -> bool:
    return isinstance(effect, Ask) and (not trace.events or settles(trace.events[-1]))


def _end(
    ends: list[Live], *, down_to: int, error: BaseException | None = None
) -> Generator[Live, None, None]:
    while len(ends) > down_to:
        end = ends.pop()
        yield Live("end", end.what, end.item, error)
