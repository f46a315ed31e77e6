"""Reading a notebook source: a percent-format file with its prose in English and Chinese."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reactlab.course.words import Language
from reactlab.errors import ConfigError

KNOWN = {"lang", "en", "tags"}
TAGS = {"raises-exception", "predict"}
# What jupytext notes for its own round trip.
IGNORED = {"cell_marker", "lines_to_next_cell"}
# Sources are plain Python: a comment such as "# more steps" must not be taken for a magic.
PERCENT = {"extension": ".py", "format_name": "percent", "comment_magics": False}
MARK = re.compile(r"\s*# (BEGIN|END) SOLUTION\s*")
STUB = re.compile(r"(\s*)# STUB:(?: (.*))?")
BLESSED = re.compile(r'\s+en="[^"]*"')


class SourceError(ConfigError):
    """A notebook source is malformed or fails when run; the message says where and what to do."""


@dataclass(frozen=True)
class Cell:
    """One cell of a source. `lang` is "" when both editions share it; `line` is its header's."""

    line: int
    kind: str
    text: str
    lang: str = ""
    tags: tuple[str, ...] = ()
    translates: str = ""

    def render(self, language: Language, *, solutions: bool) -> str:
        """What a reader of this edition gets: solution or stub, and the edition's own call."""
        if self.kind != "code":
            return self.text
        text = "\n".join(_solve(self.text.split("\n"), solutions=solutions))
        return text if self.lang else text.replace('edition("en"', f'edition("{language}"')


@dataclass(frozen=True)
class Slot:
    """One place in the notebook and what each edition shows there (the same cell if shared)."""

    en: Cell
    zh: Cell

    def __getitem__(self, language: Language) -> Cell:
        return self.en if language == "en" else self.zh

    @property
    def fingerprint(self) -> str:
        """Eight hex digits of the English text; white space does not count."""
        return hashlib.sha256(" ".join(self.en.text.split()).encode()).hexdigest()[:8]

    @property
    def stale(self) -> bool:
        """True if the Chinese was not blessed for the present English."""
        return bool(self.zh.lang) and self.zh.translates != self.fingerprint


@dataclass(frozen=True)
class Source:
    """A well-formed source. `name` is the notebook's, such as "05_the_loop"."""

    name: str
    slots: tuple[Slot, ...]

    def stale(self) -> list[str]:
        """One line for each Chinese cell whose English changed since it was blessed."""
        told = "the English changed after this Chinese cell; bring it up to date, then --bless"
        return [f"{self.name}.py:{slot.zh.line}: {told}" for slot in self.slots if slot.stale]


def read_source(path: Path) -> Source:
    """Read one source file; raises `SourceError` with file and line at the first fault."""
    try:
        slots = tuple(_pair(_cells(path.read_text(encoding="utf-8"))))
        _require_edition(slots)
    except _LineError as fault:
        raise SourceError(f"{path.name}:{fault.line}: {fault}") from None
    return Source(path.stem, slots)


def bless(path: Path) -> int:
    """Note in each Chinese cell which English it translates; returns how many notes changed."""
    lines = path.read_text(encoding="utf-8").split("\n")
    stale = [slot for slot in read_source(path).slots if slot.stale]
    for slot in stale:
        header = BLESSED.sub("", lines[slot.zh.line - 1]).rstrip()
        lines[slot.zh.line - 1] = f'{header} en="{slot.fingerprint}"'
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    return len(stale)


class _LineError(Exception):
    def __init__(self, line: int, told: str) -> None:
        super().__init__(told)
        self.line = line


