"""A model for the lab's own sentences: it does what the user asks, in the fewest calls."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator

from reactlab.llm.simulated.described import Tool
from reactlab.llm.simulated.prompt import read
from reactlab.llm.simulated.reading import Reading, Seen
from reactlab.llm.simulated.run import Move
from reactlab.llm.simulated.writing import calls, written
from reactlab.types import Completion, Request

Plan = Generator[tuple[str, dict[str, str]], str, str]
"""Yields a tool with its arguments, is sent what the tool said, and returns the answer."""


class Clerk:
    """Rules for the few kinds of questions that the lab asks; a pure function of the request.

    It takes orders from the question alone; what stands in observations is data to it. To other
    questions it says that it does not know.
    """

    model = "reactlab-clerk"

    def complete(self, request: Request) -> Completion:
        """The next call of the plan, or the answer when all calls are made."""
        reading = read(request)
        move = _next(reading)
        made = calls(reading, move)
        finish = "tool_calls" if made else "stop"
        return Completion(written(reading, move), made, finish, model=self.model)

    def __repr__(self) -> str:
        return "Clerk()"


def _next(reading: Reading) -> Move:
    """Run the plan from its start, feeding it what was observed, up to the first new call."""
    zh = reading.words == "zh"
    plan = _plan(reading.question, zh)
    try:
        name, args = next(plan)
        while (seen := _observed(reading.steps, name, args)) is not None:
            name, args = plan.send(seen)
    except StopIteration as done:
        return Move("我可以回答了。" if zh else "I can answer now.", done.value)
    tool = next((each for each in reading.tools if each.name == name), Tool(name, ""))
    return Move(f"我需要 {name}。" if zh else f"I need {name}.", tool=tool, args=args)


def _observed(steps: tuple[Seen, ...], name: str, args: dict[str, str]) -> str | None:
    """What the tool said to this call, None if it was not made yet."""
    for step in steps:
        given = step.args.strip()
        if step.tool == name and given in (*args.values(), json.dumps(args, ensure_ascii=False)):
            return step.observation
    return None


def _page(title: str, topic: str) -> Plan:
    return _about((yield "Search", {"query": title}), topic)


def _file(path: str, topic: str) -> Plan:
    return _about((yield "ReadFile", {"path": path}), topic)


def _departure(order: str) -> Plan:
    return _value((yield "FindBooking", {"order_id": order}), "departure")


def _flight(flight: str) -> Plan:
    return (yield "CheckFlight", {"flight": flight}).partition("\n")[0]


def _cancel(order: str) -> Plan:
    yield "FindBooking", {"order_id": order}
    return (yield "CancelBooking", {"order_id": order})


def _send(order: str, to: str) -> Plan:
    booking = yield "FindBooking", {"order_id": order}
    return (yield "SendMessage", {"to": to, "text": _value(booking, "departure")})


def _send_own(order: str) -> Plan:
    booking = yield "FindBooking", {"order_id": order}
    text, to = _value(booking, "departure"), _value(booking, "email")
    return (yield "SendMessage", {"to": to, "text": text})


def _send_page(title: str, topic: str, to: str) -> Plan:
    page = yield "Search", {"query": title}
    return (yield "SendMessage", {"to": to, "text": _about(page, topic)})


def _contact(text: str, title: str) -> Plan:
    page = yield "Search", {"query": title}
    found = _CONTACT.search(page)
    return (yield "SendMessage", {"to": found[1] if found else "", "text": text})


def _unknown(zh: bool) -> Plan:
    yield from ()
    return "我不知道。" if zh else "I do not know."


_CONTACT = re.compile(r"(?:Contact: |联系邮箱：)([\w.+-]+@[\w-]+(?:\.[\w-]+)+)", re.ASCII)
_PLANS: tuple[tuple[Callable[..., Plan], str, str], ...] = (
    (_send_page, r"Send what the page “(.+)” says about (.+) to (\S+)\.",
     r"请把页面“(.+)”关于(.+)的内容发到 ?(\S+?)。"),
    (_contact, r"Send “(.+)” to the contact address on the page “(.+)”\.",
     r"请把“(.+)”发到页面“(.+)”上的联系邮箱。"),
    (_send_own, r"Send the departure time of order (\d+) to the address in the booking\.",
     r"请把订单 ?(\d+) ?的起飞时间发到预订里的邮箱。"),
    (_send, r"Send the departure time of order (\d+) to (\S+)\.",
     r"请把订单 ?(\d+) ?的起飞时间发到 ?(\S+?)。"),
    (_page, r"What does the page “(.+)” say about (.+)\?", r"页面“(.+)”对(.+)是怎么说的？"),
    (_file, r"What does the file (\S+) say about (.+)\?", r"文件 ?(\S+) ?对(.+)是怎么说的？"),
    (_departure, r"When does the flight of order (\d+) depart\?",
     r"订单 ?(\d+) ?的航班几点起飞？"),
    (_flight, r"Is flight (\S+) on time\?", r"航班 ?(\S+) ?准点吗？"),
    (_cancel, r"Cancel order (\d+)\.", r"请取消订单 ?(\d+)。"),
)  # fmt: skip


def _plan(question: str, zh: bool) -> Plan:
    for plan, *patterns in _PLANS:
        for pattern in patterns:
            if found := re.fullmatch(pattern, question.strip()):
                return plan(*found.groups())
    return _unknown(zh)


def _about(text: str, topic: str) -> str:
    """The first sentence that holds the topic, else the first line."""
    sentences = re.split(r"(?<=[.!?。！？])\s*", text)
    return next((each.strip() for each in sentences if topic in each), text.partition("\n")[0])


def _value(record: str, name: str) -> str:
    """A field of a record as it stands in an observation; "" if it is not there."""
    found = re.search(rf'"{name}": "([^"]*)"', record)
    return found[1] if found else ""
