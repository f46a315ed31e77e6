"""Print the lines of each part of the package beside its budget; fail if one is over."""

from __future__ import annotations

import io
import sys
import tokenize
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "reactlab"

# The core is what a learner reads in an afternoon: from the types to the agents.
CORE = ("loop", "parser", "tools", "built-in tools", "agents")
PARTS = {
    "faults": ("faults.py", "llm/faulty.py", "llm/spoiling.py", "tools/faulty.py"),
    "parser": ("parser",),
    "built-in tools": tuple(
        f"tools/{name}.py"
        for name in (
            *("builtin", "calculator", "database", "files", "decoding", "http", "transport"),
            *("search", "pages", "pageindex", "fulltext", "sentences", "shipped"),
        )
    ),
    "tools": ("tools",),
    "agents": ("agents",),
    "llm/simulated": ("llm/simulated",),
    "loop": ("llm/protocol.py", "llm/__init__.py"),
    "other models": ("llm",),
    "apps": ("apps",),
    "display": ("render", "trace_rows.py", "display.py", "comparison.py", "cost.py", "otel.py"),
    "injection": ("injection",),
    "evaluation": ("evaluation",),
    "serve": ("serve",),
    "course": ("course",),
    "cli": ("cli.py",),
}
SHOWN = (*CORE, "core", *(name for name in PARTS if name not in CORE), "whole package")
# Lines of code: without blank lines, comments and docstrings.
BUDGETS = {"core": 2500, "llm/simulated": 1400, "whole package": 8000}
SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def code_lines(text: str) -> int:
    """Lines of a Python text that hold code: no blank line, no comment, no docstring."""
    lines: set[int] = set()
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            if [part.type for part in statement] != [tokenize.STRING]:
                for part in statement:
                    lines.update(range(part.start[0], part.end[0] + 1))
            statement = []
        elif token.type not in SILENT:
            statement.append(token)
    return len(lines)


def part_of(place: str) -> str:
    """The part that a file, such as "llm/openai.py", is counted in; single files are the loop."""
    above = [place, *(parent.as_posix() for parent in Path(place).parents)]
    return next((name for name, paths in PARTS.items() if set(paths) & set(above)), "loop")


def sizes() -> dict[str, tuple[int, int, int]]:
    """For each part, for the core and for the whole: files, lines, lines of code."""
    counted = dict.fromkeys(SHOWN, (0, 0, 0))
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        part = part_of(path.relative_to(PACKAGE).as_posix())
        for name in (part, *["core"] * (part in CORE), "whole package"):
            files, lines, code = counted[name]
            counted[name] = (files + 1, lines + len(text.splitlines()), code + code_lines(text))
    return counted


def main() -> int:
    """Print the table; returns 1 if a part is over its budget, else 0."""
    counted = sizes()
    over = [name for name, most in BUDGETS.items() if counted[name][2] > most]
    print(f"{'part':18}{'files':>6}{'lines':>8}{'code':>8}{'budget':>8}")
    for name, (files, lines, code) in counted.items():
        shown = "  " * (name in CORE) + name
        told = "  over" * (name in over)
        print(f"{shown:18}{files:>6}{lines:>8}{code:>8}{BUDGETS.get(name, ''):>8}{told}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
