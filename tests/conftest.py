"""Fixtures that run a test over every way of running an agent, and in both editions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from reactlab import Trace
from reactlab.agents.base import Agent
from reactlab.course import edition
from reactlab.course.words import Language

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


@pytest.fixture(params=["en", "zh"])
def language(request: pytest.FixtureRequest) -> Iterator[Language]:
    """The edition that a test runs in."""
    yield edition(request.param)
    edition("en")
