"""A docstring read as what a model is told: the first paragraph, and a line for each parameter."""

from __future__ import annotations

import inspect
import re
from functools import partial

_HEADINGS = {"args", "arguments", "parameters", "params", "参数"}
_SPHINX = re.compile(r"^:(?:param|parameter|arg|argument)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)$")
_ENTRY = re.compile(r"^\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*(?:[:：]\s*(.*))?$")
_UNDERLINE = re.compile(r"^[-=~]{3,}$")


def docstring_of(func: object) -> str:
    """The docstring of a function, method, partial or callable object; "" if it has none."""
    while isinstance(func, partial):
        func = func.func
    return inspect.getdoc(func) or ""


def first_paragraph(doc: str) -> str:
    """The first paragraph on one line; "" if the docstring begins with its parameters."""
    lines: list[str] = []
    for line in doc.strip().splitlines():
        if not line.strip() or _heading(line) or line.startswith(":param"):
            break
        lines.append(line)
    return " ".join(" ".join(lines).split())


def parameter_texts(doc: str) -> dict[str, str]:
    """What the docstring says of each parameter, in the Google, NumPy or Sphinx manner."""
    lines = doc.splitlines()
    texts = _sphinx(lines)
    for number, line in enumerate(lines):
        if _heading(line):
            numpy = number + 1 < len(lines) and bool(_UNDERLINE.match(lines[number + 1].strip()))
            texts.update(_section(lines[number + 1 + numpy :], _indent(line), numpy))
    return {name: " ".join(text.split()) for name, text in texts.items() if text.strip()}


def _sphinx(lines: list[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    name = ""
    for line in lines:
        if match := _SPHINX.match(line.strip()):
            name, texts[match[1]] = match[1], match[2]
        elif not line.strip() or line.lstrip().startswith(":"):
            name = ""
        elif name:
            texts[name] += f" {line}"
    return texts


def _section(lines: list[str], margin: int, numpy: bool) -> dict[str, str]:
    """The entries under a heading: names at one indentation, their texts beside or deeper."""
    texts: dict[str, str] = {}
    name, level = "", None
    for line in lines:
        if not line.strip():
            continue
        if _heading(line) or (_indent(line) <= margin and not numpy) or _indent(line) < margin:
            break
        level = _indent(line) if level is None else level
        entry = _ENTRY.match(line.strip()) if _indent(line) <= level else None
        if entry:
            name, texts[entry[1]] = entry[1], "" if numpy else entry[2] or ""
        elif _indent(line) <= level or _UNDERLINE.match(line.strip()):
            break
        elif name:
            texts[name] += f" {line}"
    return texts


def _heading(line: str) -> bool:
    return line.strip().rstrip(":：").casefold() in _HEADINGS


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
