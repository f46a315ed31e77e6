"""The fullest request that fits into a number of tokens: old things give way before new ones."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from reactlab.errors import ContextOverflow
from reactlab.events import Event, Failure, ModelCall, Step, ToolUse
from reactlab.prompts.digest import brief, input_text, one_line, shortened
from reactlab.prompts.tokens import tokens_of
from reactlab.trace import Trace
from reactlab.types import Decision, Request, ToolCall
from reactlab.wording import say, tell

Render = Callable[[Trace, int], Request]
OVERFLOW = "Even in its shortest form the request has about {needed} tokens; the limit is {limit}."
LINES: tuple[int | None, ...] = (None, 40, 20, 8, 0)
"""Tokens of a result in the line of an old step, from its whole digest down to the call alone."""
LEAST = 40
"""Tokens that an observation of the last step keeps in any case."""
LONG = (*(round(64_000 / 1.4**n) for n in range(22)), LEAST)
"""Tokens of a text that is shortened."""


class Room(NamedTuple):
    """How much is shown: a form of the request, from the fullest to the shortest.

    `recent` steps stand in full, except that a text of more than `long` tokens is shortened. The
    `bare` oldest steps are cut down to their calls and `line` tokens of what came of each, the
    others to `rest` tokens (None: their whole digest). `turns` earlier turns of the conversation
    are shown without their steps; None: all, with them.
    """

    recent: int
    long: int
    turns: int | None = None
    bare: int = 0
    line: int = 0
    rest: int | None = None


def fitted(render: Render, trace: Trace, recent: int | None, limit: int, language: str) -> Request:
    """The first form of the request that has at most `limit` tokens; `recent` as `max_context`.

    Question, tools and the last step are in all of them. Raises `ContextOverflow` when even the
    shortest is too long, with the number of tokens that it has.
    """
    most = len(trace) if recent is None else min(recent, len(trace))
    forms = _forms(max(1, most), len(trace), limit, _turns(trace))

    def made(room: Room) -> Request:
        return render(_shorter(trace, room, language), room.recent)

    place = bisect_left(forms, True, key=lambda room: tokens_of(made(room)) <= limit)
    request = made(forms[min(place, len(forms) - 1)])
    if (needed := tokens_of(request)) > limit:
        told = say(OVERFLOW, needed=f"{needed:,}", limit=f"{limit:,}")
        raise ContextOverflow(tell(told, language))
    return request


def _forms(most: int, steps: int, limit: int, turns: int) -> list[Room]:
    """All forms: fewer steps in full, then long texts shorter, then old steps barer."""
    long = [size for size in LONG if size <= limit // 2] or [LEAST]
    forms = [Room(recent, long[0]) for recent in range(most, 0, -1)]
    forms += [Room(1, size) for size in long[1:]]
    if turns:
        forms.append(Room(1, LEAST, turns))
    for rest, line in pairwise(LINES):
        for bare in range(1, steps):
            forms.append(Room(1, LEAST, turns or None, bare, line or 0, rest))
    forms += [forms[-1]._replace(turns=fewer) for fewer in range(turns - 1, -1, -1)]
    return forms


def _turns(trace: Trace) -> int:
    """How many turns the conversation had before this one."""
    count, earlier = 0, trace.after
    while earlier is not None:
        count, earlier = count + 1, earlier.after
    return count


def _shorter(trace: Trace, room: Room, language: str) -> Trace:
    """A copy of the trace that holds what this form shows."""
    events: list[Event] = []
    for step in trace.steps:
        if step.number > len(trace) - room.recent:
            events += [_short(event, room.long, language) for event in step.events]
        else:
            line = room.line if step.number <= room.bare else room.rest
            events += step.events if line is None else _bare(step, line)
    after = trace.after if room.turns is None else _without_steps(trace.after, room.turns)
    return Trace(trace.question, trace.agent, trace.model, events, after=after)


def _without_steps(trace: Trace | None, turns: int) -> Trace | None:
    """The last turns of a conversation as questions and answers alone."""
    shown: list[Trace] = []
    while trace is not None and len(shown) < turns:
        alone = Trace(trace.question, answer=trace.answer, detail=trace.detail)
        alone.stop_reason, trace = trace.stop_reason, trace.after
        shown.append(alone)
    for later, earlier in pairwise(shown):
        later.after = earlier
    return shown[0] if shown else None


def _short(event: Event, long: int, language: str) -> Event:
    """The event with its long texts shortened."""
    match event:
        case ToolUse(call, seen):
            text = shortened(str(seen), long, language, input_text(call.arguments))
            return replace(
                event, call=_short_call(call, long, language), observation=replace(seen, text=text)
            )
        case Decision():
            return replace(event, thought=shortened(event.thought, long, language))
        case ModelCall(_, completion) if completion is not None and completion.calls:
            calls = tuple(_short_call(call, long, language) for call in completion.calls)
            return replace(event, completion=replace(completion, calls=calls))
        case _:
            return event


def _short_call(call: ToolCall, long: int, language: str) -> ToolCall:
    """The call with its long arguments shortened; JSON stays JSON."""
    given = call.arguments
    if isinstance(given, str):
        if len(given) <= long:
            return call
        try:
            named = json.loads(given) if given.lstrip().startswith("{") else None
        except (ValueError, RecursionError):
            named = None
        if not isinstance(named, dict):
            return replace(call, arguments=shortened(given, long, language))
        text = json.dumps(_short_values(named, long, language), ensure_ascii=False)
        return replace(call, arguments=text)
    return replace(call, arguments=_short_values(given, long, language))


def _short_values(given: Mapping[str, Any], long: int, language: str) -> dict[str, Any]:
    return {
        name: shortened(value, long, language) if isinstance(value, str) else value
        for name, value in given.items()
    }


def _bare(step: Step, line: int) -> list[Event]:
    """The events of an old step, of which only calls and a little of their results are left."""
    events: list[Event] = []
    for event in step.events:
        match event:
            case ToolUse(call, seen):
                text = brief(str(seen), line, input_text(call.arguments)) if line else ""
                events.append(replace(event, observation=replace(seen, text=text)))
            case Decision():
                events.append(replace(event, thought=""))
            case Failure() if event.tell:
                events.append(replace(event, tell=one_line(event.tell, 40)))
            case _:
                events.append(event)
    return events
