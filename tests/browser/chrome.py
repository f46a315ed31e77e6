"""Debian's Chromium through playwright, with nothing reaching beyond this machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, Locator, Page, sync_playwright

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
SLICE = 2400  # pixels of one picture's height: still readable when shown scaled


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser. `CHROMIUM` may name the program, else it is looked for on the path."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or "chromium"
    # The sandbox refuses to start for root, as in most containers.
    sandbox = ("--no-sandbox",) if getattr(os, "geteuid", lambda: 1)() == 0 else ()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *sandbox])
        try:
            yield browser
        finally:
            browser.close()


def watch(page: Page) -> list[str]:
    """A list that fills with what goes wrong in the page: scripts that fail, calls to elsewhere."""
    told: list[str] = []
    page.on("pageerror", lambda error: told.append(f"script error: {error}"))
    page.on("request", lambda request: _outside(request.url, told))
    return told


def label(notebook: Path) -> str:
    """The notebook's name with its edition, such as "05_the_loop-zh-solutions"."""
    places = [part for part in notebook.parts if part in ("zh", "solutions")]
    return "-".join([notebook.stem, *places])


def slices(page: Page, target: Path, *, height: int) -> list[Path]:
    """Pictures of the whole page, top to bottom, as `target`-1.png, `target`-2.png, ..."""
    paths: list[Path] = []
    width = page.evaluate("innerWidth")
    for number, top in enumerate(range(0, max(1, height), SLICE), 1):
        part = FloatRect(x=0, y=top, width=width, height=min(SLICE, height - top))
        paths.append(target.with_name(f"{target.name}-{number}.png"))
        page.screenshot(path=paths[-1], full_page=True, clip=part)
    return paths


def scrolled(page: Page, box: Locator, target: Path) -> list[Path]:
    """Pictures of the window while `box` is scrolled from its top to its end."""
    paths: list[Path] = []
    total, seen = box.evaluate("e => [e.scrollHeight, e.clientHeight]")
    for number, top in enumerate(range(0, total, max(1, seen - 40)), 1):
        box.evaluate("(e, top) => { e.scrollTop = top }", top)
        page.wait_for_timeout(300)
        paths.append(target.with_name(f"{target.name}-{number}.png"))
        page.screenshot(path=paths[-1])
    return paths


def _outside(url: str, told: list[str]) -> None:
    inside = ("file:", "data:", "blob:", "about:", "http://127.0.0.1", "ws://127.0.0.1")
    if not url.startswith(inside):
        told.append(f"asks {url}")
