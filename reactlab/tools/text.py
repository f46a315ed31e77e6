"""Whatever a tool returns, as text that a model can read and that has a bounded size."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import GeneratorType
from typing import Any

NOTHING = "(done; the tool returned nothing)"
EMPTY = "(the tool returned an empty text)"
_MOST_ITEMS = 1000
_HEAD_SHARE = 2 / 3
_NOTE = "\n[... {} of {} characters cut ...]\n"


def as_text(value: object) -> str:
    """Return `value` as text that is never empty: JSON for containers, `str()` for the rest.

    Raises whatever the value's own `__str__` raises.
    """
    if value is None:
        return NOTHING
    if isinstance(value, str):
        text = str(value)
    elif isinstance(value, bytes | bytearray | memoryview):
        text = _decoded(bytes(value))
    elif isinstance(value, dict | list | tuple | set | frozenset | GeneratorType):
        text = _json(value)
    else:
        text = str(value)
    return text if text.strip() else EMPTY


def cut(text: str, limit: int) -> str:
    """Shorten to `limit` characters: head, a note of how many were cut, tail.

    A limit too small for the note (about 40 characters) leaves one character on each side of it.
    """
    total = len(text)
    if total > limit:
        kept = max(2, limit - len(_NOTE.format(total, total)))
        head = max(1, int(kept * _HEAD_SHARE))
        note = _NOTE.format(total - kept, total)
        text = text[:head] + note + text[total - (kept - head) :]
    return text if text.isascii() else _sendable(text)


def describe(error: BaseException) -> str:
    """`TypeName: message`, or the name alone where there is no readable message."""
    try:
        message = str(error)
    except Exception:  # an exception class of a tool can be broken as well
        message = ""
    name = type(error).__name__
    return f"{name}: {message}" if message else name


def _sendable(text: str) -> str:
    """Half a surrogate pair cannot be sent or saved: put a question mark in its place."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _json(value: object) -> str:
    try:
        return json.dumps(_listed(value), ensure_ascii=False, default=_plain)
    except (TypeError, ValueError, RecursionError):  # keys that are no text, circles
        return str(value)


def _plain(value: object) -> Any:
    """The JSON counterpart of what `json` cannot write by itself."""
    dump: Callable[..., object] | None = getattr(value, "model_dump", None)
    if dump is not None and not isinstance(value, type):
        return dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return _decoded(bytes(value))
    listed = _listed(value)
    return listed if listed is not value else str(value)


def _listed(value: object) -> object:
    """Sets in a fixed order, since their own differs from run to run; generators run out."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=lambda item: (type(item).__name__, str(item)))
    if isinstance(value, Iterator):
        return list(islice(value, _MOST_ITEMS))
    return value


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return f"({len(data)} bytes that are no text, beginning with {data[:16].hex(' ')})"
