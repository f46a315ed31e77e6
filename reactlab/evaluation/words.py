"""The words of tables of results, in English and Chinese."""

from __future__ import annotations

from reactlab.errors import ConfigError

EMBEDDED = "reactlab-simulated"
_EN = {
    "task": "task",
    "agent": "agent",
    "model": "model",
    "runs": "runs",
    "of": "{runs} of {n} distinct tasks",
    "score": "score",
    "mean": "{score:.1%} (95 % interval {low:.1%} to {high:.1%})",
    "bare": "{score:.1%} (no interval: the distinct tasks show no spread)",
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
    "compared": "compared",
    "pairs": "{samples} samples, {n} distinct tasks",
    "difference": "difference",
    "points": "{by:+.1f} points (95 % interval {low:+.1f} to {high:+.1f})",
    "no_interval": "{by:+.1f} points (no interval: all tasks differ by the same)",
    "better": "first better",
    "worse": "second better",
    "test": "exact test",
    "p": "p = {p:.3g} (McNemar, two-sided: {wins} to {losses} of {n} distinct tasks)",
}
_ZH = {
    "task": "任务",
    "agent": "智能体",
    "model": "模型",
    "runs": "运行次数",
    "of": "{runs} 次，{n} 个不同的任务",
    "score": "得分",
    "mean": "{score:.1%}（95% 区间：{low:.1%} 到 {high:.1%}）",
    "bare": "{score:.1%}（没有区间：不同的任务之间没有差异）",
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
    "compared": "比较",
    "pairs": "{samples} 个样本，{n} 个不同的任务",
    "difference": "差值",
    "points": "{by:+.1f} 个百分点（95% 区间：{low:+.1f} 到 {high:+.1f}）",
    "no_interval": "{by:+.1f} 个百分点（没有区间：各任务的差值都相同）",
    "better": "第一个更好",
    "worse": "第二个更好",
    "test": "精确检验",
    "p": "p = {p:.3g}（McNemar，双侧；{n} 个不同的任务中 {wins} 比 {losses}）",
}


def words_of(language: str) -> dict[str, str]:
    """The words by their names; raises `ConfigError` for a language that there is not."""
    if language not in ("en", "zh"):
        raise ConfigError(f'language is "en" or "zh", not {language!r}.')
    return _ZH if language == "zh" else _EN
