"""Hosted and local servers that speak the OpenAI chat API, through the official SDK."""

from __future__ import annotations

import copy
import threading
import warnings
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reactlab.errors import ConfigError, LLMError, ReactlabWarning
from reactlab.llm.connection import Connection
from reactlab.llm.failures import no_message, told, translated, words_of
from reactlab.llm.protocol import cut
from reactlab.llm.servers import QUIRKS, refused, refuses_tools, server_of
from reactlab.llm.wire import Quirks, assemble, from_reply, sent, to_body, whole_reply
from reactlab.types import Completion, Delta, Request

if TYPE_CHECKING:
    from openai import OpenAI


class OpenAILLM:
    """A model behind an OpenAI-compatible server.

    `base_url` is a preset's name (`reactlab.llm.servers.SERVERS`, such as "ollama"), or an address
    with its version path such as "http://localhost:11434/v1"; None is OpenAI itself. The key is
    `api_key`, else the server's own variable (in `SERVERS`), and REACTLAB_API_KEY for a server
    given by its address, so that a key never goes to a server it is not meant for.
    `timeout` is in seconds; `max_tokens` limits replies where the request does not. `quirks` says
    what the server refuses and what to send in its place (None: nothing), as {"stop": None}; what
    it refuses at the first call is learned.
    `send_reasoning` sends the reasoning of earlier turns back, which some models need between tool
    calls and others refuse. `client` is an `openai.OpenAI` of your own, with its key, headers,
    organization and timeout. Nothing is connected, and no key is looked for, before the first call.
    The SDK's own retries are off: the agent's policies retry, and the trace shows it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        quirks: Mapping[str, str | None] | None = None,
        max_tokens: int | None = None,
        send_reasoning: bool = False,
        client: OpenAI | None = None,
    ) -> None:
        if not model.strip():
            raise ConfigError('OpenAILLM needs the name of a model, as in OpenAILLM("MODEL").')
        if client is not None and _is_async(client):
            raise ConfigError(
                "client is an openai.OpenAI object; arun makes the asynchronous one itself, with "
                "the same settings."
            )
        self.model = model.strip()
        self.server = server_of(str(client.base_url) if client and not base_url else base_url)
        self.base_url = self.server.address
        self.quirks = dict(quirks or {})
        self.max_tokens = max_tokens
        self.send_reasoning = send_reasoning
        self._learning = threading.Lock()
        self._connection = Connection(self.server, api_key, timeout, client)

    def complete(self, request: Request) -> Completion:
        """One chat completion.

        Raises `MissingKey` before anything is sent, `ConfigError` for a refused key, an unknown
        model, a wrong address or a model without tools, `RateLimited` for HTTP 429, `Unavailable`
        where trying again may help, `Refused`, and `LLMError` for everything else.
        """
        return _ended(self.as_sent(request), request)

    def as_sent(self, request: Request) -> Completion:
        """The same, but not ended where a server that honours `stop` would have ended it."""
        while True:
            body, known = self._body(request)
            with self._errors(body, known):
                return self._read(self._connection.open().chat.completions.create(**body))

    async def acomplete(self, request: Request) -> Completion:
        """The same as `complete` without blocking; cancelling the task ends the request."""
        while True:
            body, known = self._body(request)
            with self._errors(body, known):
                client = await self._connection.aopen()
                reply = await client.chat.completions.create(**body)
                return _ended(self._read(reply), request)

    def stream(self, request: Request) -> Generator[Delta, None, Completion]:
        """The same piece by piece; closing the generator ends the request."""
        while True:
            body, known = self._body(request)
            body["stream"] = True
            if "stream_options" not in known:
                body["stream_options"] = {"include_usage": True}
            client = self._connection.open()
            with self._errors(body, known), client.chat.completions.create(**body) as chunks:
                if "json" in chunks.response.headers.get("content-type", ""):  # it does not stream
                    whole = _ended(self._read(whole_reply(chunks.response)), request)
                    yield Delta(whole.text, whole.reasoning)
                    return whole
                return _ended((yield from assemble(chunks, self.model)), request)

    def models(self) -> list[str]:
        """The names of the models that the server lists; raises as `complete` does."""
        names: list[str] = []
        with self._errors({"messages": []}, self.quirks):
            names += sorted(model.id for model in self._connection.open().models.list())
        return names

    def check(self) -> str:
        """Ask the server for its models and say what it answered; raises as `complete` does."""
        names = self.models()
        known = "has" if self.model in names else f"does not list {self.model} among"
        return f"{self._connection} answers and {known} {len(names)} models"

    def anew(self, model: str | None = None) -> OpenAILLM:
        """The same server with nothing learned about it, for this model or another."""
        other = copy.copy(self)
        other.model, other.quirks = model or self.model, {}
        return other

    def _body(self, request: Request) -> tuple[dict[str, Any], Quirks]:
        """What to send, and what was known of the server when it was written."""
        known = dict(self.quirks)
        if request.max_tokens is None and self.max_tokens is not None:
            request = replace(request, max_tokens=self.max_tokens)
        return to_body(self.model, request, known, reasoning=self.send_reasoning), known

    def _read(self, reply: Any) -> Completion:
        choices = getattr(reply, "choices", None)
        if not choices or choices[0].message is None:
            no_message(reply, self._connection)
        return from_reply(reply, self.model)

    @contextmanager
    def _errors(self, body: Mapping[str, Any], known: Quirks) -> Iterator[None]:
        """Turn the SDK's errors into ours; a refusal that is adapted to is passed over."""
        from openai import APIStatusError, OpenAIError

        try:
            yield
        except OpenAIError as error:
            ours = translated(error, self._connection, self.model)
            if not isinstance(error, APIStatusError) or type(ours) is not LLMError:
                raise ours from None
            with self._learning:
                if self.quirks == known:  # else another call has learned something meanwhile
                    self._adapt(error, body, ours)

    def _adapt(self, error: Any, body: Mapping[str, Any], ours: LLMError) -> None:
        """Learn what the server refuses; raises `ours` if that cannot be done without."""
        words, parameter = told(error, self._connection), str(getattr(error, "param", None) or "")
        name = refused(words_of(error), parameter, sent(body)) or ""
        if body.get("tools") and (name == "tools" or refuses_tools(words)):
            raise ConfigError(
                f"{self.model} takes no tools ({words}); use an agent that writes in text, such as "
                'ReActAgent(llm, tools, dialect="bracket").'
            ) from None
        # What was sent in the place of something else and is refused as well is left out.
        origin = next((key for key, value in self.quirks.items() if value == name), name)
        if origin not in QUIRKS or self.quirks.get(origin, name) is None:
            raise ours from None
        instead = QUIRKS[origin] if origin == name and name not in self.quirks else None
        self.quirks[origin] = instead
        what = f"{instead!r} is sent in its place" if instead else "it is left out"
        warnings.warn(
            f"{self._connection} refuses {name!r}; from now on {what}.",
            ReactlabWarning,
            stacklevel=4,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_learning": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _learning=threading.Lock())

    def __repr__(self) -> str:
        return f"OpenAILLM({self.model!r}, base_url={self.base_url!r})"


def _ended(whole: Completion, request: Request) -> Completion:
    """The completion, ended where a server that honours `stop` would have ended it."""
    text = cut(whole.text, request.stop)
    return whole if text == whole.text else replace(whole, text=text)


def _is_async(client: Any) -> bool:
    from openai import AsyncOpenAI

    return isinstance(client, AsyncOpenAI)
