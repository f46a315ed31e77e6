"""A local OpenAI-compatible server over any model of the package (extra `serve`)."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reactlab.errors import ConfigError
from reactlab.types import LLM

__all__ = ["run", "serving"]

INSTALL = 'pip install "reactlab[serve]"'
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@contextmanager
def serving(llm: LLM, *, port: int = 0, **options: Any) -> Iterator[str]:
    """Serve `llm` from a thread of this process on loopback, and give the address.

    `with serving(llm) as address: OpenAILLM("any", base_url=address)`. Port 0 takes a free one.
    `options` are those of `reactlab.serve.app.Service`: token, classroom, faults.
    """
    server = _server(llm, "127.0.0.1", port, **options)
    thread = threading.Thread(target=server.run, daemon=True, name="reactlab-serve")
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise ConfigError(f"The server could not start on port {port}; is it in use?")
            time.sleep(0.01)
        (listening, *_) = server.servers[0].sockets
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        server.should_exit = True
        thread.join(timeout=10)


def run(llm: LLM, *, host: str = "127.0.0.1", port: int = 8420, **options: Any) -> None:
    """Serve until interrupted.

    Raises `ConfigError` for another host than this machine without a token or a classroom.
    """
    if host not in LOOPBACK and not (options.get("token") or options.get("classroom")):
        raise ConfigError(
            f"Bound to {host}, everybody in the network could use the model: give a token or a "
            "classroom."
        )
    _server(llm, host, port, **options).run()


def _server(llm: LLM, host: str, port: int, **options: Any) -> Any:
    try:
        import uvicorn

        from reactlab.serve.app import Service, make_app
    except ImportError as error:
        raise ConfigError(f"The server needs {error.name}: {INSTALL}") from None
    app = make_app(Service(llm, **options))
    settings = uvicorn.Config(app, host=host, port=port, log_level="warning", lifespan="off")
    return uvicorn.Server(settings)
