"""Servers that speak the OpenAI chat API: their addresses, their keys, and what some refuse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from reactlab.errors import ConfigError


@dataclass(frozen=True)
class Server:
    """An address with its version path, and the variable that holds its key ("": no key needed)."""

    address: str | None
    key: str = ""


OTHER_KEY = "REACTLAB_API_KEY"
"""The key for a server that is given by its address alone."""

SERVERS: Mapping[str, Server] = {
    "openai": Server(None, "OPENAI_API_KEY"),
    "deepseek": Server("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "qwen": Server("https://dashscope.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"),
    "ollama": Server("http://localhost:11434/v1"),
    "vllm": Server("http://localhost:8000/v1"),
    "llama.cpp": Server("http://localhost:8080/v1"),
    "lmstudio": Server("http://localhost:1234/v1"),
    "reactlab": Server("http://localhost:8420/v1", OTHER_KEY),
}
"""Presets by name. Local ones listen where their programs do by default."""

QUIRKS: Mapping[str, str | None] = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
    "stop": None,
    "temperature": None,
    "stream_options": None,
    "stream": None,
    "system": "user",
    "developer": "system",
}
"""What a server may refuse (a parameter, or a role of a message) and what is sent in its place.

None: nothing is. A client learns a quirk from the first refusal, and may be told beforehand.
"""

_REFUSES = re.compile(
    r"(un|not |n't |no longer )(support|recogni|know|expect|permit|allow|accept|available)"
    r"|not implement|does not exist|(extra|fields|inputs?)[ _]forbidden|extra inputs|deprecated"
    r"|reject|不支持"
    r"|(not|n't|not be|n't be) (set|used)\b|unknown name|may only be set|only \S+ is (allowed|supp)"
    r"|invalid (parameter|field|role|argument)|use ['\"`]?max_|only the default|only user and",
    re.IGNORECASE,
)
_WRONG_VALUE = re.compile(
    r"too (large|small|long|many|few|high|low)|at (most|least)|maximum|minimum|exceed|greater than"
    r"|less than|\b(above|below|between)\b",
    re.IGNORECASE,
)
"""Words about a value, which say that others would be taken."""

_TOOL = r"(tool|function)s?([ _-](use|usage|calls?|calling|choice|param\w*))?"
_NO_TOOLS = re.compile(
    r"(not|n't|no|never) ((yet|currently) )?(support\w*|capable of|able to|implement\w*)"
    rf" ((for|of|the|any|native|use|using) )*{_TOOL}\b"
    rf"|\bno (\w+ ){{1,3}}support {_TOOL}\b|\b(no|without|lacks) {_TOOL} support"
    rf"|\b{_TOOL}['\"`]*( (is|are|has|have|been|currently|yet))* (not |un)(yet )?"
    r"(support|enabled|implement|available|allowed|permitted|recogni)"
    rf"|{_TOOL}['\"`]* requires? --"
    r"|不支持\W?(工具|函数|tool|function)|(工具|函数)调用[^。]{0,4}(不支持|未启用|不可用)",
    re.IGNORECASE,
)
_ALSO: Mapping[str, str] = {
    "max_tokens": "maxtokens|max tokens",
    "stop": "stop[ _]?(sequences?|words?)",
    "system": "only user and assistant roles",
}
"""What servers call the things they refuse besides their names."""


def refused(message: str, parameter: str, sent: Iterable[str]) -> str | None:
    """Which of the things `sent` a server's error message refuses; None if it is about another.

    `parameter` is the name the server gives apart from its message, "" if it gives none.
    """
    if not _REFUSES.search(message) or _WRONG_VALUE.search(message):
        return None
    names = sorted((QUIRKS.keys() | {"tools"}) & set(sent), key=len, reverse=True)
    if parameter in names:
        return parameter
    # The refused name comes before the one that is recommended.
    places = {name: _place(name, message) for name in names}
    found = [name for name in names if places[name] >= 0]
    instead = [name for name in names if _recommends(QUIRKS.get(name), message)]
    return min(found, key=places.__getitem__, default=next(iter(instead), None))


def refuses_tools(message: str) -> bool:
    """Whether a server says that the model has no tools, in words instead of a parameter's name."""
    return _NO_TOOLS.search(message) is not None


def _place(name: str, message: str) -> int:
    """Where the name stands by itself, and not as the beginning of a path such as tools.0.name."""
    also = f"|{_ALSO[name]}" if name in _ALSO else ""
    whole = rf"(?<!\w)({re.escape(name)}{also})(?!\w|\[\d|\.\w)"
    match = re.search(whole, message, re.IGNORECASE | re.ASCII)
    return match.start() if match else -1


def _recommends(name: str | None, message: str) -> bool:
    return name is not None and re.search(rf"use ['\"`]?{name}\b", message) is not None


def quirks_of(given: Mapping[str, str | None] | None) -> dict[str, str | None]:
    """The quirks a caller tells; raises `ConfigError` for what is none."""
    quirks = dict(given) if isinstance(given, Mapping) else {}
    wrong = [name for name, value in quirks.items() if name not in QUIRKS or value == ""]
    wrong += [name for name, value in quirks.items() if not isinstance(value, str | None)]
    if wrong or not isinstance(given, Mapping | None):
        raise ConfigError(
            'quirks says what to send in the place of what is refused, as {"stop": None}, for any '
            f"of {', '.join(QUIRKS)}; not {given!r}."
        )
    return quirks


def server_of(given: str | None) -> Server:
    """A preset, or an address without blanks, doubled slashes or the path of an endpoint.

    None is OpenAI itself. Raises `ConfigError` for anything else.
    """
    if given is None:
        return SERVERS["openai"]
    text = given.strip() if isinstance(given, str) else ""
    if text.lower() in SERVERS:
        return SERVERS[text.lower()]
    try:
        parts = urlsplit(text)
        whole = parts.hostname and parts.hostname.encode("idna") and (parts.port or 1)
    except ValueError:
        whole = None
    if parts_wrong := _wrong(text):
        raise ConfigError(f"base_url has {parts_wrong}.")
    if not whole or parts.scheme not in ("http", "https"):
        names = ", ".join(SERVERS)
        raise ConfigError(
            f"base_url has to begin with http:// or https://, or be one of {names}, not {given!r}."
        )
    path = _ENDPOINT.sub("", re.sub("//+", "/", parts.path)).rstrip("/")
    return Server(f"{parts.scheme}://{parts.netloc}{path}", OTHER_KEY)


_ENDPOINT = re.compile(r"(/(chat/completions|chat|completions|models|responses))+/*$")


def _wrong(address: str) -> str:
    """What no address of a server may hold; it is not repeated, since it may be secret."""
    if re.search(r"[\s\\\x00-\x1f\u200b-\u200f\ufeff]", address):
        return "a blank or an invisible sign inside"
    if "@" in address:
        return "a user name inside; give the key as api_key"
    if "?" in address or "#" in address:
        return 'a "?" or "#" inside; a query goes with a client of your own (client=)'
    return ""
