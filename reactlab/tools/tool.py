"""A tool: a function, and what a model is told about it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, overload
from weakref import WeakKeyDictionary

from reactlab.errors import ToolDefinitionError, ToolUnavailable
from reactlab.tools.binding import BadArguments, bind
from reactlab.tools.calling import TimedOut, acall, call
from reactlab.tools.signature import Function, description_of, is_async, name_of
from reactlab.tools.text import as_json, as_text, cut, describe
from reactlab.types import Observation, ToolResult
from reactlab.wording import known_language, say, tell

if TYPE_CHECKING:  # it loads pydantic
    from reactlab.tools.schema import Parameter, Parameters

MakeState = Callable[[], Any]
MAY_PASS = (ToolUnavailable, ConnectionError, TimeoutError)
"""What a function raises when it may work on another try."""
_states_by_hand: WeakKeyDictionary[MakeState, Any] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False, repr=False)
class Tool:
    """A function with a name, a description and a JSON Schema of its parameters.

    `func` may be async, a bound method, a partial or a callable object. `parameters` is a JSON
    Schema object; None derives it from the signature, where a parameter without annotation is a
    string. `effects` marks a tool that changes something in the world: agents ask before they use
    it. `timeout` is in seconds; without one a call takes as long as it takes, and with one an async
    function that never awaits still holds `arun`'s event loop. Observations are cut to `max_chars`
    characters. `language` is that of what the tool says by itself, such as errors:
    "en", "zh", or None for that of the agent that uses it, English by hand.

    `per_run` makes what the tool remembers within one run: a function without arguments, whose
    result is passed to `func` as its first argument. Tools with the same `per_run` object share
    what it made, and every run gets a new one. Used by hand, outside a run, they share one as
    well, which lasts as long as the `per_run` object.

    Raises `ToolDefinitionError` for arguments that do not fit together.
    """

    name: str
    description: str
    func: Function
    parameters: Mapping[str, Any] | None = None
    effects: bool = field(default=False, kw_only=True)
    timeout: float | None = field(default=None, kw_only=True)
    max_chars: int = field(default=4000, kw_only=True)
    per_run: MakeState | None = field(default=None, kw_only=True)
    language: str | None = field(default=None, kw_only=True)
    is_async: bool = field(init=False)
    _reading: Parameters = field(init=False)
    _ready: Function = field(init=False)

    def __post_init__(self) -> None:
        from reactlab.tools.schema import Derived, Parameters

        self._check_settings()
        given = None if isinstance(self.parameters, Derived) else self.parameters
        reading = Parameters(self.func, given, skip=self.per_run is not None)
        vars(self).update(
            name=self.name.strip(),
            parameters=reading.schema,
            is_async=is_async(self.func),
            _reading=reading,
            _ready=partial(_by_hand, self.func, self.per_run) if self.per_run else self.func,
        )

    def to_schema(self) -> dict[str, Any]:
        """The tool in OpenAI function format."""
        about: dict[str, Any] = {"name": self.name, "description": self.description}
        about |= {"parameters": copy.deepcopy(dict(self._reading.schema))}
        return {"type": "function", "function": about}

    def execute(self, written: object = None, /, **arguments: object) -> Observation:
        """Use the tool with named arguments, or with one text as a model writes it: `"a, b"`.

        Whatever goes wrong is told in the observation; only an interrupt is raised.
        """
        if arguments and written is not None:
            raise TypeError("execute() takes one text or named arguments, not both.")
        return self.run(arguments or written).observation

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the plain function, as if it had never become a tool."""
        return self._ready(*args, **kwargs)

    def bind(self, arguments: object, *, as_json: bool = False) -> dict[str, Any]:
        """The arguments by name, converted and checked; raises `BadArguments`."""
        return bind(self._reading, arguments, as_json=as_json)

    def run(
        self, arguments: object, *, as_json: bool = False, language: str | None = None
    ) -> ToolResult:
        """Bind `arguments` (see `binding.bind`), call the function, and tell what came of it.

        An async function is run to its end. Only what is no `Exception` is raised. `language` is
        for a tool that has none of its own.
        """
        bound: dict[str, Any] = {}
        try:
            bound = self.bind(arguments, as_json=as_json)
            value = call(partial(self._invoke, bound), self.timeout)
            return self._returned(value, bound, language)
        except Exception as error:  # a model has to hear of whatever a tool does wrong
            return self._failed(error, bound, language)

    async def arun(
        self, arguments: object, *, as_json: bool = False, language: str | None = None
    ) -> ToolResult:
        """The same as `run`, awaiting the function in the caller's event loop if it is async."""
        bound: dict[str, Any] = {}
        try:
            bound = self.bind(arguments, as_json=as_json)
            work = partial(self._invoke, bound)
            value = await acall(work, self.timeout, is_async=self.is_async)
            return self._returned(value, bound, language)
        except Exception as error:  # as in `run`
            return self._failed(error, bound, language)

    def with_state(self, state: object) -> Tool:
        """The tool of one run, with what `per_run` made for that run."""
        own = object.__new__(type(self))
        vars(own).update(vars(self), _ready=partial(self.func, state))
        return own

    @property
    def accepts(self) -> tuple[Parameter, ...]:
        """Its parameters, in the order in which positional text is bound to them."""
        return self._reading.items

    def _check_settings(self) -> None:
        known_language(self.language)
        texts = isinstance(self.name, str) and isinstance(self.description, str)
        if not (texts and callable(self.func)):
            raise ToolDefinitionError("Write Tool(name, description, func): texts and a function.")
        if (self.timeout is not None and self.timeout <= 0) or self.max_chars < 1:
            raise ToolDefinitionError(f"timeout= and max_chars= of {self.name} must be above 0.")
        if self.per_run and self.effects:
            raise ToolDefinitionError(f"{self.name} cannot have both per_run= and effects=.")

    def _invoke(self, bound: dict[str, Any]) -> Any:
        rest = dict(bound)
        values = [rest.pop(item.name, item.default) for item in self._reading.positional]
        return self._ready(*values, **rest)

    def _told(self, text: str, kind: str, bound: dict[str, Any], other: str | None) -> ToolResult:
        """The text, in the tool's language or else the other one, and not too long."""
        language = self.language or other
        shown = cut(tell(text, language), self.max_chars, language)
        return ToolResult(Observation(shown, kind), as_json(bound))

    def _returned(self, value: object, bound: dict[str, Any], language: str | None) -> ToolResult:
        told, error = (value.text, value.error) if isinstance(value, Observation) else (value, "")
        return self._told(as_text(told), error, bound, language)

    def _failed(self, error: Exception, bound: dict[str, Any], language: str | None) -> ToolResult:
        """What went wrong, and how to do it right if that is known."""
        text, usage = describe(error), self._reading.usage(self.name)
        kind = "unavailable" if isinstance(error, MAY_PASS) else "tool_error"
        if isinstance(error, BadArguments):
            kind, told = "bad_arguments", "{name}: {fault}. Call it as {usage}."
            text = say(told, name=self.name, fault=error.args[0], usage=usage)
        elif isinstance(error, TimedOut):
            told = "{name} took longer than its limit of {limit:g} s and was given up."
            kind, text = "timeout", say(told, name=self.name, limit=self.timeout)
        return self._told(text, kind, bound, language)

    def __repr__(self) -> str:
        return f"Tool({self._reading.usage(self.name)})"

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.__post_init__()


