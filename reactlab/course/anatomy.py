"""One trace with every part labelled once: what it is called, who wrote it, what it tells."""

from __future__ import annotations

from collections.abc import Iterator

from reactlab.course.table import table
from reactlab.course.texts import Texts
from reactlab.course.words import A_RUN, needed
from reactlab.render.html import shown
from reactlab.render.rows import clean
from reactlab.trace import Trace

_BADGE = 'style="border:1px solid currentColor;border-radius:1em;padding:0.1em 0.7em"'


class Anatomy:
    """A table of a trace's parts, in the order in which they came about."""

    def __init__(self, trace: Trace) -> None:
        self.words = Texts("00")["anatomy"]
        self.rows = [(*self.words[key], text) for key, text in _parts(trace)]
        self.model = trace.model

    def __repr__(self) -> str:
        return "\n".join(
            f"{number:2} {name} ({author}): {clean(text)}\n   {tells}"
            for number, (name, author, tells, text) in enumerate(self.rows, 1)
        )

    def _repr_html_(self) -> str:
        rows = (
            (
                f"{number} · {shown(name)}<br><small>{shown(author)}</small>",
                f"<span {_BADGE}>{shown(text)}</span>" if text == self.model else shown(text),
                shown(tells),
            )
            for number, (name, author, tells, text) in enumerate(self.rows, 1)
        )
        return table(map(shown, self.words["head"]), rows)


def annotated(trace: Trace) -> Anatomy:
    """A trace with every part labelled once."""
    needed(trace, Trace, A_RUN)
    return Anatomy(trace)


def _parts(trace: Trace) -> Iterator[tuple[str, str]]:
    """Each kind of part with its first example in the trace."""
    yield "model", trace.model
    yield "question", trace.question
    first = next((step for step in trace.steps if step.uses), None)
    if first is not None:
        (use, *_) = first.uses
        text = str(use.observation)
        yield "thought", first.thought
        yield "tool", use.call.name
        yield "input", str(use.call.arguments)
        yield "observation", text if len(text) <= 120 else text[:119] + "…"
    yield "answer", trace.answer or "–"
    yield "stop_reason", str(trace.stop_reason)
    yield "tokens", f"{trace.usage.input_tokens:,} + {trace.usage.output_tokens:,}"
