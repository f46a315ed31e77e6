"""Build or check the notebooks; run it from the top of the repository."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nbformat import v4

from reactlab.course.authoring.editions import (
    Edition,
    assemble,
    difference,
    editions,
    execute,
    faults,
    to_text,
)
from reactlab.course.authoring.keeping import OWN, is_own_work, keep
from reactlab.course.authoring.sources import SourceError, bless, read_source
from reactlab.course.voices import anew
from reactlab.errors import ConfigError
from reactlab.llm.local import LocalLLM

_BROKEN = ": this is no notebook; a build keeps it as my_… and makes it anew"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns 1 if anything is wrong, else 0."""
    options = _parser().parse_args(arguments)
    folder, jobs, found = options.folder, options.jobs, list[str]()
    try:
        paths = source_paths(folder, options.names)
        if options.bless:
            print(f"{sum(map(bless, paths))} translations blessed")
            return 0
        if not options.check:
            work = record(paths, folder) if options.record else None
            for line in work or build(paths, folder, everything=options.all, jobs=jobs):
                print(line, flush=True)
        found = check(paths, folder, rerun=options.execute, jobs=jobs)
        found += [] if options.names else strays(folder)
    except ConfigError as error:
        found = [error.message]
    except OSError as error:
        found = [f"{error.filename}: {error.strerror}; make it writable, or choose --folder"]
    print("\n".join(found) or "notebooks and sources agree")
    return 1 if found else 0


def source_paths(folder: Path, names: Sequence[str] = ()) -> list[Path]:
    """The sources whose name starts with one of `names` (all if there are none), in order."""
    paths = sorted(folder.glob("source/*.py"))
    for name in names:
        if not any(path.stem.startswith(name) for path in paths):
            raise SourceError(f"{folder / 'source'} has no source called {name}")
    return [path for path in paths if not names or path.stem.startswith(tuple(names))]


def build(paths: Sequence[Path], folder: Path, *, everything: bool, jobs: int = 1) -> Iterator[str]:
    """Execute and write what is missing or out of date; yields a line for each file written."""
    every = [edition for path in paths for edition in editions(read_source(path), folder)]
    yield from _put_aside(every)
    work = [edition for edition in every if everything or faults(edition)]
    for edition, (text, told) in zip(work, _run_all(work, jobs), strict=True):
        yield from _write(edition, text)
        yield told


def record(paths: Sequence[Path], folder: Path) -> Iterator[str]:
    """Ask the real model anew all that these notebooks ask it, and write what comes out.

    One notebook after another: the editions of a language share a recording. What was recorded
    before goes when all editions of a notebook ran to their end. Raises `ConfigError` if one did
    not, or if the model is not installed.
    """
    LocalLLM()
    for path in paths:
        yield from _put_aside(list(editions(read_source(path), folder)))
        work, texts = list(editions(read_source(path), folder)), []
        with anew(path.stem.partition("_")[0]) as fresh:
            for edition in work:
                text, told = _run(edition, record=fresh)
                if not text:
                    raise SourceError(told)
                texts.append(text)
                yield told
        for edition, text in zip(work, texts, strict=True):
            yield from _write(edition, text)


def _put_aside(every: Sequence[Edition]) -> Iterator[str]:
    """Rename each stored file that is no notebook, and say so."""
    for edition in every:
        if not _is_notebook(edition.path):
            copy = keep(edition.path)
            edition.path.unlink()
            yield f"{edition.path}: this is no notebook; that is kept as {copy.name}, built anew"


def _is_notebook(path: Path) -> bool:
    """Whether a file can be read as a notebook, or is not there."""
    if not path.exists():
        return True
    try:
        stored = v4.reads(path.read_text(encoding="utf-8"))  # type: ignore[no-untyped-call]
        return isinstance(stored.cells, list)
    except (ValueError, TypeError, AttributeError, LookupError):
        return False


def _write(edition: Edition, text: str) -> Iterator[str]:
    """Store the notebook, in one move; a failed one, whose text is "", leaves the old.

    A notebook that somebody worked in is copied first, and a line says where to.
    """
    if not text:
        return
    if is_own_work(edition.path, assemble(edition)):
        yield f"{edition.path}: somebody worked in it; that is kept as {keep(edition.path).name}"
    edition.path.parent.mkdir(parents=True, exist_ok=True)
    partial = edition.path.with_suffix(f".{os.getpid()}")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(edition.path)


def check(paths: Sequence[Path], folder: Path, *, rerun: bool = False, jobs: int = 1) -> list[str]:
    """All that is wrong, a line each; `rerun` executes again and compares every byte."""
    found: list[str] = []
    work: list[Edition] = []
    for path in paths:
        try:
            source = read_source(path)
        except SourceError as error:
            found.append(error.message)
            continue
        work += editions(source, folder)
        found += source.stale()
    for edition in work:
        found += faults(edition) if _is_notebook(edition.path) else [f"{edition.path}{_BROKEN}"]
    if rerun and not found:
        for edition, (text, told) in zip(work, _run_all(work, jobs), strict=True):
            if changed := difference(edition.path.read_text(encoding="utf-8"), text):
                found.append(f"{edition.path}: run again it differs: {changed}" if text else told)
    return found


def strays(folder: Path) -> list[str]:
    """A line for each notebook below `folder` that no source makes."""
    names = {path.stem for path in source_paths(folder)}
    every = (path for path in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
    there = (path for path in every if not path.name.startswith(OWN))
    return [f"{path}: no source makes it" for path in sorted(there) if path.stem not in names]


def _run_all(work: Sequence[Edition], jobs: int) -> Iterator[tuple[str, str]]:
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(_run, work)


def _run(edition: Edition, *, record: Path | None = None) -> tuple[str, str]:
    """The text of the executed notebook, "" if a cell failed; and a line that tells how it went."""
    begin, notebook = time.perf_counter(), assemble(edition)
    try:
        execute(notebook, record=record)
    except SourceError as error:
        return "", f"{edition.path}: {error.message}"
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    seconds = time.perf_counter() - begin
    return to_text(notebook), f"{edition.path}  {cells} code cells, {seconds:.1f} s"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m reactlab.course.build", description=__doc__)
    parser.add_argument("names", nargs="*", help='beginnings of names, such as "05"; default: all')
    parser.add_argument("--all", action="store_true", help="build also what is up to date")
    parser.add_argument("--check", action="store_true", help="write nothing, list what is wrong")
    parser.add_argument("--execute", action="store_true", help="with --check: compare outputs too")
    parser.add_argument("--record", action="store_true", help="ask the real model (LocalLLM) anew")
    parser.add_argument("--bless", action="store_true", help="the translations are up to date")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks run at a time; default: 2")
    parser.add_argument("--folder", type=Path, default=Path("notebooks"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
