"""Servers that speak the OpenAI chat API: their addresses, their keys, and what some refuse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

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
    "system": "user",
    "developer": "system",
}
"""What a server may refuse (a parameter, or a role of a message) and what is sent in its place.

None: nothing is. A client learns a quirk from the first refusal, and may be told beforehand.
"""

_REFUSES = re.compile(
    r"(un|not |n't |no longer )(support|recogni|know|expect|permit|allow|accept|available)"
    r"|does not exist|extra inputs|invalid (parameter|field|role|argument)|use ['\"`]?max_"
    r"|only the default",
    re.IGNORECASE,
)

_NO_TOOLS = re.compile(
    r"(not|n't|no) support\w* (for )?(tools?|function)\b"
    r"|(tools?|functions?|tool use|(tool|function) calling) (is|are) (not|un)",
    re.IGNORECASE,
)


def refused(message: str, parameter: str, sent: Iterable[str]) -> str | None:
    """Which of the things `sent` a server's error message refuses; None if it is about another.

    `parameter` is the name the server gives apart from its message, "" if it gives none.
    """
    if not _REFUSES.search(message):
        return None
    names = sorted((QUIRKS.keys() | {"tools"}) & set(sent), key=len, reverse=True)
    if parameter in names:
        return parameter
    # The refused name comes before the one that is recommended.
    places = {name: _place(name, message) for name in names}
    found = [name for name in names if places[name] >= 0]
    return min(found, key=places.__getitem__, default=None)


def refuses_tools(message: str) -> bool:
    """Whether a server says that the model has no tools, in words instead of a parameter's name."""
    return _NO_TOOLS.search(message) is not None


def _place(name: str, message: str) -> int:
    match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message)
    return match.start() if match else -1


def server_of(given: str | None) -> Server:
    """A preset, or an address without blanks, trailing slashes or the chat endpoint's path.

    None is OpenAI itself. Raises `ConfigError` for anything else.
    """
    if given is None:
        return SERVERS["openai"]
    address = given.strip().rstrip("/").removesuffix("/chat/completions").rstrip("/")
    if address in SERVERS:
        return SERVERS[address]
    if not address.startswith(("http://", "https://")):
        names = ", ".join(SERVERS)
        raise ConfigError(
            f"base_url has to begin with http:// or https://, or be one of {names}, not {given!r}."
        )
    return Server(address, OTHER_KEY)
