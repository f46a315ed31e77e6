"""A tool: a function, and what a model is told about it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, overload

from reactlab.errors import ToolDefinitionError
from reactlab.tools.binding import BadArguments, bind
from reactlab.tools.calling import acall, call, settled
from reactlab.tools.functions import (
    Function,
    MakeState,
    call_by_hand,
    check_settings,
    description_of,
    is_async,
    name_of,
)
from reactlab.tools.outcome import failed, succeeded
from reactlab.tools.parameters import Derived, Parameter, Parameters
from reactlab.tools.schema import parameters_of
from reactlab.types import Observation, ToolResult


@dataclass(frozen=True, eq=False, repr=False)
class Tool:
    """A function with a name, a description and a JSON Schema of its parameters.

    `func` may be async, a bound method, a partial or a callable object. `parameters` is a JSON
    Schema object; None derives it from the signature, where a parameter without annotation is a
    string. `effects` marks a tool that changes something in the world: agents ask before they use
    it. `timeout` is in seconds; without one a call takes as long as it takes. Observations are cut
    to `max_chars` characters.

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
    is_async: bool = field(init=False)
    _reading: Parameters = field(init=False)
    _ready: Function = field(init=False)

    def __post_init__(self) -> None:
        check_settings(vars(self))
        given = None if isinstance(self.parameters, Derived) else self.parameters
        reading = parameters_of(self.func, given, skip=self.per_run is not None)
        vars(self).update(
            name=self.name.strip(),
            parameters=reading.schema,
            is_async=is_async(self.func),
            _reading=reading,
            _ready=partial(call_by_hand, self.func, self.per_run) if self.per_run else self.func,
        )

    def to_schema(self) -> dict[str, Any]:
        """The tool in OpenAI function format."""
        about = {"name": self.name, "description": self.description}
        return {
            "type": "function",
            "function": about | {"parameters": copy.deepcopy(dict(self._reading.schema))},
        }

    def execute(self, *values: object, **arguments: object) -> Observation:
        """Use the tool with named arguments, or with one text as a model writes it: `"a, b"`.

        Whatever goes wrong is told in the observation; only an interrupt is raised.
        """
        if len(values) == 1 and not arguments and not _is_value(values[0]):
            return self.run(values[0]).observation
        names = [item.name for item in self._reading.items]
        if len(values) > len(names):
            fault = BadArguments(f"it takes {len(names)} arguments, but got {len(values)}")
            return self._failed(fault).observation
        return self.run({**dict(zip(names, values, strict=False)), **arguments}).observation

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the plain function, as if it had never become a tool."""
        return self._ready(*args, **kwargs)

    def bind(self, arguments: object, *, as_json: bool = False) -> dict[str, Any]:
        """The arguments by name, converted and checked; raises `BadArguments`."""
        return bind(self._reading, arguments, as_json=as_json)

    def run(self, arguments: object, *, as_json: bool = False) -> ToolResult:
        """Bind `arguments` (see `binding.bind`), call the function, and tell what came of it.

        An async function is run to its end. Only what is no `Exception` is raised.
        """
        bound: dict[str, Any] = {}
        try:
            bound = self.bind(arguments, as_json=as_json)
            if self.timeout is None:
                value = self._invoke(bound)
                value = value if type(value) is str else settled(value)
            else:
                value = call(partial(self._invoke, bound), self.timeout)
            return self._succeeded(value, bound)
        except Exception as error:  # a model has to hear of whatever a tool does wrong
            return self._failed(error, bound)

    async def arun(self, arguments: object, *, as_json: bool = False) -> ToolResult:
        """The same as `run`, awaiting the function in the caller's event loop if it is async."""
        bound: dict[str, Any] = {}
        try:
            bound = self.bind(arguments, as_json=as_json)
            work = partial(self._invoke, bound)
            value = await acall(work, self.timeout, is_async=self.is_async)
            return self._succeeded(value, bound)
        except Exception as error:  # as in `run`
            return self._failed(error, bound)

    def with_state(self, state: object) -> Tool:
        """The tool of one run, with what `per_run` made for that run."""
        own = object.__new__(type(self))
        vars(own).update(vars(self), _ready=partial(self.func, state))
        return own

    def _invoke(self, bound: dict[str, Any]) -> Any:
        if not self._reading.positional:
            return self._ready(**bound)
        rest = dict(bound)
        values = [rest.pop(name, default) for name, default in self._reading.positional]
        return self._ready(*values, **rest)

    def _succeeded(self, value: object, bound: dict[str, Any]) -> ToolResult:
        observation = succeeded(self.name, value, self.max_chars)
        return ToolResult(observation, self._reading.as_json(bound))

    def _failed(self, error: Exception, bound: Mapping[str, Any] | None = None) -> ToolResult:
        observation = failed(
            self.name, error, self.max_chars, usage=self.usage, seconds=self.timeout
        )
        return ToolResult(observation, self._reading.as_json(bound or {}))

    @property
    def accepts(self) -> tuple[Parameter, ...]:
        """Its parameters, in the order in which positional text is bound to them."""
        return self._reading.items

    @property
    def usage(self) -> str:
        """How to call it: `Weather(city: string, days?: integer)`."""
        return self._reading.usage(self.name)

    def __repr__(self) -> str:
        return f"Tool({self.usage})"

    def __getstate__(self) -> dict[str, Any]:
        derived = ("is_async", "_reading", "_ready")
        return {key: value for key, value in vars(self).items() if key not in derived}

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
) -> Tool | Callable[[Function], Tool]:
    """Make a `Tool` of a function: `@tool`, or `@tool(...)` with any option of `Tool`.

    The name is the function's, the description the first paragraph of its docstring, and what
    the docstring says of a parameter goes into the schema.
    """

    def make(func: Function) -> Tool:
        if isinstance(func, str):
            raise ToolDefinitionError(f"Write @tool(name={func!r}): a name is a keyword argument.")
        called = name or name_of(func)
        return Tool(
            called,
            description_of(func, called) if description is None else description,
            func,
            parameters,
            effects=effects,
            timeout=timeout,
            max_chars=max_chars,
            per_run=per_run,
        )

    return make if func is None else make(func)


def as_tool(thing: Tool | Function, name: str | None = None) -> Tool:
    """A tool as it is (renamed if `name` says so), a function made into one."""
    if isinstance(thing, Tool):
        return thing if name in (None, thing.name) else replace(thing, name=name)
    if not callable(thing):
        raise ToolDefinitionError(f"{thing!r} is neither a Tool nor a function.")
    return tool(name=name)(thing)


def _is_value(thing: object) -> bool:
    """Whether one positional argument is a value, rather than text or a mapping to be read."""
    return not (thing is None or isinstance(thing, str | Mapping))
