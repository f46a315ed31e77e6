"""What an agent's program may ask of the world: it yields one of these and is sent the result."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from reactlab.types import LLM, Request, ToolCall, ToolSet

T = TypeVar("T")

Approve = Literal["always", "never"] | Callable[[ToolCall], bool] | None
"""Who allows a tool that changes something: always, never, or a function of the call.

None means that nobody was asked, which denies. A function sees the arguments as they were bound.
"""


@dataclass(frozen=True)
class Ask:
    """Ask a model; the result is its `Completion`."""

    llm: LLM
    request: Request


@dataclass(frozen=True)
class Use:
    """Use a tool; the result is its `Observation`."""

    tools: ToolSet
    call: ToolCall
    approve: Approve = None


@dataclass(frozen=True)
class Sleep:
    """Wait for some seconds; the result is None."""

    seconds: float
    why: str = ""


@dataclass(frozen=True)
class Together:
    """Carry out several effects side by side; the result is the list of results, in order."""

    effects: Sequence[Single]


Single = Ask | Use | Sleep
Effect = Single | Together
Program = Generator[Effect, Any, T]
