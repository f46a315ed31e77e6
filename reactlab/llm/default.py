"""Which model answers when none is named."""

from __future__ import annotations

import os
from collections.abc import Callable

from reactlab.errors import ConfigError
from reactlab.types import LLM
from reactlab.wording import Wording, say, tell

SIMULATED = "simulated"
Wrap = Callable[[LLM], LLM]
_around: list[Wrap] = []


def around_default(*wraps: Wrap) -> None:
    """Pass each model that `default_llm` makes from now on through `wraps`; not the simulated one.

    This is how the course limits calls that cost something. Without any, earlier ones end.
    """
    _around[:] = wraps


def default_llm(name: str | None = None) -> LLM:
    """The model in use: `name`, else the variable REACTLAB_MODEL, else the simulated one.

    Names: "simulated", "local" or "local:FILE.gguf", "PRESET:MODEL" with a preset of
    `reactlab.llm.servers.SERVERS` ("openai", "deepseek", "qwen", "ollama", "vllm", "llama.cpp",
    "lmstudio", "reactlab"), or for any compatible server "http://host:port/v1#MODEL". A key in the
    environment is never used by itself, so nobody pays by accident.
    """
    if not isinstance(name, str | None):
        raise ConfigError(f"A model is named by a text, not {type(name).__name__}.")
    chosen = (name or "").strip() or os.environ.get("REACTLAB_MODEL", "").strip() or SIMULATED
    if chosen in (SIMULATED, "reactlab-simulated"):
        from reactlab.llm.simulated import SimulatedLLM

        return SimulatedLLM()
    llm = _other(chosen)
    for wrap in _around:
        llm = wrap(llm)
    return llm


def _other(chosen: str) -> LLM:
    provider, _, model = chosen.partition(":")
    provider = provider.strip().lower()
    if provider == "local":
        from reactlab.llm.local import LocalLLM

        return LocalLLM(model or None)
    from reactlab.llm.openai import OpenAILLM
    from reactlab.llm.servers import SERVERS

    model = model.strip()
    if provider in SERVERS and model:
        return OpenAILLM(model, base_url=provider)
    address, _, model = chosen.partition("#")
    if address.lower().startswith(("http://", "https://")) and model.strip():
        return OpenAILLM(model, base_url=address)
    raise ConfigError(
        say(
            'There is no model {name!r}. Write "simulated", "local", "local:FILE.gguf", '
            '"PRESET:MODEL" with one of the presets {presets}, or "http://HOST:PORT/v1#MODEL" for '
            "another compatible server.",
            name=chosen,
            presets=", ".join(SERVERS),
        )
    )


def describe(llm: LLM, language: str = "en") -> str:
    """One line for people: the model in use, and a key that was seen and not used."""
    line = say("Model in use: {model}{note}", model=llm.model, note=unused_key(llm))
    return tell(line, language)


def unused_key(llm: LLM) -> Wording:
    """A note, in brackets, that a key was seen and is not used; "" if there is nothing to note."""
    if llm.model != "reactlab-simulated" or not os.environ.get("OPENAI_API_KEY"):
        return Wording("")
    use = 'REACTLAB_MODEL="openai:MODEL"'
    return say(" (OPENAI_API_KEY is set and not used; {use} would use it)", use=use)
