"""What a display shows of a trace: its events as plain rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from reactlab.events import Event, Failure, ModelCall, Step, StopReason, ToolUse, Waited
from reactlab.render.labels import Labels
from reactlab.render.rows import Box, Kind, Part, Sheet
from reactlab.trace import Trace
from reactlab.types import Completion, Decision, ToolCall


@dataclass(frozen=True)
class Reader:
    """Reads traces in the words of one language; `times` adds seconds."""

    words: Labels
    times: bool = False

    def sheet(self, trace: Trace, limit: int | None) -> Sheet:
        """The whole run."""
        parts = [self.part(step) for step in trace.steps]
        outcome = tuple(self.outcome(trace))
        if outcome:
            parts.append(Part(self.words.end, outcome))
        opening = tuple(self.opening(trace))
        return Sheet(self.words, opening, tuple(parts), tuple(self.facts(trace)), limit)

    def opening(self, trace: Trace) -> Iterator[Box]:
        """The question, after those that came before it in the conversation."""
        earlier = []
        before = trace.after
        while before is not None:
            earlier.append(before)
            before = before.after
        for old in reversed(earlier):
            yield Box("question", self.words.earlier, old.question)
            reason = self.words.reason(old.stop_reason)
            note = "" if old.stop_reason is StopReason.ANSWERED else reason
            yield Box("question", self.words.earlier_answer, old.answer or "", note=note)
        yield Box("question", self.words.question, trace.question)

    def part(self, step: Step) -> Part:
        """One step."""
        return Part(self.words.step.format(number=step.number), tuple(self.boxes(step)))

    def boxes(self, step: Step) -> Iterator[Box]:
        """What happened in a step, each action directly before what came of it."""
        waiting: list[ToolCall] = []
        for event in step.events:
            match event:
                case Decision(calls=calls):
                    yield from self.decided(event)
                    waiting += calls
                case ToolUse(call=call):
                    waiting = _without(call, waiting)
                    yield self.action(call)
                    yield self.observation(event)
                case _:
                    yield from self.other(event, step)
        yield from (self.action(call, self.words.undone) for call in waiting)

    def as_known(self, event: Event, step: Step) -> Iterator[Box]:
        """One event by itself, for a display that cannot wait for the rest of the step."""
        match event:
            case Decision(calls=calls):
                yield from self.decided(event)
                yield from map(self.action, calls)
            case ToolUse(call=call):
                box = self.observation(event)
                yield Box(box.kind, f"{box.word} [{call.name}]", box.text, box.author, box.note)
            case _:
                yield from self.other(event, step)

    def decided(self, decision: Decision) -> Iterator[Box]:
        """What the model thought, and what it answered."""
        if decision.thought:
            yield Box("thought", self.words.thought, decision.thought, self.words.model)
        if decision.answer is not None:
            yield Box("answer", self.words.answer, decision.answer, self.words.model)

    def action(self, call: ToolCall, note: str = "") -> Box:
        """A tool that the model wished to use."""
        return Box("action", self.words.action, _written(call), self.words.model, note)

    def observation(self, use: ToolUse) -> Box:
        """What came of it."""
        words, seen = self.words, use.observation
        notes = [words.error.format(kind=seen.error)] if seen.error else []
        notes += [words.seconds.format(seconds=use.seconds)] if self.times else []
        kind: Kind = "failure" if seen.error else "observation"
        return Box(kind, words.observation, seen.text, words.world, ", ".join(notes))

    def other(self, event: Event, step: Step) -> Iterator[Box]:
        """What is neither a decision nor the use of a tool."""
        words = self.words
        match event:
            case ModelCall(failure=Failure() as failure):
                yield self.failure(failure)
            case Failure():
                if reply := _reply_before(event, step):
                    yield Box("failure", words.reply, reply, words.model)
                yield self.failure(event)
            case Waited(seconds, why):
                notes = [words.seconds.format(seconds=seconds)] if self.times else []
                note = ", ".join([words.waited, *notes])
                yield Box("pause", words.pause, why, words.world, note)

    def failure(self, failure: Failure) -> Box:
        """What went wrong, and what the model was told about it."""
        message = failure.message if failure.message in failure.tell else ""
        told = failure.tell if message else "\n".join(filter(None, [failure.message, failure.tell]))
        return Box("failure", self.words.failure, told, self.words.world, failure.kind)

    def outcome(self, trace: Trace) -> Iterator[Box]:
        """The answer, where the last step does not end with it, and why there is none."""
        words = self.words
        last = next((e.answer for e in reversed(trace.events) if isinstance(e, Decision)), None)
        if trace.answer is not None and trace.answer != last:
            yield Box("answer", words.answer, trace.answer)
        if trace.stop_reason not in (None, StopReason.ANSWERED):
            reason = words.reason(trace.stop_reason)
            yield Box("failure", words.stopped, trace.detail or reason, note=reason)

    def facts(self, trace: Trace) -> Iterator[str]:
        """Why the run ended, who answered, and what it took."""
        words = self.words
        yield words.stop_fact.format(reason=words.reason(trace.stop_reason))
        if trace.model:
            yield words.model_fact.format(name=trace.model)
        if trace.agent:
            yield words.agent_fact.format(name=trace.agent)
        yield words.one_step if len(trace) == 1 else words.steps.format(count=len(trace))
        calls = [event for event in trace.events if isinstance(event, ModelCall)]
        yield words.one_call if len(calls) == 1 else words.calls.format(count=len(calls))
        yield from self.tokens(trace, calls)
        if self.times:
            yield words.seconds.format(seconds=trace.seconds)

    def tokens(self, trace: Trace, calls: list[ModelCall]) -> Iterator[str]:
        """The tokens that were reported, and how far they can be trusted."""
        words, usage = self.words, trace.usage
        some = sum(1 for call in calls if call.completion and call.completion.usage)
        if not some:
            return
        notes = [words.partial.format(some=some, all=len(calls))] if some < len(calls) else []
        yield words.used(usage, *notes)


def _written(call: ToolCall) -> str:
    if isinstance(call.arguments, str):
        return f"{call.name}[{call.arguments}]"
    given = json.dumps(dict(call.arguments), ensure_ascii=False, default=str)
    return f"{call.name}[{given}]"


def _without(call: ToolCall, waiting: list[ToolCall]) -> list[ToolCall]:
    at = next((n for n, other in enumerate(waiting) if other == call), None)
    return waiting if at is None else waiting[:at] + waiting[at + 1 :]


def _reply_before(failure: Failure, step: Step) -> str:
    """The reply that a failure is about: the text of the call of the model just before it."""
    at = next((n for n, event in enumerate(step.events) if event is failure), 0)
    before = step.events[at - 1] if at else None
    done = before.completion if isinstance(before, ModelCall) else None
    return _reply(done) if done else ""


def _reply(completion: Completion) -> str:
    return "\n".join(filter(None, [completion.text, *map(_written, completion.calls)]))
