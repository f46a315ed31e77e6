"""Pictures of executed notebooks as pages: light and dark, wide and narrow.

python tests/browser/pages.py notebooks/05*.ipynb --out pictures

Prints for each picture set what is wrong with the page: scripts that fail, calls to other machines,
something wider than the window, a picture without a text alternative. Ends with 1 if there is any.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from chrome import chromium, label, slices, watch
from nbconvert import HTMLExporter
from playwright.sync_api import Browser

WIDTHS = {"wide": 1280, "narrow": 390}

# What needs more than the window's width though nothing around it scrolls, and mute pictures.
LOOK = """() => {
  const told = [], name = e => e.tagName.toLowerCase() + (e.className?.baseVal ?? e.className
    ? '.' + String(e.className.baseVal ?? e.className).trim().split(/\\s+/)[0] : '');
  const scrolls = e => { for (; e; e = e.parentElement)
    if (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX)) return true; return false; };
  const wide = [...document.querySelectorAll('main *, .jp-Notebook *')].filter(e =>
    e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e.parentElement));
  if (wide.length) told.push(`${wide.length} elements wider than the window: ${name(wide[0])}`);
  for (const e of document.querySelectorAll('.jp-OutputArea img, .jp-MarkdownOutput img'))
    if (!e.getAttribute('alt')) told.push('img without alt');
  for (const e of document.querySelectorAll('.jp-OutputArea svg, .jp-MarkdownOutput svg'))
    if (!e.querySelector('title, desc') && !e.getAttribute('aria-label')
        && !e.closest('[aria-hidden=true], [aria-label]')) told.push('svg without title');
  return told;
}"""


def render(notebook: Path, target: Path, *, dark: bool) -> None:
    """Write the notebook as a page with the look of JupyterLab, without links to elsewhere."""
    # Empty addresses: no script is fetched, formulas stay as they were typed.
    exporter = HTMLExporter(  # type: ignore[no-untyped-call]
        theme="dark" if dark else "light", mathjax_url="", require_js_url="", jquery_url=""
    )
    exporter.embed_images = True
    content = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    body, _ = exporter.from_notebook_node(content)
    target.write_text(body, encoding="utf-8")


def photograph(
    browser: Browser, page_file: Path, target: Path, *, width: int, dark: bool
) -> list[str]:
    """Save the pictures of one page; returns what is wrong with it."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if dark else "light")
    told = watch(page)
    page.goto(page_file.as_uri())
    page.wait_for_load_state("load")
    height = page.evaluate("document.documentElement.scrollHeight")
    slices(page, target, height=height)
    told += page.evaluate(LOOK)
    page.close()
    return [f"{target.name}: {line}" for line in told]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("pictures"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    found: list[str] = []
    with TemporaryDirectory() as scratch, chromium() as browser:
        for notebook in options.notebooks:
            for dark in (False, True):
                page = Path(scratch, "page.html")
                render(notebook, page, dark=dark)
                for kind, width in WIDTHS.items():
                    name = "-".join([label(notebook), "dark" if dark else "light", kind])
                    target = options.out / name
                    found += photograph(browser, page, target, width=width, dark=dark)
    print("\n".join(found) or f"pictures in {options.out}, nothing wrong seen")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
