"""Hosted and local servers that speak the OpenAI chat API, through the official SDK."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reactlab.errors import ConfigError, LLMError, MissingKey, RateLimited
from reactlab.types import Completion, Message, Request, ToolCall, Usage

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletion

OPENAI_KEY, OTHER_KEY = "OPENAI_API_KEY", "REACTLAB_API_KEY"
NO_KEY = "none-needed"
"""What is sent where a server needs no key; the SDK insists on one."""


class OpenAILLM:
    """A model behind an OpenAI-compatible server.

    `base_url` is the address with its version path, for instance "http://localhost:11434/v1"; None
    is OpenAI itself. The key is `api_key`, else the variable OPENAI_API_KEY for OpenAI, and
    REACTLAB_API_KEY for any other server, so that a key never goes to a server it is not meant
    for. `timeout` is in seconds. Nothing is connected, and no key is looked for, before the first
    call. The SDK's own retries are off: the agent's policies retry, and the trace shows it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
    ) -> None:
        if not model.strip():
            raise ConfigError('OpenAILLM needs the name of a model, as in OpenAILLM("MODEL").')
        self.model = model.strip()
        self.base_url = _clean_address(base_url)
        self.timeout = timeout
        self._api_key = api_key
        self._lock = threading.Lock()
        self._client: OpenAI | None = None

    def complete(self, request: Request) -> Completion:
        """One chat completion.

        Raises `MissingKey` before anything is sent, `RateLimited` for HTTP 429, `ConfigError` for
        a refused key, an unknown model or a wrong address, and `LLMError` for everything else.
        """
        with self._errors():
            reply = self._open().chat.completions.create(**self._body(request))
        return self._completion(reply)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the SDK's errors into ours, each with what to do."""
        import openai

        try:
            yield
        except openai.RateLimitError as error:
            raise RateLimited(self._told(error), retry_after=_retry_after(error)) from None
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise ConfigError(f"{self._where} refuses the key: {self._told(error)}") from None
        except openai.NotFoundError as error:
            raise ConfigError(
                f"{self._where} knows no model {self.model!r}, or its address lacks the version "
                f"path such as /v1: {self._told(error)}"
            ) from None
        except openai.APITimeoutError:
            raise LLMError(f"{self._where} did not answer within {self.timeout} s.") from None
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            raise LLMError(
                f"{self._where} cannot be reached ({cause}); is the server running?"
            ) from None
        except openai.OpenAIError as error:
            raise LLMError(f"{self._where} failed: {self._told(error)}") from None

    def check(self) -> str:
        """Ask the server for its models and say what it answered; raises as `complete` does."""
        with self._errors():
            names = sorted(model.id for model in self._open().models.list())
        known = "has" if self.model in names else f"does not list {self.model} among"
        return f"{self._where} answers and {known} {len(names)} models"

    def _told(self, error: Any) -> str:
        """The server's own words in one line, without what they repeat of the key."""
        return hide(_words(error), self._key())

    @property
    def _where(self) -> str:
        return f"The server {self.base_url}" if self.base_url else "OpenAI"

    def _open(self) -> OpenAI:
        """The SDK's client, made at the first call."""
        from openai import OpenAI

        with self._lock:
            if self._client is None:
                self._client = OpenAI(
                    api_key=self._key(),
                    base_url=self.base_url,
                    timeout=self.timeout,
                    max_retries=0,
                )
            return self._client

    def _key(self) -> str:
        variable = OPENAI_KEY if self.base_url is None else OTHER_KEY
        key = (self._api_key or os.environ.get(variable, "")).strip()
        if not re.fullmatch(r"[!-~]*", key):
            raise ConfigError(f"The key for {self.model} holds blanks or signs that no key has.")
        if not key and self.base_url is None:
            raise MissingKey(
                f"{self.model} needs a key: set {variable} before Python starts (in a shell: "
                f"export {variable}=...; then start Jupyter from that shell)."
            )
        return key or NO_KEY

    def _body(self, request: Request) -> dict[str, Any]:
        """The request as the API wants it; what is not set is not sent."""
        body = {
            "model": self.model,
            "messages": [_message(message) for message in request.messages],
            "tools": list(request.tools),
            "stop": list(request.stop),
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
        }
        return {name: value for name, value in body.items() if value not in (None, [])}

    def _completion(self, reply: ChatCompletion) -> Completion:
        choices = getattr(reply, "choices", None)
        if not choices or choices[0].message is None:
            error = hide(str(getattr(reply, "error", None) or ""), self._key())
            if error and self.base_url and not re.search(r"/v\d", self.base_url):
                raise ConfigError(
                    f"{self._where} answered: {error}; its address lacks the version path, "
                    f"try {self.base_url}/v1"
                )
            raise LLMError(
                f"{self._where} answered without a message"
                + (f" ({error})" if error else "")
                + "; does its address end in the version path, such as /v1?"
            )
        message = choices[0].message
        return Completion(
            text=_text(message.content),
            calls=tuple(_call(call) for call in message.tool_calls or ()),
            finish=choices[0].finish_reason or "stop",
            usage=_usage(reply.usage),
            model=reply.model or self.model,
            reasoning=getattr(message, "reasoning_content", None) or "",
        )

    def __repr__(self) -> str:
        return f"OpenAILLM({self.model!r}, base_url={self.base_url!r})"

    def __getstate__(self) -> dict[str, Any]:
        """Travel without the connection; it is opened again on first use."""
        return {**self.__dict__, "_client": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=threading.Lock())


