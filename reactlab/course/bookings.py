"""Seeded questions about two or three bookings, each of which comes with a long text."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
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
    wanted: str

    def is_right(self, answer: str | None) -> bool:
        """Whether the first order that the answer names is the right one; it may name others."""
        return re.findall(r"\d{5}", answer or "")[:1] == [self.wanted]


def booking_tasks(count: int, seed: int = 0) -> Iterator[BookingTask]:
    """Questions which of two or three bookings leaves last or first, no order in two of them."""
    say, chance = Texts("09"), random.Random(seed)
    orders = map(str, chance.sample(range(20_000, 99_999), 3 * count))
    for number in range(count):
        asked = list(islice(orders, 2 + number % 2))
        hours = chance.sample(range(6, 22), len(asked))
        times = {order: f"{hour:02}:15" for order, hour in zip(asked, hours, strict=True)}
        which, choose = (("later", max), ("earlier", min))[number // 2 % 2]
        question = say(f"{which}_{len(asked)}", *asked)
        yield BookingTask(question, [_search(times, say)], choose(times, key=times.__getitem__))


def _search(times: dict[str, str], say: Any) -> Tool:
    def search(order_id: str) -> dict[str, str]:
        if order_id.strip() not in times:
            raise ToolError(say("no_order", order_id))
        found = {"order_id": order_id.strip(), "departure": times[order_id.strip()]}
        return {**found, "terms": say("terms")}

    return Tool("SearchBooking", say("search"), search, language=current())
