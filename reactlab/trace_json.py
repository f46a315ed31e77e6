"""Traces as JSON Lines: a header, one event a line, and the end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

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


@cache
def adapter(kind: type) -> TypeAdapter[Any]:
    """What turns a dataclass into JSON values and back, checked."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def to_lines(trace: Trace) -> Iterator[str]:
    """The trace as JSON texts without line breaks. Values that JSON lacks become their `str()`."""
    head = {"trace": VERSION, "question": trace.question, "agent": trace.agent}
    after = list(to_lines(trace.after)) if trace.after else None
    yield _dump({**head, "model": trace.model, "after": after})
    for event in trace.events:
        name = type(event).__name__
        stored = adapter(_KINDS[name]).dump_python(event, mode="json", fallback=str)
        yield _dump({name: stored})
    end = {"end": trace.stop_reason, "answer": trace.answer, "detail": trace.detail}
    yield _dump({**end, "seconds": trace.seconds})


def from_lines(lines: list[str]) -> Trace:
    """Read what `to_lines` wrote.

    A torn last line is left out: the trace then has no stop reason and can be resumed. Raises
    `TraceFileError` that names the line for anything else that is wrong.
    """
    records = list(_records(lines))
    head = records[0] if records else {}
    question, agent, model = (head.get(name, "") for name in ("question", "agent", "model"))
    texts = all(isinstance(text, str) for text in (question, agent, model))
    if head.get("trace") != VERSION or not texts:
        raise TraceFileError(f"Line 1 is not the head of a trace of version {VERSION}.")
    after = from_lines(head["after"]) if head.get("after") else None
    trace = Trace(question, agent, model, after=after)
    for number, record in enumerate(records[1:], start=2):
        _read(record, number, trace)
    return trace


def _records(lines: list[str]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except ValueError as error:
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
            reason = StopReason(record["end"]) if record["end"] else None
            trace.stop_reason, trace.answer = reason, record.get("answer")
            trace.detail, trace.seconds = record.get("detail", ""), record.get("seconds", 0.0)
            return
        ((name, data),) = record.items()
        trace.add(adapter(_KINDS[name]).validate_python(data))
    except (KeyError, ValueError, ValidationError) as error:
        cause = str(error).splitlines()[0]
        raise TraceFileError(f"Line {number} holds no event of a trace ({cause}).") from None


def save(trace: Trace, path: str | Path) -> Path:
    """Write to a file beside `path`, then move it there, so that nothing is half written."""
    path = Path(path)
    beside = path.with_name(path.name + ".part")
    beside.write_text("\n".join(to_lines(trace)) + "\n", encoding="utf-8", newline="\n")
    return beside.replace(path)


def load(path: str | Path) -> Trace:
    """Read a trace from a file in UTF-8, with or without a byte order mark."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        return from_lines([line for line in text.split("\n") if line.strip()])
    except (OSError, UnicodeDecodeError, TraceFileError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise TraceFileError(f"{path} cannot be read as a trace: {cause}") from None


def _dump(record: dict[str, Any]) -> str:
    text = json.dumps(record, ensure_ascii=False)
    return _ESCAPED.sub(lambda odd: f"\\u{ord(odd[0]):04x}", text)
