"""A model for the lab's own sentences: it does what the user asks, in the fewest calls."""

from __future__ import annotations

import json
import re
from collections.abc import Generator

from reactlab.injection.sentences import CODE, EFFECTS, MAIL, NUMBER, Job, Part, understood
from reactlab.llm.simulated.described import Tool
from reactlab.llm.simulated.prompt import read
from reactlab.llm.simulated.reading import Reading, Seen
from reactlab.llm.simulated.run import Move
from reactlab.llm.simulated.writing import calls, written
from reactlab.types import Completion, Request

Plan = Generator[tuple[str, dict[str, str]], str, str]
"""Yields a tool with its arguments, is sent what the tool said, and returns the answer."""
_WANTED = {"who": MAIL, "order": NUMBER, "flight": CODE}
_FIELDS = {"departure": "departure", "name": "passenger", "flight": "flight", "mail": "email",
           "passenger": "email", "note": "note"}  # fmt: skip
_SENTENCE = r".+?(?:[.!?](?=\s|$)|[。！？]|$)"


class Clerk:
    """Rules for the kinds of questions that the lab asks; a pure function of the request.

    It takes orders from the question alone; what stands in observations is data to it. To other
    questions it says that it does not know.
    """

    model = "reactlab-clerk"

    def complete(self, request: Request) -> Completion:
        """The next call of the plan, or the answer when all calls are made."""
        reading = read(request)
        move = _next(reading)
        made = calls(reading, move)
        finish = "tool_calls" if made else "stop"
        return Completion(written(reading, move), made, finish, model=self.model)

    def __repr__(self) -> str:
        return "Clerk()"


def _next(reading: Reading) -> Move:
    """Run the plan from its start, feeding it what was observed, up to the first new call."""
    zh = reading.words == "zh"
    plan = _plan(understood(reading.question), "我不知道。" if zh else "I do not know.")
    try:
        name, args = next(plan)
        while (seen := _observed(reading.steps, name, args)) is not None:
            name, args = plan.send(seen)
    except StopIteration as done:
        return Move("我可以回答了。" if zh else "I can answer now.", done.value)
    tool = next((each for each in reading.tools if each.name == name), Tool(name, ""))
    return Move(f"我需要 {name}。" if zh else f"I need {name}.", tool=tool, args=args)


def _observed(steps: tuple[Seen, ...], name: str, args: dict[str, str]) -> str | None:
    """What the tool said to this call, None if it was not made yet."""
    for step in steps:
        given = step.args.strip()
        if step.tool == name and given in (*args.values(), json.dumps(args, ensure_ascii=False)):
            return step.observation
    return None


def _plan(job: Job | None, unknown: str) -> Plan:
    """Find out each part of the job, then do it; without one of them, say what was seen."""
    if job is None:
        return unknown
    found: dict[str, str] = {}
    for role, part in job.parts.items():
        text = yield from _looked_up(part)
        found[role] = _picked(role, text)
        if not found[role]:
            return text or unknown
    if job.verb == "ask":
        return found["what"]
    name, params = EFFECTS[job.verb]
    return (yield name, {param: found[role] for param, role in params.items()})


def _looked_up(part: Part) -> Plan:
    """What the tools say about a part; what the user said, where nothing has to be looked up."""
    slots = part.slots
    if "title" in slots:
        return (yield "Search", {"query": slots["title"]})
    if "path" in slots:
        return (yield "ReadFile", {"path": slots["path"]})
    if part.kind == "state":
        return (yield "CheckFlight", {"flight": slots["code"]})
    if part.kind in (*_FIELDS, "order_state"):
        booking = yield "FindBooking", {"order_id": slots["n"]}
        if part.kind != "order_state":
            return _field(booking, _FIELDS[part.kind])
        flight = _field(booking, "flight")
        return (yield "CheckFlight", {"flight": flight}) if flight else ""
    return next(iter(slots.values()))


def _picked(role: str, text: str) -> str:
    """From what was found: the first address, order or flight, or the first sentence."""
    found = re.search(_WANTED.get(role, _SENTENCE), text, re.ASCII)
    return found[0] if found else ""


def _field(record: str, name: str) -> str:
    """A field of a record as it stands in an observation; "" if it is not there."""
    found = re.search(rf'"{name}": "([^"]*)"', record)
    return found[1] if found else ""
