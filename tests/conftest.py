"""One fixture runs a test over every way of running an agent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from reactlab import Trace
from reactlab.agents.base import Agent

Runner = Callable[..., Trace]


def run_blocking(agent: Agent, question: str, **options: Any) -> Trace:
    return agent.run(question, **options)


def run_async(agent: Agent, question: str, **options: Any) -> Trace:
    return asyncio.run(agent.arun(question, **options))


def run_live(agent: Agent, question: str, **options: Any) -> Trace:
    events = list(agent.iter(question, **options))
    assert isinstance(events[0].item, Trace)
    return events[0].item


@pytest.fixture(params=[run_blocking, run_async, run_live], ids=["run", "arun", "iter"])
def run(request: pytest.FixtureRequest) -> Runner:
    """The three entry points of an agent, which have to agree."""
    runner: Runner = request.param
    return runner
