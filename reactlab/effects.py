"""What an agent's program may ask of the world: it yields one of these and is sent the result."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from reactlab.trace import Trace
from reactlab.types import LLM, Request, ToolCall, ToolSet

T = TypeVar("T")

Approve = Literal["always", "never", "dry_run"] | Callable[[ToolCall], bool] | None
"""Who allows a tool that changes something: always, never, or a function of the call.

None means that nobody was asked, which denies. A function sees the arguments as they were bound.
"dry_run" does nothing and says what would have been done.
"""

Permit = Callable[[ToolCall, Trace], bool | str] | None
"""What a run may use: a function of every call, with its arguments as they were bound, and of the
trace so far. True allows the call; False, or a text that says why, forbids it. None allows all.
"""


@dataclass(frozen=True)
class Ask:
    """Ask a model; the result is its `Completion`. Given up after `seconds`, if set."""

    llm: LLM
    request: Request
    seconds: float | None = None


@dataclass(frozen=True)
class Use:
    """Use a tool; the result is its `Observation`.

    `attempt` is 1 unless the same call is made again. `seconds` limits it beside the tool's own
    limit.
    """

    tools: ToolSet
    call: ToolCall
    approve: Approve = None
    permit: Permit = None
    attempt: int = 1
    seconds: float | None = None


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
