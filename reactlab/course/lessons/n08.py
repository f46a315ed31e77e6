"""Checks of 08 when_things_go_wrong."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from numbers import Real
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.apps.flights import flight_tools
from reactlab.course.cases import Case, by_cases
from reactlab.course.exercises import Judge, NotDone, Raised, attempt
from reactlab.course.mutants import MUTANTS
from reactlab.course.texts import Texts
from reactlab.course.words import current, plain, value_shown
from reactlab.tools.tool import Tool

say = Texts("08")
ATTEMPTS = 3
VERBS = ("retry", "tell", "stop")
NAMES = (("Search", "Calculator"), ("SearchBooking", "查天气", "Refund_2"), ("a",))
Told = tuple[str, dict[str, Any]] | None


def trouble(kind: str, **given: Any) -> dict[str, Any]:
    """An error as the exercise has it: all keys, None where one does not apply."""
    return {"kind": kind, "status": None, "retry_after": None, "effects": None, "tools": None} | (
        given
    )


def troubles() -> Iterator[tuple[dict[str, Any], int]]:
    """Errors with the number of the attempt that failed, in a seeded order."""
    found: list[tuple[dict[str, Any], int]] = []
    waits: list[float | None] = [None, 7, 0, 20.5, 2]
    for number, status in enumerate((429, 503, 500, 429, 502, 504)):
        server = trouble("server", status=status, retry_after=waits[number % len(waits)])
        found += [(server, 1 + number % 2), (server, ATTEMPTS + number % 2)]
    found += [(trouble("server", status=429, retry_after=7), each) for each in (1, 2)]
    for number, status in enumerate((401, 404, 400, 403, 401)):
        found.append((trouble("server", status=status), 1 + number % 2))
    for times in (1, 2, ATTEMPTS, 5):
        found += [(trouble("tool_timeout", effects=changes), times) for changes in (True, False)]
    found += [
        (trouble("unknown_tool", tools=list(names)), times)
        for names, times in zip(NAMES, (1, 2, 1), strict=True)
    ]
    random.Random(8).shuffle(found)
    yield from found


def judge_todo(what_to_do: Any) -> Iterator[str]:
    """08.1: retry, tell or stop, by what the error is."""
    for number, (error, times) in enumerate(troubles(), 1):
        case = say("case", number)
        got = attempt(case, what_to_do, dict(error), times)
        told = _wrong(got, error, times)
        shown = {key: value for key, value in error.items() if value is not None}
        slots = {"case": case, "got": value_shown(got), "error": shown, "attempt": times}
        yield say(told[0], **slots, **told[1]) if told else ""


def _wrong(got: Any, error: Mapping[str, Any], times: int) -> Told:
    """What is wrong with what is done about an error, as a key of the texts and its slots."""
    parts = list(got) if isinstance(got, tuple | list) else [got]
    verb = plain(parts[0]).lower() if parts and isinstance(parts[0], str) else ""
    value = parts[1] if len(parts) > 1 else None
    if got is None:
        return "nothing", {}
    if verb not in VERBS or (verb == "tell" and not isinstance(value, str)):
        return "shape", {}
    if verb == "retry" and not (_is_number(value) and value is not None and value >= 0):
        return "no_seconds", {}
    check = {"server": _server, "tool_timeout": _timeout, "unknown_tool": _unknown}
    return check[error["kind"]](verb, value, error, times)


def _server(verb: str, value: Any, error: Mapping[str, Any], times: int) -> Told:
    status = error["status"]
    if status != 429 and status < 500:
        return None if verb == "stop" else ("hopeless" if verb == "retry" else "told_server", {})
    if times >= ATTEMPTS:
        return None if verb == "stop" else ("too_often" if verb == "retry" else "told_server", {})
    if verb != "retry":
        return "given_up", {}
    wait = error["retry_after"] or 0
    return None if value >= wait else ("too_soon", {"wait": wait, "seconds": value})


def _timeout(verb: str, value: Any, error: Mapping[str, Any], times: int) -> Told:
    if error["effects"]:
        return ("twice", {}) if verb == "retry" else None
    if times >= ATTEMPTS:
        return ("too_often", {}) if verb == "retry" else None
    return None if verb == "retry" else ("given_up", {})


def _unknown(verb: str, value: Any, error: Mapping[str, Any], times: int) -> Told:
    if verb != "tell":
        return ("same_name" if verb == "retry" else "not_told"), {}
    missing = [name for name in error["tools"] if name not in value]
    return ("no_names", {"missing": say("comma").join(missing)}) if missing else None


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)


def chances() -> Iterator[Case]:
    """Rates, calls of a run and attempts for each call, with the exact share of good runs."""
    chance = random.Random(82)
    given = [(0.5, 4, 2), (0.2, 6, 1), (0.2, 6, 3), (1, 6, 3), (0, 4, 2), (0.5, 1, 2), (0.1, 10, 2)]
    given += [(round(chance.uniform(0.1, 0.4), 2), chance.randint(3, 9), n) for n in (1, 2, 3, 4)]
    for number, (p, calls, attempts) in enumerate(given, 1):
        wanted = (1 - p**attempts) ** calls
        slots = {"p": p, "calls": calls, "attempts": attempts, "exact": f"{wanted:.3f}"}
        yield Case(say("case", number), (p, calls, attempts), wanted, slots)


def near(got: Any, wanted: Any) -> bool:
    """Within what a simulation may miss by."""
    return _is_number(got) and abs(got - wanted) < 0.02


CHANCE_MISTAKES: Mapping[str, Callable[[float, int, int], float]] = {
    "one_call": lambda p, calls, attempts: 1 - p**attempts,
    "no_retry": lambda p, calls, attempts: (1 - p) ** calls,
    "failure": lambda p, calls, attempts: 1 - (1 - p**attempts) ** calls,
    "whole_run": lambda p, calls, attempts: 1 - (1 - (1 - p) ** calls) ** attempts,
    "one_more": lambda p, calls, attempts: (1 - p ** (attempts + 1)) ** calls,
    "all_fail": lambda p, calls, attempts: 1 - (p**attempts) ** calls,
    "percent": lambda p, calls, attempts: 100 * (1 - p**attempts) ** calls,
    "product": lambda p, calls, attempts: (1 - p) ** (calls * attempts),
}


def maker(kind: type[ReActAgent]) -> Callable[..., ReActAgent]:
    """What a learner's test is given: it makes an agent of that kind."""

    def make(llm: Any, tools: Iterable[Any], max_steps: int = 10) -> ReActAgent:
        return kind(llm, tools, max_steps, language=current(), approve="always")

    return make


