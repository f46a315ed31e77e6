"""The API caller reaches allowed hosts only, checks every address, and always comes back."""

from __future__ import annotations

import base64
import gzip
import json
import pickle
import socket
import ssl
import subprocess
import threading
import time
import traceback
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, quote_plus, urlsplit

import pytest

from reactlab.errors import ConfigError, ToolError, ToolUnavailable
from reactlab.tools.http import HttpClient, call_api
from reactlab.tools.transport import Target, get, is_public

SECRET = "tok-5f1e9c7a2b/+=x"


class Handler(BaseHTTPRequestHandler):
    """A small API with good and bad manners."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer by the first part of the path."""
        self.server.seen.append(  # type: ignore[attr-defined]
            (self.headers.get("Host", ""), self.path, dict(self.headers))
        )
        with suppress(OSError):
            getattr(self, urlsplit(self.path).path.strip("/").split("/")[0] or "hello")()
        self.close_connection = True

    def log_message(self, *args: object) -> None:
        """Keep the console clean."""

    def reply(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def hello(self) -> None:
        self.reply(b"hello", Content_Type="text/plain")

    def query(self) -> None:
        self.reply(json.dumps(parse_qs(urlsplit(self.path).query)).encode())

    def headers_sent(self) -> None:
        self.reply(json.dumps(dict(self.headers)).encode())

    def redirect(self) -> None:
        to = parse_qs(urlsplit(self.path).query)["to"][0]
        self.reply(b"moved", int(urlsplit(self.path).path.split("/")[2]), Location=to)

    def around(self) -> None:
        self.reply(b"", 302, Location="/around")

    def status(self) -> None:
        self.reply(b"the reason is here", int(self.path.split("/")[2]))

    def empty(self) -> None:
        self.send_response(204)
        self.end_headers()

    def binary(self) -> None:
        self.reply(b"\x89PNG\r\n\x1a\n\x00\x00", Content_Type="image/png")

    def gbk(self) -> None:
        self.reply("会议在上海".encode("gbk"), Content_Type="text/plain; charset=GBK")

    def latin(self) -> None:
        self.reply("café".encode("latin-1"), Content_Type='text/html; charset="iso-8859-1"')

    def odd_charset(self) -> None:
        self.reply(b"plain", Content_Type="text/plain; charset=unicode_escape")

    def endless(self) -> None:
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(b"x" * 65_536)

    def endless_chunks(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            self.wfile.write(b"10000\r\n" + b"x" * 65_536 + b"\r\n")

    def endless_headers(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            self.wfile.write(b"X-More: and more\r\n")

    def endless_hints(self) -> None:
        while True:
            self.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")
            time.sleep(0.001)

    def bomb(self) -> None:
        kind = self.path.split("/")[2]
        packer = zlib.compressobj(9, wbits=31 if kind == "gzip" else 15)
        block = b"\x00" * 1_000_000 if kind == "zeros" else b"a" * 1_000_000
        packed = b"".join(packer.compress(block) for _ in range(100)) + packer.flush()
        self.reply(packed, Content_Encoding="deflate" if kind != "gzip" else "gzip")

    def packed(self) -> None:
        self.reply(gzip.compress("gezippt: ü".encode()), Content_Encoding="gzip")

    def raw(self) -> None:
        """A head of this server's, and then a block for ever."""
        head, block = RAW[self.path.split("/")[2]]
        self.wfile.write(b"HTTP/1.1 200 OK\r\n" + head)
        while True:
            self.wfile.write(block * 1_000)

    def packed_badly(self) -> None:
        self.reply(b"this is not packed", Content_Encoding="gzip")

    def packed_oddly(self) -> None:
        self.reply(b"whatever", Content_Encoding="br")

    def silent(self) -> None:
        time.sleep(30)

    def silent_body(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(b"start")
        time.sleep(30)

    def drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while True:
            self.wfile.write(b".")
            time.sleep(0.1)

    def drip_headers(self) -> None:
        for sign in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"y" * 9_999:
            self.wfile.write(bytes([sign]))
            time.sleep(0.1)

    def drop(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

    def drop_at_once(self) -> None:
        self.connection.shutdown(socket.SHUT_RDWR)

    def noise(self) -> None:
        self.wfile.write(b"\x00\x01\x02 this is no HTTP\r\n\r\n" * 9)

    def echo_secret(self) -> None:
        tell = self.headers.get("Authorization", "") + " " + self.headers.get("X-Api-Key", "")
        self.reply(f"you said {tell} {json.dumps(tell)} {tell.upper()}".encode(), 401)

    def echo_in_every_way(self) -> None:
        key = self.headers.get("X-Api-Key", "")
        pair = base64.b64decode(self.headers["Authorization"].split()[1]).decode()
        ways = [quote(key, safe=""), quote_plus(key), escape(key), key.replace("/", r"\/")]
        ways += [pair, pair.split(":")[1], quote(pair), json.dumps(pair), escape(pair)]
        self.reply(" | ".join(ways).encode(), 401)

    def echo_secret_late(self) -> None:
        key = self.headers.get("X-Api-Key", "")
        self.reply(("x" * (1_000 - len(key) // 2) + key + "y" * 500).encode())

    def redirect_secret(self) -> None:
        key = self.headers.get("X-Api-Key", "")
        self.reply(b"", 302, Location=f"http://{key}.example.com/{self.headers['X-Api-Key']}")


CHUNKED, GZIP = b"Transfer-Encoding: chunked\r\n\r\n", b"Content-Encoding: gzip\r\n\r\n"
RAW = {
    # sizes of pieces that are none: less than nothing, no number, more than there is
    "less": (CHUNKED + b"-1\r\n", b"x" * 1_000),
    "much_less": (CHUNKED + b"-5\r\n", b"x" * 1_000),
    "no_size": (CHUNKED + b"zz\r\n", b"x" * 1_000),
    "vast": (CHUNKED + b"ffffffffffffffff\r\n", b"x" * 1_000),
    "negative_length": (b"Content-Length: -1\r\n\r\n", b"x" * 1_000),
    # more headers after the end
    "trailers": (CHUNKED + b"0\r\n", b"X-More: and more\r\n"),
    # packed data that ends and goes on, never begins, or holds nothing
    "after_the_end": (GZIP + gzip.compress(b"all there is"), b"x" * 1_000),
    "long_name": (GZIP + b"\x1f\x8b\x08\x08" + bytes(6), b"x" * 1_000),
    "empty_blocks": (b"Content-Encoding: deflate\r\n\r\n\x78\x9c", b"\0\0\0\xff\xff" * 100),
}


class Server(ThreadingHTTPServer):
    """A server that remembers what it was asked."""

    daemon_threads = True
    block_on_close = False
    seen: list[tuple[str, str, dict[str, str]]]

    def handle_error(self, *args: object) -> None:
        """Broken connections are part of the tests."""


def serve() -> Server:
    server = Server(("127.0.0.1", 0), Handler)
    server.seen = []
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    return server


@pytest.fixture
def server() -> Iterator[Server]:
    server = serve()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def base(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def local(server: Server, **settings: Any) -> HttpClient:
    """A client that may call the test server by its address."""
    return HttpClient([f"127.0.0.1:{server.server_port}"], **settings)


def book(**names: object) -> Callable[[str, int], list[str]]:
    """A resolver that knows the given names only, and `api` stands for api.test."""

    def resolver(host: str, port: int) -> list[str]:
        found = names.get(host.replace(".", "_").replace("-", "_"))
        if found is None:
            raise socket.gaierror(host)
        return list(found) if isinstance(found, (list, tuple)) else [str(found)]

    return resolver


def forbidden(host: str, port: int) -> list[str]:
    raise AssertionError(f"{host} was looked up")


def refusal(client: HttpClient, endpoint: str, params: object = None, *, within: float = 3) -> str:
    start = time.perf_counter()
    with pytest.raises(ToolError) as caught:
        client.call(endpoint, params)  # type: ignore[arg-type]
    assert time.perf_counter() - start < within
    assert len(str(caught.value)) < 1_500
    return str(caught.value)


def test_an_allowed_host_is_called(server: Server, base: str) -> None:
    assert local(server).call(f"{base}/hello") == "hello"
    assert local(server).call(f"  {base}/hello#part ") == "hello"
    assert HttpClient(["127.0.0.1"]).call(base) == "hello"
    assert HttpClient(["localhost"]).call(f"http://localhost:{server.server_port}/") == "hello"


@pytest.mark.parametrize(
    ("params", "sent"),
    [
        (
            {"q": "a b&c", "n": 3, "yes": True, "no": None, "many": ["x", "y"]},
            {"q": ["a b&c"], "n": ["3"], "yes": ["true"], "many": ["x", "y"]},
        ),
        ('{"q": "茶", "n": 1.5}', {"q": ["茶"], "n": ["1.5"]}),
        ("q=1&r=two%20words", {"q": ["1"], "r": ["two words"]}),
        ("?q=1", {"q": ["1"]}),
        ("", {"old": ["0"]}),
        (None, {"old": ["0"]}),
        ({}, {"old": ["0"]}),
    ],
)
def test_parameters_reach_the_query(
    server: Server, base: str, params: object, sent: dict[str, list[str]]
) -> None:
    answer = local(server).call(f"{base}/query?old=0", params)  # type: ignore[arg-type]
    assert json.loads(answer) == {"old": ["0"], **sent}


@pytest.mark.parametrize(
    "params",
    [
        *('{"a": {"b": 1}}', '{"a": ', "{" * 5_000, '{"a":' * 1_500, {"a": {}}, {"a": object()}),
        *("a=" + "b" * 9_000, {"a": "b" * 9_000}, '{"a": ' + "[" * 7_000),
    ],
    ids=lambda params: str(params)[:20],
)
def test_parameters_that_are_no_plain_values_are_refused(
    server: Server, base: str, params: object
) -> None:
    refusal(local(server), f"{base}/query", params)
    assert not server.seen


@pytest.mark.parametrize("path", ["gbk", "latin", "packed", "odd_charset", "query?a=1"])
def test_answers_are_read_in_the_encoding_they_name(server: Server, base: str, path: str) -> None:
    expected = {
        "gbk": "会议在上海",
        "latin": "café",
        "packed": "gezippt: ü",
        "odd_charset": "plain",
    }
    assert local(server).call(f"{base}/{path}") == expected.get(path, '{"a": ["1"]}')


def test_an_empty_answer_and_an_error_status_say_what_they_are(server: Server, base: str) -> None:
    assert local(server).call(f"{base}/empty") == "(204 No Content, without content)"
    for status in (400, 401, 404, 418, 429, 500, 599):
        message = refusal(local(server), f"{base}/status/{status}")
        assert message.startswith(f"The server answered {status}")
        assert message.endswith(": the reason is here")


def test_a_binary_answer_is_named_and_not_shown(server: Server, base: str) -> None:
    assert "image/png, which is no text" in refusal(local(server), f"{base}/binary")


def test_only_get_is_sent_with_the_plain_host(server: Server, base: str) -> None:
    client = local(server, headers={"user-agent": "course"})
    sent = json.loads(client.call(f"{base}/headers_sent"))
    assert sent["Host"] == f"127.0.0.1:{server.server_port}"
    assert sent["user-agent"] == "course"
    assert sent["Accept-Encoding"] == "identity"
    assert "Cookie" not in sent


# Line ends, codes and marks in what is sent: they stay in the one line they belong to.
@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/query", {"q": "1 HTTP/1.1\r\nX-Evil: 1\r\n\r\nGET /status/500"}),
        ("/query", {"q\r\nX-Evil: 1": "1"}),
        ("/query", "q=1\r\nX-Evil: 1"),
        ("/query", "q=1 HTTP/1.1\nX-Evil: 1\n\nGET /status/500 HTTP/1.1"),
        ("/query", "q=1#\u2028X-Evil: 1"),
        ("/query", "q=\x00\ud7ff"),
        ("/query?q=%0d%0aX-Evil:%201", None),
        ("/query/%0d%0aX-Evil:%201?q=1", None),
        ("/query?q=1%20HTTP/1.1%0d%0aX-Evil: 1", None),
    ],
)
def test_nothing_that_is_asked_becomes_a_header_or_a_second_request(
    server: Server, base: str, path: str, params: object
) -> None:
    assert "q" in local(server).call(base + path, params)  # type: ignore[arg-type]
    ((host, _, headers),) = server.seen
    assert host == f"127.0.0.1:{server.server_port}"
    assert headers.keys() == {"Host", "Accept-Encoding"}


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy"])
def test_a_proxy_of_the_environment_is_never_asked(
    server: Server, base: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = serve()
    monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.server_port}")
    monkeypatch.delenv("no_proxy", raising=False)
    try:
        assert local(server).call(f"{base}/hello") == "hello"
        refusal(HttpClient(["api.test"], resolver=book()), "http://api.test/")
    finally:
        proxy.shutdown()
        proxy.server_close()
    assert not proxy.seen


# Nothing is allowed unless it was named.


def test_with_no_host_allowed_everything_is_refused_with_a_hint(server: Server, base: str) -> None:
    for client in (HttpClient(), HttpClient([], resolver=forbidden)):
        assert "allowed_hosts=['api.example.com']" in refusal(client, base)
        assert "No host is allowed" in refusal(client, "https://example.com/")
    with pytest.raises(ToolError, match="No host is allowed"):
        call_api(f"{base}/hello", {"a": 1})
    assert not server.seen


@pytest.mark.parametrize(
    "endpoint",
    [
        # other hosts, and hosts that contain the name
        "http://other.test/",
        "http://api.test.evil.test/",
        "http://evil-api.test/",
        "http://xapi.test/",
        "http://sub.api.test/",
        "http://api.testx/",
        "http://apiatest/",
        # another port
        "http://api.test:81/",
        "https://api.test/",
        # the name in another part of the address
        "http://other.test/?http://api.test/",
        "http://other.test#api.test",
        "http://other.test/api.test",
        "http://93.184.216.34/",
        # letters of other alphabets that look like it
        "http://аpi.test/",
        "http://api.tеst/",
        "http://xn--pi-7kc.test/",
        # what a browser would take for the end of the name
        "http://other.test/@api.test",
        "http://other.test?@api.test:80/",
        "http://other.test#@api.test:80/",
    ],
)
def test_a_host_that_is_not_named_exactly_is_refused_unasked(endpoint: str) -> None:
    client = HttpClient(["api.test:80"], resolver=forbidden)
    assert "not among the allowed hosts: api.test:80" in refusal(client, endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        # no full address
        *("", " ", "api.test/x", "/x", "//api.test/", "http:///x", "http:api.test"),
        *("http:/api.test/", "http:\\\\api.test\\", "?x=1", "#x"),
        # something other than HTTP
        *("ftp://api.test/", "file:///etc/passwd", "gopher://api.test/", "data:text/plain,x"),
        *("javascript:1", "ws://api.test/", "unix:///var/run/docker.sock", "about:blank"),
        *("jar:http://api.test!/x", "view-source:http://api.test/", "blob:http://api.test/x"),
        *(
            "dict://api.test:11211/",
            "ldap://api.test/",
            "tftp://api.test/",
            "http+unix://api.test/",
        ),
        # user names and words, where programs disagree about which part is the host
        *("http://user@api.test/", "http://user:word@api.test/", "http://:@api.test/"),
        *("http://other.test\\@api.test/", "http://api.test\\@other.test/"),
        *("http://api.test@other.test", "http://api.test:80@other.test/", "http://@api.test/"),
        *("http://api.test%23@other.test/", "http://a@b@api.test/"),
        # ports that are none
        *("http://api.test:0/", "http://api.test:99999/", "http://api.test:8a/"),
        *("http://api.test:-1/", "http://api.test:80:80/", "http://api.test:+80/"),
        *("http://api.test: 80/", "http://api.test:８０/", "http://api.test:80\\/"),
        # brackets around what is no address
        *("http://[api.test]/", "http://[::1/", "http://[::1]x/", "http://x[::1]/", "http://[]/"),
        # blanks, line ends and other signs that are not seen
        *("http://a b.test/", "http://api.test\r\nX-Header: 1/", "http://api.te\tst/"),
        *("http://api.test/\r\nHost: other.test", "http://\x00/", "\x01http://api.test/"),
        *("http://api.test\u2028/", "http://api.test/\x7f", "ht\ntp://api.test/"),
        # codes and letters that become other signs
        *("http://api%2etest/", "http://api.test%2f@other.test/", "http://api.test%00.other.test/"),
        *("http://api.test℀.other.test/", "http://other.test／@api.test/", "http://a＃.api.test/"),
        *("http://other.test＠api.test/", "http://api.test：80/", "http://api.test？.other.test/"),
        # names that are none, or too long
        *("http://-api.test/", "http://a..b/", "http://api.test../", "http://.api.test/"),
        *("http://" + "a" * 300 + ".test/", "http://api.test/" + "x" * 9_000),
        *("http://*/", "http://api.te$t/", "http://api.test;other.test/", "http://*.test/"),
        *("http://api.test,other.test/", "http://xn--/", "http://" + "a." * 150 + "test/"),
        # half characters
        *("http://api.test/\ud800", "http://\ud800.test/"),
    ],
    ids=ascii,
)
def test_what_is_no_plain_address_is_refused_unasked(endpoint: str) -> None:
    refusal(HttpClient(["api.test", "*"], resolver=forbidden), endpoint)


# This computer and its neighbours, in every spelling.
PRIVATE = [
    # the machine itself, private networks, the services of clouds, and what is no host at all
    "127.0.0.1",
    "127.0.0.1.",
    "127.8.9.10",
    "0.0.0.0",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.1.1",
    "169.254.169.254",
    "169.254.170.2",
    "168.63.129.16",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "192.88.99.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    # names for the same
    "localhost",
    "LOCALHOST",
    "LocalHost.",
    "localhost.localdomain",
    "api.localhost",
    "127.0.0.1.localhost",
    "ip6-localhost",
    # one number, few numbers, other bases
    "2130706433",
    "0x7f000001",
    "0X7F.1",
    "017700000001",
    "127.1",
    "127.0.1",
    "0",
    "0x0",
    "0177.0.0.1",
    "0x7f.0x0.0x0.0x1",
    "127.0.0.0x1",
    "127.000.000.001",
    "0127.0.0.1",
    "1.2.3.4.5",
    "256.256.256.256",
    "2852039166",
    "0xa9fea9fe",
    "169.254.43518",
    "10.1",
    # digits and dots of other scripts
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127．0．0．1",
    "ｌｏｃａｌｈｏｓｔ",
    "ⓛocalhost",
    "loc\u00adalhost",
    # IPv6
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[0000::0001]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:10.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[0:0:0:0:0:ffff:c0a8:0101]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::a00:1]",
    "[64:ff9b:1::a00:1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2002:c0a8:101::1]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[2600::5efe:10.0.0.1]",
    "[2600::200:5efe:7f00:1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fe80::1%25eth0]",
    "[::1%25lo]",
    "[fec0::1]",
    "[ff02::1]",
    "[100::1]",
    "[5f00::1]",
    # IPv6 with a zone, which some systems look up as a name
    "[::ffff:8.8.8.8%25evil.test]",
    "[::ffff:8.8.8.8%evil.test]",
    "[64:ff9b::808:808%25.evil.test]",
    "[2606:4700::1111%25eth0]",
    "[v1.127.0.0.1]",
    # a name with an address in it, for which no resolver is asked here
    "0x7f.1",
    "127.1.1",
    "017700000001.",
    "[::1].",
]


@pytest.mark.parametrize("host", PRIVATE)
def test_private_addresses_are_refused_in_every_spelling(host: str) -> None:
    client = HttpClient(["*"], resolver=forbidden)
    refusal(client, f"http://{host}/")
    refusal(client, f"https://{host}:8443/latest/meta-data/")


@pytest.mark.parametrize("host", [host for host in PRIVATE if host.isascii() and "%" not in host])
def test_no_redirect_leads_to_a_private_address(server: Server, host: str) -> None:
    client = HttpClient(["*"], private_hosts=["front.test"], resolver=book(front_test="127.0.0.1"))
    front = f"http://front.test:{server.server_port}"
    bad = f"http://{host}:{server.server_port}/hello"
    twice = f"{front}/redirect/302?to={front}/redirect/307?to={bad}"
    refusal(client, f"{front}/redirect/301?to={bad}")
    refusal(client, twice)
    assert all(seen.startswith("front.test:") for seen, *_ in server.seen)
    assert not any(path.startswith("/hello") for _, path, _ in server.seen)


@pytest.mark.parametrize(
    "addresses",
    [
        # one address, private in one way or another
        ["127.0.0.1"],
        ["10.0.0.7"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["fe80::1%eth0"],
        ["::ffff:8.8.8.8%evil.test"],
        ["93.184.216.34", "fe80::1%eth0"],
        ["93.184.216.34"] * 9 + ["10.0.0.1"],
        # what is no address, or none in plain numbers
        ["127.0.0.1\x00"],
        ["2130706433"],
        ["0x7f000001"],
        ["localhost"],
        ["0.0.0.0"],
        ["169.254.169.254"],
        # several, of which one is private
        ["93.184.216.34", "127.0.0.1"],
        ["127.0.0.1", "93.184.216.34"],
        ["2606:2800:220:1::1", "fd00::1"],
        ["not an address"],
        [],
    ],
    ids=str,
)
@pytest.mark.parametrize("allowed", [["api.test"], ["*"]], ids=str)
def test_a_name_that_leads_to_a_private_address_is_refused(
    server: Server, allowed: list[str], addresses: list[str]
) -> None:
    client = HttpClient(allowed, resolver=book(api_test=addresses))
    refusal(client, f"http://api.test:{server.server_port}/hello")
    assert not server.seen


def test_a_trusted_name_may_lead_to_a_private_address(server: Server) -> None:
    port = server.server_port
    names = book(api_test="127.0.0.1", other_test="127.0.0.1", xn__bcher_kva_test="127.0.0.1")
    client = HttpClient(private_hosts=[f"api.test:{port}", "BÜCHER.test"], resolver=names)
    assert client.call(f"http://API.test.:{port}/hello") == "hello"
    assert client.call(f"http://bücher.test:{port}/hello") == "hello"
    assert [host for host, *_ in server.seen] == [f"api.test:{port}", f"xn--bcher-kva.test:{port}"]
    refusal(client, f"http://other.test:{port}/hello")


def test_a_name_is_looked_up_once_and_the_checked_address_is_used(server: Server) -> None:
    """A name server that changes its answer after the check (rebinding) changes nothing."""
    asked: list[str] = []

    def changing(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) > 1 else ["192.0.2.1"]

    refusal(HttpClient(["api.test"], resolver=changing), "http://api.test/")
    assert asked == ["api.test"]
    asked.clear()

    def changing_back(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["192.0.2.1"]

    client = HttpClient(private_hosts=["api.test"], resolver=changing_back)
    assert client.call(f"http://api.test:{server.server_port}/hello") == "hello"
    assert asked == ["api.test"]


def test_every_redirect_is_looked_up_and_checked_again(server: Server) -> None:
    answers = iter(["127.0.0.1", "127.0.0.1"])
    client = HttpClient(
        private_hosts=["front.test"],
        allowed_hosts=["api.test"],
        resolver=lambda host, port: [next(answers)],
    )
    port = server.server_port
    message = refusal(
        client, f"http://front.test:{port}/redirect/302?to=http://api.test:{port}/hello"
    )
    assert "api.test leads to a private" in message
    assert len(server.seen) == 1


@pytest.mark.parametrize("error", [OSError, UnicodeError, RuntimeError, ValueError])
def test_a_failing_resolver_is_an_unknown_host(error: type[Exception]) -> None:
    def failing(host: str, port: int) -> list[str]:
        raise error(host)

    assert "no address for api.test" in refusal(
        HttpClient(["api.test"], resolver=failing), "http://api.test/"
    )


def test_a_resolver_that_hangs_ends_in_time() -> None:
    def hanging(host: str, port: int) -> list[str]:
        time.sleep(30)
        return []

    client = HttpClient(["api.test"], resolver=hanging, seconds=0.3)
    assert "in time" in refusal(client, "http://api.test/")


@pytest.mark.parametrize(
    "address",
    [
        *("93.184.216.34", "8.8.8.8", "100.63.0.1", "172.32.0.1", "2606:4700::1111"),
        "2a00:1450::1",
        *("::ffff:8.8.8.8", "64:ff9b::808:808"),
    ],
)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


# Redirects.


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("to", ["/hello", "hello", "//HOST/hello", "http://HOST/hello"])
def test_redirects_within_the_allowed_host_are_followed(
    server: Server, base: str, status: int, to: str
) -> None:
    target = to.replace("HOST", f"127.0.0.1:{server.server_port}")
    if to == "hello":
        target = "../hello"
    assert local(server).call(f"{base}/redirect/{status}?to={target}") == "hello"


@pytest.mark.parametrize(
    "to",
    [
        *(
            "http://other.test/",
            "//other.test/",
            "https://127.0.0.1/",
            "ftp://x/",
            "file:///etc/passwd",
        ),
        *("http://user@127.0.0.1/", "javascript:1", "http://[::1", "http://127.0.0.1:1/"),
        *("gopher://127.0.0.1:6379/_x", "data:,x", "//other.test:80@127.0.0.1/", "ws://x/"),
        *("http://127.0.0.1.other.test/", "http://127.0.0.1%252eother.test/"),
    ],
)
def test_redirects_to_anything_else_are_refused(server: Server, base: str, to: str) -> None:
    refusal(local(server, resolver=forbidden), f"{base}/redirect/302?to={to}")
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "to",
    [
        "/\\other.test/hello",
        "\\\\other.test\\hello",
        "///other.test/hello",
        "http:hello",
        "",
        "?x",
        "http:////x@y/",
    ],
)
def test_a_redirect_that_looks_like_another_host_stays_on_its_own(
    server: Server, base: str, to: str
) -> None:
    with suppress(ToolError):
        local(server, resolver=forbidden).call(f"{base}/redirect/302?to={to}&to=/around")
    assert {host for host, *_ in server.seen} == {f"127.0.0.1:{server.server_port}"}


def test_endless_redirects_end(server: Server, base: str) -> None:
    assert "More than 5 redirects" in refusal(local(server), f"{base}/around")
    assert len(server.seen) == 6


def test_headers_do_not_follow_a_redirect_to_another_host(server: Server) -> None:
    second = serve()
    try:
        client = HttpClient(["127.0.0.1"], headers={"X-Api-Key": SECRET})
        base = f"http://127.0.0.1:{server.server_port}"
        there = f"http://127.0.0.1:{second.server_port}/hello"
        assert client.call(f"{base}/redirect/302?to={there}") == "hello"
        assert client.call(f"{base}/redirect/302?to=/hello") == "hello"
    finally:
        second.shutdown()
        second.server_close()
    assert [SECRET in headers.values() for *_, headers in server.seen] == [True, True, True]
    assert [SECRET in headers.values() for *_, headers in second.seen] == [False]


# Servers that never end, and answers that unpack to far more.


@pytest.mark.parametrize("path", ["endless", "endless_chunks"])
def test_an_endless_body_is_cut_and_says_so(server: Server, base: str, path: str) -> None:
    text = local(server, max_bytes=50_000).call(f"{base}/{path}")
    assert text == "x" * 50_000 + "\n[cut after 50,000 bytes]"


@pytest.mark.parametrize("kind", ["gzip", "deflate"])
def test_a_packed_bomb_is_unpacked_no_further_than_the_limit(
    server: Server, base: str, kind: str
) -> None:
    text = local(server).call(f"{base}/bomb/{kind}")
    assert text == "a" * 200_000 + "\n[cut after 200,000 bytes]"


@pytest.mark.parametrize("path", RAW)
def test_whatever_never_ends_is_kept_within_the_limits(
    server: Server, base: str, path: str
) -> None:
    client = local(server, max_bytes=50_000, seconds=1)
    client.call(f"{base}/hello")
    tracemalloc.start()
    try:
        text = client.call(f"{base}/raw/{path}")
    except ToolError:
        assert path in ("no_size", "trailers", "long_name", "empty_blocks")
    else:
        whole = "x" * 50_000 + "\n[cut after 50,000 bytes]"
        assert text == ("all there is" if path == "after_the_end" else whole)
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most < 20_000_000  # the server sends far more than that within the second
    assert client.call(f"{base}/hello") == "hello"


@pytest.mark.parametrize(
    ("path", "may_pass"),
    [
        *((f"status/{status}", True) for status in (429, 500, 502, 503, 504)),
        *((f"status/{status}", False) for status in (400, 401, 403, 404, 418)),
        *((path, True) for path in ("drop", "drop_at_once", "silent", "silent_body", "drip")),
        *((path, False) for path in ("noise", "packed_badly", "packed_oddly", "around", "binary")),
    ],
)
def test_what_may_be_different_on_another_try_is_told_apart(
    server: Server, base: str, path: str, may_pass: bool
) -> None:
    with pytest.raises(ToolError) as caught:
        local(server, seconds=0.5).call(f"{base}/{path}")
    assert isinstance(caught.value, ToolUnavailable) is may_pass


def test_a_host_that_is_not_allowed_is_no_better_on_another_try() -> None:
    for client in (HttpClient(), HttpClient(["api.test"])):
        with pytest.raises(ToolError) as caught:
            client.call("http://127.0.0.1/")
        assert not isinstance(caught.value, ToolUnavailable)


@pytest.mark.parametrize(
    "path",
    [
        *("bomb/zeros", "endless_headers", "endless_hints", "packed_badly", "packed_oddly", "drop"),
        *("drop_at_once", "noise", "silent", "silent_body", "drip", "drip_headers"),
    ],
)
def test_bad_manners_of_a_server_end_in_a_message(server: Server, base: str, path: str) -> None:
    refusal(local(server, seconds=1), f"{base}/{path}", within=2.5)


@pytest.mark.parametrize("path", ["silent", "silent_body", "drip", "drip_headers"])
def test_time_runs_out_in_all_and_the_next_call_works(server: Server, base: str, path: str) -> None:
    client = local(server, seconds=0.5)
    assert "in time" in refusal(client, f"{base}/{path}", within=1.5)
    assert client.call(f"{base}/hello") == "hello"
    assert HttpClient().seconds == 10


def test_slow_redirects_share_one_time_limit(server: Server, base: str) -> None:
    slow = f"{base}/redirect/302?to={base}/drip"
    refusal(local(server, seconds=0.6), slow, within=1.5)


def test_a_server_that_accepts_and_says_nothing_ends_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        client = HttpClient(["127.0.0.1"], seconds=0.5)
        assert "in time" in refusal(client, f"http://127.0.0.1:{port}/", within=1.5)
        assert "in time" in refusal(client, f"https://127.0.0.1:{port}/", within=1.5)


def test_a_port_where_nobody_listens_gives_a_message() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(ToolUnavailable, match="cannot be reached"):
        HttpClient(["127.0.0.1"]).call(f"http://127.0.0.1:{port}/")


def test_a_name_of_thousands_of_addresses_is_given_up_with_the_time() -> None:
    """Each that nobody answers at has its share of the time, and none is tried after it."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        port = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(8)]  # more than the queue holds: others wait
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
        tried: list[int] = []

        class Addresses(list[str]):
            def __getitem__(self, place: Any) -> Any:
                tried.append(place)
                return super().__getitem__(place)

        addresses = Addresses(["127.0.0.1"] * 1_000_000)
        target = Target("http", "api.test", port, "/", "http://api.test/")
        with pytest.raises(ToolUnavailable):
            get(target, addresses, {}, time.monotonic() + 0.3, 1_000)
        for one in waiting:
            one.close()
    assert 0 < len(tried) < 1_000_000


def test_the_next_address_is_tried_when_one_does_not_answer(server: Server) -> None:
    client = HttpClient(
        private_hosts=["api.test"], resolver=book(api_test=["127.0.0.2", "::1", "127.0.0.1"])
    )
    assert client.call(f"http://api.test:{server.server_port}/hello") == "hello"


# Secrets.


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Bearer {SECRET}"},
        {"X-Api-Key": SECRET},
        {"X-Api-Key": "Host-Safe-5F1e9c7a2b"},
        {"Authorization": "Basic dXNlcjp0b2stNWYxZTljN2EyYg=="},
        {"Authorization": SECRET, "X-Api-Key": SECRET * 2, "Accept": "application/json"},
    ],
    ids=lambda headers: str(list(headers)),
)
@pytest.mark.parametrize(
    "path",
    [
        *("hello", "headers_sent", "echo_secret", "drop", "drop_at_once", "noise", "silent"),
        "binary",
        *(
            "redirect_secret",
            "around",
            "packed_badly",
            "status/401",
            "redirect/302?to=http://x.test/",
        ),
    ],
)
def test_a_secret_shows_nowhere(
    server: Server,
    base: str,
    path: str,
    headers: dict[str, str],
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(0)
    client = local(server, headers=headers, seconds=0.5)
    try:
        shown = client.call(f"{base}/{path}")
    except ToolError as error:
        shown = "".join(traceback.format_exception(error)) + repr(error) + str(error.__context__)
    shown += repr(client) + str(client) + caplog.text
    shown += "".join(capfd.readouterr())
    for value in headers.values():
        if value != "application/json":
            for part in (value, value.upper(), value.split()[-1]):
                assert part.lower() not in shown.lower()
    assert all(
        headers[name] == sent[name] for *_, sent in server.seen[:1] for name in headers
    )  # it was really sent


def test_a_secret_that_a_server_writes_in_another_way_is_hidden_too(
    server: Server, base: str
) -> None:
    word = "Tom's <open> door/4&5"
    packed = base64.b64encode(f"anna:{word}".encode()).decode()
    headers = {"X-Api-Key": SECRET + "<&>", "Authorization": f"Basic {packed}"}
    message = refusal(local(server, headers=headers), f"{base}/echo_in_every_way")
    assert message == "The server answered 401 Unauthorized: " + " | ".join(
        ["[hidden]"] * 7 + ['"[hidden]"', "[hidden]"]
    )


@pytest.mark.parametrize("limit", range(980, 1_030, 3))
def test_no_part_of_a_secret_is_left_where_an_answer_is_cut(
    server: Server, base: str, limit: int
) -> None:
    client = local(server, headers={"X-Api-Key": SECRET}, max_bytes=limit)
    text = client.call(f"{base}/echo_secret_late").replace("[hidden]", "")
    assert not any(SECRET[n : n + 3] in text for n in range(len(SECRET) - 2))


@pytest.mark.parametrize(
    "headers", [{"X-Key": "a\nb"}, {"X-Key": "ключ"}, {"X Key": "abcd"}, {"X-Key": " abcd"}]
)
def test_headers_that_cannot_be_sent_are_a_configuration_error(headers: dict[str, str]) -> None:
    with pytest.raises(ConfigError) as caught:
        HttpClient(["api.test"], headers=headers)
    assert not any(value in str(caught.value) for value in headers.values())


def test_secrets_for_every_host_there_is_are_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match="every host"):
        HttpClient(["*"], headers={"Authorization": SECRET})
    HttpClient(["*"], headers={"Accept": "application/json"})


@pytest.mark.parametrize(
    "entry",
    [
        *("http://api.test", "api.test/x", "user@api.test", "", "api test", "127.1", "*.test"),
        "a:b",
        *("api.test:123456", "[::1", "api..test", "0x7f000001"),
    ],
)
def test_a_host_that_is_none_is_a_configuration_error(entry: str) -> None:
    with pytest.raises(ConfigError, match="is no host"):
        HttpClient([entry])


def test_one_host_as_a_text_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match=r"\['api.test'\]"):
        HttpClient("api.test")


# TLS: the certificate has to fit the name, although the connection goes to an address.


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh key and certificate for api.test, made with the openssl program."""
    folder = tmp_path_factory.mktemp("tls")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=api.test", "-addext", "subjectAltName=DNS:api.test"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    try:
        subprocess.run([*command, *names, *files], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no openssl program here")
    return folder


@pytest.fixture
def tls_server(certificate: Path) -> Iterator[Server]:
    server = Server(("127.0.0.1", 0), Handler)
    server.seen = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_tls_is_checked_against_the_name(
    tls_server: Server, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = book(api_test="127.0.0.1", other_test="127.0.0.1")
    client = HttpClient(private_hosts=["api.test", "other.test"], resolver=names)
    port = tls_server.server_port
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    assert client.call(f"https://api.test:{port}/hello") == "hello"
    assert "certificate" in refusal(client, f"https://other.test:{port}/hello")
    monkeypatch.delenv("SSL_CERT_FILE")
    assert "certificate" in refusal(client, f"https://api.test:{port}/hello")
    assert [host for host, *_ in tls_server.seen] == [f"api.test:{port}"]


def test_it_serves_many_threads_and_survives_pickling(server: Server, base: str) -> None:
    client = pickle.loads(pickle.dumps(local(server, headers={"X-Api-Key": SECRET})))
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda n: client.call(f"{base}/query", {"n": n}), range(64)))
    assert [json.loads(answer)["n"] for answer in answers] == [[str(n)] for n in range(64)]
