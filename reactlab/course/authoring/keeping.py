"""A learner's work in a notebook: how the build knows it, and keeps it."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, v4

OWN = "my_"


def mark(notebook: NotebookNode) -> dict[str, Any]:
    """Metadata that tells what the cells were when they were built; outputs do not count."""
    cells = "\n\n".join(f"{cell.cell_type}\n{cell.source}" for cell in notebook.cells)
    return {"reactlab": {"built": hashlib.sha256(cells.encode()).hexdigest()[:16]}}


def is_own_work(path: Path, built: NotebookNode) -> bool:
    """Whether the stored notebook is neither what is built now nor what was built before."""
    if not path.exists():
        return False
    stored = v4.reads(path.read_text(encoding="utf-8"))  # type: ignore[no-untyped-call]
    before: Mapping[str, Any] = stored.metadata.get("reactlab", {})
    return mark(stored) not in (mark(built), {"reactlab": dict(before)})


def keep(path: Path) -> Path:
    """Copy a notebook beside itself under a name that no build writes, and return that."""
    number, copy = 1, path.with_name(OWN + path.name)
    while copy.exists():
        number += 1
        copy = path.with_name(f"{OWN}{path.stem}_{number}.ipynb")
    shutil.copy2(path, copy)
    return copy
