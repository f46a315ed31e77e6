"""A file of lines that survives a killed process; compressed if its name ends in .gz."""

from __future__ import annotations

import gzip
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, cast

from reactlab.errors import TraceFileError


@contextmanager
def appending(path: Path) -> Iterator[TextIO]:
    """The log open for more lines; what a killed run left half written is cut off first."""
    lines, whole = whole_lines(path) if path.exists() else ([], True)
    if not whole:
        replace_file(path, lines)
    with _open(path, "a") as file:
        yield file


def append(file: TextIO, line: str) -> None:
    """Write one line, so that it stays when the process dies the next moment."""
    file.write(line + "\n")
    file.flush()


def whole_lines(path: Path) -> tuple[list[str], bool]:
    """The whole lines of a log, and whether nothing half written follows them."""
    try:
        raw, whole = path.read_bytes(), True
        if path.suffix == ".gz":
            raw, whole = _unzipped(raw)
        text = getincrementaldecoder("utf-8-sig")().decode(raw)
    except (OSError, UnicodeDecodeError, zlib.error) as error:
        raise TraceFileError(f"{path} cannot be read: {error}") from None
    *lines, rest = text.split("\n")
    return [line for line in lines if line.strip()], whole and not rest


def _unzipped(raw: bytes) -> tuple[bytes, bool]:
    """What can be read of a compressed file, and whether it is complete."""
    parts, whole = [], True
    while raw:
        member = zlib.decompressobj(wbits=31)
        parts.append(member.decompress(raw))
        raw, whole = member.unused_data, member.eof
    return b"".join(parts), whole


def _open(path: Path, mode: str) -> TextIO:
    if path.suffix == ".gz":
        return cast(TextIO, gzip.open(path, f"{mode}t", encoding="utf-8", newline="\n"))
    return cast(TextIO, path.open(mode, encoding="utf-8", newline="\n"))


def replace_file(path: Path, lines: Iterable[str]) -> Path:
    """Write a file beside and move it there, so that the log is never half written."""
    beside = path.with_name(path.name + ".part")
    text = "".join(line + "\n" for line in lines).encode()
    beside.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
    return beside.replace(path)
