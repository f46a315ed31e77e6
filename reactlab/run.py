"""A program under way: what goes into it, what comes out, and what a stored trace answers."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CoroutineType, GeneratorType
from typing import Any

from reactlab.effects import Ask, Effect, Program, Single, Sleep, Together, Use
from reactlab.errors import ConfigError, ProgramError, ReplayMismatch
from reactlab.events import Event, ModelCall, ToolUse, Waited
from reactlab.tools.text import as_json
from reactlab.trace import Trace
from reactlab.types import Observation, ToolCall, ToolResult, ToolSet
from reactlab.wording import each, say, tell

Record = ModelCall | ToolUse | Waited
_RECORDS = {Ask: ModelCall, Use: ToolUse, Sleep: Waited}
_SINGLES = tuple(_RECORDS)
DENIED = (
    "Denied: {name} changes something and nobody approved it. "
    'To allow it, give the agent approve="always" or a function that says yes to this call.'
)
FORBIDDEN = "Forbidden: {name} may not be used like this here.{why}"
DRY = "Dry run: {call} would have been carried out; nothing was changed."


class Run:
    """One run of a program: its trace, its record to replay, and its tools' state."""

    def __init__(self, program: Program[Any], trace: Trace, recorded: Iterable[Event]) -> None:
        self.program = program
        self.trace = trace
        self.recorded = deque(e for e in recorded if isinstance(e, (ModelCall, ToolUse, Waited)))
        self.result: Any = None
        self._tools: dict[int, tuple[ToolSet, ToolSet]] = {}
        self._changing: Use | None = None

    def start(self) -> Effect | None:
        """The first effect; None if the program asks for nothing."""
        return self._advance(self.program.send, None)

    def resume(self, records: Sequence[Record], *, together: bool) -> Effect | None:
        """Give the program the result of what it asked for and return the next effect."""
        if together:
            return self._advance(self.program.send, [_result(record) for record in records])
        (record,) = records
        if isinstance(record, ModelCall) and record.failure:
            return self._advance(self.program.throw, record.failure.to_error())
        return self._advance(self.program.send, _result(record))

    def _advance(self, step: Callable[[Any], Any], value: Any) -> Effect | None:
        try:
            effect: Effect = _refuse_generator(step(value))
        except StopIteration as done:
            if self.recorded:
                raise self._mismatch("the end") from None
            self.result = _refuse_generator(done.value)
            return None
        for one in effect.effects if isinstance(effect, Together) else (effect,):
            if not isinstance(_refuse_generator(one), _SINGLES):
                what = f"A program yielded {one!r}, no effect; yield Ask, Use or Sleep."
                raise ProgramError(what)
        return effect

    def tools(self, tools: ToolSet) -> ToolSet:
        """The run's own copy of a tool set, so that what tools remember ends with the run."""
        if id(tools) not in self._tools:
            self._tools.setdefault(id(tools), (tools, tools.for_run()))  # threads keep the first
        return self._tools[id(tools)][1]

    def recall(self, effect: Single) -> Record | None:
        """What the record says to this effect; None when the record is used up."""
        if not self.recorded:
            return None
        event = self.recorded[0]
        other_call = isinstance(event, ToolUse) and event.call != getattr(effect, "call", None)
        if not isinstance(event, _RECORDS[type(effect)]) or other_call:
            raise self._mismatch(_named(effect))
        if isinstance(effect, Use):
            self._rebuild_state(effect)
        return self.recorded.popleft()

    def _mismatch(self, wanted: str) -> ReplayMismatch:
        return ReplayMismatch(
            f"The stored trace has {_named(self.recorded[0])} where the agent now wants {wanted}; "
            "resume with the same agent settings, or branch from an earlier step."
        )

    def _rebuild_state(self, effect: Use) -> None:
        """Use a tool that remembers things within a run once more: it only reads."""
        tool = effect.tools.get(effect.call.name)
        if tool is not None and tool.per_run is not None:
            self.tools(effect.tools).execute(effect.call)

    def admit(self, effect: Use) -> ToolResult | None:
        """The refusal of a call that is forbidden or was not approved; None lets it run.

        A call that cannot be carried out is let through: the tool says what is wrong with it.
        """
        changes = changes_something(effect)
        if not changes and effect.permit is None:
            return None
        call = effect.tools.bound(effect.call)
        if call is None:
            return None
        if effect.permit is not None and (why := self._forbidden(effect.permit, call)) is not None:
            return _refusal(effect, "forbidden", say(FORBIDDEN, name=call.name, why=why))
        if not changes:
            return None
        if effect.approve == "dry_run":
            given = json.dumps(call.arguments, ensure_ascii=False, default=str)
            return _refusal(effect, "dry_run", say(DRY, call=f"{call.name}[{given}]"), call)
        if effect.approve == "always" or _approved(effect, call):
            self._changing = effect
            return None
        return _refusal(effect, "denied", say(DENIED, name=effect.call.name), call)

    def _forbidden(self, permit: Callable[[ToolCall, Trace], bool | str], call: ToolCall) -> Any:
        """Why the call is forbidden, "" without a reason; None if it is allowed."""
        said = _plain_answer(permit(call, self.trace), "permit=")
        if said is True:
            return None
        return each(said, " {}".format) if isinstance(said, str) and said else ""

    def keep(self, effects: Sequence[Single], records: Sequence[Record | None]) -> None:
        """Add what was done to the trace and, after an interruption, which change was under way.

        A run that is resumed then repeats no change. What was read after a gap is read again,
        because a record has no gaps.
        """
        for effect, record in zip(effects, records, strict=True):
            if record is not None:
                self.trace.add(record)
            elif isinstance(effect, Use) and effect is self._changing:
                told = "{name} was interrupted; check whether it took effect."
                text = tell(say(told, name=effect.call.name), effect.tools.language)
                seen = Observation(text, "interrupted")
                self.trace.add(ToolUse(effect.call, seen, attempt=effect.attempt))
            else:
                break


