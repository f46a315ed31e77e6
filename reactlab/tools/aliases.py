"""Names that the function-calling API accepts, for tools whose own names it would refuse."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

from reactlab.names import clean_name

_LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_LONGEST = 50


def api_names(names: Sequence[str]) -> dict[str, str]:
    """Map each name to itself if it is legal, else to an ASCII alias that nothing else is called.

    An alias depends on the names only, so it is the same in every process.
    """
    taken = {clean_name(name) for name in names}
    found: dict[str, str] = {}
    for name in names:
        found[name] = name if _LEGAL.fullmatch(name) else _alias(name, taken)
        taken.add(clean_name(found[name]))
    return found


def _alias(name: str, taken: set[str]) -> str:
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-zA-Z0-9_-]+", "_", ascii_only).strip("_-")[:_LONGEST]
    if slug and clean_name(slug) not in taken - {clean_name(name)}:
        return slug
    return f"{slug or 'tool'}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"
