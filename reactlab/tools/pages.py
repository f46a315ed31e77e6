"""A frozen collection of titled pages, each with its sentences: what Search and Lookup read."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TypeAlias

from reactlab.errors import ConfigError

DATA = Path(__file__).parent.parent / "data"


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


def shipped(name: str, language: str) -> str:
    """The text of a data file in "en" or "zh"; raises `ConfigError` for other languages."""
    if language not in ("en", "zh"):
        raise ConfigError(f"There is no language {language!r}; choose en or zh.")
    return (DATA / name.format(language)).read_text(encoding="utf-8")


@cache
def words(kind: str) -> frozenset[str]:
    """One of the word lists that ship."""
    lists: dict[str, str] = tomllib.loads((DATA / "words.toml").read_text(encoding="utf-8"))
    return frozenset(lists[kind].split())


_STOP = re.compile(
    r"[。！？]+[”’」』）)】]*"  # Chinese ends a sentence without a blank
    r"|(?<![.!?])[.!?]+[\"'”’)\]»]*(?=\s)"
    r"|(?<![!?])[!?]+(?=[\u3040-\u30ff\u3400-\u9fff])"
)
_HEADING = re.compile(r"^\s*#{1,6}\s.*$", re.MULTILINE)
_UNIT = re.compile(r"\n\s*\n|^[ \t]*(?:[-*+•]|[0-9]+[.)])\s+", re.MULTILINE)  # or an item
_WIDE = "[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef“”‘’]"
_LAST_WORD = re.compile(r"([^\s(\[\"'“‘]+)\.[\"'”’)\]»]*$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")  # J or U.S


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of `text` in order, without blanks at their ends.

    Blank lines and list items end a sentence; other line breaks are ordinary blanks (nothing
    between Chinese characters). Markdown headings are left out unless there is nothing else.
    """
    body = _HEADING.sub("\n\n", text)
    units = _UNIT.split(body if body.strip() else text.replace("#", " "))
    lines = (re.sub(f"(?<={_WIDE}) (?={_WIDE})", "", " ".join(unit.split())) for unit in units)
    return tuple(part for line in lines for part in _split_line(line))


def join_sentences(sentences: Iterable[str]) -> str:
    """Join with a blank, or with nothing where a sentence ends in full-width punctuation."""
    return re.sub(f"({_WIDE})\n", r"\1", "\n".join(sentences)).replace("\n", " ")


def _split_line(line: str) -> Iterator[str]:
    start = 0
    for stop in _STOP.finditer(line):
        end = stop.end()
        if _ends(line[max(start, end - 60) : end], line[end : end + 40].lstrip()):
            yield line[start:end].strip()
            start = end
    if rest := line[start:].strip():
        yield rest


def _ends(before: str, after: str) -> bool:
    """Whether a sentence ends here, or goes on after an abbreviation, an initial or a title."""
    if before.count("《") > before.count("》") or after[:1].islower():
        return False
    last = _LAST_WORD.search(before)
    word = last[1] if last else ""
    if word == "I" or not (word.casefold() in words("abbreviations") or _INITIALS.fullmatch(word)):
        return True
    next_words = re.findall(r"(?:[^\W\d_]\.)+|\w+", after) or [""]  # an initial is no starter
    return next_words[0].casefold() in words("starters")
