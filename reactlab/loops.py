"""Whether a run goes round in circles: the same calls with the same results, again and again."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Any, NamedTuple

from reactlab.errors import ConfigError
from reactlab.events import Step
from reactlab.names import clean_name
from reactlab.samecall import call_key, plain, split_call, text_of
from reactlab.trace import Trace
from reactlab.types import ToolCall

LONGEST = 4
"""Turns in the longest cycle that is looked for."""
SHOWN = 120
"""Characters of a call that `Loop.actions` shows at most."""
_PAUSES = {"wait", "sleep", "pause", "delay", "等待", "等候", "暂停", "休眠"}


class Loop(NamedTuple):
    """What repeats: a cycle of `length` turns, gone through `times` times at least.

    `actions` are the calls of one round as texts, or, where nothing was done, the thoughts.
    `acts` says which of the two.
    """

    length: int
    actions: tuple[str, ...]
    times: int
    acts: bool


class Turn(NamedTuple):
    """One turn of a model: what has to be equal for it to be a repeat, and how it reads."""

    key: Hashable
    text: str
    acts: bool
    pause: bool


class LoopDetector:
    """Watches the turns of one run; take a fresh one for every run.

    A loop is the same call with the same result `threshold` times in a row, or a cycle of two to
    four such turns gone through `threshold - 1` times, twice at the least. The same call in other
    words counts as the same (`same_call`). A pause between two turns is no turn. Turns without an
    action are compared by their thoughts. Memory and work for a turn do not grow with the run.
    """

    def __init__(self, threshold: int = 3) -> None:
        if isinstance(threshold, bool) or not isinstance(threshold, int) or threshold < 2:
            raise ConfigError(f"threshold has to be a whole number from 2 on, not {threshold!r}.")
        self.threshold = threshold
        self._turns: deque[Turn] = deque(maxlen=_needed(threshold))

    def record(self, thought: Any, action: Any, observation: Any = None) -> None:
        """Note a turn; never raises, whatever it is given.

        The first 100 characters of a thought count, and only where there is no action. `action` is
        a text such as "Search[x]", a `ToolCall`, or (name, input); "" or None is no action; a list
        holds several calls of one turn, `observation` then being a list as well. Without an
        observation the result counts as unchanged.
        """
        nothing = action is None or (isinstance(action, str) and not action.strip())
        calls = action if isinstance(action, list) else [] if nothing else [action]
        seen = observation if isinstance(action, list) else [observation]
        seen = list(seen) if isinstance(seen, list | tuple) else [seen] * len(calls)
        seen += [None] * (len(calls) - len(seen))
        self._turns.append(_turn(thought, list(zip(calls, seen, strict=False))))

    def is_looping(self) -> bool:
        """Whether the turns up to the last one are a loop."""
        return self.loop is not None

    @property
    def loop(self) -> Loop | None:
        """What repeats, None if nothing does."""
        return _loop(list(self._turns), self.threshold)


def find_loop(trace: Trace, threshold: int = 3) -> Loop | None:
    """The loop that the last steps of a trace are in, by the rule of `LoopDetector`, else None.

    Calls of one step are one turn, in whatever order. A reply that could not be read, and one that
    only thinks, is compared by its text.
    """
    steps = trace.steps[-_needed(threshold) :]
    turns = [turn for step in steps for turn in step.shown(_turns_of)]
    return _loop(turns, threshold)


def _turns_of(step: Step) -> list[Turn]:
    decision = step.decision
    if decision is not None and decision.answer is not None:
        return []
    pairs: list[tuple[object, object]] = [
        (ToolCall(use.call.name, use.arguments or use.call.arguments), use.observation)
        for use in step.uses
    ]
    if pairs or decision is not None:
        return [_turn(step.thought, pairs)]
    said = step.completion.text.strip() if step.completion else ""
    calls = [call_key(call) for call in step.completion.calls] if step.completion else []
    key = ("said", said, tuple(calls))
    return [Turn(key, said[:100], False, False)] if said or calls else []


def _turn(thought: Any, pairs: list[tuple[object, object]]) -> Turn:
    """A turn with its calls and their results, or with its thought where it did nothing."""
    if not pairs:
        begun = text_of(thought)[:100]
        return Turn(("thought", plain(begun)), begun, False, False)
    keys = {(call_key(call), _result(seen)) for call, seen in pairs}
    names = [split_call(call)[0] for call, _ in pairs]
    pause = all(clean_name(name) in _PAUSES for name in names)
    return Turn(frozenset(keys), " + ".join(_shown(call) for call, _ in pairs), True, pause)


def _result(seen: object) -> Hashable:
    """What is equal for equal results: blanks apart, to the letter."""
    if seen is None:
        return None
    return hash((" ".join(text_of(seen).split()), getattr(seen, "error", "")))


def _shown(call: object) -> str:
    name, given = split_call(call)
    text = call if isinstance(call, str) else f"{name}[{text_of(given)}]"
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _needed(threshold: int) -> int:
    """How many turns back a verdict looks, a pause after each of them included."""
    return 2 * max(threshold, LONGEST * max(2, threshold - 1)) + 1


def _loop(turns: list[Turn], threshold: int) -> Loop | None:
    before = [None, *turns]
    kept = [
        turn
        for turn, last in zip(turns, before, strict=False)
        if not turn.pause or last is None or last.pause
    ]
    for length in range(1, LONGEST + 1):
        rounds = threshold if length == 1 else max(2, threshold - 1)
        last = kept[-length * rounds :]
        if len(last) < length * rounds:
            return None
        if all(one.key == two.key for one, two in zip(last, last[length:], strict=False)):
            cycle = last[:length]
            acts = any(turn.acts for turn in cycle)
            return Loop(length, tuple(turn.text for turn in cycle), rounds, acts)
    return None
