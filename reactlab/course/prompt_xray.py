"""The prompts of a run, step by step: what fills the slots, and what had been sent before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

from reactlab.course.words import A_RUN, Both, current, needed
from reactlab.course.xray import Mark, Xray
from reactlab.dialects import TEXT_DIALECTS, TextDialect, make_dialect
from reactlab.errors import ConfigError
from reactlab.events import ModelCall, Step
from reactlab.prompts import quote, words
from reactlab.prompts.digest import digest, one_line
from reactlab.render.html import shown, stepper
from reactlab.render.labels import labels
from reactlab.trace import Trace

Span = tuple[int, int]
LANGUAGES = ("en", "zh")
_TOOLS = re.compile(r"^- [^:\n]+: .*(?:\n- [^:\n]+: .*|\n +(?:Parameters|参数): .*)*", re.MULTILINE)
_BAR = (
    '<div aria-hidden="true" style="display:flex;height:1em;max-width:40em;'
    'border:1px solid currentColor"><div style="width:{:.1f}%;'
    "background:repeating-linear-gradient(45deg,currentColor 0 1px,transparent 1px 6px)"
    '"></div><div style="flex:1;background:{}"></div></div>'
)


class PromptXray:
    """One picture for each step of a run in a text dialect: its prompt with the slots bordered.

    Above each prompt stands how much of it had been sent before and how much is new, in
    characters. `str()` has one line for each step, and the last prompt. Raises `ConfigError` for
    a run that has no text prompts.
    """

    def __init__(self, trace: Trace) -> None:
        steps = [step for step in trace.steps if step.model_calls]
        if not steps or any(_call(step).request.tools for step in steps):
            raise ConfigError(str(_NO_TEXT))
        self.calls = [_call(step) for step in steps]
        self.prompts = [call.request.prompt for call in self.calls]
        self.new = [
            _new(prompt, before)
            for prompt, before in zip(self.prompts, ["", *self.prompts], strict=False)
        ]
        self.pictures = [
            Xray(prompt, _marks(prompt, trace, steps[:earlier]))
            for earlier, prompt in enumerate(self.prompts)
        ]

    @property
    def lines(self) -> list[str]:
        """For each step: what was sent, and how much of it had been sent before."""
        return [
            f"{_heading(number, call)}{_COLON}{_sent(prompt, new)}"
            for number, (call, prompt, new) in enumerate(self._rows(), 1)
        ]

    @property
    def total(self) -> str:
        """What all prompts together held."""
        sent = sum(map(len, self.prompts))
        again = sent - sum(self.new)
        return _TOTAL.format(f"{sent:,}", f"{again:,}", f"{again / max(sent, 1):.0%}")

    def __repr__(self) -> str:
        last = _LAST.format(len(self.prompts))
        return "\n".join([*self.lines, self.total, "", last, "", repr(self.pictures[-1])])

    def _repr_html_(self) -> str:
        parts = [
            (_heading(number, call), f"{_bar(prompt, new)}\n{picture.html}")
            for number, ((call, prompt, new), picture) in enumerate(
                zip(self._rows(), self.pictures, strict=True), 1
            )
        ]
        below = f'<p lang="{current()}">{shown(self.total)}</p>'
        return f"{stepper(parts, labels(current()), str(_NAME))}\n{below}"

    def _rows(self) -> Iterable[tuple[ModelCall, str, int]]:
        return zip(self.calls, self.prompts, self.new, strict=True)


def prompt_xray(trace: Trace) -> PromptXray:
    """The prompts of a run, step by step: slots bordered, and what had been sent before."""
    needed(trace, Trace, A_RUN)
    return PromptXray(trace)


def _call(step: Step) -> ModelCall:
    return step.model_calls[-1]


def _heading(number: int, call: ModelCall) -> str:
    step, usage = labels(current()).step.format(number=number), None
    if call.completion is not None:
        usage = call.completion.usage
    if usage is None:
        return step
    word = _ESTIMATED if usage.estimated else _TOKENS
    return step + word.format(f"{usage.input_tokens:,}")


def _sent(prompt: str, new: int) -> str:
    return _SENT.format(f"{len(prompt) - new:,}", f"{new:,}", f"{len(prompt):,}")


def _bar(prompt: str, new: int) -> str:
    """Two lengths, hatched and full, below the words that say the same."""
    again = 100 * (len(prompt) - new) / max(len(prompt), 1)
    return f"<p>{shown(_sent(prompt, new))}</p>\n{_BAR.format(again, 'currentColor')}"


def _new(prompt: str, before: str) -> int:
    """Characters in lines that the prompt before did not have."""
    lines = Counter(prompt.splitlines(keepends=True)) - Counter(before.splitlines(keepends=True))
    return sum(len(line) * count for line, count in lines.items())


def _marks(prompt: str, trace: Trace, earlier: list[Step]) -> Iterator[Mark]:
    """The slots that can be found; they never overlap."""
    history = _history(prompt, trace, earlier)
    taken = [history] if history else []
    question = _question(prompt, quote(trace.question), taken)
    taken += [question] if question else []
    blocks = [found.span() for found in _TOOLS.finditer(prompt)]
    tools = max((one for one in blocks if _free(one, taken)), key=lambda s: s[1] - s[0], default=())
    if tools:
        yield Mark(*tools, str(_WORDS["tools"]), "action")
    if question:
        yield Mark(*question, str(_WORDS["question"]), "thought")
    if history:
        yield Mark(*history, str(_WORDS["history"]), "observation")


def _history(prompt: str, trace: Trace, earlier: list[Step]) -> Span | None:
    """From the first to the last text of an earlier step, with the heading above them."""
    pieces = [_written(step) for step in earlier]
    if trace.after is not None:
        pieces.insert(0, [f"  = {one_line(str(trace.after))}"])
    spans: list[Span] = []
    for texts in pieces:
        after = spans[-1][1] if spans else 0
        found = ((prompt.find(text, after), len(text)) for text in texts)
        spans += [(at, at + size) for at, size in found if at >= 0][:1]
    if not spans:
        return None
    headings = [heading for lang in LANGUAGES for heading in _headings(lang)]
    starts = [at for heading in headings if 0 <= (at := prompt.find(heading)) < spans[0][0]]
    return min([spans[0][0], *starts]), spans[-1][1]


def _headings(language: str) -> list[str]:
    return [f"{words(language).earlier_turn}\n", f"{words(language).earlier}\n"]


def _written(step: Step) -> list[str]:
    """How a prompt may show a step: in full, in short, or at least what came of it."""
    full = {dialect.show(step) for dialect in _dialects()}
    seen = [quote(str(observation)) for observation in step.observations]
    return [text for text in [*sorted(full, key=len, reverse=True), digest(step), *seen] if text]


@cache
def _dialects() -> list[TextDialect]:
    """Every way of writing a step as text, with thoughts and without."""
    made = [make_dialect(n, language=lang) for n in TEXT_DIALECTS for lang in LANGUAGES]
    return [kind for kind in made if isinstance(kind, TextDialect)]


def _question(prompt: str, question: str, taken: list[Span]) -> Span | None:
    """The last place before the history that holds the question, best at the end of a line."""
    end = taken[0][0] if taken else len(prompt)
    for text in (f"{question}\n", question):
        places = prompt.rfind(text, 0, end), prompt.rfind(text)
        for at in places if question.strip() else ():
            if at >= 0 and _free((at, at + len(question)), taken):
                return at, at + len(question)
    return None


def _free(span: Span, taken: list[Span]) -> bool:
    return all(span[1] <= start or end <= span[0] for start, end in taken)


_WORDS = {
    "tools": Both("tools", "工具"),
    "question": Both("question", "问题"),
    "history": Both("history", "历史"),
}
_COLON = Both(": ", "：")
_NAME = Both("Prompts, step by step", "逐步看提示词")
_TOKENS = Both(" · {} tokens", " · {} 个 token")
_ESTIMATED = Both(" · {} tokens (estimated)", " · {} 个 token（估计值）")
_SENT = Both(
    "{2} characters = ▨ {0} sent before + ■ {1} new",
    "{2} 个字符 = ▨ 以前发过 {0} + ■ 新增 {1}",
)
_TOTAL = Both(
    "All prompts together: {} characters, of which {} had been sent before ({}).",
    "所有提示词合计 {} 个字符，其中 {} 个以前已经发过（{}）。",
)
_LAST = Both("Prompt {}, with its slots:", "第 {} 个提示词和它的空位：")
_NO_TEXT = Both(
    "This run has no text prompts to show; take a run of a text dialect.",
    "这次运行没有可以显示的文本提示词；请用文本格式的运行。",
)
