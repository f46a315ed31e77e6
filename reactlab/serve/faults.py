"""What a test server does wrong on demand, as data: faults one at a time, and what it lacks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

from reactlab.errors import ConfigError
from reactlab.serve.reading import Rejected
from reactlab.serve.writing import arguments
from reactlab.types import Completion

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

_PARAMETER = "Unsupported parameter: '{name}' is not supported with this model."
_ARGUMENT = "Unrecognized request argument supplied: {name}"
_VALUE = "Unsupported value: '{name}' does not support {value} with this model."
REFUSALS: Mapping[str, str] = {
    "max_tokens": _PARAMETER + " Use 'max_completion_tokens' instead.",
    "max_completion_tokens": _ARGUMENT,
    "stop": _PARAMETER,
    "temperature": _VALUE + " Only the default (1) value is supported.",
    "stream_options": _ARGUMENT,
    "tools": "{model} does not support tools",
    "system": _VALUE.format(name="messages[0].role", value="'system'"),
}
"""What `refuses` may name, in the words of hosted and local servers."""


class Faults:
    """Which request gets which fault: `plan` in order, one for each request, "" for none.

    `seconds` is what "rate_limit" asks to wait and "slow" waits.
    """

    def __init__(self, plan: Iterable[str] = (), *, seconds: float = 1.0) -> None:
        if not isinstance(seconds, int | float) or not 0 <= seconds < float("inf"):
            raise ConfigError(f"seconds is a number from 0 on, not {seconds!r}.")
        self.plan = [check(name) for name in listed("plan", plan)]
        self.seconds = seconds

    def next(self, asked: str | None) -> str:
        """The fault of this request: what it asked for, else the plan's."""
        if asked is not None:
            return check(asked)
        return self.plan.pop(0) if self.plan else ""


def check(name: str) -> str:
    """The name of a fault, or "" for none; raises `ConfigError` for any other."""
    if name and name not in FAULTS:
        raise ConfigError(f"There is no fault {name!r}; there are {', '.join(FAULTS)}.")
    return name


def spoil(completion: Completion, fault: str) -> Completion:
    """The completion as a model with this fault would send it."""
    if fault != "broken_json":
        return completion
    calls = (replace(call, arguments=arguments(call)[:-1] or "{") for call in completion.calls)
    return replace(completion, calls=tuple(calls))


def refuse(body: Mapping[str, Any], names: Collection[str], model: str) -> None:
    """Raise `Rejected` if the body has one of the things that this server is to refuse."""
    messages = body.get("messages")
    listed = messages if isinstance(messages, list) else []
    roles = [str(one.get("role")) for one in listed if isinstance(one, Mapping)]
    given = {**dict.fromkeys(roles, True), **body}
    for name in sorted(names):
        value = given.get(name)
        if value in (None, []) or (name == "temperature" and value == 1):
            continue
        told = REFUSALS[name].format(name=name, value=value, model=model)
        code = "unsupported_value" if "value" in told else "unsupported_parameter"
        raise Rejected(told, "" if name == "tools" else name, code=code)


def listed(what: str, names: Iterable[str]) -> list[str]:
    """The names as a list; raises `ConfigError` for what is no list of texts."""
    found = list(names) if isinstance(names, Iterable) and not isinstance(names, str) else [None]
    if not all(isinstance(name, str) for name in found):
        raise ConfigError(f"{what} is a list of names, not {names!r}.")
    return [str(name) for name in found]


def known(names: Collection[str], among: Collection[str]) -> frozenset[str]:
    """The names as a set; raises `ConfigError` for one that is not among the known ones."""
    for name in listed("names", names):
        if name not in among:
            raise ConfigError(f"There is no {name!r} here; there are {', '.join(among)}.")
    return frozenset(names)