def judge_test(test: Any) -> Iterator[str]:
    """08.3: a test that the right agent passes and that every wrong one fails."""
    try:
        returned = attempt(say("right_agent"), test, maker(ReActAgent))
    except Raised as raised:
        lines = traceback.extract_tb(raised.error.__traceback__)
        name = getattr(test, "__name__", "")
        line = next((one.line for one in reversed(lines) if one.name == name), "")
        yield say("too_strict", told=raised.told, line=line or "?")
        return
    yield say("no_assert", got=value_shown(returned)) if returned is not None else ""
    for key, kind in MUTANTS.items():
        yield "" if _is_red(test, kind) else say(key)


def _is_red(test: Any, kind: type[ReActAgent]) -> bool:
    """Whether the test fails with this agent, for whatever reason."""
    try:
        attempt("", test, maker(kind))
    except (Raised, NotDone):
        return True
    return False


JUDGES: dict[str, Judge] = {
    "1": judge_todo,
    "2": by_cases(say, chances, CHANCE_MISTAKES, near),
    "3": judge_test,
}
EXAMPLES: dict[str, Any] = {}


def refund_tools(language: str) -> list[Tool]:
    """The tools of the notebook, with a refund that is not written down."""
    words = Texts("08")["refund"]

    def refund(order_id: str) -> dict[str, Any]:
        return {"order_id": order_id, "amount": 1500, "result": words["result"]}

    pay = Tool("ProcessRefund", words["about"], refund, effects=True, language=language)
    return [*flight_tools(language=language)[:2], pay]
