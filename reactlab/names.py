"""When two spellings are one tool: `Web-Search`, `web_search` and "**web search**" are."""

from __future__ import annotations

import unicodedata

# A full-width keyboard types the same letters 0xFEE0 higher up.
HALF_WIDTH = {code + 0xFEE0: code for code in range(0x21, 0x7F)} | {0x3000: 0x20}
_DROPPED = dict.fromkeys(map(ord, " \t\n_-‐‑‒–—−\\*`~'\"‘’“”„«»‹›「」『』《》〈〉\ufe0f"))
_LEADING = "#.,:;!?。、；·…()[]{}<>【】|=→"
_TRAILING = _LEADING.removeprefix("#")


def clean_name(name: str) -> str:
    """Return what is left of a name without case, blanks, `_`, `-`, quotes and decoration.

    Two names are the same tool exactly when their cleaned forms are equal. Punctuation is dropped
    at both ends only, so `fs.read` keeps its own. Full-width letters count as plain ones. Never
    empty for a name that is not blank: a name made of decoration alone stays as it is.
    """
    plain = name.translate(HALF_WIDTH).casefold()
    bare = plain.translate(_DROPPED)
    if not bare.isascii():
        bare = "".join(char for char in bare if not _is_decoration(char))
    return bare.lstrip(_LEADING).rstrip(_TRAILING) or plain.strip()


def _is_decoration(char: str) -> bool:
    """Blanks of every width, signs that show nothing, and pictures."""
    return char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "So", "Sk")
