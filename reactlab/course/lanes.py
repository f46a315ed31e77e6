"""Several traces side by side: who wrote each box, and what each run cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reactlab.course.words import A_RUN, Both, current, needed
from reactlab.render.html import shell, shown
from reactlab.render.labels import Labels, labels
from reactlab.render.rows import COLOURS, Box, clean, cut, more, shorten
from reactlab.trace import Trace
from reactlab.trace_rows import Reader

# Below 640 pixels of room the wanted width of a lane is all of it.
_WIDTH = "min(100%,max(132px,(640px - 100%)*999))"
_COLUMNS = f"grid-template-columns:repeat(auto-fit,minmax({_WIDTH},1fr))"
_LANES = f"display:grid;gap:10px;margin-top:8px;{_COLUMNS}"
_WIDE = "<style>.rl-trace:has(.rl-lanes){max-width:none}</style>"
_BOX = "margin:6px 0;padding:5px 7px;border-radius:6px;border:2px {}"
_SHORT, _LONG = 90, 360  # characters of a box that are shown at once: the world's, all others


@dataclass(frozen=True)
class Lane:
    """One run: its name, the boxes in the order in which they were written, and the facts below."""

    name: str
    question: str
    boxes: tuple[Box, ...]
    facts: tuple[str, ...]


class Lanes:
    """Runs side by side, one under the other where there is little room.

    The border of a box is its author's: solid for the model, dashed for the world. A question that
    all runs share stands once, on top.
    """

    def __init__(self, traces: Mapping[str, Trace]) -> None:
        self.words = labels(current())
        self.lanes = [_lane(str(name), trace, self.words) for name, trace in traces.items()]
        asked = {lane.question for lane in self.lanes}
        self.question = asked.pop() if len(asked) == 1 else ""

    def __repr__(self) -> str:
        top = [_line(self.words.question, self.question, self.words)] if self.question else []
        return "\n\n".join([*top, *map(self._text, self.lanes)])

    def _text(self, lane: Lane) -> str:
        lines = [f"── {clean(lane.name)} ──"]
        if not self.question:
            lines.append(_line(self.words.question, lane.question, self.words))
        for box in lane.boxes:
            text = shorten(box.text, _LONG, self.words)
            lines.append(_line(" · ".join(_words(box)), text, self.words))
        return "\n".join([*lines, " · ".join(lane.facts)])

    def _repr_html_(self) -> str:
        top = _paragraph(self.words.question, self.question) if self.question else ""
        columns = "\n".join(map(self._column, self.lanes))
        grid = f'<div class="rl-lanes" style="{_LANES}">\n{columns}\n</div>'
        return shell(f"{_WIDE}{top}{grid}", self.words, str(_NAME))

    def _column(self, lane: Lane) -> str:
        asked = "" if self.question else _paragraph(self.words.question, lane.question)
        boxes = "\n".join(_box(box, self.words) for box in lane.boxes)
        facts = "".join(f"<p><small>{shown(fact)}</small></p>" for fact in lane.facts)
        return f"<div><p><b>{shown(lane.name)}</b></p>\n{asked}{boxes}\n{facts}</div>"


def lanes(traces: Mapping[str, Trace]) -> Lanes:
    """Runs side by side by name: who wrote what, and what each cost."""
    needed(traces, Mapping, _RUNS)
    for trace in traces.values():
        needed(trace, Trace, A_RUN)
    return Lanes(traces)


def _lane(name: str, trace: Trace, words: Labels) -> Lane:
    sheet = Reader(words).sheet(trace, None)
    boxes = tuple(box for part in sheet.parts for box in part.boxes)
    agent = words.agent_fact.format(name=trace.agent)
    staged = [str(_STAGED)] if trace.model == "reactlab-simulated" else []
    facts = (*(fact for fact in sheet.facts if fact != agent), *staged)
    return Lane(name, trace.question, boxes, facts)


def _box(box: Box, words: Labels) -> str:
    worlds = box.author == words.world
    colour = COLOURS["observation" if worlds else "thought"]
    border = _BOX.format(f"{'dashed' if worlds else 'solid'} {colour}")
    head, rest = cut(box.text.strip("\n"), _SHORT if worlds else _LONG)
    text = f'<p dir="auto">{shown(head)}</p>'
    if rest:
        summary = f"<summary><small>{shown(more(rest, words))}</small></summary>"
        text += f'<details>{summary}<p dir="auto">{shown(rest)}</p></details>'
    first, *others = map(shown, _words(box))
    word = " · ".join([f"<b>{first}</b>", *others])
    return f'<div style="{border}"><p><small>{word}</small></p>{text}</div>'


def _words(box: Box) -> list[str]:
    return [word for word in (box.word, box.author, box.note) if word]


def _paragraph(word: str, text: str) -> str:
    return f'<p dir="auto"><b>{shown(word)}</b> · {shown(text)}</p>\n'


def _line(word: str, text: str, words: Labels) -> str:
    return f"{word}{words.colon}{clean(text)}"


_RUNS = Both(
    'lanes takes runs by name, such as lanes({{"ReAct": run}}), not {}.',
    'lanes 要的是带名称的多次运行，例如 lanes({{"ReAct": run}})，而不是 {}。',
)
_NAME = Both("Runs side by side", "并排的运行")
_STAGED = Both("staged", "演示")
