"""The words of a display, per language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reactlab.errors import ConfigError
from reactlab.types import Usage


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
    stored_run: str = "stored run"
    your_run: str = "your run"
    model_row: str = "model"
    tools_row: str = "tools used"
    steps_row: str = "steps"
    stop_row: str = "stop reason"
    tokens_row: str = "tokens in / out"
    answer_row: str = "answer"
    the_action: str = "the action"
    the_observation: str = "the observation"
    the_thought: str = "the thought"
    the_answer: str = "the answer"
    the_failure: str = "the failure"
    comparison: str = "Comparison of two runs"
    no_difference: str = "No difference: both runs took the same steps."
    other_question: str = "These two runs were asked different questions: “{old}” and “{new}”."
    differs: str = "First difference, in step {number}, {what}: {old} | {new}"
    ends_differ: str = "The steps are the same; first difference, at the end: {old} | {new}"
    same: str = "same"
    first_difference: str = "first difference"
    different: str = "different"
    no_step: str = "no such step"
    cost: str = "Cost"
    money: str = "${amount}"
    unknown: str = "unknown"
    unknown_tokens: str = "tokens unknown"
    no_price: str = "unknown, for {model!r} has no price in the table; give prices="
    no_usage: str = "unknown, for a call in step {number} reported no tokens"
    prices_of: str = "prices of {date} ({source})"
    free: str = "free of charge"
    reasons: Mapping[str, str] = field(default_factory=dict)

    def reason(self, stop_reason: str | None) -> str:
        """Why a run ended: the value that code compares, explained where it is not English."""
        value = stop_reason or "unfinished"
        return f"{self.reasons[value]} ({value})" if value in self.reasons else value

    def used(self, usage: Usage, *notes: str) -> str:
        """How many tokens went in and came out, with notes on the figures."""
        notes = (self.estimated, *notes) if usage.estimated else notes
        note = self.note.format(note=", ".join(notes)) if notes else ""
        told = self.tokens.format(sent=f"{usage.input_tokens:,}", got=f"{usage.output_tokens:,}")
        return told + note


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
    stored_run="存档的运行",
    your_run="你的运行",
    model_row="模型",
    tools_row="用到的工具",
    steps_row="步数",
    stop_row="停止原因",
    tokens_row="输入 / 输出 token",
    answer_row="答案",
    the_action="行动",
    the_observation="观察",
    the_thought="思考",
    the_answer="答案",
    the_failure="失败",
    comparison="两次运行的比较",
    no_difference="没有差别：两次运行的每一步都相同。",
    other_question="这两次运行的问题不同：“{old}”和“{new}”。",
    differs="第一处差别在第 {number} 步的{what}：{old} | {new}",
    ends_differ="每一步都相同，第一处差别在结束时：{old} | {new}",
    same="相同",
    first_difference="第一处差别",
    different="不同",
    no_step="没有这一步",
    cost="费用",
    money="{amount} 美元",
    unknown="未知",
    unknown_tokens="token 数未知",
    no_price="未知，价目表里没有 {model!r}，可用 prices= 给出价格",
    no_usage="未知，第 {number} 步有一次调用没有报告 token 数",
    prices_of="{date} 的价格（{source}）",
    free="免费",
    reasons=_ZH_REASONS,
)

_LABELS = {"en": Labels(), "zh": _ZH}


def labels(language: str = "en") -> Labels:
    """The words of "en" or "zh"; raises `ConfigError` for another language."""
    if language not in _LABELS:
        raise ConfigError(f"There is no language {language!r}; choose en or zh.")
    return _LABELS[language]