def _cells(text: str) -> list[Cell]:
    import jupytext  # type: ignore[import-untyped, unused-ignore]

    raw = jupytext.reads(text, fmt=PERCENT).cells
    headers = [n for n, line in enumerate(text.split("\n"), 1) if line.startswith("# %%")]
    if len(headers) != len(raw):
        raise _LineError(1, "text above the first '# %%' line, or a '# %%' line inside a cell")
    cells = []
    for line, cell in zip(headers, raw, strict=True):
        meta = {key: value for key, value in cell.metadata.items() if key not in IGNORED}
        tags = tuple(meta.get("tags", ()))
        for word in sorted((set(meta) - KNOWN) | (set(tags) - TAGS)):
            raise _LineError(
                line, f"unknown metadata {word!r}; known: lang, en, tags {sorted(TAGS)}"
            )
        en = meta.get("en", "")
        cells.append(Cell(line, cell.cell_type, cell.source, meta.get("lang", ""), tags, en))
        _check(cells[-1])
    return cells


def _pair(cells: Sequence[Cell]) -> Iterator[Slot]:
    waiting: Cell | None = None
    for cell in cells:
        if waiting and (cell.lang, cell.kind) != ("zh", waiting.kind):
            break
        if cell.lang == "en":
            waiting = cell
            continue
        if cell.lang == "zh" and not waiting:
            raise _LineError(cell.line, 'lang="zh" without its lang="en" cell directly above')
        yield Slot(waiting or cell, cell)
        waiting = None
    if waiting:
        raise _LineError(waiting.line, f'lang="en" without its lang="zh" {waiting.kind} cell below')


def _check(cell: Cell) -> None:
    if cell.lang not in ("", "en", "zh") or (cell.translates and cell.lang != "zh"):
        raise _LineError(cell.line, 'lang is "en" or "zh", and en="..." belongs to lang="zh" alone')
    if cell.kind == "code":
        _check_code(cell)
    else:
        _check_prose(cell)


def _check_code(cell: Cell) -> None:
    if cell.text.endswith(";"):
        raise _LineError(cell.line, "a cell ending in ';' hides a result that nbval still compares")
    for solutions in (False, True):
        try:
            text = cell.render("en", solutions=solutions)
            compile(text, "cell", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except ValueError as error:
            raise _LineError(cell.line, str(error)) from None
        except SyntaxError as error:
            if "raises-exception" not in cell.tags:
                told = "with its solution" if solutions else "with its stub"
                raise _LineError(cell.line, f"the cell {told} is no Python: {error}") from None


def _check_prose(cell: Cell) -> None:
    from markdown_it import MarkdownIt

    if not cell.lang:
        raise _LineError(cell.line, 'prose needs lang="en" and below it a lang="zh" twin')
    for block in MarkdownIt().parse(cell.text):
        for part in block.children or ():
            # Markdown's rule, easily met in Chinese: no bold ends between a colon and a letter.
            if part.type == "text" and "**" in part.content:
                told = "not bold, move the punctuation out of the **: "
                raise _LineError(cell.line, told + part.content[:60])


def _solve(lines: Sequence[str], *, solutions: bool) -> Iterator[str]:
    inside, kinds = False, set[bool]()
    for line in lines:
        mark, stub = MARK.fullmatch(line), STUB.fullmatch(line)
        if mark:
            if inside == (mark[1] == "BEGIN"):
                raise ValueError(f"{mark[1]} SOLUTION {'twice' if inside else 'without BEGIN'}")
            if inside and len(kinds) < 2:
                raise ValueError("a solution block needs solution lines and '# STUB: ...' lines")
            inside, kinds = not inside, set()
        elif stub and not inside:
            raise ValueError("'# STUB:' outside BEGIN SOLUTION and END SOLUTION")
        elif not inside:
            yield line
        else:
            kinds.add(bool(stub))
            if bool(stub) != solutions:
                yield (stub[1] + (stub[2] or "")).rstrip() if stub else line
    if inside:
        raise ValueError("BEGIN SOLUTION without END SOLUTION")


def _require_edition(slots: Sequence[Slot]) -> None:
    first = next((slot for slot in slots if slot.en.kind == "code"), None)
    for language in ("en", "zh"):
        call = f'edition("{language}"'
        if not first or call not in first[language].render(language, solutions=True):
            line = first[language].line if first else 1
            raise _LineError(line, f"the first code cell must call {call})")
