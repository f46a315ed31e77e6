"""Tools: functions that a model may use, and the registry that runs them for it."""

from __future__ import annotations

from typing import Any

from reactlab.tools.registry import ToolRegistry
from reactlab.tools.tool import Tool, tool

__all__ = ["Tool", "ToolRegistry", "builtin_tools", "search_tools", "tool"]


def __getattr__(name: str) -> Any:
    """Import the built-in tools when they are first asked for."""
    if name not in ("builtin_tools", "search_tools"):
        raise AttributeError(f"module 'reactlab.tools' has no attribute {name!r}")
    from reactlab.tools import builtin

    return getattr(builtin, name)
