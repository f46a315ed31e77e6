"""A folder whose files can be read, and nothing outside it."""

from __future__ import annotations

import os
import stat
from contextlib import closing, suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from itertools import islice
from pathlib import Path, PureWindowsPath
from urllib.parse import unquote

from reactlab.errors import ConfigError, ToolError
from reactlab.tools.decoding import decode, is_binary

SAMPLE = Path(__file__).parent.parent / "data" / "sample" / "files"
OUTSIDE = "Only files inside the folder can be read: give a path relative to it, like notes/a.txt."
MAX_PATH = 1_000
MAX_LISTED = 100
MAX_ENTRIES = 10_000

_STEP = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)  # a link put there after the check is not followed
    | getattr(os, "O_NONBLOCK", 0)  # a pipe without a writer does not block
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
WALKS = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
"""Can a folder be held open and its files opened from there? Not on Windows."""


@dataclass(frozen=True)
class Folder:
    """A folder on which `read` works; holds settings only, for any number of threads.

    At most `max_bytes` of a file are shown. `encoding` names the files' encoding; "" finds it for
    each file. What counts as inside is decided after links and `..` are followed. A hard link
    cannot be told from a file, so put none to other files in the folder.
    Raises `ConfigError` when `path` is no folder.
    """

    path: str | Path
    max_bytes: int = field(default=100_000, kw_only=True)
    encoding: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not Path(self.path).is_dir():
            raise ConfigError(f"{self.path} is no folder.")

    def read(self, path: str) -> str:
        """The text of the file at `path`, relative to the folder; a folder gives its contents.

        Says at the end what was cut and which encoding was taken, if it was not UTF-8.
        Raises `ToolError` for what lies outside, does not exist, or is no text.
        """
        wanted = path.strip().strip("\"'`")
        parts = self._inside(wanted)
        target = self._root.joinpath(*parts)
        try:
            if not WALKS and target.is_dir():
                return _listing("/".join(parts), _names(target))
            with closing(_Opened(self._open(parts))) as opened:
                if opened.is_folder:
                    return _listing("/".join(parts), _names(opened.descriptor))
                return self._text(wanted, opened)
        except FileNotFoundError:
            reason = self._missing(wanted)
        except OSError as error:
            reason = f"{wanted[:200]!r} cannot be read: {error.strerror}."
        raise ToolError(reason)

    @property
    def _root(self) -> Path:
        return Path(self.path).resolve()

    def _inside(self, path: str) -> tuple[str, ...]:
        """The names that lead from the folder to the target, with links and `..` resolved."""
        if len(path) > MAX_PATH or _is_foreign(path):
            raise ToolError(OUTSIDE)
        try:
            return (self._root / path).resolve().relative_to(self._root).parts
        except (ValueError, OSError, RuntimeError):  # outside, no file name, or a circle of links
            raise ToolError(OUTSIDE) from None

    def _open(self, parts: tuple[str, ...]) -> int:
        """Walk from folder to folder without following links, so that no swap leads outside."""
        if not WALKS:
            return os.open(self._root.joinpath(*parts), _STEP)
        here = os.open(self._root, os.O_RDONLY)
        for name in parts:
            above = here
            try:
                _check_kind(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode)
                here = os.open(name, _STEP, dir_fd=above)
            finally:
                os.close(above)
        return here

    def _text(self, path: str, opened: _Opened) -> str:
        data = opened.start(self.max_bytes)
        if not data:
            return "(the file is empty)"
        if is_binary(data) and not self.encoding:
            raise ToolError(f"{path!r} is no text: a binary file of {opened.size:,} bytes.")
        cut = opened.size > len(data)
        found = decode(data, self.encoding, cut=cut)
        part = f"[cut: the first {len(data):,} of {opened.size:,} bytes]" if cut else ""
        text = found.text.replace("\r\n", "\n")
        return "\n".join(piece for piece in (text, found.note, part) if piece)

    def _missing(self, path: str) -> str:
        names: list[str] = []
        with suppress(OSError):
            names = _names(self._root)
        near = get_close_matches(path, names, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return f"There is no {path[:200]!r}.{hint} {_listing('', names)}"


@dataclass(frozen=True)
class _Opened:
    """An open file or folder, known by its descriptor and no longer by its name."""

    descriptor: int

    @property
    def _status(self) -> os.stat_result:
        return os.fstat(self.descriptor)

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self._status.st_mode)

    @property
    def size(self) -> int:
        return self._status.st_size

    def start(self, limit: int) -> bytes:
        """At most `limit` bytes from the beginning."""
        _check_kind(self._status.st_mode)
        data = b""
        while len(data) < limit and (more := os.read(self.descriptor, limit - len(data))):
            data += more
        return data

    def close(self) -> None:
        os.close(self.descriptor)


def _names(folder: int | Path) -> list[str]:
    """The names in a folder, sorted; folders have a slash at the end."""
    with os.scandir(folder) as found:
        entries = islice(found, MAX_ENTRIES)
        return sorted(each.name + "/" * each.is_dir(follow_symlinks=False) for each in entries)


def _check_kind(mode: int) -> None:
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ToolError("That is no ordinary file: links out of the folder and devices stay shut.")


def _is_foreign(path: str) -> bool:
    """Say whether `path` is absolute or tries it with back-slashes, a drive or per cent codes."""
    plain = path
    for _ in range(5):
        plain = unquote(plain)
    if plain != path and (plain.count("/") != path.count("/") or ".." in plain.split("/")):
        return True
    return any(
        each.startswith("/") or "\\" in each or "\0" in each or "://" in each or _drive(each)
        for each in (path, plain)
    )


def _drive(path: str) -> str:
    return PureWindowsPath(path).drive


def _listing(folder: str, names: list[str]) -> str:
    shown = "\n".join(names[:MAX_LISTED]) or "(nothing)"
    more = f"\n({len(names) - MAX_LISTED} more)" if len(names) > MAX_LISTED else ""
    where = f"the folder {folder!r}" if folder else "the folder"
    return f"In {where}:\n{shown}{more}"


@cache
def sample_folder() -> Folder:
    """The shop's papers that come with the package, in English and Chinese."""
    return Folder(SAMPLE)


def read_file(path: str) -> str:
    """Read one of the sample files; "" lists them. See `Folder.read`."""
    return sample_folder().read(path)
