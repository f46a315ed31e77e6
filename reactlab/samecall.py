"""When two tool calls are the same one in other words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from reactlab.names import HALF_WIDTH, clean_name
from reactlab.types import ToolCall

Call = str | ToolCall | tuple[Any, Any] | Mapping[str, Any]

_QUOTES = dict.fromkeys(map(ord, '"`‘’“”„«»「」『』《》'), "'")
_IN_BRACKETS = re.compile(r"\s*([^\[\]{}()\n]+?)\s*\[(.*)\]\s*", re.DOTALL)
_PAIR = re.compile(r"\s*(\w+)\s*=\s*('[^']*'|[^,='<>!]+)\s*(?:,|$)")
_BESIDE_SIGNS = re.compile(r"\s*([^\w\s])\s*")
# Only words, blanks, and what ends a sentence or stands inside a word.
_PLAIN = re.compile(r"(?:\w|\s|(?<=\w)['.-](?=\w)|')+")
_WORD = re.compile(r"\w+(?:['.-]\w+)*")
_SMALL = re.compile(r"a|an|the|in|on|at|of|for|about|is|are|was|what")
# With one of these words the order of the others has a meaning.
_ORDERED = re.compile(
    r"\b(?:from|to|into|than|then|before|after|versus|vs|over|under|by|and|or|not|without|as"
    r"|between|if|minus|plus|divided|times|who|whom|whose)\b"
)
_CJK = re.compile(r"[\u3400-\u9fff]")
_SMALL_ZH = re.compile(r"[的了吗呢请\s']")
_ORDERED_ZH = re.compile(r"[从到往至比和与或被把给对向由在不没先后前胜赢输打减加乘除是]")
_MOST = 20_000  # characters; a longer input is compared as it stands


def same_call(one: Call, other: Call) -> bool:
    """Whether both calls ask one tool for one thing.

    A call is a text such as "Search[x]", a `ToolCall`, or (name, input). Letter case, blanks, kinds
    of quotes, full-width signs and the order of named arguments make no difference, JSON and text
    neither; in a short plain text the order of words makes none, unless a word such as "from" or
    "than", or a second number, gives it a meaning.
    """
    return call_key(one) == call_key(other)


def call_key(call: object) -> tuple[str, object]:
    """What is equal for two calls exactly if they are the same; hashable, whatever it is given."""
    try:
        name, given = split_call(call)
        return clean_name(name), _key(_opened(given))
    except (ValueError, TypeError, RecursionError):
        return "", text_of(call)


def split_call(call: object) -> tuple[str, object]:
    """Name and input of a call in any of its forms."""
    if isinstance(call, ToolCall):
        return text_of(call.name), call.arguments
    if isinstance(call, Mapping):
        given = next((call[k] for k in ("input", "arguments", "action_input") if k in call), "")
        return text_of(call.get("name", call.get("action", ""))), given
    if isinstance(call, tuple) and len(call) == 2:
        return text_of(call[0]), call[1]
    text = text_of(call)
    found = _IN_BRACKETS.fullmatch(text.translate({0xFF3B: "[", 0xFF3D: "]"}))
    return (found[1], found[2]) if found else (text, "")


def _opened(given: object) -> object:
    """An input as the mapping that a text stands for, if it stands for one."""
    if not isinstance(given, str):
        return given
    text = given.strip().translate(HALF_WIDTH) if len(given) <= _MOST else ""
    if text.startswith("{") and text.endswith("}"):
        try:
            return json.loads(text)
        except ValueError:
            return given
    text = text.translate(_QUOTES)
    pairs = _PAIR.findall(text)
    named = bool(pairs) and not _PAIR.sub("", text).strip()
    return dict(pairs) if named else given


def _key(value: object) -> object:
    """A value without what makes no difference."""
    if isinstance(value, Mapping):
        keys = {clean_name(text_of(name)): _key(inner) for name, inner in value.items()}
        return (
            next(iter(keys.values())) if len(keys) == 1 else tuple(sorted(keys.items(), key=repr))
        )
    if isinstance(value, list | tuple):
        return tuple(map(_key, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else plain(text_of(value))


def plain(text: str) -> str:
    """A text without case, widths, blanks and quotes, its words sorted where order says nothing."""
    if len(text) > _MOST:
        return text
    text = text.translate(HALF_WIDTH).translate(_QUOTES).casefold().replace("。", ".")
    text = text.strip().rstrip(".!?;").strip()
    if len(text) > 1 and text[0] == text[-1] == "'":
        text = text[1:-1].strip().rstrip(".!?;").strip()
    if not _PLAIN.fullmatch(text) or len(text) > 100:
        return _BESIDE_SIGNS.sub(r"\1", " ".join(text.split()))
    return _sorted_signs(text) if _CJK.search(text) else _sorted_words(text)


def _sorted_words(text: str) -> str:
    words = _WORD.findall(text)
    fixed = sum(word[0].isdigit() for word in words) > 1 or _ORDERED.search(text)
    kept = [word for word in words if not _SMALL.fullmatch(word)] or words
    return " ".join(words if fixed else sorted(kept))


def _sorted_signs(text: str) -> str:
    """Chinese has no blanks between words: the signs are sorted; numbers and names stay whole."""
    parts = re.findall(r"[a-z0-9.-]+|[^a-z0-9\s']", _SMALL_ZH.sub(" ", text))
    fixed = sum(part[0].isdigit() for part in parts) > 1 or _ORDERED_ZH.search(text)
    return "".join(parts) if fixed or len(parts) > 16 else "".join(sorted(parts))


def text_of(value: object) -> str:
    """The value as a text, or the name of its type where it cannot say what it is."""
    if isinstance(value, str):
        return value
    try:
        return str(value)
    except Exception:
        return type(value).__name__
