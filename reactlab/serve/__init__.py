"""A local OpenAI-compatible server over any model of the package (extra `serve`)."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reactlab.errors import ConfigError
from reactlab.types import LLM

__all__ = ["LocalServer", "serving", "start"]

INSTALL = 'pip install "reactlab[serve]"'
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class LocalServer:
    """A server that answers from a thread of this process until `stop()` or the program's end.

    `address` ends in /v1 and is what `OpenAILLM("any", base_url=address)` takes. `requests` are
    the bodies of the newest chat requests, newest last, at most 200; none in a classroom.
    """

    def __init__(self, service: Any, server: Any, listening: socket.socket) -> None:
        self._service, self._server = service, server
        self.port: int = listening.getsockname()[1]
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(at := listening.getsockname()[0], at)
        self.address = f"http://{f'[{host}]' if ':' in host else host}:{self.port}/v1"
        sockets = {"sockets": [listening]}
        self._thread = threading.Thread(target=server.run, kwargs=sockets, daemon=True)
        self._thread.name = "reactlab-serve"
        self._thread.start()
        while self._thread.is_alive() and not server.started:
            time.sleep(0.005)

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The bodies of the chat requests so far, newest last."""
        return list(self._service.seen)

    def wait(self) -> None:
        """Wait until the server ends, or this thread is interrupted."""
        while self._thread.is_alive():
            self._thread.join(timeout=1)  # on Windows, nothing interrupts an endless wait

    def stop(self) -> None:
        """End the server and its connections; a second time does nothing."""
        self._server.should_exit = True
        self._thread.join(timeout=10)

    def __enter__(self) -> LocalServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        state = "answers at" if self._thread.is_alive() else "stopped, was at"
        return f"LocalServer({self._service.llm.model} {state} {self.address})"


def start(llm: LLM, *, host: str = "127.0.0.1", port: int = 0, **options: Any) -> LocalServer:
    """Serve `llm` from a thread of this process; port 0 takes a free one.

    `options` are those of `reactlab.serve.service.Service`, such as token or faults. Raises
    `ConfigError` if the port is in use or the extra is missing, and for another host than this
    machine without a token or a classroom.
    """
    if not isinstance(host, str):
        raise ConfigError(f"host is a text such as 127.0.0.1, not {host!r}.")
    if host not in LOOPBACK and not (options.get("token") or options.get("classroom")):
        raise ConfigError(
            f"Bound to {host}, everybody in the network could use the model: give a token or a "
            "classroom."
        )
    try:
        import uvicorn

        from reactlab.serve.app import make_app
        from reactlab.serve.service import Service
    except ImportError as error:
        raise ConfigError(f"The server needs {error.name}: {INSTALL}") from None
    service = Service(llm, **options)
    settings = uvicorn.Config(
        make_app(service),
        log_config=None,
        log_level="critical",  # no log, so none that holds a key or what was asked
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,  # longer than the clients keep theirs, which then close first
    )
    return LocalServer(service, uvicorn.Server(settings), _listen(host, port))


@contextmanager
def serving(llm: LLM, **options: Any) -> Iterator[str]:
    """The address of a server that ends with the block; `options` as for `start`.

    `with serving(llm) as address: OpenAILLM("any", base_url=address)`.
    """
    with start(llm, **options) as server:
        yield server.address


def _listen(host: str, port: int) -> socket.socket:
    if type(port) is not int or not 0 <= port <= 65535:
        raise ConfigError(f"port is a whole number from 0 to 65535, not {port!r}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        code = error.errno or 0
        cause = os.strerror(code) if code > 0 else error.strerror
        raise ConfigError(
            f"The server cannot listen on {host}, port {port} ({cause}); another port may be free."
        ) from None
