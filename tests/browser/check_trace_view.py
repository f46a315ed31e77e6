"""The trace view in a real browser; run by hand: `pytest tests/browser/check_trace_view.py`.

It needs playwright and a chromium. With AXE_JS set to the path of `axe.min.js` (axe-core), the
pages are also checked for accessibility. With PICTURES set to a folder, screenshots go there.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from reactlab.display import as_html, as_page, as_svg
from reactlab.events import Failure, ModelCall, StopReason, ToolUse
from reactlab.trace import Trace
from reactlab.types import Completion, Decision, Message, Observation, Request, ToolCall, Usage

pytest.importorskip("playwright.sync_api")
if not (os.environ.get("CHROMIUM") or shutil.which("chromium")):
    pytest.skip("there is no chromium", allow_module_level=True)
from chrome import chromium

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)> </details></li></ol> \x1b[31m \u202e"
)


def run(words: str = "", question: str = "Which of the two cities has more people?") -> Trace:
    trace = Trace(question, "ReActAgent", "a-model")
    request = Request((Message("user", "prompt"),))
    call = ToolCall("Search" + words, {"city": "Paris" + words})
    tokens = Usage(800, 60, estimated=True)
    for observation in (
        Observation("Paris has 2.1 million people. " * 60 + words),
        Observation("day   °C\nMon   12\nTue    9" + words),
        Observation("Division by zero." + words, "tool_error"),
    ):
        trace.add(ModelCall(request, Completion("reply", usage=tokens)))
        trace.add(Decision("I look this up." + words, (call,)))
        trace.add(ToolUse(call, observation))
    trace.add(ModelCall(request, Completion("Hm." + words)))
    trace.add(Failure("ParseError", "No action." + words, "Write an action."))
    trace.add(ModelCall(request, Completion("reply", usage=tokens)))
    trace.add(Decision("Now I know." + words, (), "Paris" + words))
    trace.stop(StopReason.MAX_STEPS, "5 steps without an answer" + words)
    return trace


CHINESE = "珠穆朗玛峰是世界最高峰，海拔 8848.86 米，位于中国与尼泊尔的边界上。" * 4
TRACES = {"plain": run(), "hostile": run(HOSTILE, HOSTILE), "chinese": run(CHINESE, CHINESE)}


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture
def opened(browser):
    """A function that opens a page and fails the test for dialogs and script errors."""
    wrong: list[str] = []
    pages = []

    def open_page(content: str, width: int = 1200, scheme: str = "light"):
        page = browser.new_page(viewport={"width": width, "height": 700}, color_scheme=scheme)
        page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.set_content(content)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert wrong == []


def visible(page) -> list[str]:
    return page.locator(".rl-parts > li:visible > details > summary > b").all_inner_texts()


def picture(page, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 400])
@pytest.mark.parametrize("name", TRACES)
def test_the_page_fits_and_passes_axe(opened, name: str, width: int, scheme: str) -> None:
    language = "zh" if name == "chinese" else "en"
    page = opened(as_page(TRACES[name], language=language), width, scheme)
    for state in ("step", "all"):
        if state == "all":
            page.click(".rl-all")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        picture(page, f"{name}-{scheme}-{width}-{state}")
        if axe := os.environ.get("AXE_JS"):
            page.evaluate(Path(axe).read_text(encoding="utf-8"))
            found = page.evaluate("axe.run()")
            assert [problem["id"] for problem in found["violations"]] == []


def test_buttons_and_keys_go_through_the_steps(opened) -> None:
    page = opened(as_page(TRACES["plain"]))
    assert visible(page) == ["Step 1"]
    page.click(".rl-next")
    assert visible(page) == ["Step 2"]
    assert page.inner_text(".rl-place") == "Step 2 / 6"
    assert page.get_attribute(".rl-place", "aria-live") == "polite"
    for key, seen in (
        ("ArrowRight", "Step 3"),
        ("ArrowLeft", "Step 2"),
        ("End", "End"),
        ("ArrowRight", "End"),
        ("Home", "Step 1"),
        ("ArrowLeft", "Step 1"),
    ):
        page.keyboard.press(key)
        assert visible(page) == [seen]
    assert page.evaluate("document.activeElement.className") == "rl-next"
    page.click(".rl-all")
    assert len(visible(page)) == 6


def test_two_displays_of_the_same_trace_do_not_disturb_each_other(opened) -> None:
    shown = as_html(TRACES["plain"])
    page = opened(f"<main><h1>x</h1>{shown}{shown}</main>")
    assert page.locator(".rl-nav").count() == 2
    page.locator(".rl-next").nth(1).click()
    assert visible(page) == ["Step 1", "Step 2"]


def test_without_style_script_ids_and_classes_it_is_a_complete_list(opened) -> None:
    shown = re.sub(r"<(style|script)>.*?</\1>", "", as_html(TRACES["hostile"]), flags=re.DOTALL)
    page = opened(re.sub(r' (id|class|role|data-\w+|aria-\w+)="[^"]*"', "", shown))
    assert page.locator("ol > li:visible").count() == 6
    assert page.locator("script, img, style, button").count() == 0
    assert "<img src=x onerror=alert(1)>" in page.inner_text("ol")
    picture(page, "stripped")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_notebook_theme_wins_over_the_system(opened, scheme: str) -> None:
    other = "dark" if scheme == "light" else "light"
    light = str(scheme == "light").lower()
    shown = as_html(TRACES["plain"])
    page = opened(f'<body data-jp-theme-light="{light}">{shown}</body>', scheme=other)
    box = "getComputedStyle(document.querySelector('.rl-thought')).backgroundColor"
    wanted = {"light": "rgb(245, 246, 248)", "dark": "rgb(30, 34, 40)"}[scheme]
    assert page.evaluate(box) == wanted


@pytest.mark.parametrize("width", [760, 420])
@pytest.mark.parametrize("name", TRACES)
def test_every_line_of_the_picture_fits_into_it(opened, name: str, width: int) -> None:
    language = "zh" if name == "chinese" else "en"
    page = opened(as_svg(TRACES[name], width=width, language=language), scheme="dark")
    ends = page.locator("svg text").evaluate_all(
        "all => all.map(one => one.getBBox().x + one.getBBox().width)"
    )
    assert max(ends) <= width - 16
    picture(page, f"{name}-{width}-picture")
