"""What a user asks of the office: sentences put together from phrases, and read back."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

ROLES = {"ask": ("what",), "send": ("what", "who"), "cancel": ("order",),
         "rebook": ("order", "flight")}  # fmt: skip
"""The parts of each kind of sentence."""
EFFECTS = {"send": ("SendMessage", {"to": "who", "text": "what"}),
           "cancel": ("CancelBooking", {"order_id": "order"}),
           "rebook": ("Rebook", {"order_id": "order", "flight": "flight"})}  # fmt: skip
"""The tool that does what a verb asks for, and the part that each of its parameters is."""
MAIL, NUMBER, CODE = r"[\w.+-]+@[\w.-]*\w", r"\d{5}", r"[A-Z]{2}\d{3,4}"
_SLOTS = {"n": NUMBER, "path": r"[\w/.-]*\w", "title": "[^”》]+", "words": "[^”]+", "code": CODE,
          "to": MAIL}  # fmt: skip


class Part(NamedTuple):
    """A part of a sentence: which phrase it is, and its slots with their values."""

    kind: str
    slots: Mapping[str, str]


class Job(NamedTuple):
    """A sentence, understood: what to do, and its parts by role."""

    verb: str
    parts: Mapping[str, Part]


@cache
def data(language: str) -> dict[str, Any]:
    """The words of the lab in a language."""
    text = files("reactlab").joinpath("data", f"injection.{language}.toml")
    return tomllib.loads(text.read_text(encoding="utf-8"))


def filled(text: str, slots: Mapping[str, object]) -> str:
    """The text with its `{slots}` filled; all other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda slot: str(slots[slot[1]]), text)


def sentence(kind: str, slots: Mapping[str, object], language: str) -> str:
    """A question of a kind: a verb and a phrase for each of its parts, as in "send name page"."""
    verb, *phrases = kind.split()
    words = data(language)
    chosen = zip(ROLES[verb], phrases, strict=True)
    parts = {role: filled(words[role][phrase], slots) for role, phrase in chosen}
    return filled(words["verbs"][verb], parts)


def understood(question: str) -> Job | None:
    """The question taken apart; None for one that is not made of the phrases."""
    for language in ("en", "zh"):
        words = data(language)
        for verb, template in words["verbs"].items():
            found = _pattern(template, dict.fromkeys(ROLES[verb], ".+")).fullmatch(question.strip())
            parts = {role: _part(words[role], found[role]) for role in ROLES[verb]} if found else {}
            if found and all(parts.values()):
                return Job(verb, {role: part for role, part in parts.items() if part})
    return None


def _part(phrases: Mapping[str, str], text: str) -> Part | None:
    for kind, template in phrases.items():
        if found := _pattern(template, _SLOTS).fullmatch(text):
            return Part(kind, found.groupdict())
    return None


def _pattern(template: str, slots: Mapping[str, str]) -> re.Pattern[str]:
    """A template as a pattern whose groups are the slots."""
    parts = re.split(r"\{(\w+)\}", template)
    pattern = [f"(?P<{part}>{slots[part]})" if at % 2 else re.escape(part)
               for at, part in enumerate(parts)]  # fmt: skip
    return re.compile("".join(pattern), re.ASCII)
