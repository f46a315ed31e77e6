"""What came of a call, as the observation that a model reads."""

from __future__ import annotations

from dataclasses import replace

from reactlab.errors import ToolError
from reactlab.tools.binding import BadArguments
from reactlab.tools.calling import TimedOut
from reactlab.tools.text import as_text, cut, describe
from reactlab.types import Observation


def succeeded(name: str, value: object, limit: int) -> Observation:
    """The returned value in at most `limit` characters; an `Observation` keeps its error."""
    if isinstance(value, Observation):
        return replace(value, text=cut(as_text(value.text), limit))
    try:
        return Observation(cut(as_text(value), limit))
    except Exception as error:  # the `__str__` of a foreign object may do anything
        kind = type(value).__name__
        text = f"{name} returned a {kind} that cannot be shown as text ({describe(error)})."
        return Observation(cut(text, limit), "tool_error")


def failed(
    name: str, error: Exception, limit: int, *, usage: str, seconds: float | None
) -> Observation:
    """What went wrong, in at most `limit` characters, and how to do it right if that is known."""
    match error:
        case BadArguments():
            return Observation(cut(f"{name}: {error}. Call it as {usage}.", limit), "bad_arguments")
        case TimedOut():
            text = f"{name} took longer than its limit of {seconds:g} s and was given up."
            return Observation(cut(text, limit), "timeout")
        case ToolError() if error.message.strip():
            return Observation(cut(error.message, limit), "tool_error")
    return Observation(cut(describe(error), limit), "tool_error")
