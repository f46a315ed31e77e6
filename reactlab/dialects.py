"""The ways in which an agent and a model write to each other: three as text, one as tool calls."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from reactlab.errors import ConfigError, ParseError
from reactlab.events import Step
from reactlab.prompts import PromptTemplate, Words, load, quote, words
from reactlab.prompts.callids import with_ids
from reactlab.prompts.digest import digest, earlier_turns, input_text, said
from reactlab.prompts.fitting import fitted
from reactlab.prompts.tokens import tokens_of
from reactlab.trace import Trace
from reactlab.types import Completion, Decision, Message, Request, ToolCall, ToolSet
from reactlab.wording import say, tell

Older = Literal["digest", "drop"]
CUT_OFF = "The reply was cut off at its length limit, so nothing was done; send it again, shorter."


@dataclass(frozen=True)
class Dialect(ABC):
    """Trace -> request and completion -> decision, in one language ("en" or "zh").

    The `max_context` most recent steps are shown in full (None: all of them), older ones as one
    line each (`older="digest"`) or not at all ("drop").
    """

    template: PromptTemplate
    language: str = "en"
    max_context: int | None = 5
    older: Older = "digest"

    def __post_init__(self) -> None:
        limit: object = self.max_context
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise ConfigError(f"max_context has to be 1 or more, or None, not {limit!r}.")
        if self.older not in ("digest", "drop"):
            raise ConfigError(f'older has to be "digest" or "drop", not {self.older!r}.')

    @abstractmethod
    def render(self, trace: Trace, tools: ToolSet) -> Request:
        """What the model gets to see next."""

    def fit(self, trace: Trace, tools: ToolSet, limit: int) -> Request:
        """The fullest request of at most `limit` tokens, as estimated.

        First fewer steps stand in full, then long texts are shortened, then old steps; question,
        tools and the last step stay. Raises `ContextOverflow` if even the shortest is too long.
        """
        request = self.render(trace, tools)
        if tokens_of(request) <= limit:
            return request

        def render(shorter: Trace, recent: int) -> Request:
            return replace(self, max_context=recent).render(shorter, tools)

        return fitted(render, trace, self.max_context, limit, self.language)

    @abstractmethod
    def parse(self, completion: Completion, tools: ToolSet) -> Decision:
        """What the model meant; raises `ParseError` where no step can be trusted."""

    def correction(self, error: ParseError, tools: ToolSet) -> str:
        """What the model is told about a reply that could not be read."""
        return f"{error.message} {self.words.repeat.format(tools=', '.join(tools.names))}"

    @property
    def words(self) -> Words:
        """The protocol's words in this language."""
        return words(self.language)

    def _older_lines(self, trace: Trace) -> list[str]:
        """One line for each step that is no longer shown in full."""
        limit = self.max_context
        if limit is None or self.older == "drop" or len(trace) <= limit:
            return []
        return trace.texts(digest)[:-limit]

    def _earlier_turns(self, trace: Trace) -> str:
        """The conversation before this question."""
        turns = earlier_turns(trace)
        return f"{self.words.earlier_turn}\n{turns}" if turns else ""


@dataclass(frozen=True)
class TextDialect(Dialect):
    """Thought, action and observation as lines of text; subclasses say how an action looks."""

    thoughts: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if "{question}" not in self.template.text:
            raise ConfigError("The prompt has no slot {question}; put it where the question goes.")

    def render(self, trace: Trace, tools: ToolSet) -> Request:
        """One user message: the filled template, which the model continues."""
        text = self.template.format(
            tool_descriptions=quote(tools.to_prompt(self.language)),
            question=quote(trace.question),
            history=self.history(trace),
        )
        return Request((Message("user", text),), stop=self._stop)

    def parse(self, completion: Completion, tools: ToolSet) -> Decision:
        """Read the reply's text with the parser; a reply without a marker begins in a thought."""
        from reactlab.parser import is_cut_off, parse  # its patterns take time to compile

        decision = parse(completion.text, tools.names, language=self.language)
        if completion.finish == "length" and is_cut_off(completion.text, tools.names):
            raise ParseError(tell(say(CUT_OFF), self.language))
        return decision

    def history(self, trace: Trace) -> str:
        """Everything so far, as the lines that the model and the world wrote."""
        texts = trace.texts(self.show)
        shown = texts if self.max_context is None else texts[-self.max_context :]
        older = self._older_lines(trace)
        head = [self._earlier_turns(trace)] if trace.after is not None else []
        head += [self.words.earlier, *older] if older else []
        return "\n".join(filter(None, [*head, *shown]))

    def show(self, step: Step) -> str:
        """One step as text; data that looks like a step is quoted."""
        word, lines, decision = self.words, [], step.decision
        thought = decision.thought if decision else said(step)
        if thought and self.thoughts:
            lines.append(word.thought + quote(thought).strip())
        for use in step.uses:
            lines += [self.action(use.call), word.observation + quote(use.observation.text)]
        lines += [word.observation + failure.tell for failure in step.told]
        return "\n".join(lines)

    @abstractmethod
    def action(self, call: ToolCall) -> str:
        """A call as the model would write it."""

    @cached_property
    def _stop(self) -> tuple[str, ...]:
        return ("\n" + self.words.observation.strip(),)


