"""Taking the text between an action's brackets apart: pieces, quotes and loosely written JSON."""

from __future__ import annotations

import json
import re
from itertools import pairwise

CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "«": "»", "`": "`"}
_OPEN, _CLOSE = "([{（［｛【", ")]}）］｝】"
_COMMAS = ",，"
_BEFORE_A_QUOTE = "=:：＝" + _COMMAS + _OPEN
_AFTER_A_QUOTE = "=:：＝" + _COMMAS + _CLOSE
_LONGEST, _DEEPEST = 20_000, 20
_WORDS = {"true": True, "false": False, "null": None, "none": None}


def split(text: str) -> list[str]:
    """Cut at the commas that stand outside quotes and brackets, and strip the pieces."""
    cuts, depth = _cuts(text, nested=True)
    if depth:  # a bracket is never closed, so brackets mean nothing here
        cuts, _ = _cuts(text, nested=False)
    edges = [-1, *cuts, len(text)]
    return [text[a + 1 : b].strip() for a, b in pairwise(edges)]


def _cuts(text: str, nested: bool) -> tuple[list[int], int]:
    cuts: list[int] = []
    depth, place, before = 0, 0, ","
    unclosed: set[str] = set()
    while place < len(text):
        char = text[place]
        if char in CLOSING and before in _BEFORE_A_QUOTE and char not in unclosed:
            end = _end_of_quote(text, place)
            if end is None:  # then no later quote of this kind is closed either
                unclosed.add(char)
            else:
                place, char = end, text[end]
        elif nested and char in _OPEN:
            depth += 1
        elif nested and char in _CLOSE:
            depth = max(0, depth - 1)
        elif char in _COMMAS and not depth:
            cuts.append(place)
        if not char.isspace():
            before = char
        place += 1
    return cuts, depth


def _end_of_quote(text: str, start: int) -> int | None:
    """Where the quote that opens at `start` ends: its twin, with a separator or the end behind."""
    twin = CLOSING[text[start]]
    place = start
    while (place := text.find(twin, place + 1)) >= 0:
        behind = _next_sign(text, place + 1)
        if (not behind or behind in _AFTER_A_QUOTE) and not _is_escaped(text, place):
            return place
    return None


def _next_sign(text: str, place: int) -> str:
    while place < len(text) and text[place].isspace():
        place += 1
    return text[place : place + 1]


def _is_escaped(text: str, place: int) -> bool:
    before = text[max(0, place - 50) : place]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def unquote(text: str) -> str | None:
    """What stands inside the quotes that wrap the whole text; None if none do.

    `"a" and "b"` is not wrapped: its first quote ends before the end. Of backslashes only those
    that protect the quote itself are taken away, so that paths and patterns stay as they are.
    """
    if len(text) < 2 or text[0] not in CLOSING or text[-1] != CLOSING[text[0]]:
        return None
    opening, closing = text[0], text[-1]
    inside = text[1:-1]
    if _is_escaped(text, len(text) - 1):
        return None
    if re.search(rf"(?<!\\){re.escape(closing)}", inside):
        return None
    return inside.replace(f"\\{closing}", closing).replace(f"\\{opening}", opening)


def loose_json(text: str) -> object:
    """JSON, or what models write for it: single or typographic quotes, True, None, bare words.

    A bare word is a string. Raises `ValueError` for text that is neither.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if len(text) > _LONGEST:
            raise ValueError("too long to be read leniently") from None
        return _loose(text.strip(), 0)


def _loose(text: str, depth: int) -> object:
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    if (quoted := unquote(text)) is not None:
        return quoted
    if text[:1] in "[［" and text[-1:] in "]］" and len(text) > 1:
        return [_loose(piece, depth + 1) for piece in split(text[1:-1]) if piece]
    if text[:1] in "{｛" and text[-1:] in "}｝" and len(text) > 1:
        return dict(_pair(piece, depth) for piece in split(text[1:-1]) if piece)
    return scalar_value(text)


def _pair(piece: str, depth: int) -> tuple[str, object]:
    match = re.match(r"""("[^"]*"|'[^']*'|“[^”]*”|‘[^’]*’|[\w -]+)\s*[:：]""", piece)
    if not match:
        raise ValueError("not an object")
    key = match[1].strip()
    return unquote(key) or key, _loose(piece[match.end() :].strip(), depth + 1)


def scalar_value(text: str) -> object:
    """A number, true, false or null if the text reads as one, else the text itself."""
    if text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
