"""Secrets taken out of text that a model, a trace or a person will see."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from urllib.parse import quote, quote_plus

from reactlab.errors import ConfigError

HIDDEN = "[hidden]"
SHORTEST = 4
HARMLESS = {"accept", "accept-language", "cache-control", "content-type", "user-agent"}
"""Headers whose values say nothing about who is asking."""


@dataclass(frozen=True, repr=False)
class Secrets:
    """Texts that must not be seen, in every form in which a server is likely to repeat them."""

    forms: tuple[str, ...] = ()

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Secrets:
        """The values of `headers` that are not harmless, and what they are made of.

        Raises `ConfigError`, without the value, for a header that HTTP cannot carry.
        """
        parts: set[str] = set()
        for name, value in headers.items():
            if not (name.isascii() and name.replace("-", "").replace("_", "").isalnum()):
                raise ConfigError(f"{name!r} is no name of a header.")
            if not (value.isascii() and value.isprintable()) or value != value.strip():
                raise ConfigError(
                    f"The value of the header {name} has signs that HTTP cannot send."
                )
            if name.lower() not in HARMLESS:
                parts |= {value, *_pieces(value)}
        forms = {form for part in parts if len(part) >= SHORTEST for form in _written(part)}
        return cls(tuple(sorted(forms, key=len, reverse=True)))

    @property
    def longest(self) -> int:
        """The length of the longest form."""
        return len(self.forms[0]) if self.forms else 0

    def hide(self, text: str) -> str:
        """`text` with every form replaced, in upper or lower case."""
        if not self.forms:
            return text
        return re.sub("|".join(map(re.escape, self.forms)), HIDDEN, text, flags=re.IGNORECASE)


def _pieces(value: str) -> set[str]:
    """The words after a scheme such as Bearer, and the name and password in Basic."""
    _, *words = value.split(" ")
    found = {word for word in words if len(word) >= SHORTEST}
    if value.lower().startswith("basic ") and words:
        with suppress(binascii.Error, UnicodeDecodeError):
            found |= {decoded := base64.b64decode(words[0]).decode(), decoded.partition(":")[2]}
    return found


def _written(text: str) -> set[str]:
    return {text, quote(text), quote(text, safe=""), quote_plus(text), escape(text)} | {
        json.dumps(text)[1:-1]
    }
