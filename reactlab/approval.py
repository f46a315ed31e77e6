"""Who allows a change: the person at the keyboard, or a list on which somebody ticks calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from reactlab.errors import ConfigError
from reactlab.render.html import shown
from reactlab.render.table import table
from reactlab.threads import Lock
from reactlab.trace import Trace, as_trace
from reactlab.types import ToolCall

_STATES = {"en": ("waits", "allowed", "used"), "zh": ("等待批准", "已批准", "已用掉")}
_HEADS = {"en": ("No.", "Call", "State"), "zh": ("编号", "调用", "状态")}
WAITS, ALLOWED, USED = range(3)


def ask_me(call: ToolCall) -> bool:
    """Ask the person at the keyboard, as `approve=ask_me`; anything but yes is a no.

    Where nobody can be asked, such as when all cells of a notebook are run, the answer is no too.
    """
    try:
        said = input(f"Allow {written(call)}? [y/N] ")
    except (EOFError, OSError, RuntimeError):  # no keyboard behind this run
        return False
    return said.strip().casefold() in ("y", "yes", "是", "好")


class Approvals:
    """Calls that wait for a yes: `approve=desk`, look at `desk`, `desk.allow(1)`, run again.

    An approval is for a tool with exactly these arguments, and for one time. A call that waits is
    denied meanwhile. May be used by many runs at once. `language` is that of the list.
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.asked: list[ToolCall] = []
        self._states: list[int] = []
        self._lock = Lock()

    def __call__(self, call: ToolCall) -> bool:
        """Whether the call is allowed; one that nobody has seen yet is put on the list."""
        with self._lock:
            states = {
                state: at
                for at, (other, state) in enumerate(zip(self.asked, self._states, strict=True))
                if written(other) == written(call)
            }
            if ALLOWED in states:
                self._states[states[ALLOWED]] = USED
                return True
            if WAITS not in states:
                self.asked.append(call)
                self._states.append(WAITS)
            return False

    def allow(self, number: int) -> ToolCall:
        """Allow the call with this number (1 is the first) once, and return it.

        Raises `ConfigError` if there is no such call, or if it does not wait any more.
        """
        if isinstance(number, bool) or number not in range(1, len(self.asked) + 1):
            raise ConfigError(f"No call has the number {number!r}; {len(self.asked)} were asked.")
        with self._lock:
            if self._states[number - 1] != WAITS:
                raise ConfigError(f"Call {number} does not wait: it was allowed before.")
            self._states[number - 1] = ALLOWED
        return self.asked[number - 1]

    def __repr__(self) -> str:
        head = "  ".join(_HEADS[self.language])
        return "\n".join([head, *("  ".join(row) for row in self._rows())])

    def _repr_html_(self) -> str:
        rows = [[shown(cell) for cell in row] for row in self._rows()]
        return table(_HEADS[self.language], rows, self.language)

    def _rows(self) -> list[list[str]]:
        words = _STATES[self.language]
        asked = zip(self.asked, self._states, strict=True)
        return [[str(n), written(call), words[state]] for n, (call, state) in enumerate(asked, 1)]


def planned(trace: Trace) -> list[ToolCall]:
    """What a run with `approve="dry_run"` would have changed: the calls, arguments by name."""
    return [
        ToolCall(use.call.name, use.arguments, use.call.id)
        for step in as_trace(trace)
        for use in step.uses
        if use.observation.error == "dry_run"
    ]


def written(call: ToolCall) -> str:
    """A call as text, with its arguments in the order of their names."""
    given: Any = call.arguments
    if isinstance(given, Mapping):
        given = json.dumps(dict(given), ensure_ascii=False, sort_keys=True, default=str)
    return f"{call.name}[{given}]"
