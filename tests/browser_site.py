"""Runs a notebook's cells as a browser does: nothing to import that is not there, no thread.

Read by tests/test_browser_edition.py, which starts it in a process of its own: a list of cells,
each [code, may it fail], comes in as JSON, and the number of cells that ran goes out.
"""

import ast
import asyncio
import inspect
import json
import socket
import sys
import threading
import warnings

NOT_THERE = ("numpy", "matplotlib", "ipywidgets", "IPython", "subprocess", "multiprocessing")


def refuse_thread(self):
    raise RuntimeError("can't start new thread")


def refuse_line(self, address):
    raise OSError(f"no socket leads to {address}")


def close_doors():
    for name in NOT_THERE:
        sys.modules[name] = None
    threading.Thread.start = refuse_thread
    socket.socket.connect = refuse_line
    socket.socket.connect_ex = refuse_line


def show(value):
    """What a notebook does with the last expression of a cell."""
    if value is not None:
        repr(value)
        getattr(value, "_repr_html_", str)()


async def run(code, names):
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = eval(compile(tree, "cell", "exec", flags), names)
    if inspect.isawaitable(value):
        await value
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "cell", "eval", flags), names)
        show(await value if inspect.iscoroutine(value) else value)


async def main():
    names = {"__name__": "__main__"}
    cells = json.load(sys.stdin)
    for code, may_fail in cells:
        try:
            await run(code, names)
        except Exception:
            if not may_fail:
                print(code, file=sys.stderr)
                raise
    print("ran", len(cells))


if __name__ == "__main__":
    import sqlite3  # noqa: F401  the browser has it as a part of its Python

    warnings.simplefilter("error")
    loop = asyncio.new_event_loop()
    close_doors()
    loop.run_until_complete(main())
    loop.close()
