"""The shop of notebook 04: its tools, and how a real model is asked to choose among tools."""

from __future__ import annotations

from collections.abc import Iterable

from reactlab.course.texts import Texts
from reactlab.tools.builtin import search_tools
from reactlab.tools.tool import Tool
from reactlab.types import Message, Request


def shop_tools(language: str) -> list[Tool]:
    """Search, and the shop's price tool with the clear description, as in the notebook."""
    shop = Texts("04")["shop"]

    def price(product: str, units: int = 1) -> int:
        return int(shop["prices"][product] * units)

    return [*search_tools(language=language)[:1], Tool("Shop", shop["clear"], price)]


def choice_request(tools: Iterable[Tool], question: str) -> Request:
    """What a model is asked so that it names one tool: two worked examples, then the question."""
    words = Texts("04")["choice"]
    lines = "\n".join(f"- {tool.name}{words['colon']}{tool.description}" for tool in tools)
    turns = [*words["examples"], [lines, question]]
    messages: list[Message] = []
    for listed, asked, *answer in turns:
        messages.append(Message("user", words["ask"].format(lines=listed, question=asked)))
        messages += [Message("assistant", name) for name in answer]
    return Request(tuple(messages), stop=("\n",), max_tokens=12)
