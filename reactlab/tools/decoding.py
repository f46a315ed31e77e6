"""Bytes of unknown encoding, read as text."""

from __future__ import annotations

import codecs
import re

from reactlab.wording import say

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
BINARY = re.compile(rb"\A%PDF-|[\x00-\x08\x0e-\x1a\x1c-\x1f]")
PAIRS = re.compile(rb"(?<![\x80-\xff])(?:[\x80-\xff]{2})+(?![\x80-\xff])")


def is_binary(data: bytes) -> bool:
    """Say whether this is something other than text, going by its first bytes."""
    return not _mark(data)[1] and BINARY.search(data[:8192]) is not None


def decode(data: bytes, *, cut: bool = False) -> tuple[str, str]:
    """`data` as text in the encoding that fits best, and a note; never raises.

    A byte order mark decides, and is not part of the text. Without one UTF-8 is taken if most of
    it fits, then GB 18030 (which contains GBK) when high bytes come in pairs as in Chinese, then
    Windows-1252. With `cut` an unfinished last character is left out. The note says what is not
    as written, if anything.
    """
    mark, marked = _mark(data)
    name = marked or _guess(data, cut)
    text = _decoded(data[len(mark) :], name, cut)
    if lost := text.count("\ufffd"):
        told = "[{count} unreadable characters replaced; read as {name}]"
        return text, say(told, count=lost, name=name)
    return text, "" if name.startswith("utf") else say("[read as {name}]", name=name)


def _mark(data: bytes) -> tuple[bytes, str]:
    return next((each for each in MARKS if data.startswith(each[0])), (b"", ""))


def _decoded(data: bytes, name: str, cut: bool) -> str:
    return codecs.getincrementaldecoder(name)("replace").decode(data, final=not cut)


def _guess(data: bytes, cut: bool) -> str:
    text = _decoded(data, "utf-8", cut)
    faults = text.count("\ufffd")
    good = sum(sign > "\x7f" for sign in text) - faults
    if good >= 2 * faults:
        return "utf-8"
    high = sum(byte > 0x7F for byte in data)
    if sum(map(len, PAIRS.findall(data))) >= 0.8 * high:
        return "gb18030"
    return "utf-8" if good >= faults else "cp1252"
