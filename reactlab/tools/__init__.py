"""Tools: functions that a model may use, and the registry that runs them for it."""

from reactlab.tools.registry import ToolRegistry
from reactlab.tools.tool import Tool, tool

__all__ = ["Tool", "ToolRegistry", "tool"]
