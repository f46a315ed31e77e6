"""The words of a display, per language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reactlab.errors import ConfigError


@dataclass(frozen=True)
class Labels:
    """Words without punctuation, and short forms with `{slots}`; the defaults are English."""

    language: str = "en"
    colon: str = ": "
    note: str = " ({note})"
    trace: str = "Trace"
    question: str = "Question"
    earlier: str = "Earlier question"
    earlier_answer: str = "Earlier answer"
    step: str = "Step {number}"
    end: str = "End"
    thought: str = "Thought"
    action: str = "Action"
    observation: str = "Observation"
    answer: str = "Answer"
    reply: str = "Reply, not understood"
    failure: str = "Failure"
    stopped: str = "Stopped"
    pause: str = "Pause"
    waiting: str = "waits before trying again"
    waited: str = "waited before trying again"
    model: str = "model"
    world: str = "world"
    error: str = "error: {kind}"
    undone: str = "not carried out"
    more: str = "… {count} more characters"
    model_fact: str = "Model: {name}"
    agent_fact: str = "Agent: {name}"
    stop_fact: str = "Stop reason: {reason}"
    steps: str = "{count} steps"
    one_step: str = "1 step"
    calls: str = "{count} model calls"
    one_call: str = "1 model call"
    tokens: str = "{sent} input + {got} output tokens"
    estimated: str = "estimated"
    partial: str = "reported by {some} of {all} calls"
    seconds: str = "{seconds:.1f} s"
    back: str = "Back"
    next: str = "Next"
    all: str = "All steps"
    reasons: Mapping[str, str] = field(default_factory=dict)

    def reason(self, stop_reason: str | None) -> str:
        """Why a run ended: the value that code compares, explained where it is not English."""
        value = stop_reason or "unfinished"
        return f"{self.reasons[value]} ({value})" if value in self.reasons else value


_ZH_REASONS = {
    "answered": "已回答",
    "max_steps": "步数用完",
    "loop": "重复行动",
    "no_progress": "没有进展",
    "budget": "预算用完",
    "context": "提示词过长",
    "unreadable": "回复无法解析",
    "no_plan": "没有计划",
    "handovers": "移交次数用完",
    "tool_failure": "工具失败",
    "model_error": "模型出错",
    "interrupted": "被中断",
    "denied": "未获批准",
    "unfinished": "未结束",
}

_ZH = Labels(
    language="zh",
    colon="：",
    note="（{note}）",
    trace="轨迹",
    question="问题",
    earlier="此前的问题",
    earlier_answer="此前的答案",
    step="第 {number} 步",
    end="结束",
    thought="思考",
    action="行动",
    observation="观察",
    answer="答案",
    reply="无法理解的回复",
    failure="失败",
    stopped="停止",
    pause="等待",
    waiting="稍后重试",
    waited="等待后重试",
    model="模型",
    world="世界",
    error="错误：{kind}",
    undone="未执行",
    more="…… 还有 {count} 个字符",
    model_fact="模型：{name}",
    agent_fact="智能体：{name}",
    stop_fact="停止原因：{reason}",
    steps="{count} 步",
    one_step="1 步",
    calls="{count} 次模型调用",
    one_call="1 次模型调用",
    tokens="输入 {sent} + 输出 {got} 个 token",
    estimated="估计值",
    partial="{all} 次调用中有 {some} 次报告",
    seconds="{seconds:.1f} 秒",
    back="上一步",
    next="下一步",
    all="全部步骤",
    reasons=_ZH_REASONS,
)

_LABELS = {"en": Labels(), "zh": _ZH}


def labels(language: str = "en") -> Labels:
    """The words of "en" or "zh"; raises `ConfigError` for another language."""
    if language not in _LABELS:
        raise ConfigError(f"There is no language {language!r}; choose en or zh.")
    return _LABELS[language]
