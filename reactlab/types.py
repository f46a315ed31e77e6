"""The nouns of the package: what goes to a model, what comes back, and what is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class ToolCall:
    """A model's wish to use a tool.

    `arguments` is the raw text of a text dialect, or the mapping that was parsed from JSON.
    `id` ties a result to its call where the dialect has ids (function calling), else "".
    """

    name: str
    arguments: str | Mapping[str, Any] = ""
    id: str = ""


@dataclass(frozen=True)
class Observation:
    """What the world answered. `str()` is the text, without any `Observation:` in front.

    `error` is "" when all went well, else one of: "unknown_tool", "bad_arguments", "tool_error",
    "unavailable" (it may work on another try), "timeout", "forbidden" (by `permit=`), "denied"
    (by `approve=`), "dry_run", "interrupted".
    """

    text: str
    error: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Message:
    """One chat message. `calls` belongs to the assistant, `call_id` to a tool's reply.

    `reasoning` is what a reasoning model thought before this turn of its own; few servers want it
    back, so a model sends it only if it is told to.
    """

    role: Role
    content: str | None
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    reasoning: str = ""


@dataclass(frozen=True)
class Request:
    """All that a model gets to see: nothing else reaches it.

    Text dialects send one user message and no `tools`. `tools` holds OpenAI function schemas.
    `temperature` lies in 0..2 and `max_tokens` counts tokens; None leaves both to the model.
    """

    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    stop: tuple[str, ...] = ()
    temperature: float | None = None
    max_tokens: int | None = None

    @property
    def prompt(self) -> str:
        """The contents of all messages, joined by blank lines: the whole text of a text dialect."""
        return "\n\n".join(message.content for message in self.messages if message.content)


@dataclass(frozen=True)
class Usage:
    """Tokens paid for. `estimated` marks counts that no server reported."""

    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True)
class Completion:
    """A model's reply. `finish` is the server's word: "stop", "length", "tool_calls", ...

    `reasoning` is text that a reasoning model returns in a field of its own; it is never an answer.
    `usage` is None when the server reported none.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"
    usage: Usage | None = None
    model: str = ""
    reasoning: str = ""


@dataclass(frozen=True)
class Delta:
    """A piece of a reply as it is streamed: of its text, its reasoning, or one of its calls.

    In `call`, the arguments are a piece of text too; name and id come with a call's first piece.
    """

    text: str = ""
    reasoning: str = ""
    call: ToolCall | None = None


@dataclass(frozen=True)
class Decision:
    """A completion, understood: a thought, and then either calls or an answer."""

    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    answer: str | None = None


class LLM(Protocol):
    """A model. `complete` may raise `LLMError`.

    Optional: `acomplete`, its async twin, and `stream`, a generator that yields each `Delta` and
    returns the whole `Completion`.
    """

    @property
    def model(self) -> str:
        """The name that traces and reports show."""

    def complete(self, request: Request) -> Completion:
        """Return the model's reply to `request`."""


@dataclass(frozen=True)
class ToolResult:
    """One executed call: the arguments as they were bound, and what came of it."""

    observation: Observation
    arguments: Mapping[str, Any] = field(default_factory=dict)


class ToolInfo(Protocol):
    """What a driver needs to know of a tool before it runs it."""

    @property
    def effects(self) -> bool:
        """Whether it changes something in the world, so that somebody has to approve."""

    @property
    def is_async(self) -> bool:
        """Whether its function has to be awaited."""

    @property
    def per_run(self) -> object | None:
        """Not None if it remembers things within a run, and only reads."""


class ToolSet(Protocol):
    """What an agent needs of its tools; `ToolRegistry` is the one that ships."""

    @property
    def language(self) -> str | None:
        """The language of errors and notices: "en", "zh", or None for English."""

    @property
    def names(self) -> tuple[str, ...]:
        """The registered names, in order."""

    def get(self, name: str) -> ToolInfo | None:
        """The tool of that name, None if there is none."""

    def to_prompt(self, language: str = "en") -> str:
        """The tools described for a text prompt."""

    def to_openai_schema(self) -> list[dict[str, Any]]:
        """The tools in OpenAI function format."""

    def for_run(self) -> ToolSet:
        """These tools with nothing remembered yet; the same object if none remembers anything."""

    def bound(self, call: ToolCall) -> ToolCall | None:
        """The call with its arguments by name; None if it cannot be carried out."""

    def execute(self, call: ToolCall) -> ToolResult:
        """Run one call; whatever goes wrong is told in the observation."""

    async def aexecute(self, call: ToolCall) -> ToolResult:
        """The same, awaiting async functions."""
