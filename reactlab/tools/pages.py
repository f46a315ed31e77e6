"""A frozen collection of titled pages, each with its sentences: what Search and Lookup read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TypeAlias

from reactlab.errors import ConfigError
from reactlab.tools.sentences import split_sentences
from reactlab.tools.shipped import shipped

PIECE = 500


def title_key(title: str) -> str:
    """What makes two titles equal: no case, no extra blanks, no full-width forms (NFKC)."""
    return " ".join(in_pieces(partial(unicodedata.normalize, "NFKC"), title).casefold().split())


def in_pieces(work: Callable[[str], str], text: str) -> str:
    """`work` done on a piece of the text at a time.

    For normal forms: to put a long run of accents in order takes quadratic time.
    """
    if text.isascii() or len(text) <= PIECE:
        return work(text)
    return "".join(work(text[start : start + PIECE]) for start in range(0, len(text), PIECE))


@dataclass(frozen=True)
class Page:
    """A title and its text: paragraphs divided by blank lines."""

    title: str
    text: str

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """All sentences of the page, in order."""
        return split_sentences(self.text)


Entry: TypeAlias = "Page | tuple[str, str] | Mapping[str, str]"
Source: TypeAlias = "Mapping[str, str] | Iterable[Entry] | str | Path"


class Pages(tuple[Page, ...]):
    """Pages in their given order, found by title.

    `source` is a mapping title -> text; or pairs `(title, text)`; or mappings with "title" and
    "text"; or a folder (text or path), whose `*.md` and `*.txt` files in UTF-8 are pages, titled
    by a `# ` heading in the first line, else by their file name. Raises `ConfigError` for anything
    else, for no pages, an empty title or text, or two texts with one title.
    """

    def __new__(cls, source: Source) -> Pages:
        """Check and gather the pages; one that is given twice counts once."""
        if isinstance(source, str | Path):
            source = _in_folder(Path(source))
        if isinstance(source, bytes) or not isinstance(source, Iterable):
            kind = type(source).__name__
            raise ConfigError(
                f"Pages cannot be made from {kind}; give a mapping title -> text, or a folder."
            )
        unique: dict[str, Page] = {}
        entries = source.items() if isinstance(source, Mapping) else source
        for number, entry in enumerate(entries, 1):
            page = _page(entry, number)
            if unique.setdefault(page.title, page) != page:
                raise ConfigError(f'Two pages are titled "{page.title}"; give each its own title.')
        if not unique:
            raise ConfigError("There are no pages; give at least one title with its text.")
        return super().__new__(cls, unique.values())

    @cached_property
    def _by_title(self) -> dict[str, Page]:
        """Pages by title and by its key; an exact title always wins over one merely equal."""
        by_key = {title_key(page.title): page for page in reversed(self)}
        return by_key | {page.title: page for page in self}

    @classmethod
    def embedded(cls, language: str = "en") -> Pages:
        """Return the small encyclopaedia that ships with the package, in "en" or "zh"."""
        chapters = re.split(r"^# +", shipped("pages.{}.md", language), flags=re.MULTILINE)[1:]
        return cls((title, body) for title, _, body in (each.partition("\n") for each in chapters))

    @property
    def titles(self) -> tuple[str, ...]:
        """All titles, in order."""
        return tuple(page.title for page in self)

    def get(self, title: str) -> Page | None:
        """Return the page with this title, or None."""
        return self._by_title.get(title) or self._by_title.get(title_key(title))


def _page(entry: object, number: int) -> Page:
    if isinstance(entry, Page):
        entry = (entry.title, entry.text)
    if isinstance(entry, Mapping):
        entry = (entry.get("title"), entry.get("text"))
    match entry:
        case (str(title), str(text)) if title.strip() and text.strip():
            return Page(" ".join(title.split()), text.strip())
    raise ConfigError(f"Page {number} is no (title, text) pair, or one of them is empty: {entry!r}")


def _in_folder(folder: Path) -> list[tuple[str, str]]:
    if not folder.is_dir():
        raise ConfigError(f"The pages folder {folder} is not there; give one of *.md or *.txt.")
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".md", ".txt"))
    return [_in_file(path) for path in files if path.is_file() and path.name[0] != "."]


def _in_file(path: Path) -> tuple[str, str]:
    try:
        first, _, rest = path.read_text(encoding="utf-8-sig").lstrip().partition("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as UTF-8 text: {error}.") from None
    return (first[2:], rest) if first.startswith("# ") else (path.stem, f"{first}\n{rest}")
