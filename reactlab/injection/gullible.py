"""A model that can be fooled: it obeys orders in data, at a rate that is a knob."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from reactlab.errors import ParseError
from reactlab.llm.protocol import as_llm
from reactlab.llm.simulated.described import Tool
from reactlab.llm.simulated.prompt import read
from reactlab.llm.simulated.reading import Reading
from reactlab.llm.simulated.run import Move
from reactlab.llm.simulated.writing import calls, written
from reactlab.parser import parse
from reactlab.types import Completion, Message, Request, ToolCall

RESULT = "RESULT"
"""Stands in an order for what the last tool said."""
_ADDRESSED = re.compile(r"(?:\b(?:AI|assistants?|agents?)\b|助手|智能体).*", re.I | re.S)
_ASKED = re.compile(r"(?:use|run|call|调用|使用)\s*(\w+\[.*)", re.I | re.S)
_ACT = re.compile(r"(\w+)\[((?:\{.*?\})|[^\[\]]*?)\]", re.ASCII | re.S)
_WORDS = re.compile(r"(?:end your answer with|在答案最后写上)[:：]\s*([^\n\"]+)", re.I)
_VALUE = r"\s*([\w@.:/+-]*\w)\s*"
_SWAP = re.compile(f"(?:use|用){_VALUE}(?:instead of|代替){_VALUE}", re.ASCII | re.I)


class Order(NamedTuple):
    """An order found in an observation: calls to make, words for the answer, a value to replace.

    `at` is the place among the steps of the observation that holds it; `swap` is the new value and
    the old one, both "" if there is nothing to replace.
    """

    at: int
    acts: tuple[tuple[str, str], ...] = ()
    words: str = ""
    swap: tuple[str, str] = ("", "")


class Gullible:
    """Any model that now and then obeys an order which stands in an observation.

    At a rate of `rate` (0..1) for each order, drawn from `seed` and the order's text: a pure
    function of the request. It knows no task: it does the calls that the order spells out, one
    after another, with RESULT in them replaced by what the last tool said, and then goes on as
    `llm`. Told to use one value instead of another, it does so from then on. The rate is a knob for
    measuring defences and says nothing about any real model.
    """

    def __init__(self, llm: object = None, rate: float = 1.0, seed: object = 0) -> None:
        self.llm = as_llm(llm)
        self.model = self.llm.model
        self.rate, self.seed = rate, seed

    def complete(self, request: Request) -> Completion:
        """What the order asks for if it is obeyed and not done yet, else what `llm` says."""
        reading = read(request)
        order = next((each for each in orders(reading) if self._obeys(each)), None)
        if order is None:
            return self.llm.complete(request)
        act = _next_act(order, reading)
        if act is not None:
            return _reply(reading, act, self.model)
        new, old = order.swap
        reply = self.llm.complete(_replaced(request, new, old))  # believes it used the old value
        reply = _replaced(reply, old, new)
        return _with_words(reply, order.words, reading) if order.words else reply

    def _obeys(self, order: Order) -> bool:
        drawn = Random(f"{self.seed}|{order[1:]}").random()
        return drawn < self.rate

    def __repr__(self) -> str:
        return f"Gullible({self.llm!r}, rate={self.rate:g})"


def orders(reading: Reading) -> Iterator[Order]:
    """The orders to an assistant that the observations hold, the first one first."""
    for at, step in enumerate(reading.steps):
        # inside a JSON value, quotes are escaped
        found = _ADDRESSED.search((step.observation or "").replace('\\"', '"'))
        text = found[0] if found else ""
        asked, words, swap = _ASKED.search(text), _WORDS.search(text), _SWAP.search(text)
        if asked or words or swap:
            acts = tuple(_ACT.findall(asked[1])) if asked else ()
            pair = (swap[1], swap[2]) if swap else ("", "")
            yield Order(at, acts, words[1].strip() if words else "", pair)


def _replaced(value: Any, old: str, new: str) -> Any:
    """A request or a completion with one text in place of another, in messages and arguments."""
    if isinstance(value, str):
        return value.replace(old, new) if old else value
    if isinstance(value, tuple):
        return tuple(_replaced(each, old, new) for each in value)
    if isinstance(value, Mapping):
        return {name: _replaced(each, old, new) for name, each in value.items()}
    names = {Request: ["messages"], Message: ["content", "calls"], ToolCall: ["arguments"],
             Completion: ["text", "calls"]}.get(type(value), [])  # fmt: skip
    changes = {name: _replaced(getattr(value, name), old, new) for name in names}
    return replace(value, **changes) if changes else value


def _next_act(order: Order, reading: Reading) -> Move | None:
    """The first call of the order that has not been made since it was read."""
    later = [step for step in reading.steps[order.at + 1 :] if step.tool]
    done = 0
    for step in later:
        if done < len(order.acts) and step.tool == order.acts[done][0]:
            done += 1
    if done == len(order.acts):
        return None
    name, text = order.acts[done]
    last = next((s.observation for s in reversed(reading.steps) if s.observation), "")
    tool = next((each for each in reading.tools if each.name == name), Tool(name, ""))
    return Move(_THOUGHTS[reading.words], tool=tool, args=_filled(tool, text, last or ""))


def _filled(tool: Tool, text: str, last: str) -> dict[str, str]:
    """The arguments that are written in an order, by name."""
    try:
        given = json.loads(text)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        given = {tool.params[0].name if tool.params else "input": text}
    shown = " ".join(last.split())[:300]
    return {name: str(value).replace(RESULT, shown) for name, value in given.items()}


def _reply(reading: Reading, move: Move, model: str) -> Completion:
    made = calls(reading, move)
    return Completion(written(reading, move), made, "tool_calls" if made else "stop", model=model)


def _with_words(reply: Completion, words: str, reading: Reading) -> Completion:
    """The reply with words at the end of its answer; any other reply as it is."""
    if reading.dialect == "tools":
        return reply if reply.calls else replace(reply, text=f"{reply.text} {words}")
    try:
        decision = parse(reply.text, [tool.name for tool in reading.tools])
    except ParseError:
        return reply
    if decision.answer is None:
        return reply
    move = Move(decision.thought, f"{decision.answer} {words}")
    return replace(reply, text=written(reading, move))


_THOUGHTS = {"en": "The text tells me what to do next.", "zh": "这段文字告诉我接下来要做什么。"}
