"""Which hosts may be reached, and at which addresses."""

from __future__ import annotations

import queue
import re
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from reactlab.errors import ConfigError, ToolError
from reactlab.tools.addresses import canonical, is_number, is_own_name, is_plain, is_public

Resolver: TypeAlias = Callable[[str, int], Iterable[str]]
Host: TypeAlias = tuple[str, int | None]

EVERY_PUBLIC_HOST = ("*", None)
_ENTRY = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s:/?#@\[\]]+)(?::([0-9]{1,5}))?")


def resolve(host: str, port: int) -> list[str]:
    """The addresses of `host`, as the system finds them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


def parse(entries: Sequence[str]) -> frozenset[Host]:
    """The hosts written as `host`, `host:port` or `[IPv6]:port`; raises `ConfigError`."""
    if isinstance(entries, str):
        raise ConfigError(f"Give the hosts as a list: [{entries!r}].")
    return frozenset(_parsed(entry) for entry in entries)


def _parsed(entry: str) -> Host:
    if entry == "*":
        return EVERY_PUBLIC_HOST
    found = _ENTRY.fullmatch(f"[{entry}]" if entry.count(":") > 1 and "[" not in entry else entry)
    host = canonical(_ascii(found[1].strip("[]"))) if found else ""
    if not found or not is_plain(host):
        raise ConfigError(f"{entry!r} is no host: write it like api.example.com or localhost:8000.")
    return host, int(found[2]) if found[2] else None


def _ascii(host: str) -> str:
    if host.isascii():
        return host
    from httpx import URL, InvalidURL

    try:
        return URL(f"http://{host}/").raw_host.decode("ascii")
    except InvalidURL:
        return ""


@dataclass(frozen=True)
class Hosts:
    """The allow-list: `allowed` hosts, and names that are also trusted to be `private`."""

    allowed: frozenset[Host]
    private: frozenset[Host]

    def addresses(self, host: str, port: int, resolver: Resolver, seconds: float) -> list[str]:
        """The checked addresses at which `host` may be reached; `ToolError` if at none.

        The name is looked up once. One private address among several is enough to refuse them
        all, unless the host is in `private`, or is itself an allowed address or own name.
        """
        if not is_plain(host):
            raise ToolError("The host is not plainly written: give its name, or 4 numbers.")
        wanted = {(host, port), (host, None)}
        listed = bool(wanted & self.allowed)
        trusted = bool(wanted & self.private)
        if not (listed or trusted or EVERY_PUBLIC_HOST in self.allowed):
            raise ToolError(self._refusal(host, port))
        meant = trusted or (listed and (is_number(host) or is_own_name(host)))
        if is_own_name(host) and not meant:
            raise ToolError(_private(host))
        found = [host] if is_number(host) else _looked_up(host, port, resolver, seconds)
        if not meant and not all(is_public(address) for address in found):
            raise ToolError(_private(host))
        return found

    def _refusal(self, host: str, port: int) -> str:
        known = sorted(
            name if number is None else f"{name}:{number}"
            for name, number in self.allowed | self.private
        )
        return (
            f"{host} (port {port}) is not among the allowed hosts: {', '.join(known)}. Whoever set "
            f"up this tool can allow it by name: allowed_hosts=['{host}']."
        )


def _private(host: str) -> str:
    return (
        f"{host} leads to a private or local address, which is refused. Whoever set up this tool "
        f"can trust the name: private_hosts=['{host}']."
    )


def _looked_up(host: str, port: int, resolver: Resolver, seconds: float) -> list[str]:
    """The answer of `resolver`, which may hang: it runs in a thread that can be left behind."""
    answers: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(list(resolver(host, port)))
        except Exception as error:  # foreign code: whatever it raises means that there is no answer
            answers.put(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        found = answers.get(timeout=max(0.0, seconds))
    except queue.Empty:
        raise ToolError(f"The address of {host} was not found in time.") from None
    if isinstance(found, Exception) or not found:
        raise ToolError(f"There is no address for {host}.")
    return found
