"""A frozen collection of titled pages: what Search and Lookup read."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

from reactlab.errors import ConfigError
from reactlab.tools.sentences import split_sentences

LANGUAGES = ("en", "zh")
_FENCE = ("```", "~~~")


def title_key(title: str) -> str:
    """What makes two titles equal: no case, no extra blanks, no full-width forms (NFKC)."""
    return " ".join(unicodedata.normalize("NFKC", title).casefold().split())


@dataclass(frozen=True)
class Page:
    """A title and its text: paragraphs divided by blank lines."""

    title: str
    text: str

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """All sentences of the page, in order."""
        return split_sentences(self.text)


Entry: TypeAlias = "Page | Mapping[str, str] | Iterable[str]"
Source: TypeAlias = "Pages | Mapping[str, str] | Iterable[Entry] | str | os.PathLike[str]"


@dataclass(frozen=True, init=False, repr=False)
class Pages:
    """Pages in their given order, found by title.

    `source` is a mapping title -> text; or pairs `(title, text)`; or mappings with "title" and
    "text"; or a folder (str or path) whose `*.md` and `*.txt` files are UTF-8 pages, titled by
    their first `# ` heading, else by their file name. Raises `ConfigError` for anything else, for
    no pages, an empty title or text, a folder that is not there, or two texts with one title.
    """

    pages: tuple[Page, ...]
    _by_title: dict[str, Page] = field(compare=False)

    def __init__(self, source: Source) -> None:
        unique: dict[str, Page] = {}
        for page in _read(source):
            if unique.setdefault(page.title, page) != page:
                raise ConfigError(f'Two pages are titled "{page.title}"; give each its own title.')
        if not unique:
            raise ConfigError("There are no pages; give at least one title with its text.")
        by_title = dict(unique)
        for page in unique.values():  # an exact title always wins over one that is merely equal
            by_title.setdefault(title_key(page.title), page)
        object.__setattr__(self, "pages", tuple(unique.values()))
        object.__setattr__(self, "_by_title", by_title)

    @classmethod
    def embedded(cls, language: str = "en") -> Pages:
        """Return the small encyclopaedia that ships with the package, in "en" or "zh"."""
        if language not in LANGUAGES:
            raise ConfigError(f'No pages in language "{language}"; choose one of: en, zh.')
        return _embedded(language)

    @property
    def titles(self) -> tuple[str, ...]:
        """All titles, in order."""
        return tuple(page.title for page in self.pages)

    def get(self, title: str) -> Page | None:
        """Return the page with this title, or None."""
        return self._by_title.get(title) or self._by_title.get(title_key(title))

    def __iter__(self) -> Iterator[Page]:
        return iter(self.pages)

    def __len__(self) -> int:
        return len(self.pages)

    def __contains__(self, title: object) -> bool:
        return isinstance(title, str) and self.get(title) is not None

    def __repr__(self) -> str:
        return f"<Pages: {len(self.pages)}>"


@cache
def _embedded(language: str) -> Pages:
    text = files("reactlab").joinpath("data", f"pages.{language}.md").read_text(encoding="utf-8")
    chapters = re.split(r"^# +", text, flags=re.MULTILINE)[1:]
    return Pages((title, body) for title, _, body in (part.partition("\n") for part in chapters))


def _read(source: object) -> Iterator[Page]:
    if isinstance(source, Pages):
        return iter(source.pages)
    if isinstance(source, str | os.PathLike):
        return _from_folder(Path(source))
    if isinstance(source, Mapping):
        return (_from_entry(entry, f"page {n}") for n, entry in enumerate(source.items(), 1))
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray):
        return (_from_entry(entry, f"page {n}") for n, entry in enumerate(source, 1))
    kind = type(source).__name__
    raise ConfigError(
        f"Pages cannot be made from {kind}; give a mapping title -> text, (title, text) pairs or"
        " a folder."
    )


def _from_entry(entry: object, where: str) -> Page:
    if isinstance(entry, Page):
        return _page(entry.title, entry.text, where)
    if isinstance(entry, Mapping):
        return _page(entry.get("title"), entry.get("text"), where)
    if isinstance(entry, tuple | list) and len(entry) == 2:
        return _page(entry[0], entry[1], where)
    raise ConfigError(
        f'{where.capitalize()} is neither a (title, text) pair nor has "title" and "text".'
    )


def _page(title: object, text: object, where: str) -> Page:
    if not isinstance(title, str) or not title.strip():
        raise ConfigError(f"{where} has no title; give it one as a string.")
    if not isinstance(text, str) or not text.strip():
        raise ConfigError(f'{where}, "{title.strip()}", has no text; fill it or leave it out.')
    return Page(" ".join(title.split()), text.strip())


def _from_folder(folder: Path) -> Iterator[Page]:
    if not folder.is_dir():
        problem = "is not a folder" if folder.exists() else "is not there"
        raise ConfigError(f"The pages folder {folder} {problem}; give a folder of *.md or *.txt.")
    paths = sorted(path for path in folder.iterdir() if _is_page_file(path))
    if not paths:
        raise ConfigError(f"The folder {folder} holds no *.md or *.txt file.")
    return (_from_file(path) for path in paths)


def _is_page_file(path: Path) -> bool:
    readable = path.suffix.lower() in (".md", ".txt") and not path.name.startswith(".")
    return readable and path.is_file()


def _from_file(path: Path) -> Page:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as UTF-8 text: {error}.") from error
    at = _first_heading(lines)
    if at is None:
        return _page(path.stem, "\n".join(lines), path.name)
    return _page(lines[at][2:], "\n".join(lines[:at] + lines[at + 1 :]), path.name)


def _first_heading(lines: list[str]) -> int | None:
    """Find the first `# ` line that is no comment inside a fenced block of code."""
    fenced = False
    for number, line in enumerate(lines):
        fenced ^= line.lstrip().startswith(_FENCE)
        if not fenced and line.startswith("# ") and line[2:].strip():
            return number
    return None
