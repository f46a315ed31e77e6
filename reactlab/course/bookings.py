"""Seeded questions about two bookings, each of which comes with a long text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reactlab.course.texts import Texts
from reactlab.course.words import current
from reactlab.errors import ToolError
from reactlab.tools.tool import Tool


@dataclass(frozen=True)
class BookingTask:
    """A question, the tool that it needs, and the order that is the right answer."""

    question: str
    tools: list[Tool]
    later: str


def booking_tasks(count: int, seed: int = 0) -> Iterator[BookingTask]:
    """Questions which of two bookings leaves later, no two about the same orders."""
    say, chance = Texts("09"), random.Random(seed)
    orders = chance.sample(range(20_000, 99_999), 2 * count)
    for one, other in zip(map(str, orders[::2]), map(str, orders[1::2]), strict=True):
        first, second = chance.sample(range(6, 22), 2)
        times = {one: f"{first:02}:15", other: f"{second:02}:15"}
        later = one if first > second else other
        yield BookingTask(say("which", one, other), [_search(times, say)], later)


def _search(times: dict[str, str], say: Any) -> Tool:
    def search(order_id: str) -> dict[str, str]:
        if order_id.strip() not in times:
            raise ToolError(say("no_order", order_id))
        found = {"order_id": order_id.strip(), "departure": times[order_id.strip()]}
        return {**found, "terms": say("terms")}

    return Tool("SearchBooking", say("search"), search, language=current())
