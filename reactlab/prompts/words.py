"""The words that a text protocol is written with, per language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reactlab.errors import ConfigError


@dataclass(frozen=True)
class Words:
    """Markers as they are written into a prompt, each with its colon."""

    thought: str
    action: str
    action_input: str
    observation: str
    answer: str
    question: str
    earlier: str
    earlier_turn: str
    repeat: str


WORDS = {
    "en": Words(
        thought="Thought: ",
        action="Action: ",
        action_input="ActionInput: ",
        observation="Observation: ",
        answer="Final Answer: ",
        question="Question: ",
        earlier="Earlier steps, shortened:",
        earlier_turn="Earlier in this conversation:",
        repeat="Write an Action with one of these tools: {tools}; or write a Final Answer.",
    ),
    "zh": Words(
        thought="思考：",
        action="行动：",
        action_input="行动输入：",
        observation="观察：",
        answer="最终答案：",
        question="问题：",
        earlier="更早的步骤（已缩短）：",
        earlier_turn="此前的对话：",
        repeat="请用这些工具之一写出行动：{tools}；或者写出最终答案。",
    ),
}


def words(language: str) -> Words:
    """The words of "en" or "zh"."""
    if language not in WORDS:
        raise ConfigError(f"There is no language {language!r}; choose en or zh.")
    return WORDS[language]


_MARKER = re.compile(
    r"(^|[\r\v\f\x1c-\x1e\x85\u2028\u2029])([ \t\xa0\u3000>*#\-]*"
    r"(?:Thought|Action(?: ?Input)?|Observation|Question|(?:Final ?)?Answer|Finish"
    r"|思考|行动(?:输入)?|观察|问题|(?:最终)?答案)[ \t]*\d*[ \t*]*[:：\[［])",
    re.IGNORECASE | re.MULTILINE,
)


@lru_cache(maxsize=256)
def quote(text: str) -> str:
    """Put "> " before each line of data that looks like a step, so that it cannot become one."""
    if not any(sign in text for sign in ":：[［"):  # no marker without one of these
        return text
    return _MARKER.sub(r"\1> \2", text)