@overload
def tool(func: Function) -> Tool: ...
@overload
def tool(
    func: None = None,
    *,
    name: str | None = None,
    description: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    effects: bool = False,
    timeout: float | None = None,
    max_chars: int = 4000,
    per_run: MakeState | None = None,
    language: str | None = None,
) -> Callable[[Function], Tool]: ...
def tool(
    func: Function | None = None,
    *,
    name: str | None = None,
    description: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    effects: bool = False,
    timeout: float | None = None,
    max_chars: int = 4000,
    per_run: MakeState | None = None,
    language: str | None = None,
) -> Tool | Callable[[Function], Tool]:
    """Make a `Tool` of a function: `@tool`, or `@tool(...)` with any option of `Tool`.

    The name is the function's, the description the first paragraph of its docstring, and what
    the docstring says of a parameter goes into the schema.
    """
    options: dict[str, Any] = {"effects": effects, "timeout": timeout, "max_chars": max_chars}
    options |= {"per_run": per_run, "language": language}

    def make(func: Function) -> Tool:
        if isinstance(func, str):
            raise ToolDefinitionError(f"Write @tool(name={func!r}): a name is a keyword argument.")
        about = description_of(func) if description is None else description
        return Tool(name or name_of(func), about, func, parameters, **options)

    return make if func is None else make(func)


def as_tool(thing: Tool | Function, name: str | None = None) -> Tool:
    """A tool as it is (renamed if `name` says so), a function made into one."""
    if isinstance(thing, Tool):
        return thing if name in (None, thing.name) else replace(thing, name=name)
    if not callable(thing):
        raise ToolDefinitionError(f"{thing!r} is neither a Tool nor a function.")
    return tool(name=name)(thing)


def _by_hand(func: Function, per_run: MakeState, /, *args: Any, **kwargs: Any) -> Any:
    """Outside a run: with the state that all tools of this `per_run` object share by hand."""
    if per_run not in _states_by_hand:
        _states_by_hand.setdefault(per_run, per_run())
    return func(_states_by_hand[per_run], *args, **kwargs)
