"""Rows as HTML: a complete list that a short script, where it may run, turns into a stepper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from reactlab.render.labels import Labels
from reactlab.render.rows import COLOURS, Box, Part, Sheet, clean, cut, more, one_line


def html(sheet: Sheet) -> str:
    """The sheet as a part of a page, with its own style and script.

    It reads as a plain list where style and script are taken away.
    """
    return shell(_inside(sheet), sheet.labels)


def shell(inside: str, words: Labels, name: str = "") -> str:
    """Markup in a frame with style and script; a list of class "rl-parts" becomes a stepper.

    `name` is what a screen reader calls it, the word for a trace by default. The id comes from
    the content.
    """
    digest = sha256(inside.encode()).hexdigest()[:12]
    script = f"<script>{data('trace.js')}</script>\n" if "rl-parts" in inside else ""
    return (
        f'<div class="rl-trace" id="reactlab-{digest}" lang="{words.language}" role="group"'
        f' aria-label="{_safe(name or words.trace)}" data-back="{_safe(words.back)}"'
        f' data-next="{_safe(words.next)}" data-all="{_safe(words.all)}">\n'
        f"<style>{_style()}</style>\n{inside}\n{script}</div>"
    )


def stepper(parts: Sequence[tuple[str, str]], words: Labels, name: str = "") -> str:
    """Parts, each a heading and markup, to step through; without a script a plain list."""
    items = "\n".join(
        f"<li><details open><summary><b>{shown(heading)}</b></summary>\n{body}\n</details></li>"
        for heading, body in parts
    )
    return shell(f'<ol class="rl-parts">\n{items}\n</ol>', words, name)


def page(sheet: Sheet) -> str:
    """The sheet as a page of its own, which needs nothing from anywhere else."""
    question = one_line(sheet.opening[-1].text, 80) if sheet.opening else ""
    title = f"{sheet.labels.trace}{sheet.labels.colon}{question}"
    return (
        f'<!doctype html>\n<html lang="{sheet.labels.language}" class="rl-page">\n<head>\n'
        '<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_safe(title)}</title>\n<style>{data('page.css')}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{_safe(sheet.labels.trace)}</h1>\n{html(sheet)}\n</main>\n"
        "</body>\n</html>\n"
    )


def boxes(found: Iterable[Box], words: Labels, limit: int | None) -> str:
    """Boxes under each other; what goes beyond `limit` characters can be unfolded."""
    sheet = Sheet(words, (), (), (), limit)
    return "\n".join(_box(box, sheet) for box in found)


_FORMULA = re.compile(r"[$\\]")


def _inside(sheet: Sheet) -> str:
    opening = "\n".join(_box(box, sheet) for box in sheet.opening)
    parts = "\n".join(_part(part, sheet) for part in sheet.parts)
    dot = '<span class="rl-dot"> · </span>'
    facts = dot.join(f'<span class="rl-fact">{shown(fact)}</span>' for fact in sheet.facts)
    return f'{opening}\n<ol class="rl-parts">\n{parts}\n</ol>\n<p class="rl-facts">{facts}</p>'


def _part(part: Part, sheet: Sheet) -> str:
    boxes = "\n".join(_box(box, sheet) for box in part.boxes)
    gist = f' <bdi class="rl-gist">{shown(part.gist)}</bdi>' if part.gist else ""
    summary = f"<summary><b>{shown(part.heading)}</b>{gist}</summary>"
    return f"<li><details open>{summary}\n{boxes}\n</details></li>"


def _box(box: Box, sheet: Sheet) -> str:
    notes = "".join(f" · <span>{shown(note)}</span>" for note in (box.author, box.note) if note)
    return (
        f'<div class="rl-box rl-{box.kind}">'
        f'<p class="rl-word"><b>{shown(box.word)}</b>{notes}</p>{_text(box, sheet)}</div>'
    )


def _text(box: Box, sheet: Sheet) -> str:
    head, rest = cut(box.text.strip("\n"), sheet.limit)
    style = "rl-text rl-code" if box.aligned else "rl-text"
    visible = f'<p class="{style}" dir="auto">{shown(head)}</p>'
    return visible + (_rest(rest, style, sheet.labels) if rest else "")


def _rest(rest: str, style: str, labels: Labels) -> str:
    return (
        f'<details class="rl-more"><summary>{shown(more(rest, labels))}</summary>'
        f'<p class="{style}" dir="auto">{shown(rest)}</p></details>'
    )


def _safe(words: str) -> str:
    return escape(clean(words))


def shown(words: str) -> str:
    """Escaped text for a page; what could open a formula stands in an element of its own.

    Notebooks look for formulas in what is displayed, but not across elements.
    """
    return _FORMULA.sub(r"<span>\g<0></span>", _safe(words)).replace("\n", "<br>")


@cache
def data(name: str) -> str:
    """A style or script that ships with the package, without comments and indents."""
    text = files("reactlab").joinpath("data", name).read_text(encoding="utf-8")
    return re.sub(r"\n\s*", "\n", re.sub(r"/\*.*?\*/", "", text, flags=re.S)).strip()


@cache
def _style() -> str:
    kinds = [f".rl-{kind}{{--rl-kind:{colour}}}" for kind, colour in COLOURS.items()]
    return "\n".join([data("trace.css"), *kinds])
