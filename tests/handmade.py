"""What a notebook defines by hand, taken from its source with the solutions."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from reactlab.course.authoring.sources import Source, read_source

SOURCES = Path(__file__).parents[1] / "notebooks" / "source"
DEFINED = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.Assign


@cache
def source(name: str) -> Source:
    return read_source(next(SOURCES.glob(f"{name}*.py")))


def definitions(name: str, language: str, wanted: set[str]) -> dict[str, object]:
    """Imports, the wanted functions and constants in capitals of a notebook, with its solutions."""
    names: dict[str, object] = {"language": language}
    for slot in source(name).slots:
        if slot.en.kind != "code":
            continue
        tree = ast.parse(slot[language].render(language, solutions=True))
        body = [node for node in tree.body if isinstance(node, DEFINED) and is_wanted(node, wanted)]
        exec(compile(ast.Module(body, []), name, "exec"), names)
    return names


def is_wanted(node: ast.stmt, wanted: set[str]) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.name in wanted
    if isinstance(node, ast.Assign):
        return all(
            part.id.isupper() for part in ast.walk(node.targets[0]) if isinstance(part, ast.Name)
        )
    return True
