"""What the model believes without tools: a small memory, stale on purpose."""

from __future__ import annotations

import json
import random
from functools import cache
from importlib import resources
from typing import Any

from .evidence import mentions

SLIP = 0.4  # how often a sampled memory comes out as another one


@cache
def _facts() -> tuple[dict[str, Any], ...]:
    file = resources.files("reactlab") / "data" / "memory.jsonl"
    return tuple(json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())


def recall(query: str, lang: str, rng: random.Random | None = None) -> str:
    """Every remembered sentence about `query`, one a line; sampled memories may slip."""
    known = [fact for fact in _facts() if mentions(query, fact[lang])]
    return "\n".join(_told(fact, lang, rng) for fact in known)


def _told(fact: dict[str, Any], lang: str, rng: random.Random | None) -> str:
    slips = fact.get("slips", [])
    if rng and slips and rng.random() < SLIP:
        return str(rng.choice(slips)[lang])
    return str(fact[lang])
