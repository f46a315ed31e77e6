"""When two spellings are one tool: `Web-Search`, `web_search` and "**web search**" are."""

from __future__ import annotations

import unicodedata

# A full-width keyboard types the same letters 0xFEE0 higher up.
HALF_WIDTH = {code + 0xFEE0: code for code in range(0x21, 0x7F)} | {0x3000: 0x20}
_DASHES_QUOTES_DECORATION = frozenset("_-‐‑‒–—−\\*`~'\"‘’“”„«»‹›「」『』《》〈〉")
_LEADING = "#.,:;!?。、；·…()[]{}<>【】|=→"
_TRAILING = _LEADING.removeprefix("#")


def clean_name(name: str) -> str:
    """Return what is left of a name without case, blanks, `_`, `-`, quotes and decoration.

    Two names are the same tool exactly when their cleaned forms are equal. Punctuation is dropped
    at both ends only, so `fs.read` keeps its own. Full-width letters count as plain ones.
    Never empty for a name that is not blank: a name made of decoration alone stays as it is.
    """
    plain = name.translate(HALF_WIDTH).casefold()
    bare = "".join(char for char in plain if not _is_decoration(char))
    return bare.lstrip(_LEADING).rstrip(_TRAILING) or plain.strip()


def _is_decoration(char: str) -> bool:
    """Blanks of every width, signs that show nothing, pictures, and the marks above."""
    return (
        char.isspace()
        or char in _DASHES_QUOTES_DECORATION
        or char == "\ufe0f"  # asks for the picture form of the sign before it
        or unicodedata.category(char) in ("Cc", "Cf", "So", "Sk")
    )
