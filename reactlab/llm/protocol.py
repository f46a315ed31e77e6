"""What may stand where a model is expected."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, cast

from reactlab.errors import ConfigError
from reactlab.types import LLM, Completion, Delta, Request


class CallableLLM:
    """A plain function `prompt -> str` as a model; for the text dialects only."""

    def __init__(self, func: Callable[[str], str], model: str = "") -> None:
        self._func = func
        self.model = model or getattr(func, "__name__", type(func).__name__)

    def complete(self, request: Request) -> Completion:
        """Call the function with the prompt and cut its text where the request says stop.

        Raises `ConfigError` if the request has tools, or if the function returns no string.
        """
        if request.tools:
            raise ConfigError(
                f"{self.model} is a plain function and cannot return tool calls; "
                'use a text dialect such as dialect="bracket".'
            )
        text = self._func(request.prompt)
        if not isinstance(text, str):
            raise ConfigError(
                f"{self.model} returned {type(text).__name__}; a model function returns a string."
            )
        return Completion(cut(text, request.stop), model=self.model)

    def __repr__(self) -> str:
        return f"CallableLLM({self.model})"


def cut(text: str, stop: tuple[str, ...]) -> str:
    """The text up to the first stop sequence, as a server would end it."""
    ends = [at for word in stop if (at := text.find(word)) >= 0]
    return text[: min(ends)] if ends else text


def streamed(llm: Any, request: Request) -> Generator[Delta | Completion, None, None]:
    """What `llm.stream` yields, and at last the completion that it returns."""
    whole = yield from llm.stream(request)
    yield whole or Completion(model=llm.model)


def as_llm(model: Any = None) -> LLM:
    """Return a model for: a model, a function, an object with `generate(prompt)`, or None.

    None is `default_llm()`. Raises `ConfigError` for anything else.
    """
    if model is None:
        from reactlab.llm.default import default_llm

        return default_llm()
    if callable(getattr(model, "complete", None)):
        if not isinstance(getattr(model, "model", None), str):
            raise ConfigError(f"{model!r} has no `model`, the name that traces and reports show.")
        return cast(LLM, model)
    if callable(getattr(model, "generate", None)):
        return CallableLLM(model.generate, getattr(model, "model", type(model).__name__))
    if callable(model):
        return CallableLLM(model)
    raise ConfigError(
        f"{model!r} is no model: give a reactlab model, a function prompt -> str, or an object "
        "with generate(prompt). A model's name alone goes to default_llm(name)."
    )
