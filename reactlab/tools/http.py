"""A caller of HTTP APIs that reaches the hosts it was given, and no private address by accident."""

from __future__ import annotations

import json
import re
import time
from base64 import b64decode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from html import escape
from http.client import responses
from ipaddress import ip_address
from typing import TypeAlias
from urllib.parse import quote, quote_plus, urlencode, urljoin, urlsplit

from reactlab.errors import ConfigError, ToolError, ToolUnavailable
from reactlab.tools.decoding import decode, is_binary
from reactlab.tools.transport import Reply, Resolver, Target, get, is_public, look_up, resolve
from reactlab.wording import each, join, say

Parameters: TypeAlias = Mapping[str, object] | str | None

MAX_URL = 8_000
MAX_EXCERPT = 500
MAX_REDIRECTS = 5
PORTS = {"http": 80, "https": 443}
NAME = re.compile(r"(?=.{1,253}$)(?:[a-z0-9_][a-z0-9_-]*\.)*[a-z_][a-z0-9_-]*")
"""A host's name: its last part does not begin with a digit, as in the numbers of an address."""

HEADER = re.compile(r"[0-9A-Za-z_-]+: [!-~]([ -~]*[!-~])?")
HARMLESS = {"accept", "accept-language", "cache-control", "content-type", "user-agent"}
"""Headers whose values say nothing about who is asking."""

NOTHING_ALLOWED = "No host is allowed here. To allow one: allowed_hosts=['api.example.com']."
NOT_ALLOWED = (
    "{host} (port {port}) is not among the allowed hosts: {known}. "
    "Whoever set up this tool can allow it by name: allowed_hosts=['{host}']."
)
PRIVATE = (
    "{host} leads to a private or local address, which is refused. "
    "Whoever set up this tool can trust the name: private_hosts=['{host}']."
)
NO_ADDRESS = "Give a full address, such as https://api.example.com/path, and plain parameters."


@dataclass(frozen=True)
class HttpClient:
    """Calls APIs with GET; holds settings only, for any number of threads.

    `allowed_hosts`: the hosts that may be reached, each as `host` (any port), `host:port` or
    `[IPv6]`; with none of them every call is refused. `"*"` stands for every public host.
    `private_hosts`: names that may also lead to private addresses (they count as allowed).
    An address in numbers or `localhost` among `allowed_hosts` is meant as it stands.

    A name is looked up once (`resolver`), each address is checked, and the connection goes to a
    checked address, again for every redirect. Proxy settings of the environment are not used.
    `headers` go to the host that was called, not to another one it redirects to; their values are
    kept out of everything that is returned, raised or shown, except for those of harmless headers.
    A call ends after `seconds`, in all; at most `max_bytes` of the unpacked answer are read.
    Raises `ConfigError` for what is no host or no header.
    """

    allowed_hosts: Sequence[str] = ()
    private_hosts: Sequence[str] = field(default=(), kw_only=True)
    headers: Mapping[str, str] = field(default_factory=dict, kw_only=True, repr=False)
    seconds: float = field(default=10.0, kw_only=True)
    max_bytes: int = field(default=200_000, kw_only=True)
    resolver: Resolver = field(default=resolve, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.allowed_hosts, str):
            raise ConfigError(f"Give the hosts as a list: [{self.allowed_hosts!r}].")
        for entry in (*self.allowed_hosts, *self.private_hosts):
            _entry(entry)
        for name, value in self.headers.items():
            if not HEADER.fullmatch(f"{name}: {value}"):
                raise ConfigError(f"The header {name!r} has signs that HTTP cannot send.")
        if "*" in self.allowed_hosts and self._secrets():
            raise ConfigError('Headers would go to every host there is: name hosts instead of "*".')

    def call(self, endpoint: str, params: Parameters = None) -> str:
        """GET `endpoint`, a full address, and return the text of the answer.

        `params` are added to the query: a mapping, a JSON object as text, or `a=1&b=2`.
        Raises `ToolError` for what is not allowed, is no text, or has an error status, and its
        `ToolUnavailable` for what may be different on another try: no answer in time, a dropped
        connection, too many requests, a failing server. None of it contains the value of a
        configured header.
        """
        try:
            return self._answer(self._follow(endpoint, params))
        except ToolError as error:
            kind, message = type(error), each(error.message, self._hidden)
        raise kind(message)

    def _follow(self, endpoint: str, params: Parameters) -> Reply:
        if not (self.allowed_hosts or self.private_hosts):
            raise ToolError(say(NOTHING_ALLOWED))
        deadline = time.monotonic() + self.seconds
        limit = self.max_bytes + self._longest()
        target = first = _target(endpoint, params)
        for _ in range(MAX_REDIRECTS + 1):
            addresses = self._addresses(target, deadline)
            is_same = target[:3] == first[:3]  # scheme, host and port
            reply = get(target, addresses, self.headers if is_same else {}, deadline, limit)
            if reply.status // 100 != 3 or "Location" not in reply.headers:
                return reply
            target = _target(reply.headers["Location"], base=target.url)
        raise ToolError(say("More than {most} redirects: given up.", most=MAX_REDIRECTS))

    def _addresses(self, target: Target, deadline: float) -> list[str]:
        """The checked addresses at which the host may be reached; `ToolError` if at none.

        One private address among several is enough to refuse them all, unless the host is in
        `private_hosts`, or is itself an allowed address or localhost.
        """
        host, port = target.host, target.port
        spelled = {(host, port), (host, None)}
        listed = not spelled.isdisjoint(map(_entry, self.allowed_hosts))
        trusted = not spelled.isdisjoint(map(_entry, self.private_hosts))
        if not (listed or trusted or "*" in self.allowed_hosts):
            known = ", ".join(sorted([*self.allowed_hosts, *self.private_hosts]))
            raise ToolError(say(NOT_ALLOWED, host=host, port=port, known=known))
        is_name = NAME.fullmatch(host)
        found = look_up(host, port, self.resolver, deadline) if is_name else [host]
        meant = trusted or (listed and (not is_name or host == "localhost"))
        if not meant and not all(map(is_public, found)):
            raise ToolError(say(PRIVATE, host=host))
        return found

    def _answer(self, reply: Reply) -> str:
        """The body as text. What a cut may have left of a secret at the end goes with the cut."""
        if is_binary(reply.body):
            media = reply.headers.get("Content-Type", "")[:100] or say("data of unknown kind")
            raise ToolError(say("The server sent {kind}, which is no text.", kind=media))
        text = self._hidden(decode(reply.body, cut=reply.cut)[0])
        if reply.cut:
            note = say("[cut after {size:,} bytes]", size=self.max_bytes)
            text = join([text[: len(text) - self._longest()], note])
        status = f"{reply.status} {responses.get(reply.status, '')}".strip()
        if reply.status // 100 != 2:
            excerpt = text[:MAX_EXCERPT].strip()
            told = "The server answered {status}: {text}"
            known = {"status": status, "text": excerpt}
            kind = ToolUnavailable if reply.status == 429 or reply.status >= 500 else ToolError
            raise kind(say(told if excerpt else "The server answered {status}.", **known))
        return text if text.strip() else say("({status}, without content)", status=status)

    def _secrets(self) -> list[str]:
        """The values of headers that are not harmless, and their words, such as after Bearer.

        Each also as a server may repeat it: unpacked, in an address, in HTML, in JSON.
        """
        values = [value for name, value in self.headers.items() if name.lower() not in HARMLESS]
        words = {word for value in values for word in (value, *value.split(), *_unpacked(value))}
        ways = (str, quote, partial(quote, safe=""), quote_plus, escape, _in_json)
        shown = {way(word) for word in words if len(word) >= 4 for way in ways}
        return sorted(shown, key=len, reverse=True)

    def _longest(self) -> int:
        return max(map(len, self._secrets()), default=0)

    def _hidden(self, text: str) -> str:
        """`text` with every secret replaced, in upper or lower case."""
        secrets = "|".join(map(re.escape, self._secrets()))
        return re.sub(secrets, "[hidden]", text, flags=re.IGNORECASE) if secrets else text


