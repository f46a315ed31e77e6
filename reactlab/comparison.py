"""Two runs side by side: what they came to, where they first differ, and step beside step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from os.path import commonprefix
from typing import Literal

from reactlab.cost import Price, cost, money
from reactlab.errors import ConfigError
from reactlab.events import Step
from reactlab.render import html, text
from reactlab.render.labels import labels
from reactlab.render.rows import Box, clean, one_line
from reactlab.render.table import table
from reactlab.trace import Trace, as_trace
from reactlab.trace_rows import Reader

Mark = Literal["same", "first_difference", "different"]


@dataclass(frozen=True)
class Pair:
    """A step of each run, None where one has none; `mark` says how they compare."""

    one: Step | None
    other: Step | None
    mark: Mark


@dataclass(frozen=True)
class _Cell:
    """What stands under a name, "" for both runs: boxes, and lines about tokens and cost."""

    name: str
    boxes: tuple[Box, ...]
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Row:
    """What is shown of one pair."""

    heading: str
    mark: Mark
    cells: tuple[_Cell, ...]


class Comparison:
    """A table of both runs in `rows`, their first `difference` in a sentence, and `pairs` of steps.

    `names` are what the runs are called. `steps=False` shows the table and the difference alone.
    `prices` are your own, as in `reactlab.cost.cost`.
    """

    def __init__(
        self,
        one: Trace,
        other: Trace,
        names: tuple[str, str] | None = None,
        *,
        language: str = "en",
        steps: bool = True,
        prices: Mapping[str, Price] | None = None,
    ) -> None:
        self.words = labels(language)
        self.traces = (as_trace(one), as_trace(other))
        self.names = names or (self.words.stored_run, self.words.your_run)
        two = isinstance(self.names, tuple | list) and len(self.names) == 2
        if not two or not all(isinstance(name, str) for name in self.names):
            raise ConfigError(f"names are two texts, one for each run, not {names!r}.")
        facts = zip(_ROWS, _facts(one), _facts(other), strict=True)
        self.rows = [(getattr(self.words, row), old, new) for row, old, new in facts]
        self.difference = first_difference(one, other, language)
        self.pairs = list(_pairs(one.steps, other.steps))
        self.steps = steps
        self._costs = tuple(cost(trace, prices) for trace in self.traces)

    def __repr__(self) -> str:
        lines = ["  |  ".join(self.names)]
        lines += [f"{name}: {old}  |  {new}" for name, old, new in self.rows]
        lines.append(self.difference)
        for row in self._picture() if self.steps else ():
            lines += ["", row.heading]
            for cell in row.cells:
                by = "    " if cell.name else "  "
                lines += [f"  {cell.name}"] if cell.name else []
                shown = (text.line_of(box, self.words, 500) for box in cell.boxes)
                lines += [text.indented(line, by) for line in (*shown, *cell.facts)]
        return clean("\n".join(lines))

    def _repr_html_(self) -> str:
        language = self.words.language
        head = ("", *map(html.shown, self.names))
        rows = ((name, html.shown(old), html.shown(new)) for name, old, new in self.rows)
        inside = f"{table(head, rows, language)}\n<p>{html.shown(self.difference)}</p>"
        if not self.steps:
            return f'<div lang="{language}">{inside}</div>'
        items = "\n".join(map(self._item, self._picture()))
        inside += f'\n<ol class="rl-pairs">\n{items}\n</ol>'
        style = f"<style>{html.data('compare.css')}</style>\n"
        return html.shell(style + inside, self.words, self.words.comparison)

    def _picture(self) -> Iterator[_Row]:
        words, reader = self.words, Reader(self.words)
        for number, pair in enumerate(self.pairs, 1):
            steps = (pair.one, pair.other)
            heading = words.step.format(number=number)
            boxes = [tuple(reader.boxes(step)) if step else None for step in steps]
            facts = [self._fact(step, at) if step else "" for at, step in enumerate(steps)]
            yield self._row(heading, pair.mark, boxes, facts)
        ends = [tuple(reader.outcome(trace)) for trace in self.traces]
        if any(ends):
            alike = all(pair.mark == "same" for pair in self.pairs)
            mark: Mark = "first_difference" if alike else "different"
            mark = "same" if ends[0] == ends[1] else mark
            reasons = [words.reason(trace.stop_reason) for trace in self.traces]
            told = [(Box("pause", words.stopped, reason),) for reason in reasons]
            yield self._row(words.end, mark, [a or b for a, b in zip(ends, told, strict=True)])

    def _row(
        self,
        heading: str,
        mark: Mark,
        boxes: Sequence[tuple[Box, ...] | None],
        facts: Sequence[str] = ("", ""),
    ) -> _Row:
        heading, colon = f"{heading} · {getattr(self.words, mark)}", self.words.colon
        if mark == "same":
            named = [name + colon + fact for name, fact in zip(self.names, facts, strict=True)]
            told = tuple(filter(None, facts[:1] if facts[0] == facts[1] else named))
            return _Row(heading, mark, (_Cell("", boxes[0] or (), told),))
        none = (Box("pause", "–", self.words.no_step),)
        cells = [
            _Cell(name, none if inside is None else inside, (fact,) if fact else ())
            for name, inside, fact in zip(self.names, boxes, facts, strict=True)
        ]
        return _Row(heading, mark, tuple(cells))

    def _fact(self, step: Step, at: int) -> str:
        """Tokens of a step, and what they cost where that is known and is not nothing."""
        usage, amount = step.usage, self._costs[at].of_step(step.number)
        if not usage.input_tokens and not usage.output_tokens:
            return ""
        told = self.words.used(usage)
        return f"{told} · {money(amount, self.words)}" if amount else told

    def _item(self, row: _Row) -> str:
        style = ' class="rl-first"' if row.mark == "first_difference" else ""
        cells = "".join(
            (f'<div><p class="rl-name">{html.shown(cell.name)}</p>' if cell.name else "<div>")
            + html.boxes(cell.boxes, self.words, 600)
            + "".join(f'<p class="rl-word">{html.shown(fact)}</p>' for fact in cell.facts)
            + "</div>"
            for cell in row.cells
        )
        shut = "" if row.mark == "same" else " open"
        return (
            f"<li{style}><details{shut}><summary><b>{html.shown(row.heading)}</b></summary>"
            f'<div class="rl-cells">{cells}</div></details></li>'
        )


def first_difference(one: Trace, other: Trace, language: str = "en") -> str:
    """Where two traces part, in one sentence."""
    words = labels(language)
    if one.question != other.question:
        return words.other_question.format(old=one.question, new=other.question)
    for number, (old, new) in enumerate(zip_longest(one.steps, other.steps), 1):
        for what, before, after in zip(_WHAT, _said(old), _said(new), strict=True):
            if before != after and ((old and new) or {before, after} != {"–", ""}):
                before, after = _near(before, after)
                told = getattr(words, what)
                return words.differs.format(number=number, what=told, old=before, new=after)
    if (one.stop_reason, one.answer) == (other.stop_reason, other.answer):
        return words.no_difference
    ends = [words.reason(trace.stop_reason) for trace in (one, other)]
    if one.stop_reason == other.stop_reason:
        ends = list(_near(one.answer or "–", other.answer or "–"))
    return words.ends_differ.format(old=ends[0], new=ends[1])


_ROWS = ("model_row", "tools_row", "steps_row", "stop_row", "tokens_row", "answer_row")
_WHAT = ("the_failure", "the_action", "the_observation", "the_thought", "the_answer")


def _said(step: Step | None) -> tuple[str, ...]:
    """What counts in a step, in the order of `_WHAT`; ids and times do not."""
    if step is None:
        return ("–",) * len(_WHAT)
    decision, done = step.decision, step.completion
    calls = ", ".join(f"{call.name}[{call.arguments}]" for call in step.calls)
    observations = "; ".join(map(str, step.observations))
    failures = "; ".join(f"{failure.kind}: {failure.message}" for failure in step.failures)
    unread = f"{done.text} " if done and not decision else ""
    answer = (decision and decision.answer) or ""
    return unread + failures, calls, observations, step.thought, answer


def _pairs(ones: list[Step], others: list[Step]) -> Iterator[Pair]:
    """The steps of both runs by their numbers."""
    mark: Mark = "first_difference"
    for one, other in zip_longest(ones, others):
        if _said(one) == _said(other):
            yield Pair(one, other, "same")
        else:
            yield Pair(one, other, mark)
            mark = "different"


def _near(old: str, new: str) -> tuple[str, str]:
    """Two texts in a line each, from a little before the place where they part."""
    at = len(commonprefix([old, new]))  # noqa: RUF071  # by characters, and so it should
    start = at - 60 if at > 120 else 0
    before = "…" if start else ""
    return before + one_line(old[start:], 300) or "–", before + one_line(new[start:], 300) or "–"


def _facts(trace: Trace) -> tuple[str, ...]:
    """What stands in `_ROWS` of one run."""
    usage = trace.usage
    tools = " → ".join(use.call.name for step in trace.steps for use in step.uses) or "–"
    tokens = f"{usage.input_tokens:,} / {usage.output_tokens:,}" if usage.input_tokens else "–"
    reason = str(trace.stop_reason or "unfinished")
    return trace.model, tools, str(len(trace)), reason, tokens, trace.answer or "–"
