"""Seeded runs in whose observations codes are planted, between sentences that say nothing."""

from __future__ import annotations

import json
import random

from reactlab import Completion, Decision, ModelCall, Observation, Request, ToolCall, ToolUse, Trace

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
NOISE = {
    "en": [
        "The hall was built for the fair and stood empty for years.",
        "Nobody knew what to do with it, until a club of painters moved in.",
        "Visitors like the garden behind the house, where it is quiet in the evening.",
        "In 1987 the roof was mended, and 12 windows were put in.",
        "The café opens early; most people come for the cake.",
        "Please note that the desk cannot change what another desk has booked.",
    ],
    "zh": [
        "大厅是为博览会建造的，之后空置多年。",
        "没有人知道该拿它怎么办，直到一群画家搬了进来。",
        "游客喜欢屋后的花园，傍晚那里很安静。",
        "1987年修了屋顶，换了12扇窗户。",
        "咖啡馆开门很早，多数人是为蛋糕来的。",
        "请注意，一个柜台不能更改另一个柜台的预订。",
    ],
}
SAID = {
    "code": {"en": "The booking code is {}.", "zh": "取票码是{}。"},
    "number": {"en": "It has the order number {}.", "zh": "订单号为{}。"},
    "mail": {"en": "Write to {} about it.", "zh": "有事请写信到{}。"},
    "path": {"en": "The file lies at {} now.", "zh": "文件现在放在 {} 里。"},
    "hex": {"en": "Its id: {}.", "zh": "编号：{}。"},
    "pass": {"en": "The pass phrase is {}.", "zh": "口令是 {}。"},
    "price": {"en": "It costs {} in all.", "zh": "一共{}。"},
    "day": {"en": "It was moved to {}.", "zh": "改到了{}。"},
    "time": {"en": "The bus leaves at {} then.", "zh": "班车{}出发。"},
}  # fmt: skip


def code(rng: random.Random, kind: str) -> str:
    """Something that a later step may need to the letter."""
    words = ["tulip", "cello", "maple", "heron", "amber", "delta"]
    made = {
        "code": f"{''.join(rng.sample(LETTERS, 2))}-{rng.randint(1000, 9999)}",
        "number": str(rng.randint(10**5, 10**8)),
        "mail": f"{rng.choice(words)}{rng.randint(10, 99)}@redline.example",
        "path": f"/srv/data/{rng.choice(words)}/report-{rng.randint(10, 99)}.csv",
        "hex": f"{rng.getrandbits(48):012x}a7",
        "pass": "-".join(rng.sample(words, 3)),
        "price": f"¥{rng.randint(2, 98)},{rng.randint(100, 999)}",
        "day": f"2027-{rng.randint(10, 12)}-{rng.randint(10, 28)}",
        "time": f"{rng.randint(10, 23)}:{rng.randint(10, 59)}",
    }
    return made[kind]


def page(rng: random.Random, language: str, inside: str, sentences: int = 12) -> str:
    """Sentences that say nothing, with `inside` somewhere in the middle."""
    glue = " " if language == "en" else ""
    text = [rng.choice(NOISE[language]) for _ in range(sentences)]
    text.insert(rng.randint(sentences // 3, 2 * sentences // 3), inside)
    return glue.join(text)


def planted(seed: int) -> tuple[Trace, list[str], str]:
    """A run of six to ten steps, what was planted in it, and its language."""
    rng = random.Random(seed)
    language = ("en", "zh")[seed % 2]
    trace, codes = Trace({"en": "What is booked?", "zh": "订了什么？"}[language]), []
    for number in range(rng.randint(6, 10)):
        kinds = rng.sample(sorted(SAID), rng.choice([0, 1, 1, 2]))
        made = [code(rng, kind) for kind in kinds]
        glue = " " if language == "en" else ""
        inside = glue.join(
            SAID[kind][language].format(one) for kind, one in zip(kinds, made, strict=True)
        )
        add(
            trace,
            "Search",
            f"page {number}",
            page(rng, language, inside),
            thought=f"Page {number}.",
        )
        codes += made
    return trace, codes, language


def add(trace: Trace, tool: str, given: object, *seen: str, thought: str = "On.") -> None:
    """One more step, with a call for each observation."""
    number = len(trace) + 1
    text = given if isinstance(given, str) else json.dumps(given)
    calls = tuple(ToolCall(tool, text, f"call_{number}_{place}") for place in range(len(seen)))
    trace.add(ModelCall(Request(()), Completion(thought, calls)))
    trace.add(Decision(thought, calls))
    for call, result in zip(calls, seen, strict=True):
        trace.add(ToolUse(call, Observation(result)))