def _in_json(value: str) -> str:
    return value.replace("/", r"\/")


def _unpacked(value: str) -> list[str]:
    """User and password of `Basic` credentials, together and alone."""
    with suppress(ValueError):
        kind, packed = value.split()
        pair = b64decode(packed, validate=True).decode()
        return [pair, pair.partition(":")[2]] if kind.lower() == "basic" else []
    return []


def _target(address: str, params: Parameters = None, *, base: str = "") -> Target:
    """A full http(s) address taken apart; `ToolError` when it is none, or has a user name."""
    try:
        url = urljoin(base, address.strip())
        parts = urlsplit(url)
        host, port = _host(parts.hostname or ""), parts.port or PORTS[parts.scheme]
        query = "&".join(filter(None, (parts.query, _query(params))))
        path = quote(f"{parts.path or '/'}{'?' * bool(query)}{query}", safe="/?&=%+:;,@!$'()*~[]")
        is_whole = host and url.isprintable() and len(path) <= MAX_URL
        if not is_whole or "@" in parts.netloc or parts.port == 0:
            raise ValueError
    except (ValueError, KeyError, RecursionError):
        raise ToolError(say(NO_ADDRESS)) from None
    return Target(parts.scheme, host, port, path, url)


def _entry(entry: str) -> tuple[str, int | None]:
    """A host written as `host`, `host:port` or `[IPv6]:port`; the port is None for any port."""
    with suppress(ValueError):
        parts = urlsplit(f"//{entry}")
        host, port = _host(parts.hostname or ""), parts.port
        if entry == "*" or (host and parts.netloc == entry and "@" not in entry):
            return host, port
    raise ConfigError(f"{entry!r} is no host: write it like api.example.com or localhost:8000.")


def _host(written: str) -> str:
    """`written` in its one plain spelling, or "" when it is no name and no address.

    `127.1`, `0x7f000001`, `2130706433` and the like are neither: systems read them differently.
    """
    name = written if written.isascii() else written.encode("idna").decode("ascii")
    name = name.lower().removesuffix(".")
    with suppress(ValueError):
        return str(ip_address(name))
    return name if NAME.fullmatch(name) else ""


def _query(params: Parameters) -> str:
    """`params` as they stand in a query; raises `ValueError` for values that are not plain."""
    given: object = params or {}
    if isinstance(given, str):
        if not given.lstrip().startswith("{"):
            return given.strip().lstrip("?")
        given = json.loads(given)
    if not isinstance(given, Mapping):
        raise ValueError
    pairs = [
        (key, str(each).lower() if isinstance(each, bool) else each)
        for key, value in given.items()
        for each in (value if isinstance(value, list | tuple) else [value])
        if each is not None
    ]
    if not all(isinstance(each, str | int | float) for _, each in pairs):
        raise ValueError
    return urlencode(pairs)


def call_api(endpoint: str, params: Parameters = None) -> str:
    """Call an HTTP API; no host is allowed here. See `HttpClient` for how to allow one."""
    return HttpClient().call(endpoint, params)
