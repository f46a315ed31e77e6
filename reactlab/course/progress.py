"""What a learner has passed, in one small file of the folder they work in; it stays there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import reactlab

FILE = "reactlab-progress.json"
HAND_IN = "reactlab-to-hand-in.json"


def passed(folder: Path | None = None) -> list[str]:
    """Numbers of the exercises passed in this folder; nothing if the file cannot be read."""
    try:
        known = json.loads(_path(folder).read_text(encoding="utf-8"))["passed"]
        return [str(number) for number in known]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def note(number: str, folder: Path | None = None) -> bool:
    """Add an exercise; False if it cannot be stored. A file that is not ours is left alone."""
    path, known = _path(folder), passed(folder)
    if number in known:
        return True
    if path.exists() and not known:
        return False
    return _write(path, {"passed": sorted([*known, number])})


def export(exercises: Sequence[str], folder: Path | None = None) -> Path | None:
    """Write a file to hand in: what was passed, of which exercises. None if it cannot be written.

    A file of that name which is not ours is left alone.
    """
    path = (folder or Path.cwd()) / HAND_IN
    if path.exists() and not _is_ours(path):
        return None
    done = [number for number in passed(folder) if number in exercises]
    content = {"course": "reactlab", "version": reactlab.__version__}
    return path if _write(path, content | {"passed": done, "of": list(exercises)}) else None


def _is_ours(path: Path) -> bool:
    try:
        return bool(json.loads(path.read_text(encoding="utf-8"))["course"] == "reactlab")
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _write(path: Path, content: Mapping[str, object]) -> bool:
    partial = path.with_suffix(".partial")
    try:
        partial.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        partial.replace(path)
    except OSError:
        return False
    return True


def _path(folder: Path | None) -> Path:
    return (folder or Path.cwd()) / FILE
