"""Faults that a test server shows on demand, one kind at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal, get_args

from reactlab.errors import ConfigError
from reactlab.types import Completion, ToolCall

Fault = Literal["rate_limit", "server_error", "slow", "cut_stream", "broken_json", "missing_ids"]
HEADER = "x-reactlab-fault"
"""A request may ask for a fault itself: `X-ReactLab-Fault: rate_limit`."""

FAULTS: Mapping[Fault, str] = {
    "rate_limit": "429 with Retry-After",
    "server_error": "500",
    "slow": "waits before it answers",
    "cut_stream": "closes the connection in the middle of a stream",
    "broken_json": "cuts the arguments of tool calls short",
    "missing_ids": "leaves out the ids of tool calls",
}
assert set(FAULTS) == set(get_args(Fault))


class Faults:
    """Which request gets which fault: `plan` in order, one for each request, "" for none."""

    def __init__(self, plan: Iterable[str] = (), *, seconds: float = 1.0) -> None:
        self.plan = [check(name) for name in plan]
        self.seconds = seconds

    def next(self, asked: str | None) -> str:
        """The fault of this request: what it asked for, else the next one of the plan."""
        if asked is not None:
            return check(asked)
        return self.plan.pop(0) if self.plan else ""


def check(name: str) -> str:
    """The name of a fault, or "" for none; raises `ConfigError` for any other."""
    if name and name not in FAULTS:
        raise ConfigError(f"There is no fault {name!r}; there are {', '.join(FAULTS)}.")
    return name


def spoil(completion: Completion, fault: str) -> Completion:
    """The completion as a model or server with this fault would send it."""
    if fault == "missing_ids":
        calls = [ToolCall(call.name, call.arguments) for call in completion.calls]
    elif fault == "broken_json":
        calls = [replace(call, arguments=str(call.arguments)[:-2]) for call in completion.calls]
    else:
        return completion
    return replace(completion, calls=tuple(calls))
