"""Results as a small table, in English or Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reactlab.errors import ConfigError
from reactlab.render import html
from reactlab.render.labels import Labels, labels
from reactlab.render.rows import clean, one_line
from reactlab.render.table import table

if TYPE_CHECKING:
    from reactlab.evaluation.results import Results

EMBEDDED = "reactlab-simulated"
_EN = {
    "task": "task",
    "agent": "agent",
    "model": "model",
    "runs": "runs",
    "of": "{runs} of {n} distinct tasks",
    "score": "score",
    "mean": "{score:.1%} (95 % interval {low:.1%} to {high:.1%})",
    "bare": "{score:.1%} (too few distinct tasks for an interval)",
    "broken": "none: every run ended in an error, so nothing was measured ({first})",
    "nothing": "none: there are no runs",
    "errors": "errors",
    "counted": "{errors} of {runs} (counted as wrong)",
    "unfinished": "no answer",
    "calls": "model calls",
    "tools": "tool calls",
    "tokens": "tokens",
    "note": "note",
    "staged": "the model is embedded rules: this tests the method, "
    "and says nothing about language models",
}
_ZH = {
    "task": "任务",
    "agent": "智能体",
    "model": "模型",
    "runs": "运行次数",
    "of": "{runs} 次，{n} 个不同的任务",
    "score": "得分",
    "mean": "{score:.1%}（95% 区间：{low:.1%} 到 {high:.1%}）",
    "bare": "{score:.1%}（不同的任务太少，给不出区间）",
    "broken": "无：每次运行都以错误告终，什么也没有测到（{first}）",
    "nothing": "无：没有运行",
    "errors": "错误",
    "counted": "{runs} 次中有 {errors} 次（按答错计）",
    "unfinished": "没有答案",
    "calls": "模型调用",
    "tools": "工具调用",
    "tokens": "token",
    "note": "说明",
    "staged": "模型是内置的规则：这里检验的是方法，不能说明语言模型的水平",
}


def rows(results: Results) -> list[tuple[str, str]]:
    """What the table shows: a word and a text each."""
    words, names = _words(results.language), labels(results.language)
    count = len(results)
    reasons = [(item.trace.stop_reason or "unfinished") for item in results.unfinished]
    told = ", ".join(f"{names.reason(why)} {reasons.count(why)}" for why in dict.fromkeys(reasons))
    shown = {
        "task": results.task,
        "agent": results.agent,
        "model": results.model or "–",
        "runs": words["of"].format(runs=count, n=results.n),
        "score": _score(results, words),
        "errors": words["counted"].format(errors=len(results.errors), runs=count),
        "unfinished": str(len(reasons)) + (names.note.format(note=told) if told else ""),
        "calls": str(len(results.calls)),
        "tools": str(results.tool_calls),
        "tokens": _tokens(results, names),
    }
    if results.model == EMBEDDED:
        shown["note"] = words["staged"]
    return [(words[name], text) for name, text in shown.items()]


def as_text(results: Results) -> str:
    """The table as plain text."""
    lines = rows(results)
    width = max(len(word) for word, _ in lines)
    return "\n".join(f"{word:{width}}  {one_line(clean(text), 300)}" for word, text in lines)


def as_html(results: Results) -> str:
    """The table as markup."""
    (word, task), *rest = rows(results)
    body = [(html.shown(name), html.shown(text)) for name, text in rest]
    return table((html.shown(word), html.shown(task)), body, results.language)


def _words(language: str) -> dict[str, str]:
    if language not in ("en", "zh"):
        raise ConfigError(f'language is "en" or "zh", not {language!r}.')
    return _ZH if language == "zh" else _EN


def _score(results: Results, words: dict[str, str]) -> str:
    if results.score is None:
        first = results.errors[0].error if results.errors else ""
        return words["broken" if first else "nothing"].format(first=first)
    if results.interval is None:
        return words["bare"].format(score=results.score)
    low, high = results.interval
    return words["mean"].format(score=results.score, low=low, high=high)


def _tokens(results: Results, names: Labels) -> str:
    """The reported tokens, marked where calls reported none; never a 0 that is not known."""
    calls = len(results.calls)
    reported = calls - results.unreported
    if not reported:
        return names.unknown_tokens if calls else "–"
    partial = names.partial.format(some=reported, all=calls)
    return names.used(results.usage, *([partial] if results.unreported else []))