class BracketDialect(TextDialect):
    """`Action: Tool[input]`, as in the ReAct paper."""

    def action(self, call: ToolCall) -> str:
        """The name, and the input in brackets."""
        return f"{self.words.action}{call.name}[{quote(input_text(call.arguments))}]"


class ActionInputDialect(TextDialect):
    """`Action:` and `ActionInput:` on lines of their own."""

    def action(self, call: ToolCall) -> str:
        """Two lines: the name, the input."""
        words = self.words
        return f"{words.action}{call.name}\n{words.action_input}{quote(input_text(call.arguments))}"


class JSONDialect(TextDialect):
    """A JSON object with `action` and `action_input` in a fenced block."""

    def action(self, call: ToolCall) -> str:
        """The fenced block."""
        arguments = call.arguments if isinstance(call.arguments, str) else dict(call.arguments)
        step = {"action": call.name, "action_input": arguments}
        word, blob = self.words.action, json.dumps(step, ensure_ascii=False, default=str)
        return f"{word.strip()}\n```json\n{blob}\n```"


@dataclass(frozen=True)
class ToolCallDialect(Dialect):
    """OpenAI function calling: tools as schemas, calls and results as messages with ids."""

    def render(self, trace: Trace, tools: ToolSet) -> Request:
        """System message, question, then each step as an assistant message and its results."""
        slots = {"tool_descriptions": tools.to_prompt(self.language), "question": trace.question}
        messages = [Message("system", self.template.format(**slots))]
        if earlier := self._earlier_turns(trace):
            messages.append(Message("system", earlier))
        messages.append(Message("user", trace.question))
        if older := self._older_lines(trace):
            messages.append(Message("system", "\n".join([self.words.earlier, *older])))
        steps = trace.steps if self.max_context is None else trace.steps[-self.max_context :]
        messages += [message for step in steps for message in step.shown(self.show)]
        return Request(tuple(messages), tools=tuple(tools.to_openai_schema()))

    def parse(self, completion: Completion, tools: ToolSet) -> Decision:
        """Calls if there are any; text without calls is the answer."""
        if completion.finish == "length":
            raise ParseError(tell(say(CUT_OFF), self.language))
        if not completion.calls:
            return Decision("", (), completion.text.strip())
        return Decision(completion.text.strip(), with_ids(completion.calls))

    def correction(self, error: ParseError, tools: ToolSet) -> str:
        """The error alone: the model knows its tools from their schemas."""
        return error.message

    def show(self, step: Step) -> list[Message]:
        """One assistant message, one tool message for each call, then what else it was told."""
        reply, notes = step.completion, [failure.tell for failure in step.told]
        reasoning = reply.reasoning if reply else ""
        if step.uses:
            content, calls = step.thought, tuple(use.call for use in step.uses)
            results = [str(use.observation) for use in step.uses]
        elif not notes:
            return []
        else:  # calls that could not be carried out: each is answered with the reason
            content, calls = said(step), with_ids(reply.calls) if reply else ()
            results = [notes[0]] * len(calls)
            notes = notes[1:] if calls else notes
        messages = [Message("assistant", content or None, calls, reasoning=reasoning)]
        messages = messages if content or calls else []
        messages += [Message("tool", r, (), c.id) for c, r in zip(calls, results, strict=True)]
        return [*messages, Message("user", "\n".join(notes))] if notes else messages


TEXT_DIALECTS: Mapping[str, type[TextDialect]] = {
    "bracket": BracketDialect,
    "action_input": ActionInputDialect,
    "json": JSONDialect,
}
DialectName = Literal["bracket", "action_input", "json", "tools"]


def make_dialect(name: str, *, prompt: PromptTemplate | None = None, **settings: Any) -> Dialect:
    """The dialect of that name, with its own prompt unless another is given.

    `settings` are the fields of `Dialect`. Raises `ConfigError` for an unknown name.
    """
    language = settings.get("language", "en")
    if name == "tools":
        return ToolCallDialect(prompt or PromptTemplate(load("tools", language)), **settings)
    if name not in TEXT_DIALECTS:
        choices = ", ".join([*TEXT_DIALECTS, "tools"])
        raise ConfigError(f"There is no dialect {name!r}; choose one of {choices}.")
    return TEXT_DIALECTS[name](prompt or PromptTemplate(load(name, language)), **settings)
