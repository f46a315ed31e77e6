"""Tools that go wrong at a known rate, so that what is done about it can be measured."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from inspect import Parameter, Signature
from random import Random
from typing import Any

from reactlab.errors import ConfigError
from reactlab.faults import Counts, Draws, Injected, Kind, Rates, other_number
from reactlab.tools.registry import ToolRegistry
from reactlab.tools.signature import parameters_in
from reactlab.tools.text import as_text
from reactlab.tools.tool import Tool
from reactlab.types import Observation

TOOL_FAULTS: Mapping[str, Kind] = {
    "raise": Kind("fails with ConnectionError", 'error "unavailable"'),
    "hang": Kind("does not come back within its time limit", 'error "timeout"'),
    "empty": Kind("returns an empty text", "the observation says so"),
    "huge": Kind("returns far more than was asked for", "the observation says what was cut"),
    "garbage": Kind("returns text that was decoded wrongly", "control and replacement signs"),
    "slow": Kind("is late, within its time limit, and right", "the time it took"),
    "lost_reply": Kind("is done, but its reply is lost", 'error "unavailable"', recoverable=False),
    "wrong_value": Kind("another number in the result", "nowhere", recoverable=False),
}
"""All that `faulty_tools` do wrong. "lost_reply" befalls tools with effects only.

Before a tool with effects only "raise", "hang" and "slow" happen, and of the first two the effect
does not take place. After "lost_reply" it has, so that another try would do it twice.
"""

_HUGE = 40_000
_LOST = "The connection was lost while the reply was on its way."
_EFFECTS = ("raise", "hang", "slow", "lost_reply")


def faulty_tools(
    tools: Iterable[Any],
    rates: Rates,
    seed: object = 0,
    *,
    limit: float = 1.0,
    faults: list[Injected] | None = None,
) -> list[Tool]:
    """The tools with the same names, schemas and descriptions, and faults at these rates.

    `rates` is a mapping such as {"raise": 0.2}, or one rate for all recoverable kinds of
    `TOOL_FAULTS` in equal shares. A call gets at most one fault, and which one is a pure function
    of `seed`, tool, arguments, and how often the run made this very call before; tools with
    effects count over all runs. `limit`, in seconds, is given to tools without a time limit if
    they may hang. What happened is appended to `faults`. Raises `ConfigError` for unknown kinds
    and impossible rates.
    """
    if not isinstance(limit, int | float) or limit <= 0:
        raise ConfigError(f"limit is a time in seconds above 0, not {limit!r}.")
    draws = Draws(TOOL_FAULTS, rates, seed)
    kept: list[Injected] = [] if faults is None else faults
    makers: dict[Any, _NewRun] = {}
    made = []
    for tool in ToolRegistry.of(tools):
        shared = makers.setdefault(tool.per_run, _NewRun(tool.per_run))
        seconds = tool.timeout or (limit if "hang" in draws.rates else None)
        kind = _AsyncFaulty if tool.is_async else _Faulty
        func = kind(tool, draws, kept, max(seconds or 0.0, limit))
        per_run = None if tool.effects else shared
        made.append(replace(tool, func=func, per_run=per_run, timeout=seconds))
    return made


@dataclass(eq=False)
class _State:
    """What a run's tools remember: their own state, and which calls were made."""

    own: Any = None
    counts: Counts = field(default_factory=Counts)


@dataclass(eq=False)
class _NewRun:
    """Makes the state of a run; `make` is what the tools had for it."""

    make: Callable[[], Any] | None

    def __call__(self) -> _State:
        return _State(self.make() if self.make else None)


class _Faulty:
    """A tool's function with faults; looks like the function, behind the state of the run."""

    def __init__(self, tool: Tool, draws: Draws, faults: list[Injected], limit: float) -> None:
        self.tool, self.draws, self.limit = tool, draws, limit
        self._happened, self._counts = faults, Counts()

    @property
    def __signature__(self) -> Signature:
        """The function's own, with the run's state in front where the tool is given one."""
        more = [Parameter("more", Parameter.VAR_KEYWORD)]
        own = parameters_in(self.tool.func, otherwise=more)
        state = [Parameter("state", Parameter.POSITIONAL_ONLY)]
        if self.tool.per_run:
            own = own[1:]
        return Signature([*([] if self.tool.effects else state), *own])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        func, args, fault, chance = self._begin(args, kwargs)
        if pause := self._pause(fault.kind):
            time.sleep(pause)
        self._before(fault)
        return self._after(func(*args, **kwargs), fault, chance)

    def _begin(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Callable[..., Any], tuple[Any, ...], Injected, Random]:
        """The function, what it is given by position, and what is going to happen."""
        tool, counts, given = self.tool, self._counts, args
        if not tool.effects:
            (state, *rest) = args
            counts, args = state.counts, tuple(rest)
            given = (state.own, *rest) if tool.per_run else args
        written = json.dumps([*args, kwargs], ensure_ascii=False, sort_keys=True, default=str)
        asked = f"{tool.name}{written}"
        before = counts.before(asked)
        kind, chance = self.draws.draw(asked, before)
        applies = kind in _EFFECTS if tool.effects else kind != "lost_reply"
        fault = Injected(kind if applies else "", asked, before)
        if fault.kind in ("raise", "hang"):  # noted at once: nobody waits for one that hangs
            self._happened.append(fault)
        return tool.func, given, fault, chance

    def _pause(self, kind: str) -> float:
        """How long the call waits first, in seconds."""
        return {"hang": 2 * self.limit, "slow": min(self.limit / 5, 0.02)}.get(kind, 0.0)

    @staticmethod
    def _before(fault: Injected) -> None:
        """Fail where nothing is to be done; a call that hung is given up by then."""
        if fault.kind in ("raise", "hang"):
            raise ConnectionError("The service could not be reached.")

    def _after(self, value: Any, fault: Injected, chance: Random) -> Any:
        """What becomes of the result."""
        if not fault.kind:
            return value
        text = as_text(value.text if isinstance(value, Observation) else value)
        changed: dict[str, Callable[[], str | None]] = {
            "empty": lambda: "",
            "huge": lambda: f"{text}\n{_filler(chance)}",
            "garbage": lambda: _garbled(text, chance),
            "wrong_value": lambda: other_number(text, chance),
        }
        other = changed[fault.kind]() if fault.kind in changed else value
        if other is None:
            return value
        self._happened.append(fault)
        if fault.kind == "lost_reply":
            raise ConnectionError(_LOST)
        return other


class _AsyncFaulty(_Faulty):
    """The same for an async function."""

    async def __call__(self, *args: Any, **kwargs: Any) -> Any:
        func, args, fault, chance = self._begin(args, kwargs)
        if pause := self._pause(fault.kind):
            await asyncio.sleep(pause)
        self._before(fault)
        return self._after(await func(*args, **kwargs), fault, chance)


def _filler(chance: Random) -> str:
    """Far more of what looks like data."""
    line = f"id={chance.randrange(10**6):06} status=ok checksum={chance.randrange(10**9):09}\n"
    return line * (_HUGE // len(line))


def _garbled(text: str, chance: Random) -> str:
    """As if read in a wrong encoding: replacement and control signs, a few letters left."""
    signs = "\ufffd\ufffd\ufffd\x00\x1a\x07Ã¤"
    return "".join(sign if chance.random() < 0.1 else chance.choice(signs) for sign in text)
