"""Whatever a tool returns or raises, as text that a model can read and that has a bounded size."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from reactlab.errors import ToolError
from reactlab.wording import Wording, say, tell

NOTHING = "(done; the tool returned nothing)"
EMPTY = "(the tool returned an empty text)"
_NOTHINGS = frozenset(tell(say(text), each) for text in (NOTHING, EMPTY) for each in ("en", "zh"))
_UNREADABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]")
GARBLED = 0.1
"""The share of control and replacement characters above which a text counts as unreadable."""
_MOST_ITEMS = 1000
_HEAD_SHARE = 2 / 3
_NOTE = "\n[... {cut} of {total} characters cut ...]\n"
_JSON = (str, int, float, bool, type(None))


def as_text(value: object) -> str:
    """Return `value` as text that is never empty: JSON for containers, `str()` for the rest.

    Raises whatever the value's own `__str__` raises.
    """
    if value is None:
        return say(NOTHING)
    if isinstance(value, str):
        text = value if isinstance(value, Wording) else str(value)
    elif isinstance(value, bytes | bytearray):
        text = value.decode("utf-8", "backslashreplace")
    elif isinstance(value, dict | list | tuple | set | frozenset | Iterator):
        text = _json(value)
    else:
        text = str(value)
    return text if text.strip() else say(EMPTY)


def cut(text: str, limit: int, language: str | None = None) -> str:
    """Shorten to `limit` characters: head, a note of how many were cut, tail.

    A limit too small for the note (about 40 characters) leaves one character on each side of it.
    Half a surrogate pair, which cannot be sent or saved, becomes a question mark.
    """
    total = len(text)
    if total > limit:
        kept = max(2, limit - len(say(_NOTE, cut=total, total=total)))
        head = max(1, int(kept * _HEAD_SHARE))
        note = tell(say(_NOTE, cut=total - kept, total=total), language)
        text = text[:head] + note + text[total - (kept - head) :]
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def flaw_of(text: str) -> str:
    """What is wrong with a tool's text: "empty", "garbled" (nobody can read it), or ""."""
    if text in _NOTHINGS:
        return "empty"
    odd = len(_UNREADABLE.findall(text))
    return "garbled" if odd and odd > GARBLED * len(text) else ""


def describe(error: BaseException) -> str:
    """`TypeName: message`, or the name alone; of a `ToolError` the message alone."""
    try:
        message = str(error)
    except Exception:  # an exception class of a tool can be broken as well
        message = ""
    if isinstance(error, ToolError) and message.strip():
        own = getattr(error, "message", "")
        return own if own == message else message  # its own may have two languages
    return f"{type(error).__name__}: {message}".removesuffix(": ")


def as_json(arguments: dict[str, Any]) -> dict[str, Any]:
    """Bound arguments as JSON values, for the trace."""
    if all(type(value) in _JSON for value in arguments.values()):
        return arguments
    return {key: _plain(value) for key, value in arguments.items()}


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=_plain)
    except (TypeError, ValueError, RecursionError):  # keys that are no text, circles
        return str(value)


def _plain(value: object) -> object:
    """The JSON counterpart of what `json` cannot write; a set in an order that never varies."""
    from pydantic_core import to_jsonable_python

    if isinstance(value, set | frozenset):
        return sorted(value, key=lambda item: (type(item).__name__, str(item)))
    if isinstance(value, Iterator):
        return list(islice(value, _MOST_ITEMS))
    return to_jsonable_python(value, serialize_unknown=True)
