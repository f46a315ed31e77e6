"""One HTTP request to public addresses that were checked before, bounded in time and size."""

from __future__ import annotations

import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, IncompleteRead
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple, TypeAlias

from reactlab.errors import ToolError, ToolUnavailable
from reactlab.threads import in_thread
from reactlab.wording import say

Resolver: TypeAlias = Callable[[str, int], Iterable[str]]

# A cloud's host service, protocol assignments, 6to4 relays, tunnels to IPv4, documentation.
_ODD = "168.63.129.16/32 192.0.0.0/24 192.88.99.0/24 2001::/23 2002::/16 2001:db8::/32 3fff::/20"
SPECIAL = [ip_network(network) for network in _ODD.split()]
"""Networks that `ipaddress`, in some version of Python, takes for public."""

GLOBAL = ip_network("2000::/3")
NAT64 = ip_network("64:ff9b::/96")
ISATAP = (0x00005EFE, 0x02005EFE)


class Target(NamedTuple):
    """Where a request goes, and what it asks for there: `path` with the query; `url` is all."""

    scheme: str
    host: str
    port: int
    path: str
    url: str


class Reply(NamedTuple):
    """What a server answered; `cut`: the body went on."""

    status: int
    headers: HTTPMessage
    body: bytes
    cut: bool


def is_public(address: str) -> bool:
    """Say whether `address` (numbers, IPv4 or IPv6) belongs to the public Internet.

    IPv6 forms that carry an IPv4 address (mapped, NAT64) are as public as that.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if found.scope_id:  # a name of its own, which some systems would look up
            return False
        if found in NAT64:
            found = IPv4Address(int(found) & 0xFFFFFFFF)
        elif found.ipv4_mapped:
            found = found.ipv4_mapped
        elif found not in GLOBAL or (int(found) >> 32) & 0xFFFFFFFF in ISATAP:
            return False
    is_special = any(found in network for network in SPECIAL)
    return found.is_global and not found.is_multicast and not is_special


def resolve(host: str, port: int) -> list[str]:
    """The addresses of `host`, as the system finds them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


def look_up(host: str, port: int, resolver: Resolver, deadline: float) -> list[str]:
    """What `resolver` answers, which may hang: it runs in a thread that can be left behind."""
    try:
        answer = in_thread(lambda: list(resolver(host, port)))
    except RuntimeError:  # in a browser, which has no sockets either
        told = "{host} cannot be called: no thread can start here."
        raise ToolError(say(told, host=host)) from None
    try:
        failed = answer.exception(timeout=max(0.0, deadline - time.monotonic()))
    except TimeoutError:
        told = "The address of {host} was not found in time."
        raise ToolUnavailable(say(told, host=host)) from None
    if failed or not answer.result():
        raise ToolError(say("There is no address for {host}.", host=host))
    return answer.result()


def get(
    target: Target, addresses: list[str], headers: Mapping[str, str], deadline: float, limit: int
) -> Reply:
    """GET `target` from one of `addresses`; its host is used for the Host header and for TLS only.

    At most `limit` bytes are read, and redirects are not followed. Everything ends at `deadline`
    (on the monotonic clock), since then the line is cut, however slowly the server drips.
    Raises `ToolError`, or `ToolUnavailable` where another try may help, with a reason that holds
    nothing of what was sent.
    """
    reason, kind = None, ToolError
    try:
        with closing(_connected(target, addresses, deadline)) as line:
            timer = threading.Timer(deadline - time.monotonic(), _hang_up, [line])
            timer.daemon = True
            timer.start()
            try:
                reply = _exchange(line, target, headers, limit)
            finally:
                timer.cancel()
    except ssl.SSLCertVerificationError:
        reason = say("has no certificate that can be trusted")
    except zlib.error:
        reason = say("sent a packed answer that cannot be unpacked")
    except (OSError, HTTPException) as error:
        reason = say("broke off the connection, or sent what is not HTTP")
        kind = ToolUnavailable if isinstance(error, OSError | IncompleteRead) else ToolError
    if time.monotonic() >= deadline:
        reason, kind = say("did not answer completely in time"), ToolUnavailable
    if reason:
        raise kind(say("{host} {reason}.", host=target.host, reason=reason))
    return reply


def _connected(target: Target, addresses: list[str], deadline: float) -> socket.socket:
    """A line to the first address that answers; each gets its share of the time that is left."""
    for untried in range(len(addresses), 0, -1):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        with suppress(OSError):
            line = socket.create_connection((addresses[-untried], target.port), left / untried)
            line.settimeout(left)
            if target.scheme == "http":
                return line
            from httpx import create_ssl_context  # trusts the certificates that `certifi` lists

            context = create_ssl_context()
            return context.wrap_socket(
                line, do_handshake_on_connect=False, server_hostname=target.host
            )
    raise ToolUnavailable(say("{host} cannot be reached.", host=target.host))


def _hang_up(line: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(line, socket.SHUT_RDWR)


def _exchange(line: socket.socket, target: Target, headers: Mapping[str, str], limit: int) -> Reply:
    connection = HTTPConnection(target.host, target.port)
    connection.sock = line
    if isinstance(line, ssl.SSLSocket):
        connection.default_port = 443  # which the Host header does not name
        line.do_handshake()
    with closing(connection):
        connection.request("GET", target.path, headers=dict(headers))
        response = connection.getresponse()
        body = _body(response, limit + 1)
        return Reply(response.status, response.headers, body[:limit], len(body) > limit)


def _body(response: HTTPResponse, limit: int) -> bytes:
    """At most `limit` bytes of the body, unpacked no further than that."""
    packing = response.headers.get("Content-Encoding", "identity").strip().lower()
    if packing not in ("identity", "gzip", "x-gzip", "deflate"):
        raise ToolError(say("The server packed its answer in a way that was not asked for."))
    unpack = zlib.decompressobj(47) if packing != "identity" else None  # 47: gzip or zlib
    body = b""
    while len(body) < limit and (chunk := response.read1(16_384)):  # never more, whatever it says
        room = limit - len(body)
        body += unpack.decompress(chunk, room) if unpack else chunk[:room]
        if unpack and unpack.eof:  # what follows belongs to nothing
            return body
    if len(body) < limit and response.length:
        raise IncompleteRead(body)
    return body
