"""Every error that reactlab raises on purpose, as one tree.

    ReactlabError                 catch this to catch them all
    ├── ConfigError               the caller set something up wrongly; fix it and run again
    │   ├── MissingKey            a hosted model was called and no key is set
    │   ├── ToolDefinitionError   a tool or a registry cannot be built as asked
    │   └── TraceFileError        a trace file cannot be read
    ├── ModelError                the model gave no usable completion
    │   ├── LLMError              the server failed, or a script or recording ran out
    │   │   ├── RateLimited       the server asks to wait; `retry_after` says how long
    │   │   ├── Unavailable       the server is down, overloaded or out of reach for now
    │   │   ├── Refused           the model, or the server's filter, declined to answer
    │   │   └── ContextOverflow   the request is longer than the model, or the budget, takes
    │   ├── EmptyReply            the completion holds neither text nor calls
    │   └── ParseError            the reply holds no step that can be trusted
    ├── RunError                  the run itself goes wrong; policies may answer it
    │   ├── ToolFailed            a tool failed, or what it returned is of no use
    │   ├── Looping               the run goes round in circles
    │   ├── NoProgress            several steps in a row brought nothing
    │   ├── OutOfSteps            the steps are nearly used up
    │   └── OverBudget            the run has used what it may
    ├── ToolError                 a tool says why it could not do it; becomes an observation
    │   └── ToolUnavailable       it may work on another try
    └── ProgramError              an agent's program broke the rules of the loop
        └── ReplayMismatch        a stored trace does not fit the agent that resumes it

What a model or a tool does wrong is stored in the trace and answered there.
What the caller does wrong is raised, with one line that says what to do.
"""

from __future__ import annotations


class ReactlabWarning(UserWarning):
    """Something was adapted or left out; the run goes on."""


class ReactlabError(Exception):
    """Base of the tree. `str(error)` is one sentence a person can act on."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class OneLine:
    """An error of which a notebook shows the one line, not the call stack."""

    message: str

    def _render_traceback_(self) -> list[str]:
        """IPython's hook: the lines to show instead of a traceback."""
        return [f"{type(self).__name__}: {self.message}"]


class ConfigError(OneLine, ReactlabError):
    """The caller set something up wrongly."""


class MissingKey(ConfigError):
    """A hosted model was called and no key is set."""


class ToolDefinitionError(ConfigError):
    """A tool or a registry cannot be built as asked."""


class TraceFileError(ConfigError):
    """A trace file cannot be read."""


class ModelError(ReactlabError):
    """The model gave no usable completion.

    `retry_after` is the wait in seconds that the server asked for, None when it asked for none.
    `reason` is the stop reason of a run that ends with it.
    """

    reason = "model_error"

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class LLMError(ModelError):
    """The server failed, or a script or recording has no reply left."""


class RateLimited(LLMError):
    """The server refused for now (HTTP 429)."""


class Unavailable(LLMError):
    """The server is down, overloaded or cannot be reached; trying again later may help."""


class Refused(LLMError):
    """The model, or the server's content filter, declined to answer."""


class ContextOverflow(LLMError):
    """The request is longer than the model's context, or than the budget of one request."""

    reason = "context"


class EmptyReply(ModelError):
    """The completion holds neither text nor calls."""


class ParseError(ModelError):
    """The reply holds no step that can be trusted; the message is written for the model to read."""


class ToolError(ReactlabError):
    """Raised inside a tool: the message becomes the observation, without a type name in front."""


class ToolUnavailable(ToolError):
    """Raised inside a tool that could not do it now and may on another try."""


class RunError(ReactlabError):
    """The run itself goes wrong; `reason` is the stop reason of a run that ends with it."""

    reason = "no_progress"


class ToolFailed(RunError):
    """A tool failed, or what it returned is of no use.

    `kind` is the observation's error, or "empty" or "garbled" where it has none; "" where a tool
    has failed again and again. `repeatable` says that the tool only reads, so that using it again
    does no harm.
    """

    reason = "tool_failure"

    def __init__(self, message: str, *, kind: str = "", repeatable: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.repeatable = repeatable


class Looping(RunError):
    """The run goes round in circles; `again` if the model was told of this very loop before."""

    reason = "loop"

    def __init__(self, message: str, *, again: bool = False) -> None:
        super().__init__(message)
        self.again = again


class NoProgress(RunError):
    """Several steps in a row brought nothing."""


class OutOfSteps(RunError):
    """The steps are nearly used up."""

    reason = "max_steps"


class OverBudget(RunError):
    """The run has used what it may."""

    reason = "budget"


class ProgramError(ReactlabError):
    """An agent's program broke the rules of the loop."""


class ReplayMismatch(ProgramError):
    """A stored trace does not fit the agent that resumes it."""
