"""A local server with a public page that has moved to an address which only this machine has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class _Site(BaseHTTPRequestHandler):
    """`/prices` is there for all, `/news` has moved inside, where `/salaries` is."""

    def do_GET(self) -> None:
        host, _, port = self.headers.get("Host", "").partition(":")
        if self.path == "/news":
            self._say(302, "", f"http://127.0.0.1:{port}/salaries")
        elif self.path == "/prices":
            self._say(200, "(prices)")
        elif (self.path, host) == ("/salaries", "127.0.0.1"):
            self._say(200, "(salaries)")
        else:
            self._say(404, "(nothing here)")

    def _say(self, status: int, text: str, location: str = "") -> None:
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""


@contextmanager
def moved() -> Iterator[int]:
    """The port of such a server on 127.0.0.1, which is localhost too; it ends with the block."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
