"""From a source to its four notebooks, executed so that every run gives the same bytes."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict, v4

from reactlab.course.authoring.keeping import mark
from reactlab.course.authoring.sources import Source, SourceError
from reactlab.course.voices import RECORD
from reactlab.course.words import Language

CELL_SECONDS = 60
RECORD_SECONDS = 900
START_SECONDS = 180
# No versions: Python 3.11 to 3.14 then write the same bytes.
METADATA: dict[str, Any] = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}
# A widget's view needs the kernel that made it; a reader of the file sees the widget's text.
WIDGET = "application/vnd.jupyter.widget-view+json"
# Addresses, kernel numbers and scratch folders differ from run to run.
UNSTABLE = re.compile(r"\bat 0x[0-9a-f]{6,}|ipykernel_\d+|[/\\]tmp[a-z0-9_]{8}\b")
# Settings of the person who builds, on which nothing that a notebook shows may depend.
PRIVATE = re.compile(r"REACTLAB_\w+|OPENAI_\w+|\w+_API_KEY")
COLOURS = re.compile(r"\x1b\[[\d;]*m")


@dataclass(frozen=True)
class Edition:
    """One of the four notebooks that a source becomes, and the file it is stored in."""

    source: Source
    language: Language
    solutions: bool
    path: Path


def editions(source: Source, folder: Path) -> Iterator[Edition]:
    """English and Chinese below `folder`, each for the learner and with solutions."""
    places: list[tuple[Language, Path]] = [("en", folder), ("zh", folder / "zh")]
    for language, place in places:
        yield Edition(source, language, False, place / f"{source.name}.ipynb")
        yield Edition(source, language, True, place / "solutions" / f"{source.name}.ipynb")


def assemble(edition: Edition) -> NotebookNode:
    """The notebook, not executed.

    Cell ids are made of the English text: they stay when other cells come or go, and the four
    editions share them.
    """
    cells: list[dict[str, Any]] = []
    seen: list[str] = []
    for slot in edition.source.slots:
        cell, again = slot[edition.language], seen.count(slot.fingerprint)
        seen.append(slot.fingerprint)
        text = cell.render(edition.language, solutions=edition.solutions)
        cells.append(
            {
                "cell_type": cell.kind,
                "id": slot.fingerprint + f"-{again}" * bool(again),
                "metadata": _metadata(cell.tags),
                "source": text,
            }
            | ({"execution_count": None, "outputs": []} if cell.kind == "code" else {})
        )
    whole = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    notebook: NotebookNode = from_dict(whole)  # type: ignore[no-untyped-call]
    notebook.metadata.update(mark(notebook))
    return notebook


def _metadata(tags: Sequence[str]) -> dict[str, Any]:
    """The tags as Jupyter knows them; the output of a "predict" cell is folded until it is run."""
    kept = [tag for tag in tags if tag != "predict"]
    found: dict[str, Any] = {"tags": kept} if kept else {}
    return found | ({"jupyter": {"outputs_hidden": True}} if "predict" in tags else {})


def execute(notebook: NotebookNode, *, record: Path | None = None) -> None:
    """Run every cell in a fresh kernel of this Python and an empty folder; raises `SourceError`.

    With `record`, a folder, the real model answers what is not recorded of it there yet, which
    takes its time.
    The outputs are put into `notebook`. An empty folder: no notes of earlier work are found there.
    """
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellControlSignal, DeadKernelError

    # No kernel folders: the Python that builds. Sockets, not ports: builds side by side are safe.
    specs = KernelSpecManager(kernel_dirs=[])
    wire = "tcp" if os.name == "nt" else "ipc"
    manager = AsyncKernelManager(kernel_spec_manager=specs, transport=wire)
    options = {"record_timing": False, "store_widget_state": False, "coalesce_streams": True}
    client = NotebookClient(
        notebook,
        manager,
        timeout=RECORD_SECONDS if record else CELL_SECONDS,
        startup_timeout=START_SECONDS,
        **options,
    )
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as empty:
        manager.connection_file = str(Path(scratch, "kernel.json"))
        client.resources = {"metadata": {"path": empty}}
        env = {key: value for key, value in os.environ.items() if not PRIVATE.fullmatch(key)}
        env |= {"IPYTHONDIR": scratch} | ({RECORD: str(record)} if record else {})
        try:
            asyncio.run(client.async_execute(env=env, cleanup_kc=True))
        except (CellControlSignal, DeadKernelError) as error:
            raise SourceError(COLOURS.sub("", str(error)).strip()) from None
    _normalise(notebook)


def _normalise(notebook: NotebookNode) -> None:
    notebook.metadata = from_dict(METADATA | mark(notebook))  # type: ignore[no-untyped-call]
    for output in (output for cell in notebook.cells for output in cell.get("outputs", ())):
        if output.output_type == "error":
            # Frames show paths of the installation, and each Python words them in its own way.
            output.traceback = [f"{output.ename}: {output.evalue}"]
        output.get("data", {}).pop(WIDGET, None)


def to_text(notebook: NotebookNode) -> str:
    """The text of the notebook file."""
    text: str = v4.writes(notebook)  # type: ignore[no-untyped-call]
    return text.rstrip("\n") + "\n"


def faults(edition: Edition) -> list[str]:
    """What is wrong with the stored notebook, as far as can be seen without running it."""
    if not edition.path.exists():
        return [f"{edition.path}: not built yet"]
    text = edition.path.read_text(encoding="utf-8")
    stored = v4.reads(text)  # type: ignore[no-untyped-call]
    wanted, results = assemble(edition), {cell.get("id"): cell for cell in stored.cells}
    # Jupyter adds to this when a notebook is opened and saved.
    stored.metadata["language_info"] = wanted.metadata["language_info"]
    for cell in stored.cells:
        cell.metadata.pop("collapsed", None)
    stored.metadata["reactlab"] = wanted.metadata["reactlab"]
    for cell in wanted.cells:
        for key in {"outputs", "execution_count"} & set(cell):
            cell[key] = results.get(cell.id, cell).get(key)
    found = list(_run_faults(stored))
    if told := difference(to_text(stored), to_text(wanted)):
        found.append(f"differs from its source: {told}")
    return [f"{edition.path}: {told}" for told in found]


def _run_faults(notebook: NotebookNode) -> Iterator[str]:
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    for number, cell in enumerate(cells, 1):
        if cell.execution_count != number:
            yield f"code cell {number} was not executed in order: [{cell.execution_count}]"
        may_fail = "raises-exception" in cell.metadata.get("tags", ())
        for output in cell.outputs:
            if output.output_type == "error" and not may_fail:
                yield f"code cell {number} ends in {output.ename}: {output.evalue}"
            if found := UNSTABLE.search(str(output)):
                yield f"code cell {number} shows {found[0]!r}, which differs from run to run"


def difference(old: str, new: str) -> str:
    """The first lines in which two files' texts differ, "" if they are the same."""
    lines = unified_diff(old.split("\n"), new.split("\n"), n=0, lineterm="")
    return "\n    ".join(line[:100] for line in islice(lines, 2, 8))
