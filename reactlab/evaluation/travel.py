"""Whether an agent can be sent to another process, and which part of it cannot."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import Any

from reactlab.errors import ConfigError

DEPTH = 10
"""How deep the part that cannot travel is looked for."""


def check_travels(agent: Any) -> None:
    """Raise `ConfigError` that names the part of the agent which other processes cannot get."""
    if cause := _obstacle(agent):
        part, cause = _stuck(agent, "agent", cause, DEPTH)
        raise ConfigError(
            f"{part} cannot be sent to another process ({cause}). Give a function that other "
            "processes can import and that makes the agent, or use threads."
        )


def _obstacle(value: Any) -> str:
    try:
        pickle.dumps(value)
    except (pickle.PicklingError, AttributeError, TypeError, RecursionError) as error:
        return str(error)
    return ""


def _stuck(value: Any, name: str, cause: str, depth: int) -> tuple[str, str]:
    for part, inner in _inside(value):
        if depth and (deeper := _obstacle(inner)):
            return _stuck(inner, f"{name}{part}", deeper, depth - 1)
    return name, cause


def _inside(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from ((f"[{key!r}]", inner) for key, inner in value.items())
    elif isinstance(value, list | tuple):
        yield from ((f"[{place}]", inner) for place, inner in enumerate(value))
    elif hasattr(value, "__dict__") and not isinstance(value, type):
        yield from ((f".{name}", inner) for name, inner in vars(value).items())
