"""A model that says what it was told to say: for tests, lessons, and being the model yourself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reactlab.errors import LLMError
from reactlab.types import Completion, Request, ToolCall

Reply = str | ToolCall | list[ToolCall] | Completion | Exception | Callable[[Request], str]


class ScriptedLLM:
    """Gives its replies one after another, whatever it is asked.

    A reply is a text, one or several tool calls, a whole `Completion`, an exception to raise, or a
    function of the request. `requests` keeps what was asked. When the script is used up it raises
    `LLMError`; `repeat_last=True` goes on with the last reply instead. Unlike the other models it
    has a position in its script, so use one for each run.
    """

    def __init__(
        self, replies: Iterable[Reply], *, model: str = "scripted", repeat_last: bool = False
    ) -> None:
        self.replies = tuple(replies)
        self.model = model
        self.repeat_last = repeat_last
        self.requests: list[Request] = []

    def complete(self, request: Request) -> Completion:
        """The next reply of the script."""
        self.requests.append(request)
        number = len(self.requests)
        if number > len(self.replies) and not (self.repeat_last and self.replies):
            raise LLMError(f"The script has {len(self.replies)} replies; number {number} is due.")
        return self._completion(self.replies[min(number, len(self.replies)) - 1], request)

    def _completion(self, reply: Reply, request: Request) -> Completion:
        match reply:
            case Completion():
                return reply
            case Exception():
                raise reply
            case ToolCall():
                return Completion(calls=(reply,), finish="tool_calls", model=self.model)
            case list():
                return Completion(calls=tuple(reply), finish="tool_calls", model=self.model)
            case str():
                return Completion(reply, model=self.model)
        return Completion(reply(request), model=self.model)

    def __repr__(self) -> str:
        return f"ScriptedLLM({len(self.requests)} of {len(self.replies)} replies used)"
