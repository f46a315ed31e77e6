"""Two pictures of notebook 07: one trace in two dialects, and calls in time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

from reactlab.course.table import table
from reactlab.course.words import A_RUN, Both, current, needed
from reactlab.dialects import ToolCallDialect, make_dialect
from reactlab.events import Step
from reactlab.prompts import words
from reactlab.render.html import shell, shown
from reactlab.render.labels import labels
from reactlab.render.rows import COLOURS, clean, shorten
from reactlab.trace import Trace
from reactlab.types import Message

Row = tuple[str, str, str]
_LONG = 110


class Envelopes:
    """A trace, one row for each thing that was written: as a line of text, and as a message."""

    def __init__(self, trace: Trace) -> None:
        self.rows: list[Row] = [(str(_QUESTION), *_question(trace.question))]
        for number, step in enumerate(trace.steps, 1):
            for name, text, message in _pairs(step):
                self.rows.append((f"{number} · {name}", text, message))

    def __repr__(self) -> str:
        mark = labels(current()).colon
        blocks = (
            f"{name}\n  {_TEXT}{mark}{_short(text)}\n  {_TOOLS}{mark}{_short(message)}"
            for name, text, message in self.rows
        )
        return clean("\n".join(blocks))

    def _repr_html_(self) -> str:
        rows = (
            (_whole(name), _code(_short(text)), _code(_short(message)))
            for name, text, message in self.rows
        )
        return table(("", str(_TEXT), str(_TOOLS)), rows)


def envelopes(trace: Trace) -> Envelopes:
    """One trace in both dialects, aligned by step, in short form."""
    needed(trace, Trace, A_RUN)
    return Envelopes(trace)


def _question(question: str) -> tuple[str, str]:
    return words(current()).question + question, _json({"role": "user", "content": question})


def _pairs(step: Step) -> Iterator[Row]:
    """Thought, then action and observation of each call, then the answer: text and message."""
    word, text = words(current()), make_dialect("bracket", language=current())
    if step.decision is None:
        return
    if step.decision.answer is not None:
        said = step.decision.answer
        message = {"role": "assistant", "content": said}
        yield str(_ANSWER), word.answer + said, _json(message)
        return
    asked, *answers = _messages(step)
    yield str(_THOUGHT), word.thought + step.thought, _json({"content": asked.content})
    for use, call, answer in zip(step.uses, asked.calls, answers, strict=True):
        function = {"name": call.name, "arguments": call.arguments}
        made = {"tool_calls": [{"id": call.id, "function": function}]}
        yield str(_ACTION), text.action(use.call), _json(made)  # type: ignore[attr-defined]
        found = {"role": "tool", "tool_call_id": answer.call_id, "content": answer.content}
        yield str(_OBSERVATION), word.observation + use.observation.text, _json(found)


def _messages(step: Step) -> list[Message]:
    dialect = make_dialect("tools", language=current())
    assert isinstance(dialect, ToolCallDialect)
    return dialect.show(step)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _short(text: str) -> str:
    return shorten(text, _LONG, labels(current()))


def _whole(name: str) -> str:
    """A row's name, broken between words only."""
    parts = (f'<span style="white-space:nowrap">{shown(part)}</span>' for part in name.split())
    return " ".join(parts)


def _code(text: str) -> str:
    return f"<code>{shown(text)}</code>"


class TimeBars:
    """Calls as bars over time, one after another and side by side, from durations in seconds."""

    def __init__(self, seconds: Mapping[str, float]) -> None:
        ends = list(accumulate(seconds.values()))
        self.queued = [(n, end - s, end) for (n, s), end in zip(seconds.items(), ends, strict=True)]
        self.together = [(name, 0.0, end) for name, end in seconds.items()]
        self.last = ends[-1]

    def __repr__(self) -> str:
        lines = [line for head, bars in self._groups() for line in [head, *map(self._line, bars)]]
        return clean("\n".join([*lines, str(_COMPUTED)]))

    def _repr_html_(self) -> str:
        parts = (
            f"<p><b>{shown(head)}</b></p>" + "".join(map(self._bar, bars))
            for head, bars in self._groups()
        )
        inside = "\n".join([*parts, f"<p><small>{shown(str(_COMPUTED))}</small></p>"])
        return shell(inside, labels(current()), str(_BARS))

    def _groups(self) -> Iterator[tuple[str, list[tuple[str, float, float]]]]:
        for name, bars in ((_QUEUED, self.queued), (_TOGETHER, self.together)):
            yield name.format(max(end for _, _, end in bars)), bars

    def _line(self, bar: tuple[str, float, float]) -> str:
        name, begin, end = bar
        drawn = " " * round(20 * begin / self.last) + "█" * round(20 * (end - begin) / self.last)
        return f"  {drawn:<20}  {_SPAN.format(name, begin, end)}"

    def _bar(self, bar: tuple[str, float, float]) -> str:
        name, begin, end = bar
        left, width = (f"{100 * part / self.last:.1f}%" for part in (begin, end - begin))
        style = (
            f"margin:4px 0 4px {left};width:{width};box-sizing:border-box;padding:2px 5px;"
            f"border:2px solid {COLOURS['action']};border-radius:4px;overflow-wrap:anywhere"
        )
        return f'<div style="{style}"><small>{shown(_SPAN.format(name, begin, end))}</small></div>'


def time_bars(seconds: Mapping[str, float]) -> TimeBars:
    """Calls by name with the seconds that each takes, as a picture; nothing is measured."""
    needed(seconds, Mapping, _SECONDS)
    return TimeBars(seconds)


_TEXT, _TOOLS = Both("as text", "文字"), Both("as messages", "消息")
_QUESTION, _ANSWER = Both("question", "问题"), Both("answer", "答案")
_THOUGHT, _ACTION = Both("thought", "思考"), Both("action", "行动")
_OBSERVATION = Both("observation", "观察")
_QUEUED = Both("One after another: {:g} s", "一个接一个：{:g} 秒")
_TOGETHER = Both("Side by side: {:g} s", "同时进行：{:g} 秒")
_SPAN = Both("{} · {:g}–{:g} s", "{} · {:g}–{:g} 秒")
_COMPUTED = Both(
    "Drawn from the durations in the cell; nothing was measured.",
    "按单元格里给出的时长画出，没有做任何测量。",
)
_BARS = Both("Calls in time", "时间里的调用")
_SECONDS = Both(
    'time_bars takes seconds by name, such as {{"Search": 2}}, not {}.',
    'time_bars 要的是名称和秒数，例如 {{"Search": 2}}，而不是 {}。',
)
