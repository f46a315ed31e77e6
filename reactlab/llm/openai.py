"""Hosted and local servers that speak the OpenAI chat API, through the official SDK."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reactlab.errors import ConfigError, LLMError, ReactlabError, ReactlabWarning, Refused
from reactlab.llm.assembly import assemble, whole_reply
from reactlab.llm.connection import Connection
from reactlab.llm.failures import Reported, hide, no_message, status_of, told, translated, words_of
from reactlab.llm.protocol import cut
from reactlab.llm.servers import QUIRKS, quirks_of, refused, refuses_tools, server_of
from reactlab.llm.wire import Quirks, first_choice, from_reply, sent, to_body
from reactlab.threads import Lock
from reactlab.types import Completion, Delta, Request

if TYPE_CHECKING:
    from openai import OpenAI


REFUSING = (0, 400, 404, 422, 500, 501)
"""Statuses with which servers refuse a part of a request; 0 stands for an error in a reply."""


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
        if not isinstance(model, str) or not model.strip():
            raise ConfigError('OpenAILLM needs the name of a model, as in OpenAILLM("MODEL").')
        if client is not None and not _is_client(client):
            raise ConfigError(
                "client is an openai.OpenAI object; arun makes the asynchronous one itself, with "
                "the same settings."
            )
        if max_tokens is not None and (type(max_tokens) is not int or max_tokens < 1):
            raise ConfigError(
                f"max_tokens is a whole number from 1 on, or None, not {max_tokens!r}."
            )
        self.model = model.strip()
        self.server = server_of(str(client.base_url) if client and not base_url else base_url)
        self.base_url = self.server.address
        self.quirks = quirks_of(quirks)
        self.max_tokens = max_tokens
        self.send_reasoning = send_reasoning
        self._learning = Lock()
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
            if "stream" in known:
                whole = self.complete(request)
                yield Delta(whole.text, whole.reasoning)
                return whole
            body["stream"] = True
            if "stream_options" not in known:
                body["stream_options"] = {"include_usage": True}
            client = self._connection.open()
            with self._errors(body, known), client.chat.completions.create(**body) as chunks:
                kind = chunks.response.headers.get("content-type", "").lower()
                if "json" not in kind:
                    made = yield from assemble(chunks, self.model, events="event-stream" in kind)
                    return _ended(made or no_message(None, self._connection), request)
                whole = self._read(whole_reply(chunks.response, self.model))  # it does not stream
                whole = _ended(whole, request)
                yield Delta(whole.text, whole.reasoning)
                return whole

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
        if first_choice(reply) is None:
            no_message(reply, self._connection)
        return from_reply(reply, self.model)

    @contextmanager
    def _errors(self, body: Mapping[str, Any], known: Quirks) -> Iterator[None]:
        """Turn what the SDK raises into ours; a refusal that is adapted to is passed over."""
        from openai import OpenAIError

        try:
            yield
        except LLMError as error:  # what a reply says may hold anything
            error.message = hide(error.message, self._connection.key())
            error.args = (error.message,)
            raise
        except (OpenAIError, Reported) as error:
            ours = translated(error, self._connection, self.model)
            if status_of(error) not in REFUSING or isinstance(ours, Refused):
                raise ours from None
            with self._learning:
                if self.quirks == known:  # else another call has learned something meanwhile
                    self._adapt(error, body, ours)
        except (ValueError, RecursionError) as error:
            cause = f"{type(error).__name__}: {str(error)[:100]}"
            raise LLMError(f"{self._connection} answered with no JSON ({cause}).") from None

    def _adapt(self, error: Any, body: Mapping[str, Any], ours: ReactlabError) -> None:
        """Learn what the server refuses; raises `ours` if that cannot be done without."""
        words, code = words_of(error), getattr(error, "code", None) or ""
        parameter = str(getattr(error, "param", None) or "")
        name = refused(f"{words} {code}", parameter, sent(body)) or ""
        if body.get("tools") and (name == "tools" or refuses_tools(words)):
            raise ConfigError(
                f"{self.model} takes no tools ({told(error, self._connection)}); use an agent that "
                'writes in text, such as ReActAgent(llm, tools, dialect="bracket").'
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

    def __repr__(self) -> str:
        return f"OpenAILLM({self.model!r}, base_url={self.base_url!r})"


def _ended(whole: Completion, request: Request) -> Completion:
    """The completion, ended where a server that honours `stop` would have ended it."""
    text = cut(whole.text, request.stop)
    return whole if text == whole.text else replace(whole, text=text)


def _is_client(client: Any) -> bool:
    from openai import OpenAI

    return isinstance(client, OpenAI)
