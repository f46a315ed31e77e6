"""The SDK's clients for one server: made at the first call, one for each event loop."""

from __future__ import annotations

import ipaddress
import os
import re
import ssl
import threading
import weakref
from collections.abc import AsyncGenerator
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from reactlab.errors import ConfigError, MissingKey
from reactlab.llm.servers import OTHER_KEY, Server

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

NO_KEY = "none-needed"
"""What is sent where a server needs no key; the SDK insists on one."""


class Connection:
    """How a server is reached: its address, its key, and the SDK's clients.

    A `client` of the caller's own makes blocking and streamed calls; awaited ones go through
    clients with the same key, address, headers, organization and project. A server on this machine
    is reached without the proxy that the environment may name: no proxy could reach it.
    """

    def __init__(
        self, server: Server, key: str | None, timeout: float | None, client: OpenAI | None
    ) -> None:
        if not isinstance(key, str | None):
            raise ConfigError(f"api_key is a text, not {type(key).__name__}.")
        if timeout is not None and not (_is_number(timeout) and timeout > 0):
            raise ConfigError(f"timeout is a number of seconds over 0, not {timeout!r}.")
        self.server, self.timeout = server, timeout
        self._given_key = client.api_key if client and not key else key
        self._own = _settings_of(client) if client else {"timeout": timeout}
        self._client = client and client.with_options(max_retries=0)
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._aclients: WeakKeyDictionary[Any, tuple[AsyncOpenAI, Any]] = WeakKeyDictionary()

    def __str__(self) -> str:
        """The server as the subject of a sentence."""
        return f"The server {self.server.address}" if self.server.address else "OpenAI"

    def key(self) -> str:
        """The key to send; raises `ConfigError` for no key where one is needed, or an odd one."""
        variable = self.server.key
        key = (self._given_key or os.environ.get(variable, "")).strip()
        if not re.fullmatch(r"[!-~]*", key):
            where = self.server.address or "OpenAI"
            raise ConfigError(f"The key for {where} holds blanks or signs that no key has.")
        if not key and variable not in ("", OTHER_KEY):
            raise MissingKey(
                f"{self} needs a key: set {variable} before Python starts (in a "
                f"shell: export {variable}=...; then start Jupyter from that shell)."
            )
        return key or NO_KEY

    def open(self) -> OpenAI:
        """The client for blocking and streamed calls."""
        from openai import DefaultHttpxClient, OpenAI

        with self._lock:
            if self._client is None:
                self._client = _built(OpenAI, DefaultHttpxClient, self._settings())
                weakref.finalize(self, self._client.close)
            return self._client

    async def aopen(self) -> AsyncOpenAI:
        """The client for the running event loop, closed when that loop shuts down."""
        import asyncio

        loop = asyncio.get_running_loop()
        if loop not in self._aclients:
            keeper = self._kept_open(loop)
            self._aclients[loop] = (await anext(keeper), keeper)
        return self._aclients[loop][0]

    async def _kept_open(self, loop: Any) -> AsyncGenerator[AsyncOpenAI, None]:
        """A client that an event loop closes with its other unfinished generators."""
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        try:
            async with _built(AsyncOpenAI, DefaultAsyncHttpxClient, self._settings()) as client:
                yield client
        finally:
            self._aclients.pop(loop, None)

    def _settings(self) -> dict[str, Any]:
        connection = {"base_url": self.server.address, "max_retries": 0}
        return {"api_key": self.key(), **connection, **self._own}

    def __getstate__(self) -> dict[str, Any]:
        """Travel without connections; they are opened again on first use."""
        left = {"_client": None, "_lock": None, "_aclients": None}
        return {**vars(self), **left}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._reset()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _settings_of(client: OpenAI) -> dict[str, Any]:
    """What another client needs to be like this one."""
    return {
        "timeout": client.timeout,
        "organization": client.organization,
        "project": client.project,
        "default_headers": client._custom_headers,
        "default_query": client._custom_query,
    }


def _built(kind: Any, transport: Any, settings: dict[str, Any]) -> Any:
    """A client of that kind; raises `ConfigError` for a proxy that cannot be used."""
    try:
        if on_this_machine(settings["base_url"]):
            settings = {**settings, "http_client": transport(trust_env=False, verify=_tls())}
        return kind(**settings)
    except (ImportError, ValueError) as error:
        raise ConfigError(f"The client cannot be built, see the proxy variables: {error}") from None


@cache
def _tls() -> ssl.SSLContext:
    """Made once: reading certificates takes longer than asking a server on this machine."""
    return ssl.create_default_context()


def on_this_machine(address: str | None) -> bool:
    """Whether an address is this machine's own (loopback)."""
    host = urlsplit(address or "").hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
