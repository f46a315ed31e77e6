"""A request that fits: within the budget of one request, and after the context has overflowed."""

from __future__ import annotations

from reactlab.dialects import Dialect
from reactlab.errors import ContextOverflow
from reactlab.events import ModelCall
from reactlab.prompts.tokens import tokens_of
from reactlab.trace import Trace
from reactlab.types import Request, ToolSet

SHARES = (0.9, 0.99)
"""How long a request may be, against one that was too long: the first share that can be kept."""


def fitted(dialect: Dialect, trace: Trace, tools: ToolSet, limit: int | None) -> Request:
    """The fullest request of at most `limit` tokens that is shorter than all that overflowed.

    Raises `ContextOverflow` where even the shortest is too long.
    """
    refused = min(map(tokens_of, _refused(trace)), default=None)
    shares = [] if refused is None else [int(share * refused) for share in SHARES]
    limits = [min(share, limit or share) for share in shares] or ([limit] if limit else [])
    if not limits:
        return dialect.render(trace, tools)
    for each in limits[:-1]:
        try:
            return dialect.fit(trace, tools, each)
        except ContextOverflow:
            continue
    return dialect.fit(trace, tools, limits[-1])


def _refused(trace: Trace) -> list[Request]:
    """The requests of this run that were too long for the model."""
    calls = [event for event in trace.events if isinstance(event, ModelCall) and event.failure]
    overflow = ContextOverflow.__name__
    return [call.request for call in calls if call.failure and call.failure.kind == overflow]
