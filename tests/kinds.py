"""Every kind of agent in every way of running it, for tests of what holds for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest
from conftest import Runner, run_async, run_blocking, run_live

from reactlab import (
    ActAgent,
    CoTAgent,
    FlightAgent,
    ReActAgent,
    ReActAgentFunctionCall,
    RobustReActAgent,
    SimpleReActAgent,
    SingleCallAgent,
    Trace,
)


@dataclass(frozen=True)
class Kind:
    """A kind of agent: how it is made, and what it can.

    `tools` says whose tools it uses: "any", its "own", or "none". `turns` is how often it asks a
    model that never finishes, if nobody sets a limit. `limit` is the name of that setting, "" where
    there is none.
    """

    name: str
    make: Callable[..., Any]
    dialect: str = "bracket"
    tools: str = "any"
    turns: int = 10
    limit: str = "max_steps"
    ways: tuple[Runner, ...] = (run_blocking, run_async, run_live)

    def __str__(self) -> str:
        return self.name


class Plain:
    """The plain form, which takes its model with the question, behind the same `run`."""

    def __init__(self, llm: Any, tools: Iterable[Any] = (), **options: Any) -> None:
        self.llm = llm
        self.agent = SimpleReActAgent(tools, **options)

    def run(self, question: str) -> Trace:
        return self.agent.run(question, self.llm)


def _alone(make: Any, llm: Any, tools: Any = (), **options: Any) -> Any:
    """Agents that take no tools."""
    return make(llm, **options)


SPOKEN = tuple(
    Kind(dialect, partial(ReActAgent, dialect=dialect), dialect)
    for dialect in ("bracket", "action_input", "json", "tools")
)
OTHERS = (
    Kind("function_call", ReActAgentFunctionCall, "tools"),
    Kind("robust", RobustReActAgent),
    Kind("act", ActAgent),
    Kind("single", SingleCallAgent, turns=2, limit=""),
    Kind("cot", partial(_alone, CoTAgent), tools="none", turns=1, limit=""),
    Kind("flight", partial(_alone, FlightAgent), tools="own"),
    Kind("simple", Plain, "action_input", turns=5, limit="max_iter", ways=(run_blocking,)),
)
KINDS = (*SPOKEN, *OTHERS)
CHINESE = tuple(
    replace(kind, name=f"{kind.name}-zh", make=partial(kind.make, language="zh"))
    for kind in KINDS
    if kind.name != "simple"
)


def every_way(*kinds: Kind) -> pytest.MarkDecorator:
    """The test over each of these kinds, in every way of running that it has."""
    names = {run_blocking: "run", run_async: "arun", run_live: "iter"}
    ways = [pytest.param(k, run, id=f"{k}-{names[run]}") for k in kinds for run in k.ways]
    return pytest.mark.parametrize(("kind", "run"), ways)


LOOPS = tuple(kind for kind in KINDS if kind.tools == "any" and kind.turns > 2)
"""Those that use any tools, as often as they like."""
USERS = tuple(kind for kind in KINDS if kind.tools == "any")
"""Those that use any tools, be it once."""