def _clean_address(address: str | None) -> str | None:
    """The address without blanks, trailing slashes or the path of the chat endpoint."""
    if address is None:
        return None
    address = address.strip().rstrip("/").removesuffix("/chat/completions").rstrip("/")
    if not address.startswith(("http://", "https://")):
        raise ConfigError(f"base_url has to begin with http:// or https://, not {address!r}.")
    return address


def _message(message: Message) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls:
        sent["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _arguments(call)},
            }
            for call in message.calls
        ]
    if message.role == "tool":
        sent["tool_call_id"] = message.call_id
    return sent


def _arguments(call: ToolCall) -> str:
    if isinstance(call.arguments, str):
        return call.arguments.strip() or "{}"
    return json.dumps(dict(call.arguments), ensure_ascii=False, default=str)


def _call(call: Any) -> ToolCall:
    """A call as far as the server stated it; one without a name is an unknown tool to the agent."""
    function = getattr(call, "function", None)
    name, arguments = (getattr(function, part, None) or "" for part in ("name", "arguments"))
    return ToolCall(name, arguments, getattr(call, "id", None) or "")


def _text(content: Any) -> str:
    """The text of a message, which some servers send in parts."""
    if not isinstance(content, list):
        return content or ""
    return "".join(part.get("text") or "" for part in content if isinstance(part, dict))


def _usage(used: Any) -> Usage | None:
    """What the server counted; None where it left out either count."""
    counts = [getattr(used, name, None) for name in ("prompt_tokens", "completion_tokens")]
    given, made = (count if isinstance(count, int) else None for count in counts)
    return None if given is None or made is None else Usage(given, made)


def hide(text: str, key: str) -> str:
    """The text with a bullet for each sign that belongs to a piece of the key of 6 or more."""
    pieces = set() if key == NO_KEY else {key[at : at + 6] for at in range(len(key) - 5)}
    found = {at for at in range(len(text)) if text[at : at + 6] in pieces}
    covered = {at + step for at in found for step in range(6)}
    return "".join("•" if at in covered else sign for at, sign in enumerate(text))


def _words(error: Any) -> str:
    """The server's own words, in one line."""
    body = getattr(error, "body", None)
    message = body.get("message") if isinstance(body, dict) else None
    return " ".join(str(message or getattr(error, "message", error)).split())[:300]


def _retry_after(error: Any) -> float | None:
    """Seconds from the Retry-After header; None where it is missing or no number."""
    try:
        return max(0.0, float(error.response.headers.get("retry-after")))
    except (TypeError, ValueError):
        return None
