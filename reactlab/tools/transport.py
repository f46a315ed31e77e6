"""One HTTP request to addresses that were checked before, bounded in time and size."""

from __future__ import annotations

import logging
import ssl
import threading
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import httpcore
import httpx

from reactlab.errors import ToolError

SocketOption = (
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
)


_calling = threading.local()


def _is_not_ours(record: logging.LogRecord) -> bool:
    return not getattr(_calling, "now", False)


for _name in ("httpcore.connection", "httpcore.http11"):
    # Its debug log holds the headers of answers, in which a server may repeat a secret.
    logging.getLogger(_name).addFilter(_is_not_ours)


@dataclass(frozen=True)
class Reply:
    """What a server answered. Names in `headers` are in lower case; `cut`: the body went on."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    cut: bool


@dataclass(frozen=True)
class Deadline:
    """A moment on the monotonic clock by which everything has to be done."""

    moment: float

    def left(self) -> float:
        """The seconds that are left; raises `httpcore.ReadTimeout` when there are none."""
        seconds = self.moment - time.monotonic()
        if seconds <= 0:
            raise httpcore.ReadTimeout
        return seconds


def get(
    url: httpx.URL,
    addresses: Sequence[str],
    headers: Mapping[str, str],
    *,
    moment: float,
    max_bytes: int,
    ca_file: str = "",
) -> Reply:
    """GET `url` from one of `addresses`; its host is used for the Host header and for TLS only.

    Redirects are not followed. Everything ends at `moment` (on the monotonic clock).
    Raises `ToolError` with a reason that holds nothing of what was sent.
    """
    _calling.now = True
    try:
        return _get(url, _Checked(addresses, Deadline(moment)), headers, max_bytes, ca_file)
    except httpcore.TimeoutException:
        reason = f"{url.host} did not answer completely in time."
    except httpcore.ConnectError as error:
        is_tls = isinstance(error.__context__, ssl.SSLError)
        trouble = "has no certificate that can be trusted" if is_tls else "cannot be reached"
        reason = f"{url.host} {trouble}."
    except (httpcore.NetworkError, httpcore.ProtocolError):
        reason = f"The connection to {url.host} broke off, or what came was not HTTP."
    except zlib.error:
        reason = f"{url.host} sent a packed answer that cannot be unpacked."
    finally:
        _calling.now = False
    raise ToolError(reason)


def _get(
    url: httpx.URL, checked: _Checked, headers: Mapping[str, str], max_bytes: int, ca_file: str
) -> Reply:
    own = {"Host": url.netloc.decode("ascii"), "Accept-Encoding": "identity", "Accept": "*/*"}
    names = {name.lower() for name in headers}
    sent = [*headers.items(), *(each for each in own.items() if each[0].lower() not in names)]
    target = httpcore.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )
    context = ssl.create_default_context(cafile=ca_file) if ca_file else None
    with (
        httpcore.ConnectionPool(context, network_backend=checked) as pool,
        pool.stream("GET", target, headers=sent) as response,
    ):
        received = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in response.headers
        }
        body, cut = b"", False
        if response.status // 100 != 3:
            packing = received.get("content-encoding", "")
            body, cut = _plain(response.iter_stream(), packing, max_bytes)
        return Reply(response.status, received, body, cut)


def _plain(chunks: Iterable[bytes], encoding: str, limit: int) -> tuple[bytes, bool]:
    """At most `limit` bytes of the body, unpacked no further than that; and whether it went on."""
    kind = encoding.strip().lower()
    if kind not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise ToolError("The server packed its answer in a way that was not asked for.")
    unpack = zlib.decompressobj(47) if kind not in ("", "identity") else None  # 47: gzip or zlib
    body = bytearray()
    for chunk in chunks:
        room = limit + 1 - len(body)
        body += unpack.decompress(chunk, room) if unpack else chunk[:room]
        if len(body) > limit:
            return bytes(body[:limit]), True
    return bytes(body), False


class _Checked(httpcore.NetworkBackend):
    """Connects to the given addresses, whatever host it is asked for: no name is looked up."""

    def __init__(self, addresses: Sequence[str], deadline: Deadline) -> None:
        self._addresses = addresses
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.NetworkStream:
        """Try one address after the other; each gets its share of the time that is left."""
        untried = list(self._addresses)
        while True:
            address = untried.pop(0)
            share = self._deadline.left() / (len(untried) + 1)
            try:
                stream = httpcore.SyncBackend().connect_tcp(address, port, share)
                return _Timed(stream, self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if not untried:
                    raise


class _Timed(httpcore.NetworkStream):
    """A stream whose every wait ends at the deadline, so that drops cannot add up."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = self._deadline.left()
        return _Timed(self._stream.start_tls(ssl_context, server_hostname, left), self._deadline)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)