def _approved(effect: Use, call: ToolCall) -> bool:
    """Whether the approving function says True; without one, nobody approves."""
    if not callable(effect.approve):
        return False
    return _plain_answer(effect.approve(call), "approve=") is True


def _plain_answer(said: Any, option: str) -> Any:
    if isinstance(said, CoroutineType):
        said.close()
        raise ConfigError(f"{option} is an async function; it has to return True or False itself.")
    return said


def _refusal(effect: Use, kind: str, text: str, call: ToolCall | None = None) -> ToolResult:
    """What the model gets in place of a result, with the arguments that were judged."""
    given = call.arguments if call is not None and isinstance(call.arguments, Mapping) else {}
    return ToolResult(Observation(tell(text, effect.tools.language), kind), as_json(dict(given)))


def waits_its_turn(effect: Single) -> bool:
    """Whether the order counts: the tool changes the world, or remembers what it read."""
    if changes_something(effect):
        return True
    tool = effect.tools.get(effect.call.name) if isinstance(effect, Use) else None
    return tool is not None and tool.per_run is not None


def changes_something(effect: Single) -> bool:
    """Whether the effect uses a tool that changes the world."""
    if not isinstance(effect, Use):
        return False
    tool = effect.tools.get(effect.call.name)
    return tool is not None and tool.effects


def _result(record: Record) -> Any:
    match record:
        case ModelCall(completion=completion):
            return completion
        case ToolUse(observation=observation):
            return observation
    return None


def _named(thing: Single | Record) -> str:
    match thing:
        case Ask() | ModelCall():
            return "a call of the model"
        case Use(call=call) | ToolUse(call=call):
            return f"the tool call {call.name}[{call.arguments}]"
    return "a pause"


def _refuse_generator(value: Any) -> Any:
    """A forgotten `yield from` runs nothing and hands out the generator itself; say so."""
    if isinstance(value, (GeneratorType, CoroutineType)):
        name = value.__qualname__
        word = "await" if isinstance(value, CoroutineType) else "yield from"
        value.close()
        raise ProgramError(f"{name} was called without waiting for it: write '{word} {name}(...)'.")
    return value
