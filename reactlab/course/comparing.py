"""Two runs of the same question side by side: the stored one and the reader's own."""

from __future__ import annotations

from itertools import zip_longest

from reactlab.course.table import table
from reactlab.course.words import A_RUN, Both, current, needed
from reactlab.events import Step
from reactlab.render.html import shown
from reactlab.render.rows import clean
from reactlab.trace import Trace


class Comparison:
    """A small table of two traces, and the first step in which they differ, or their questions."""

    def __init__(self, stored: Trace, yours: Trace) -> None:
        self.rows = [
            (name, value(stored), value(yours))
            for name, value in (
                (Both("model", "模型"), lambda trace: trace.model),
                (Both("tools used", "用到的工具"), _tools),
                (Both("steps", "步数"), lambda trace: str(len(trace))),
                (Both("stop reason", "停止原因"), lambda trace: str(trace.stop_reason)),
                (Both("tokens in / out", "输入 / 输出 token"), _tokens),
                (Both("answer", "答案"), lambda trace: trace.answer or "–"),
            )
        ]
        self.difference = first_difference(stored, yours)
        if stored.question != yours.question:
            self.difference = _OTHER_QUESTION.format(stored.question, yours.question)

    def __repr__(self) -> str:
        lines = [f"{name}: {old}  |  {new}" for name, old, new in self.rows]
        return clean("\n".join([f"{_STORED}  |  {_YOURS}", *lines, self.difference]))

    def _repr_html_(self) -> str:
        head = ("", str(_STORED), str(_YOURS))
        rows = ((str(name), shown(old), shown(new)) for name, old, new in self.rows)
        told = f"<p>{shown(self.difference)}</p>"
        return f'<div lang="{current()}">{table(head, rows)}\n{told}</div>'


def compare(stored: Trace, yours: Trace) -> Comparison:
    """Two runs side by side: tools, steps, stop reason, tokens, first difference."""
    needed(stored, Trace, A_RUN)
    needed(yours, Trace, A_RUN)
    return Comparison(stored, yours)


def first_difference(stored: Trace, yours: Trace) -> str:
    """Where two traces part, in one sentence."""
    for number, (old, new) in enumerate(zip_longest(stored.steps, yours.steps), 1):
        for what, part in _PARTS:
            before, after = part(old) if old else "–", part(new) if new else "–"
            if before != after:
                return _DIFFERS.format(number=number, what=what, old=before, new=after)
    return str(_SAME)


def _tools(trace: Trace) -> str:
    return " → ".join(use.call.name for step in trace.steps for use in step.uses) or "–"


def _tokens(trace: Trace) -> str:
    usage = trace.usage
    return f"{usage.input_tokens:,} / {usage.output_tokens:,}" if usage.input_tokens else "–"


def _calls(step: Step) -> str:
    return ", ".join(f"{call.name}[{call.arguments}]" for call in step.calls)


_PARTS = (
    (Both("the action", "行动"), _calls),
    (Both("the observation", "观察"), lambda step: "; ".join(map(str, step.observations))),
    (Both("the thought", "思考"), lambda step: step.thought),
    (Both("the answer", "答案"), lambda step: (step.decision and step.decision.answer) or ""),
)
_STORED = Both("stored run", "存档的运行")
_YOURS = Both("your run", "你的运行")
_SAME = Both("No difference: both runs took the same steps.", "没有差别：两次运行的每一步都相同。")
_OTHER_QUESTION = Both(
    "These two runs were asked different questions: “{}” and “{}”.",
    "这两次运行的问题不同：“{}”和“{}”。",
)
_DIFFERS = Both(
    "First difference, in step {number}, {what}: {old} | {new}",
    "第一处差别在第 {number} 步的{what}：{old} | {new}",
)
