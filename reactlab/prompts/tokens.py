"""How many tokens a text has, estimated: every model counts otherwise, and few can be asked."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from reactlab.types import Completion, Message, Request

LATIN = 4.0
CJK = 1.5
"""Characters a token: of Latin text, and of Chinese with its punctuation."""
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_AROUND = 4  # what a chat template puts around a message, about


def estimate_tokens(text: str) -> int:
    """Tokens of a text: a quarter of its characters, Chinese ones at two thirds each.

    A rule of thumb. SmolLM2 counted a third more in the English prompts of this course, and 2.4
    times as many in the Chinese ones; its vocabulary is small and hardly Chinese.
    """
    return round(_exactly(text))


def beginning(text: str, tokens: int) -> str:
    """The longest beginning of a text that has at most so many tokens by this estimate."""
    low, high = 0, min(len(text), int(tokens * LATIN))
    while low < high:
        middle = (low + high + 1) // 2
        fits = _exactly(text[:middle]) <= tokens
        low, high = (middle, high) if fits else (low, middle - 1)
    return text[:low]


def tokens_of(what: Request | Completion) -> int:
    """Tokens of a request with its tool schemas, or of a reply with its calls and reasoning."""
    if isinstance(what, Completion):
        said = what.text, what.reasoning, *(_call(c.name, c.arguments) for c in what.calls)
        return sum(map(estimate_tokens, said))
    schemas = sum(_tokens(json.dumps(tool, ensure_ascii=False, default=str)) for tool in what.tools)
    return schemas + sum(map(message_tokens, what.messages))


def message_tokens(message: Message) -> int:
    """Tokens of one message with its calls and what a server adds around it."""
    calls = sum(_tokens(_call(c.name, c.arguments)) for c in message.calls)
    return _AROUND + _tokens(message.content or "") + calls


_tokens = lru_cache(maxsize=512)(estimate_tokens)  # the same steps are counted turn after turn


def _exactly(text: str) -> float:
    wide = 0 if text.isascii() else len(_CJK.findall(text))
    return (len(text) - wide) / LATIN + wide / CJK


def _call(name: str, arguments: object) -> str:
    if isinstance(arguments, str):
        return name + arguments
    return name + json.dumps(arguments, ensure_ascii=False, default=str)
