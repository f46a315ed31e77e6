"""Write the runs that notebooks compare a reader's own with: `python -m reactlab.course.store`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.apps.flights import flight_tools
from reactlab.course.lesson import find_example
from reactlab.course.lessons.n08 import refund_tools
from reactlab.course.shop import shop_tools
from reactlab.course.texts import path_of_run
from reactlab.course.words import Language, edition
from reactlab.dialects import DialectName
from reactlab.llm.simulated import SimulatedLLM
from reactlab.tools.builtin import builtin_tools
from reactlab.trace import Trace

Tools = Callable[[str], list[Any]]
RUNS: dict[str, tuple[Any, Tools]] = {
    "00.first": (SimulatedLLM(), lambda language: list(builtin_tools(language=language))),
    "01.rebook": (SimulatedLLM(), lambda language: flight_tools(language=language)),
    "02.sum": (SimulatedLLM(), lambda language: list(builtin_tools(language=language))[:2]),
    "04.price": (SimulatedLLM(), shop_tools),
    "05.compare": (SimulatedLLM(), lambda language: flight_tools(language=language)[:1]),
    "06.rebook": (SimulatedLLM(), lambda language: flight_tools(language=language)),
    "07.compare": (SimulatedLLM(), lambda language: flight_tools(language=language)[:1]),
    "08.refund": (SimulatedLLM(), refund_tools),
    "09.compare": (SimulatedLLM(), lambda language: flight_tools(language=language)[:1]),
    "A2.booking": (SimulatedLLM(), lambda language: flight_tools(language=language)[:1]),
}
AS_CALLS = {"07.compare"}
"""Runs in which the model returns calls; in all others it writes text."""


def fresh(name: str, language: Language) -> Trace:
    """The run as it comes out today, with the example of that name; times are left out."""
    edition(language)
    llm, tools = RUNS[name]
    dialect: DialectName = "tools" if name in AS_CALLS else "bracket"
    settings: Any = {"language": language, "approve": "always", "dialect": dialect}
    agent = ReActAgent(llm, tools(language), **settings)
    run = agent.run(find_example(name))
    run.events, run.seconds = [_timeless(event) for event in run.events], 0.0
    return run


def _timeless(event: Any) -> Any:
    return dataclasses.replace(event, seconds=0.0) if hasattr(event, "seconds") else event


if __name__ == "__main__":
    for wanted in RUNS:
        for tongue in ("en", "zh"):
            fresh(wanted, edition(tongue)).save(path_of_run(wanted))
