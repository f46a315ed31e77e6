"""A caller of HTTP APIs that reaches the hosts it was given, and no private address by accident."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeAlias

from reactlab.errors import ConfigError, ToolError
from reactlab.tools.addresses import canonical
from reactlab.tools.decoding import decode, is_binary
from reactlab.tools.hosts import EVERY_PUBLIC_HOST, Hosts, Resolver, parse, resolve
from reactlab.tools.redaction import Secrets

if TYPE_CHECKING:
    from httpx import URL, QueryParams

    from reactlab.tools.transport import Reply

Parameters: TypeAlias = Mapping[str, object] | str | None

MAX_URL = 8_000
MAX_EXCERPT = 500
REDIRECTS = (301, 302, 303, 307, 308)
NOTHING_ALLOWED = (
    "No host is allowed, so nothing can be called. Whoever set up this tool can allow hosts by "
    "name: allowed_hosts=['api.example.com']."
)
NO_ADDRESS = (
    "Give a full http or https address, such as https://api.example.com/path, and parameters as "
    "plain values."
)


@dataclass(frozen=True)
class HttpClient:
    """Calls APIs with GET; holds settings only, for any number of threads.

    `allowed_hosts`: the hosts that may be reached, each as `host` (any port) or `host:port`; with
    none of them every call is refused. `"*"` stands for every public host.
    `private_hosts`: names that may also lead to private addresses (they count as allowed).
    An address in numbers or `localhost` among `allowed_hosts` is meant as it stands.

    A name is looked up once (`resolver`), each address is checked, and the connection goes to a
    checked address, again for every redirect. Proxy settings of the environment are not used.
    `headers` go to the host that was called, not to another one it redirects to; their values are
    kept out of everything that is returned, raised or shown, except for those of harmless headers.
    A call ends after `seconds`, in all; at most `max_bytes` of the unpacked answer are read.
    `ca_file` names certificates to trust instead of the usual ones.
    """

    allowed_hosts: Sequence[str] = ()
    private_hosts: Sequence[str] = field(default=(), kw_only=True)
    headers: Mapping[str, str] = field(default_factory=dict, kw_only=True, repr=False)
    seconds: float = field(default=10.0, kw_only=True)
    max_bytes: int = field(default=200_000, kw_only=True)
    max_redirects: int = field(default=5, kw_only=True)
    resolver: Resolver = field(default=resolve, kw_only=True, repr=False)
    ca_file: str = field(default="", kw_only=True)
    _hosts: Hosts = field(init=False, repr=False, compare=False)
    _secrets: Secrets = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        hosts = Hosts(parse(self.allowed_hosts), parse(self.private_hosts))
        secrets = Secrets.of(self.headers)
        if EVERY_PUBLIC_HOST in hosts.allowed and secrets.forms:
            raise ConfigError('Headers would go to every host there is: name hosts instead of "*".')
        object.__setattr__(self, "_hosts", hosts)
        object.__setattr__(self, "_secrets", secrets)

    def call(self, endpoint: str, params: Parameters = None) -> str:
        """GET `endpoint`, a full address, and return the text of the answer.

        `params` are added to the query: a mapping, a JSON object as text, or `a=1&b=2`.
        Raises `ToolError` for what is not allowed, takes too long, is no text, or has an error
        status; none of it contains the value of a configured header.
        """
        try:
            return self._answer(self._follow(endpoint, params))
        except ToolError as error:
            message = self._secrets.hide(str(error))
        raise ToolError(message)

    def _follow(self, endpoint: str, params: Parameters) -> Reply:
        if not (self.allowed_hosts or self.private_hosts):
            raise ToolError(NOTHING_ALLOWED)
        moment = time.monotonic() + self.seconds
        url = first = _url(endpoint, params)
        for _ in range(self.max_redirects + 1):
            is_same = (url.scheme, url.netloc) == (first.scheme, first.netloc)
            reply = self._get(url, moment, self.headers if is_same else {})
            if reply.status not in REDIRECTS or "location" not in reply.headers:
                return reply
            url = _url(reply.headers["location"], base=url)
        raise ToolError(f"More than {self.max_redirects} redirects: given up.")

    def _get(self, url: URL, moment: float, headers: Mapping[str, str]) -> Reply:
        from reactlab.tools import transport

        port = url.port or (443 if url.scheme == "https" else 80)
        left = moment - time.monotonic()
        host = url.raw_host.decode("ascii")  # `url.host` would show other scripts
        addresses = self._hosts.addresses(host, port, self.resolver, left)
        limit = self.max_bytes + self._secrets.longest
        return transport.get(
            url, addresses, headers, moment=moment, max_bytes=limit, ca_file=self.ca_file
        )

    def _answer(self, reply: Reply) -> str:
        """The body as text. What a cut may have left of a secret at the end goes with the cut."""
        text = self._text(reply)
        if reply.status // 100 != 2:
            excerpt = f": {text[:MAX_EXCERPT].strip()}" if text.strip() else "."
            raise ToolError(f"The server answered {_status(reply.status)}{excerpt}")
        note = f"\n[cut after {self.max_bytes:,} bytes]" if reply.cut else ""
        return f"{text}{note}" if text.strip() else f"({_status(reply.status)}, without content)"

    def _text(self, reply: Reply) -> str:
        if is_binary(reply.body):
            kind = reply.headers.get("content-type", "data of unknown kind")
            raise ToolError(f"The server sent {kind[:100]}, which is no text.")
        _, _, charset = reply.headers.get("content-type", "").partition("charset=")
        text = decode(reply.body, charset.split(";")[0].strip("\"' "), cut=reply.cut).text
        text = self._secrets.hide(text)
        return text[: len(text) - self._secrets.longest] if reply.cut else text


def _status(code: int) -> str:
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return str(code)


def _url(endpoint: str, params: Parameters = None, *, base: URL | None = None) -> URL:
    """A full http(s) address in one spelling, without user name or fragment."""
    from httpx import URL, InvalidURL

    if len(endpoint) > MAX_URL:
        raise ToolError(f"The address is too long: at most {MAX_URL} characters.")
    try:
        url = (base or URL()).join(endpoint.strip())
        url = url.copy_merge_params(_query(params)) if params else url
        url = url.copy_with(host=canonical(url.raw_host.decode("ascii")), fragment=None)
    except (InvalidURL, ValueError, RecursionError):
        raise ToolError(NO_ADDRESS) from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ToolError(NO_ADDRESS)
    if url.userinfo:
        raise ToolError("An address must not contain a user name or password.")
    if len(str(url)) > MAX_URL or url.port == 0 or (url.port or 1) > 65_535:
        raise ToolError("The address is too long, or its port is none.")
    return url


def _query(params: Mapping[str, object] | str) -> QueryParams:
    """`params` for the query; raises `ValueError` for values that are not plain."""
    from httpx import QueryParams

    given: object = params
    if isinstance(params, str):
        text = params.strip()
        if len(text) > MAX_URL:
            raise ValueError
        if not text.startswith("{"):
            return QueryParams(text.lstrip("?"))
        given = json.loads(text)
    if not isinstance(given, Mapping):
        raise ValueError
    pairs = tuple(
        (str(key), _plain(each))
        for key, value in given.items()
        for each in (value if isinstance(value, list | tuple) else [value])
        if each is not None
    )
    return QueryParams(pairs)


def _plain(value: object) -> str | int | float | bool | None:
    """`value`, when it is one that stands in a query as it is; httpx writes it."""
    if isinstance(value, str | int | float):
        return value
    raise ValueError


def call_api(endpoint: str, params: Parameters = None) -> str:
    """Call an HTTP API; no host is allowed here. See `HttpClient` for how to allow one."""
    return HttpClient().call(endpoint, params)
