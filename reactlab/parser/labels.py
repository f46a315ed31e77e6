"""The words that mark the parts of a reply, and the one pattern that finds them at line starts."""

from __future__ import annotations

import re

from reactlab.names import clean_name

LABELS = {
    "thought": "thought thoughts thinking reasoning 思考 思考过程 想法 思路 推理",
    "action": "action 行动 动作",
    "input": "action_input action_inputs tool_input 行动输入 动作输入 工具输入 行动参数",
    "short_input": "input inputs arguments args parameters 输入 参数",
    "observation": "observation observations 观察 观察结果 观测",
    "final": "final_answer 最终答案 最终回答",
    "short_final": "answer 答案 回答",
    "question": "question human user 问题 用户",
}
KINDS = {clean_name(word): kind for kind, words in LABELS.items() for word in words.split()}
BLANKS = " \t\r\n\f\v\xa0\u3000\u200b\u200e\u200f\u2060\ufeff\u2028\u2029"

_B = " \\t\xa0\u3000\u200b\u200e\u200f\u2060\ufeff"
WORDS = "|".join(
    re.escape(word).replace("_", "[ _-]?")
    for word in sorted(" ".join(LABELS.values()).split(), key=len, reverse=True)
)
_TAGS = "tool_calls?|function_calls?|invoke|function|tool|final_answer|answer|think|thinking"
PART = re.compile(
    rf"""
    (?: ^ (?!\n) | (?<=</think>) | (?<=</thinking>) ) [{_B}]*+
    (?: </ (?!think) \w{{1,20}}> [{_B}]? ){{0,3}}                     # stray closing tags
    (?P<decor> [{_B}>\#*_`~•·▪◦+【\[［「\-–—\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]{{0,12}}+ )
    (?P<ordinal> (?: (?:step|步骤|第) [{_B}]? )? [(（]?
                 [\d一二三四五六七八九十]{{1,3}} 步? [{_B}]? [.)）\]、:：-] [{_B}*]{{0,4}} )?
    (?:
      (?P<label> {WORDS} )
      (?P<tail> [{_B}]{{0,4}} [\#(（-]? \d{{0,3}} [)）]? [{_B}*_`~】\]］」]{{0,6}} )
      (?P<colon> [:：]? ) [*_`~]{{0,3}}
    | (?: json [{_B}]? )? (?P<object> \{{ | \[ (?= \s{{0,20}} \{{ ) )
    | < (?P<tag> {_TAGS} ) (?= [\s>=] )
    | (?P<call> [^\n\[\]()（）［］【】〔〕:：<>{{}}]{{1,60}}+ (?= [\[(（［【〔] ) )
    )""",
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)


def first_line(text: str, start: int) -> str:
    """Return the rest of the line at `start`, without blanks around it."""
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)].strip(BLANKS)
