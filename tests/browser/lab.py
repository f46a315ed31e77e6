"""Open notebooks in a real JupyterLab, run all cells, report errors, take pictures.

python tests/browser/lab.py notebooks/05*.ipynb --out pictures --click Next

Works on a copy without outputs, so the file itself stays as it is. Ends with 1 if another number
of cells fails than in the stored outputs, if cells do not finish, or if the page has errors.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from chrome import chromium, label, scrolled, watch
from nbformat import NotebookNode
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as Late

ROOT = Path(__file__).parents[2]
CELLS = ".jp-Notebook .jp-CodeCell"
# Every cell that holds code shows a number, and none still shows [*].
DONE = """cells => [...document.querySelectorAll(cells)]
  .filter(c => c.querySelector('.cm-content')?.innerText.trim())
  .every(c => /^\\[\\d+\\]:?$/.test(c.querySelector('.jp-InputArea-prompt').innerText.trim()))"""
STARTED = """cells => [...document.querySelectorAll(cells + ' .jp-InputArea-prompt')]
  .some(p => /\\[[*\\d]+\\]/.test(p.innerText))"""
IDLE = ".jp-Notebook-ExecutionIndicator[data-status='idle']"


@contextmanager
def lab(root: Path, scratch: Path, *, dark: bool) -> Iterator[str]:
    """JupyterLab on a free port of this machine; yields its address with `{}` for a file."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1"]
    command += [f"--port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={root}"]
    command += [f"--IdentityProvider.token={token}", "--LabApp.news_url=None", "--allow-root"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with (scratch / "lab.log").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=_fresh(scratch, dark=dark))
    try:
        _wait_for(f"http://127.0.0.1:{port}/api/status?token={token}", server)
        yield f"http://127.0.0.1:{port}/lab/tree/{{}}?reset&token={token}"
    finally:
        server.terminate()
        server.wait(30)


def _fresh(scratch: Path, *, dark: bool) -> dict[str, str]:
    """An environment in which nobody's settings, workspaces or history are seen."""
    names = ("CONFIG", "RUNTIME", "DATA")
    env = dict(os.environ) | {f"JUPYTER_{name}_DIR": str(scratch / name) for name in names}
    env |= {"IPYTHONDIR": str(scratch / "ipython"), "JUPYTERLAB_SETTINGS_DIR": str(scratch / "set")}
    env |= {"JUPYTERLAB_WORKSPACES_DIR": str(scratch / "workspaces"), "PYTHONPATH": str(ROOT)}
    settings = {
        "apputils-extension/themes": {"theme": "JupyterLab Dark" if dark else "JupyterLab Light"},
        "apputils-extension/notification": {"fetchNews": "false"},
        # All cells in the page, also those out of sight: else their prompts cannot be read.
        "notebook-extension/tracker": {"windowingMode": "none"},
    }
    for name, values in settings.items():
        path = scratch / "set" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    return env


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if server.poll() is not None:
            raise RuntimeError("JupyterLab ended before it was ready")
        with suppress(OSError):
            urllib.request.urlopen(url, timeout=2).close()
            return
        time.sleep(0.2)
    raise RuntimeError("JupyterLab was not ready within two minutes")


def choose(page: Page, menu: str, command: str) -> None:
    page.get_by_role("menuitem", name=menu, exact=True).click(timeout=5000)
    page.locator(f'.lm-Menu-item[data-command="{command}"]').first.click(timeout=5000)


def run_all(page: Page, *, seconds: float) -> None:
    """Choose Run > Run All Cells and wait until every cell has its number."""
    # Twice, a second apart: the sign says idle once before the kernel is connected.
    for _ in range(2):
        page.wait_for_selector(IDLE, timeout=seconds * 1000)
        page.wait_for_timeout(1000)
    for _ in range(4):  # a late dialog may swallow a click
        with suppress(Late):
            choose(page, "Run", "runmenu:run-all")
            page.wait_for_function(STARTED, arg=CELLS, timeout=10_000)
            break
        page.keyboard.press("Escape")
    page.wait_for_function(DONE, arg=CELLS, timeout=seconds * 1000)


def saved(page: Page, path: Path) -> NotebookNode:
    """The notebook as JupyterLab stores it now: the page shows errors like any other output."""
    before = path.stat().st_mtime_ns
    choose(page, "File", "docmanager:save")
    for _ in range(100):
        if path.stat().st_mtime_ns != before:
            break
        page.wait_for_timeout(100)
    page.wait_for_timeout(300)
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call, no-any-return]


def failed_cells(notebook: NotebookNode) -> int:
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return sum(any(out.output_type == "error" for out in cell.outputs) for cell in code)


def copy_without_outputs(notebook: NotebookNode, path: Path) -> None:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


def visit(page: Page, url: str, path: Path, options: argparse.Namespace) -> tuple[int, list[str]]:
    """Run the notebook in its own page, photograph it; returns failed cells and page errors."""
    told, begin = watch(page), time.perf_counter()
    page.goto(url, wait_until="domcontentloaded")
    page.wait_for_selector(CELLS, timeout=options.seconds * 1000)
    with suppress(Late):  # the dialog that asks which kernel
        page.locator(".jp-Dialog button.jp-mod-accept").click(timeout=1500)
    try:
        run_all(page, seconds=options.seconds)
    except Late:
        told.append(f"the cells did not finish within {options.seconds:.0f} s")
    for text in options.click:
        page.locator(".jp-OutputArea").get_by_role("button", name=text).first.click()
        page.wait_for_timeout(500)
    seconds, failed = time.perf_counter() - begin, failed_cells(saved(page, path))
    cells = page.locator(CELLS).count()
    print(f"{path.stem}: {cells} code cells, {failed} failed, {seconds:.0f} s", flush=True)
    scrolled(page, page.locator(".jp-WindowedPanel-outer").first, options.out / f"{path.stem}-lab")
    return failed, told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("pictures"))
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--seconds", type=float, default=180, help="longest wait for all cells")
    parser.add_argument("--click", action="append", default=[], help="a button in an output")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    size, found = {"width": options.width, "height": 1400}, list[str]()
    with TemporaryDirectory() as scratch:
        root = Path(scratch, "notebooks")
        root.mkdir()
        with lab(root, Path(scratch), dark=options.dark) as address, chromium() as browser:
            for notebook in options.notebooks:
                name = label(notebook)
                content = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
                expected = failed_cells(content)
                copy_without_outputs(content, root / f"{name}.ipynb")
                page = browser.new_page(viewport=size)  # type: ignore[arg-type]
                url = address.format(f"{name}.ipynb")
                failed, told = visit(page, url, root / f"{name}.ipynb", options)
                page.close()
                if failed != expected:
                    told.append(f"{failed} cells failed, {expected} in the stored outputs")
                found += [f"{name}: {line}" for line in told]
    print("\n".join(found) or f"pictures in {options.out}, nothing wrong seen")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
