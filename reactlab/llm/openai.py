"""Hosted and local servers that speak the OpenAI chat API, through the official SDK."""

from __future__ import annotations

import os
import re
import threading
import warnings
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from reactlab.errors import (
    ConfigError,
    LLMError,
    MissingKey,
    RateLimited,
    ReactlabWarning,
    Unavailable,
)
from reactlab.llm.servers import OTHER_KEY, QUIRKS, refused, refuses_tools, server_of
from reactlab.llm.wire import (
    NO_KEY,
    assemble,
    from_reply,
    hide,
    retry_after,
    sent,
    to_body,
    whole_reply,
    words_of,
)
from reactlab.types import Completion, Delta, Request

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI


class OpenAILLM:
    """A model behind an OpenAI-compatible server.

    `base_url` is a preset's name (`reactlab.llm.servers.SERVERS`, such as "ollama"), or an address
    with its version path such as "http://localhost:11434/v1"; None is OpenAI itself. The key is
    `api_key`, else the server's own variable (in `SERVERS`), and REACTLAB_API_KEY for a server
    given by its address, so that a key never goes to a server it is not meant for.
    `timeout` is in seconds. `quirks` says what the server refuses and what to send in its place
    (None: nothing), as {"stop": None}; what it refuses at the first call is learned. `client` is
    an `openai.OpenAI` of your own. Nothing is connected, and no key is looked for, before the
    first call. The SDK's own retries are off: the agent's policies retry, and the trace shows it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        quirks: Mapping[str, str | None] | None = None,
        client: OpenAI | None = None,
    ) -> None:
        if not model.strip():
            raise ConfigError('OpenAILLM needs the name of a model, as in OpenAILLM("MODEL").')
        self.model = model.strip()
        self.server = server_of(str(client.base_url) if client and not base_url else base_url)
        self.base_url = self.server.address
        self.timeout = timeout
        self.quirks = dict(quirks or {})
        self._api_key = client.api_key if client and not api_key else api_key
        self._lock = threading.Lock()
        self._client = client and client.with_options(max_retries=0)
        self._aclients: WeakKeyDictionary[Any, tuple[AsyncOpenAI, Any]] = WeakKeyDictionary()

    def complete(self, request: Request) -> Completion:
        """One chat completion.

        Raises `MissingKey` before anything is sent, `ConfigError` for a refused key, an unknown
        model, a wrong address or a model without tools, `RateLimited` for HTTP 429, `Unavailable`
        where trying again may help, `Refused`, and `LLMError` for everything else.
        """
        while True:
            body = to_body(self.model, request, self.quirks)
            with self._errors(body):
                reply = self._open().chat.completions.create(**body)
                return self._completion(reply, request)

    async def acomplete(self, request: Request) -> Completion:
        """The same without blocking; cancelling the task ends the request."""
        while True:
            body = to_body(self.model, request, self.quirks)
            with self._errors(body):
                client = await self._aopen()
                reply = await client.chat.completions.create(**body)
                return self._completion(reply, request)

    def stream(self, request: Request) -> Generator[Delta, None, Completion]:
        """The same piece by piece; closing the generator ends the request."""
        while True:
            body = to_body(self.model, request, self.quirks)
            body["stream"] = True
            if "stream_options" not in self.quirks:
                body["stream_options"] = {"include_usage": True}
            with self._errors(body), self._open().chat.completions.create(**body) as chunks:
                if "json" in chunks.response.headers.get("content-type", ""):  # it does not stream
                    whole = self._completion(whole_reply(chunks.response), request)
                    yield Delta(whole.text, whole.reasoning)
                    return whole
                return (yield from assemble(chunks, self.model, request.stop))

    @contextmanager
    def _errors(self, body: Mapping[str, Any]) -> Iterator[None]:
        """Turn the SDK's errors into ours; a refusal that is adapted to is passed over."""
        import openai

        try:
            yield
        except openai.RateLimitError as error:
            raise RateLimited(self._told(error), retry_after=retry_after(error)) from None
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise ConfigError(f"{self._where} refuses the key: {self._told(error)}") from None
        except openai.NotFoundError as error:
            raise ConfigError(
                f"{self._where} knows no model {self.model!r}, or its address lacks the version "
                f"path such as /v1: {self._told(error)}"
            ) from None
        except openai.APITimeoutError:
            raise Unavailable(f"{self._where} did not answer within {self.timeout} s.") from None
        except openai.APIConnectionError as error:
            cause = hide(str(error.__cause__ or error), self._key())
            raise Unavailable(
                f"{self._where} cannot be reached ({cause}); is the server running?"
            ) from None
        except openai.APIStatusError as error:
            if error.status_code >= 500:
                raise Unavailable(
                    f"{self._where} failed with status {error.status_code}: {self._told(error)}",
                    retry_after=retry_after(error),
                ) from None
            self._adapt(error, body)
        except openai.OpenAIError as error:
            raise LLMError(f"{self._where} failed: {self._told(error)}") from None

    def _adapt(self, error: Any, body: Mapping[str, Any]) -> None:
        """Learn what the server refuses; raises if that cannot be done without."""
        told, parameter = self._told(error), str(getattr(error, "param", None) or "")
        name = refused(words_of(error), parameter, sent(body)) or ""
        if body.get("tools") and (name == "tools" or refuses_tools(told)):
            raise ConfigError(
                f"{self.model} takes no tools ({told}); use an agent that writes in text, such as "
                'ReActAgent(llm, tools, dialect="bracket").'
            ) from None
        # What was sent in the place of something else and is refused as well is left out.
        origin = next((key for key, value in self.quirks.items() if value == name), name)
        if origin not in QUIRKS or self.quirks.get(origin, name) is None:
            raise LLMError(f"{self._where} failed: {told}") from None
        instead = QUIRKS[origin] if origin == name and name not in self.quirks else None
        self.quirks[origin] = instead
        what = f"{instead!r} is sent in its place" if instead else "it is left out"
        warnings.warn(
            f"{self._where} refuses {name!r}; from now on {what}.", ReactlabWarning, stacklevel=4
        )

    def check(self) -> str:
        """Ask the server for its models and say what it answered; raises as `complete` does."""
        names: list[str] = []
        with self._errors({"messages": []}):
            names = sorted(model.id for model in self._open().models.list())
        known = "has" if self.model in names else f"does not list {self.model} among"
        return f"{self._where} answers and {known} {len(names)} models"

    def _told(self, error: Any) -> str:
        """The server's own words in one line, without what they repeat of the key."""
        return hide(words_of(error), self._key())

    @property
    def _where(self) -> str:
        return f"The server {self.base_url}" if self.base_url else "OpenAI"

    def _settings(self) -> dict[str, Any]:
        connection = {"base_url": self.base_url, "timeout": self.timeout, "max_retries": 0}
        return {"api_key": self._key(), **connection}

    def _open(self) -> OpenAI:
        """The SDK's client, made at the first call."""
        from openai import OpenAI

        with self._lock:
            if self._client is None:
                self._client = OpenAI(**self._settings())
            return self._client

    async def _aopen(self) -> AsyncOpenAI:
        """The SDK's client for the running event loop, closed when that loop shuts down."""
        import asyncio

        loop = asyncio.get_running_loop()
        if loop not in self._aclients:
            keeper = self._kept_open(loop)
            self._aclients[loop] = (await anext(keeper), keeper)
        return self._aclients[loop][0]

    async def _kept_open(self, loop: Any) -> AsyncGenerator[AsyncOpenAI, None]:
        """A client that an event loop closes with its other unfinished generators."""
        from openai import AsyncOpenAI

        try:
            async with AsyncOpenAI(**self._settings()) as client:
                yield client
        finally:
            self._aclients.pop(loop, None)

    def _key(self) -> str:
        key = (self._api_key or os.environ.get(self.server.key, "")).strip()
        if not re.fullmatch(r"[!-~]*", key):
            raise ConfigError(f"The key for {self.model} holds blanks or signs that no key has.")
        if not key and self.server.key not in ("", OTHER_KEY):
            raise MissingKey(
                f"{self.model} needs a key: set {self.server.key} before Python starts (in a "
                f"shell: export {self.server.key}=...; then start Jupyter from that shell)."
            )
        return key or NO_KEY

    def _completion(self, reply: Any, request: Request) -> Completion:
        choices = getattr(reply, "choices", None)
        if choices and choices[0].message is not None:
            return from_reply(reply, self.model, request.stop)
        error = hide(str(getattr(reply, "error", None) or ""), self._key())
        if error and self.base_url and not re.search(r"/v\d", self.base_url):
            raise ConfigError(
                f"{self._where} answered: {error}; its address lacks the version path, "
                f"try {self.base_url}/v1"
            )
        finish = getattr(choices[0], "finish_reason", None) if choices else None
        cause = "; ".join(filter(None, [error, finish and f"finish reason {finish}"]))
        raise LLMError(
            f"{self._where} answered without a message"
            + (f" ({cause})" if cause else "")
            + "; does its address end in the version path, such as /v1?"
        )

    def __repr__(self) -> str:
        return f"OpenAILLM({self.model!r}, base_url={self.base_url!r})"

    def __getstate__(self) -> dict[str, Any]:
        """Travel without connections; they are opened again on first use."""
        return {**vars(self), "_client": None, "_aclients": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.Lock(), _aclients=WeakKeyDictionary())
