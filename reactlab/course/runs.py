"""Runs that stopped for six reasons, made by the real loop with scripted models."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import suppress

from reactlab.agents.react import ReActAgent
from reactlab.course.scripts import act, answer
from reactlab.course.texts import Texts
from reactlab.course.words import current
from reactlab.errors import LLMError
from reactlab.events import Step
from reactlab.llm.scripted import Reply, ScriptedLLM
from reactlab.tools.tool import Tool
from reactlab.trace import Trace
from reactlab.types import Observation

say = Texts("05")


class Runs(dict[str, Trace]):
    """Runs by letter without their stop reasons, which `reasons` keeps; `str()` lists the steps."""

    def __init__(self, runs: Mapping[str, Trace]) -> None:
        self.reasons = {name: str(run.stop_reason) for name, run in runs.items()}
        for name, run in runs.items():
            self[name] = Trace(run.question, run.agent, run.model, run.events, run.answer)

    def __str__(self) -> str:
        lines: list[str] = []
        for name, run in self.items():
            lines.append(f"{name}  {say('steps', len(run))}")
            lines += [f"   {step.number}  {line}" for step in run for line in _lines(step)]
        return "\n".join(lines)

    __repr__ = __str__


def stopped_runs(variant: int) -> Runs:
    """Runs A to F; each `variant` has other bookings and lengths, and from 1 on G to I as well."""
    chance = random.Random(variant)
    orders = [str(chance.randrange(20000, 99999)) for _ in range(6)]
    look = [act(say("see", order), "SearchBooking", order) for order in orders]
    think, down = say("think"), LLMError(say("down"))
    stays, found = answer(say("stopped"), say("not_moved")), answer(say("known"), "10:00")
    scripts: dict[str, list[Reply]] = {
        "A": [*look[: 1 + variant], found],
        "B": [*[think] * (variant > 0), *look],
        "C": [*look[:variant], down],
        "D": [think] * 9,
        "E": [act(say("move"), "Rebook", orders[0]), *look[:variant], stays],
        "F": [*look[1 : 1 + variant], act(say("wait"), "Wait", orders[0])],
    }
    if variant:  # what is easily taken for another reason
        scripts |= {
            "G": [act(say("see", orders[0]), "Lookup", orders[0]), *look[:variant], found],
            "H": [*look[: 3 + variant], think],
            "I": [act(say("move"), "Rebook", orders[0]), *look],
        }
    return Runs({name: _run(replies, 4 + variant) for name, replies in scripts.items()})


def _run(replies: list[Reply], limit: int) -> Trace:
    tools = [
        Tool("SearchBooking", "Look up a booking.", _look_up),
        Tool("Rebook", "Move a booking.", _look_up, effects=True),
        Tool("Wait", "Wait for a seat.", _wait),
    ]
    trace = Trace(say("flight_question"))
    agent = ReActAgent(ScriptedLLM(replies), tools, limit, None, language=current())
    with suppress(KeyboardInterrupt):
        agent.run(trace.question, trace=trace)
    return trace


def _look_up(order: str) -> str:
    return say("leaves", order)


def _wait(order: str) -> str:
    raise KeyboardInterrupt  # as if somebody pressed the stop button


def _lines(step: Step) -> Iterator[str]:
    if step.completion is None:
        yield say("silent")
    elif step.decision is None:
        yield say("unread", step.completion.text)
    for call in step.calls:
        seen = _seen(step.observations[0]) if step.observations else "…"
        yield f"{call.name}[{call.arguments}] → {seen}"
    if step.decision and step.decision.answer is not None:
        yield say("answered", step.decision.answer)


def _seen(observation: Observation) -> str:
    told = say("refused") if observation.error == "denied" else str(observation)
    return f"[{observation.error}] {told}" if observation.error else told
