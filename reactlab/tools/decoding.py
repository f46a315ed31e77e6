"""Bytes of unknown encoding, read as text."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
SIGNATURES = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"\x7fELF",
)
SAFE = re.compile(
    r"utf-(8|16|32)(-sig|-[bl]e)?|ascii|iso8859-\d+|cp\d+|gb2312|gbk|gb18030|hz|big5(hkscs)?"
    r"|shift_jis(x0213|_2004)?|euc_(jp|kr)|koi8-[ru]|mac-roman|johab"
)
"""Encodings that a stranger may choose: each decodes in linear time and has no other effect."""

DOUBLE_BYTE = re.compile(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]")
COMMON_HANZI = re.compile(rb"[\xa1-\xf7][\xa1-\xfe]")
UTF8_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)


@dataclass(frozen=True)
class Text:
    """What was read, in which encoding, and how many characters had to be replaced by U+FFFD."""

    text: str
    encoding: str
    replaced: int = 0

    @property
    def note(self) -> str:
        """One line on what is not as written, or nothing."""
        if self.replaced:
            return f"[{self.replaced} unreadable characters replaced; read as {self.encoding}]"
        return "" if self.encoding.startswith("utf") else f"[read as {self.encoding}]"


def is_binary(data: bytes) -> bool:
    """Say whether this is something other than text, going by its first bytes."""
    head = data[:8192]
    if head.startswith(SIGNATURES):
        return True
    if _marked(head) or _unmarked_utf16(head):
        return False
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    return b"\0" in head or controls > len(head) / 20


def decode(data: bytes, encoding: str = "", *, cut: bool = False) -> Text:
    """`data` as text, in `encoding` or else in the one that fits best; never raises.

    A byte order mark decides, and is not part of the text. Without one UTF-8 is taken if all or
    most of it fits, then UTF-16 by its zero bytes, then GB 18030 (which contains GBK) when high
    bytes come in pairs as in Chinese, then Windows-1252. An unknown `encoding` counts as none.
    With `cut` an unfinished last character is left out.
    """
    named = _safe(encoding)
    mark = _marked(data)
    if mark and (not named or named.startswith(mark[1][:6])):
        data, named = data[len(mark[0]) :], mark[1]
    name = named or _guess(data)
    text = codecs.getincrementaldecoder(name)("replace").decode(data, not cut)
    genuine = data.count(b"\xef\xbf\xbd") if name == "utf-8" else 0
    return Text(text, name, text.count("\ufffd") - genuine)


def _safe(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding.strip()).name if encoding.strip().isascii() else ""
    except (LookupError, ValueError):
        return ""
    return name if SAFE.fullmatch(name) else ""


def _marked(data: bytes) -> tuple[bytes, str] | None:
    return next((mark for mark in MARKS if data.startswith(mark[0])), None)


def _guess(data: bytes) -> str:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)  # a cut last character is no fault
        return _unmarked_utf16(data) or "utf-8"
    except UnicodeDecodeError:
        pass
    high = sum(byte >= 128 for byte in data)
    in_utf8 = sum(len(found) for found in UTF8_CHARACTER.findall(data))
    pairs = DOUBLE_BYTE.findall(data)
    in_hanzi = 2 * sum(bool(COMMON_HANZI.fullmatch(pair)) for pair in pairs)
    if in_utf8 >= max(in_hanzi, high / 2):
        return "utf-8"
    if in_hanzi >= 0.8 * high and in_hanzi >= 1.4 * len(pairs):
        return "gb18030"
    return _unmarked_utf16(data) or "cp1252"


def _unmarked_utf16(data: bytes) -> str:
    """The byte order when zero bytes stand at every other place, as in UTF-16 for Latin letters."""
    even, odd = data[:8192:2].count(0), data[1:8192:2].count(0)
    half = len(data[:8192]) / 2
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * half and odd < 0.05 * half else ""
