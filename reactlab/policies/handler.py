"""The six kinds of errors of a ReAct agent: found in a trace, and answered in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from reactlab.errors import ConfigError
from reactlab.events import Failure, Step, ToolUse
from reactlab.prompts.digest import input_text, one_line
from reactlab.trace import Trace
from reactlab.wording import known_language, say, tell

INVALID_CALLS = frozenset(("unknown_tool", "bad_arguments"))
FAILED_CALLS = frozenset(("tool_error", "unavailable", "timeout"))
_KINDS = {
    "ParseError": "invalid_action",
    "EmptyReply": "invalid_action",
    "ToolFailed": "tool_failure",
    "NoProgress": "no_progress",
    "OutOfSteps": "max_steps",
    "ContextOverflow": "context_overflow",
    "Looping": "infinite_loop",
}
_REASONS = {
    "unreadable": "invalid_action",
    "tool_failure": "tool_failure",
    "no_progress": "no_progress",
    "max_steps": "max_steps",
    "context": "context_overflow",
    "loop": "infinite_loop",
}
_CORRECTIONS = {
    "invalid_action": "Nothing was done: {cause} Write one action with a tool that is listed, or "
    "your final answer.",
    "tool_failure": "{cause} Use another tool or another input, or answer with what you have "
    "found and say what is missing.",
    "no_progress": "The last steps brought nothing new. Try something else, or answer with what "
    "you have found and say what is missing.",
    "max_steps": "This is your last step: give your final answer now, from what you have found, "
    "and say what is missing.",
    "infinite_loop": "You are going round in circles: {cause} brought the same as before. Do not "
    "do it again; try something else, or answer with what you have found.",
}


class ReActErrorHandler:
    """Says what to tell a model about an error, and which errors a run has met.

    `ERROR_TYPES` maps each of the six kinds to one sentence. `language` is "en" or "zh".
    """

    ERROR_TYPES: Mapping[str, str] = MappingProxyType(
        {
            "invalid_action": "The reply holds no action that can be carried out.",
            "tool_failure": "A tool failed.",
            "no_progress": "Several steps in a row brought nothing new.",
            "max_steps": "The steps are used up.",
            "context_overflow": "The request is longer than the model takes.",
            "infinite_loop": "The same steps come round again with the same results.",
        }
    )

    def __init__(self, language: str = "en") -> None:
        self.language = known_language(language)

    def handle_error(self, trace_or_history: Any, error_type: str) -> str | None:
        """The correction for the model; None where words do not help: a context that overflows.

        A trace says what it is about; with any other history the words stay general. Raises
        `ConfigError` for a kind that is none of `ERROR_TYPES`.
        """
        if error_type not in self.ERROR_TYPES:
            kinds = ", ".join(self.ERROR_TYPES)
            raise ConfigError(f"There is no error type {error_type!r}; it is one of {kinds}.")
        text = correction(error_type, trace_or_history)
        return None if text is None else tell(text, self.language)

    def find(self, trace: Trace) -> list[tuple[int, str]]:
        """What went wrong in a run, as (step, error type) in order; the end counts as a step."""
        found = [(step.number, kind) for step in trace for kind in _kinds_of(step)]
        end = _REASONS.get(str(trace.stop_reason or ""))
        return found if end is None else [*found, (max(1, len(trace)), end)]


def correction(error_type: str, history: Any) -> str | None:
    """What to tell the model about an error of this kind, in both languages."""
    text = _CORRECTIONS.get(error_type)
    if text is None:
        return None
    steps = history.steps if isinstance(history, Trace) else []
    return say(text, cause=_CAUSES.get(error_type, _no_cause)(steps)) if "{" in text else say(text)


def _kinds_of(step: Step) -> Iterator[str]:
    for event in step.events:
        if isinstance(event, ToolUse):
            error = event.observation.error
            if error in INVALID_CALLS:
                yield "invalid_action"
            elif error in FAILED_CALLS:
                yield "tool_failure"
    yield from (kind for one in step.failures if (kind := _KINDS.get(one.kind)))


def _no_cause(steps: list[Step]) -> str:
    return ""


def _unread(steps: list[Step]) -> str:
    """Why the last step could not be carried out."""
    failures: list[Failure] = [one for step in steps[-1:] for one in step.failures]
    said = [one.message for one in failures]
    said += [str(seen) for step in steps[-1:] for seen in step.observations if seen.error]
    return one_line(said[-1]) if said else say("your reply holds no action.")


def _failed(steps: list[Step]) -> str:
    """Which tool failed, and how often in a row."""
    uses = [use for step in steps for use in step.uses]
    if not uses:
        return say("A tool failed.")
    name, count = uses[-1].call.name, 0
    for use in reversed(uses):
        if use.call.name != name or use.observation.error not in FAILED_CALLS:
            break
        count += 1
    return say("{name} failed ({count} times in a row).", name=name, count=max(1, count))


def _repeated(steps: list[Step]) -> str:
    """The call, or the reply, that comes round again."""
    for step in reversed(steps):
        for call in step.calls:
            return f"{call.name}[{one_line(input_text(call.arguments), 100)}]"
    return say("your reply")


_CAUSES = {"invalid_action": _unread, "tool_failure": _failed, "infinite_loop": _repeated}
