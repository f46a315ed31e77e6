"""Traces as JSON Lines: a header, one event a line, and the end."""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union, cast

from reactlab import events as kinds
from reactlab.errors import TraceFileError
from reactlab.events import StopReason
from reactlab.trace import Trace
from reactlab.types import Decision

if TYPE_CHECKING:
    from pydantic import TypeAdapter

VERSION = 1
# Half a character is legal in Python and not in UTF-8; the other three end a line for some readers.
_ESCAPED = re.compile("[\ud800-\udfff\u2028\u2029\x85]")
_KINDS: dict[str, type] = {
    kind.__name__: kind
    for kind in (kinds.ModelCall, Decision, kinds.ToolUse, kinds.Failure, kinds.Waited)
}


@dataclass(frozen=True)
class Head:
    """The first line. `after` holds the records of each trace of the conversation before."""

    trace: Literal[1]
    question: str = ""
    agent: str = ""
    model: str = ""
    after: list[list[dict[str, Any]]] | None = None


@dataclass(frozen=True)
class End:
    """The last line."""

    end: StopReason | None
    answer: str | None = None
    detail: str = ""
    seconds: float = 0.0


@cache
def adapter(kind: type) -> TypeAdapter[Any]:
    """What turns a dataclass into JSON values and back, checked."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def to_lines(trace: Trace) -> Iterator[str]:
    """The trace as JSON texts without line breaks. Values that JSON lacks become their `str()`.

    The conversation before it stands in the head: the records of each trace, the first one first.
    """
    earlier, turn = [], trace.after
    while turn is not None:
        earlier.append(list(_to_records(turn)))
        turn = turn.after
    head, *rest = _to_records(trace)
    yield from map(dump, [{**head, "after": earlier[::-1]}, *rest])


def _to_records(trace: Trace) -> Iterator[dict[str, Any]]:
    head = {"trace": VERSION, "question": trace.question, "agent": trace.agent}
    yield {**head, "model": trace.model}
    for event in trace.events:
        name = type(event).__name__
        data = adapter(_KINDS[name]).dump_python(event)
        for message in data["request"]["messages"] if name == "ModelCall" else ():
            if not message["reasoning"]:  # few models reason, and a trace has many messages
                del message["reasoning"]
        yield {name: data}
    end = {"end": trace.stop_reason, "answer": trace.answer, "detail": trace.detail}
    yield {**end, "seconds": trace.seconds}


def from_lines(lines: list[str]) -> Trace:
    """Read what `to_lines` wrote.

    A torn last line is left out: the trace then has no stop reason and can be resumed. Raises
    `TraceFileError` that names the line for anything else that is wrong.
    """
    records = list(_records(lines))
    after = None
    for turn in _head(records).after or ():
        after = _from_records(turn, after)
    return _from_records(records, after)


def _head(records: list[dict[str, Any]]) -> Head:
    try:
        return adapter(Head).validate_python(records[0])  # type: ignore[no-any-return]
    except (IndexError, ValueError):
        raise TraceFileError(f"Line 1 is not the head of a trace of version {VERSION}.") from None


def _from_records(records: list[dict[str, Any]], after: Trace | None) -> Trace:
    head = _head(records)
    trace = Trace(head.question, head.agent, head.model, after=after)
    for number, record in enumerate(records[1:], start=2):
        if "end" in record and number < len(records):
            raise TraceFileError(f"Line {number} is the end of the trace, and lines follow it.")
        _read(record, number, trace)
    return trace


def _records(lines: list[str]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == len(lines) and number > 1:
                return
            raise TraceFileError(f"Line {number} is not JSON ({error}).") from None
        if not isinstance(record, dict):
            raise TraceFileError(f"Line {number} is no JSON object.")
        yield record


def _read(record: dict[str, Any], number: int, trace: Trace) -> None:
    from pydantic import ValidationError

    try:
        if "end" in record:
            end = adapter(End).validate_python(record)
            trace.stop(end.end, end.detail, end.answer)
            trace.seconds = end.seconds
            return
        ((name, data),) = record.items()
        trace.add(adapter(_KINDS[name]).validate_python(data))
    except (KeyError, ValueError, ValidationError) as error:
        cause = str(error).splitlines()[0]
        raise TraceFileError(f"Line {number} holds no event of a trace ({cause}).") from None


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of one line of a trace file, made from the types themselves."""
    from pydantic import ConfigDict, TypeAdapter, create_model

    alone, make = ConfigDict(extra="forbid"), cast(Any, create_model)
    events = [
        make(f"{name} line", __config__=alone, **{name: (kind, ...)})
        for name, kind in _KINDS.items()
    ]
    line: Any = Union[(Head, *events, End)]
    made = TypeAdapter(line).json_schema()
    turn = {"type": "array", "items": {"$ref": "#"}}
    made["$defs"]["Head"]["properties"]["after"]["anyOf"][0]["items"] = turn
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "title": f"reactlab trace {VERSION}: a line", **made}


def save(trace: Trace, path: str | Path) -> Path:
    """Write to a file beside `path`, then move it there, so that nothing is half written."""
    path = Path(path)
    beside = path.with_name(path.name + ".part")
    beside.write_text("\n".join(to_lines(trace)) + "\n", encoding="utf-8", newline="\n")
    try:
        return beside.replace(path)
    except OSError:
        beside.unlink()
        raise


def load(path: str | Path) -> Trace:
    """Read a trace from a file in UTF-8, with or without a byte order mark."""
    try:
        return from_lines([line for line in read_text(path).split("\n") if line.strip()])
    except (OSError, UnicodeDecodeError, TraceFileError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise TraceFileError(f"{path} cannot be read as a trace: {cause}") from None


def read_text(path: str | Path) -> str:
    """A file in UTF-8, with or without a byte order mark; a torn last character is left out."""
    return getincrementaldecoder("utf-8-sig")().decode(Path(path).read_bytes())


def dump(record: object) -> str:
    """A record as one line of JSON."""
    text = json.dumps(record, ensure_ascii=False, default=_plain)
    return _ESCAPED.sub(lambda odd: f"\\u{ord(odd[0]):04x}", text)


def _plain(value: object) -> object:
    """The JSON counterpart of what `json` cannot write."""
    return dict(value) if isinstance(value, Mapping) else str(value)
