"""Traces to look at: text, Markdown, HTML, SVG, and lines while a run is under way."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from reactlab.live import Live
from reactlab.render import html, svg, text
from reactlab.render.labels import Labels, labels
from reactlab.render.rows import Box
from reactlab.trace import Trace
from reactlab.trace_rows import Reader


def as_text(
    trace: Trace, *, language: str = "en", limit: int | None = 500, times: bool = False
) -> str:
    """The run as numbered text.

    `limit` is the number of characters after which a text is shortened, None shortens nothing.
    `times` adds seconds; without them the same run always gives the same text.
    """
    return text.text(Reader(labels(language), times).sheet(trace, limit))


def as_markdown(
    trace: Trace, *, language: str = "en", limit: int | None = 500, times: bool = False
) -> str:
    """The run as Markdown; options as in `as_text`."""
    return text.markdown(Reader(labels(language), times).sheet(trace, limit))


def as_html(
    trace: Trace, *, language: str = "en", limit: int | None = 600, times: bool = False
) -> str:
    """The run as part of a page, with Back and Next where a script may run.

    What goes beyond `limit` can be unfolded; other options as in `as_text`.
    """
    return html.html(Reader(labels(language), times).sheet(trace, limit))


def as_page(
    trace: Trace, *, language: str = "en", limit: int | None = 600, times: bool = False
) -> str:
    """The run as a page of its own; write it to a file in UTF-8. Options as in `as_html`."""
    return html.page(Reader(labels(language), times).sheet(trace, limit))


def as_svg(
    trace: Trace,
    *,
    language: str = "en",
    limit: int | None = 300,
    times: bool = False,
    width: int = 760,
) -> str:
    """The run as a picture, `width` pixels wide (at least 240); other options as in `as_text`."""
    return svg.svg(Reader(labels(language), times).sheet(trace, limit), max(width, 240))


def live_lines(
    events: Iterable[Live], *, language: str = "en", limit: int | None = 500
) -> Iterator[str]:
    """Lines to print while a run is under way, from the events of `Agent.iter`.

    Each is a piece of `as_text` as soon as it is known, and may itself have line breaks.
    """
    reader = Reader(labels(language))
    trace, known = Trace(""), 0
    for event in events:
        if event.what == "run" and event.phase == "begin":
            trace = event.item
            yield from _printed(reader.opening(trace), reader.words, limit, by="")
        for new in trace.events[known:]:
            yield from _printed(reader.as_known(new, trace.steps[-1]), reader.words, limit)
        known = len(trace.events)
        yield from _beginning(event, reader, limit)
        if event.what == "run" and event.phase == "end":
            yield from _ending(event, reader, limit)


def safe_print(words: str, file: TextIO | None = None) -> None:
    """Write a line to `file` (standard output), replacing what its encoding does not have."""
    out = sys.stdout if file is None else file
    out.write(text.printable(words, getattr(out, "encoding", None)) + "\n")
    out.flush()


def _beginning(event: Live, reader: Reader, limit: int | None) -> Iterator[str]:
    words = reader.words
    if event.phase == "begin" and event.what == "step":
        yield "\n" + words.step.format(number=event.item)
    if event.phase == "begin" and event.what == "pause":
        length = words.seconds.format(seconds=event.item.seconds)
        box = Box("pause", words.pause, event.item.why, note=f"{length}, {words.waiting}")
        yield from _printed([box], words, limit)


def _ending(event: Live, reader: Reader, limit: int | None) -> Iterator[str]:
    trace: Trace = event.item
    if event.error is not None:
        told = f"{type(event.error).__name__}: {event.error}".rstrip(": ")
        yield from _printed([Box("failure", reader.words.stopped, told)], reader.words, limit, "")
        return
    yield from _printed(reader.outcome(trace), reader.words, limit, by="")
    yield "\n" + text.facts_line(reader.facts(trace))


def _printed(
    boxes: Iterable[Box], words: Labels, limit: int | None, by: str = "  "
) -> Iterator[str]:
    for box in boxes:
        yield text.indented(text.line_of(box, words, limit), by)
