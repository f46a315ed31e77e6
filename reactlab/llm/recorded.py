"""Record a model once, replay it by request for ever after."""

from __future__ import annotations

import difflib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from reactlab.errors import ConfigError, LLMError, TraceFileError
from reactlab.events import ModelCall
from reactlab.llm.protocol import as_llm
from reactlab.threads import Lock
from reactlab.trace import Trace, as_trace
from reactlab.trace_json import adapter, dump, read_text
from reactlab.types import LLM, Completion, Request


class RecordedLLM:
    """Answers from recordings; a request that was never recorded raises `LLMError`.

    `RecordedLLM(path)` replays a file of JSON Lines. With `record=llm`, a miss is answered by that
    model and appended to the file, so the second run is free. `RecordedLLM.of(trace)` replays what
    the model said in a trace. The same request recorded several times is replayed in that order,
    and then stays at the last reply.
    """

    def __init__(self, path: str | Path | None = None, *, record: LLM | None = None) -> None:
        if not isinstance(path, str | Path | None):
            raise ConfigError(f"A recording is named by its path, not by {type(path).__name__}.")
        self.path = Path(path) if path is not None else None
        self.record = None if record is None else as_llm(record)
        self.model = self.record.model if self.record else "recorded"
        self._replies: dict[str, list[Completion]] = {}
        self._played: dict[str, int] = {}
        self._lock = Lock()
        if self.path is not None and self.path.exists():
            self._read(self.path)
        elif record is None and self.path is not None:
            raise TraceFileError(f"There is no recording {self.path}; give record=llm to make one.")

    @classmethod
    def of(cls, *traces: Trace) -> RecordedLLM:
        """A model that repeats what was said in these traces; where it failed, it does not."""
        llm = cls()
        for trace in map(as_trace, traces):
            llm.model = trace.model or llm.model
            for call in (event for event in trace.events if isinstance(event, ModelCall)):
                if call.completion is not None:
                    llm._keep(key(call.request), call.completion)
        return llm

    def complete(self, request: Request) -> Completion:
        """The recorded reply to exactly this request."""
        asked = key(request)
        with self._lock:
            replies = self._replies.get(asked)
            if replies:
                played = self._played.get(asked, 0)
                self._played[asked] = played + 1
                return replies[min(played, len(replies) - 1)]
        if self.record is None:
            raise LLMError(self._miss(asked))
        completion = self.record.complete(request)
        with self._lock:
            self._keep(asked, completion)
            self._played[asked] = 1
            self._append(asked, completion)
        return completion

    def _keep(self, asked: str, completion: Completion) -> None:
        self._replies.setdefault(asked, []).append(completion)
        self.model = completion.model or self.model

    def _append(self, asked: str, completion: Completion) -> None:
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            line = {"request": json.loads(asked), "completion": asdict(completion)}
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(dump(line) + "\n")

    def _read(self, path: Path) -> None:
        try:
            text = read_text(path)
        except (OSError, UnicodeDecodeError) as error:
            cause = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
            raise TraceFileError(f"{path} cannot be read as a recording: {cause}.") from None
        whole, _, torn = text.rpartition("\n")
        if torn.startswith('{"request"') and not torn.endswith("}}"):  # an interrupted recording
            text = whole and whole + "\n"
            if self.record is not None:
                path.write_text(text, encoding="utf-8", newline="\n")
        for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
            if not line and not whole:
                continue
            try:
                stored = json.loads(line)
                asked = _canonical(stored["request"])
                self._keep(asked, adapter(Completion).validate_python(stored["completion"]))
            except (ValueError, KeyError, TypeError) as error:
                raise TraceFileError(
                    f"{path}, line {number}, is no recording ({str(error).splitlines()[0]})."
                ) from None

    def _miss(self, asked: str) -> str:
        """Say what differs from the recorded request that is most alike."""
        if not self._replies:
            return "Nothing is recorded."
        asked_lines = _lines(asked)
        near = max(self._replies, key=lambda other: _shared(_lines(other), asked_lines))
        pairs = difflib.ndiff(_lines(near), asked_lines)
        changes = [line for line in pairs if line[:2] in ("- ", "+ ")][:6]
        told = "\n".join(line[:200] for line in changes)
        return f"This request was not recorded. Against the nearest one (-), it has (+):\n{told}"

    def __repr__(self) -> str:
        return f"RecordedLLM({self.model}, {len(self._replies)} requests)"


def key(request: Request) -> str:
    """A request as canonical JSON: equal requests have equal keys."""
    return _canonical(asdict(request))


def _canonical(asked: dict[str, Any]) -> str:
    """Without the fields that were left empty: a field that comes later changes no key.

    Nor does what the model reasoned: it follows from the replies before, and few servers see it.
    """
    messages = [
        _filled(
            {
                **message,
                "calls": [_filled(call) for call in message.get("calls", ())],
                "reasoning": "",
            }
        )
        for message in asked.get("messages", ())
    ]
    filled = _filled({**asked, "messages": messages})
    return json.dumps(filled, ensure_ascii=False, sort_keys=True, default=dict)


def _filled(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", (), [])}


def _lines(asked: str) -> list[str]:
    """The parts of a request that a person would compare, line by line."""
    request = json.loads(asked)
    texts = [message.get("content") or "" for message in request.pop("messages", [])]
    return [line for text in texts for line in text.splitlines()] + [
        f"{name} = {value}" for name, value in sorted(request.items())
    ]


def _shared(one: list[str], other: list[str]) -> int:
    return len(set(one) & set(other))
