"""Ids of tool calls: results find their calls by them."""

from __future__ import annotations

from reactlab.types import ToolCall


def with_ids(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """Give every call of a turn an id of its own where the server left it out or doubled it."""
    seen: set[str] = set()
    kept = []
    for number, call in enumerate(calls, start=1):
        own = call.id if call.id and call.id not in seen else f"call_{number}_{call.name}"[:40]
        while own in seen:
            own = f"again_{own}"
        seen.add(own)
        kept.append(ToolCall(call.name, call.arguments or "", own))
    return tuple(kept)
