"""A folder whose files can be read, and nothing outside it."""

from __future__ import annotations

import os
import re
import stat
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from reactlab.errors import ConfigError, ToolError
from reactlab.tools.decoding import decode, is_binary
from reactlab.wording import foreign, join, say

SAMPLE = Path(__file__).parent.parent / "data" / "sample" / "files"
OUTSIDE = "Only files inside the folder can be read: give a path relative to it, like notes/a.txt."
MAX_PATH = 1_000
MAX_LISTED = 100

FOREIGN = re.compile(r"^/|[\\:\0]|%(?:25)*(?:2e|2f|5c|00|3a)", re.IGNORECASE)
"""Absolute paths, back-slashes, drives and addresses, written plainly or in per cent codes."""

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)  # a link put there after the check is not followed
    | getattr(os, "O_NONBLOCK", 0)  # a pipe without a writer does not block
    | getattr(os, "O_BINARY", 0)
)
WALKS = os.open in os.supports_dir_fd
"""Can a folder be held open and its files opened from there? Not on Windows."""


@dataclass(frozen=True)
class Folder:
    """A folder on which `read` works; holds settings only, for any number of threads.

    At most `max_bytes` of a file are shown. What counts as inside is decided after links and `..`
    are followed. A hard link cannot be told from a file, so put none to other files in the folder.
    Raises `ConfigError` when `path` is no folder.
    """

    path: str | Path
    max_bytes: int = field(default=100_000, kw_only=True)

    def __post_init__(self) -> None:
        if not Path(self.path).is_dir():
            raise ConfigError(f"{self.path} is no folder.")

    def read(self, path: str) -> str:
        """The text of the file at `path`, relative to the folder; a folder gives its contents.

        Says at the end what was cut and which encoding was taken, if it was not UTF-8.
        Raises `ToolError` for what lies outside, does not exist, or is no text.
        """
        wanted = path.strip().strip("\"'`")
        root = Path(self.path).resolve()
        parts = _inside(root, wanted)
        try:
            with ExitStack() as opened:
                target = _open(root, parts, opened)
                if isinstance(target, Path) or stat.S_ISDIR(os.fstat(target).st_mode):
                    return _listing("/".join(parts), _names(target))
                return self._text(wanted, target)
        except FileNotFoundError:
            reason = _missing(root, wanted)
        except OSError as error:
            told, why = "{path!r} cannot be read: {reason}.", foreign(str(error.strerror))
            reason = say(told, path=wanted[:200], reason=why)
        raise ToolError(reason)

    def _text(self, path: str, descriptor: int) -> str:
        size = os.fstat(descriptor).st_size
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(self.max_bytes)
        if not data:
            return say("(the file is empty)")
        if is_binary(data):
            told = "{path!r} is no text: a binary file of {size:,} bytes."
            raise ToolError(say(told, path=path, size=size))
        cut = size > len(data)
        text, note = decode(data, cut=cut)
        told = "[cut: the first {shown:,} of {size:,} bytes]"
        part = say(told, shown=len(data), size=size) if cut else ""
        return join(filter(None, (text.replace("\r\n", "\n"), note, part)))


def _inside(root: Path, path: str) -> tuple[str, ...]:
    """The names that lead from the root to the target, with links and `..` resolved."""
    if len(path) > MAX_PATH or FOREIGN.search(path):
        raise ToolError(say(OUTSIDE))
    try:
        return (root / path).resolve().relative_to(root).parts
    except (ValueError, OSError, RuntimeError):  # outside, no file name, or a circle of links
        raise ToolError(say(OUTSIDE)) from None


def _open(root: Path, parts: tuple[str, ...], opened: ExitStack) -> int | Path:
    """Walk from folder to folder without following links, so that no swap leads outside."""
    if not WALKS and (target := root.joinpath(*parts)).is_dir():
        return target
    here = os.open(root if WALKS else target, _FLAGS)
    opened.callback(os.close, here)
    for name in parts if WALKS else ():
        _check_ordinary(os.stat(name, dir_fd=here, follow_symlinks=False))  # before it is opened
        here = os.open(name, _FLAGS, dir_fd=here)
        opened.callback(os.close, here)
    _check_ordinary(os.fstat(here))  # it may be another by now, or a device that Windows names so
    return here


def _check_ordinary(found: os.stat_result) -> None:
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        told = "That is no ordinary file: pipes, devices and the like stay shut."
        raise ToolError(say(told))


def _missing(root: Path, path: str) -> str:
    from difflib import get_close_matches

    names: list[str] = []
    with suppress(OSError):
        names = _names(root)
    near = get_close_matches(path, names, n=1)
    hint = say(" Did you mean {name!r}?", name=near[0]) if near else ""
    told = "There is no {path!r}.{hint} {listing}"
    return say(told, path=path[:200], hint=hint, listing=_listing("", names))


def _names(folder: int | Path) -> list[str]:
    """The names in a folder, sorted; folders have a slash at the end."""
    with os.scandir(folder) as found:
        return sorted(each.name + "/" * each.is_dir(follow_symlinks=False) for each in found)


def _listing(folder: str, names: list[str]) -> str:
    heading = say("In the folder {name!r}:", name=folder) if folder else say("In the folder:")
    shown = names[:MAX_LISTED] or [say("(nothing)")]
    left = len(names) - MAX_LISTED
    return join([heading, *shown, *[say("({count} more)", count=left)] * (left > 0)])


@cache
def sample_folder() -> Folder:
    """The shop's papers that come with the package, in English and Chinese."""
    return Folder(SAMPLE)


def read_file(path: str) -> str:
    """Read one of the sample files; "" lists them. See `Folder.read`."""
    return sample_folder().read(path)
