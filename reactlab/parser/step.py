"""One step as it was read, before its tool is looked up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Step:
    """A tool phrase as the model wrote it, its arguments, and where the step ends in the reply.

    An answer is a step too: its phrase is `Finish` and its arguments are the answer.
    """

    phrase: str
    arguments: str | Mapping[str, Any]
    end: int
    thought: str = ""
