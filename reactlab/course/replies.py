"""Replies made up from a seed, of the kinds that notebook 03 teaches."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from typing import Any

from reactlab.course.gallery import Reply
from reactlab.course.texts import Texts
from reactlab.course.words import current

say = Texts("03")
PLAIN = ("bracket", "two_lines", "answer")


def replies(seeds: Iterable[int] = range(4)) -> list[Reply]:
    """Replies of the taught kinds, with other words each time; the plain ones first."""
    made = [reply for seed in seeds for reply in _replies(random.Random(100 + seed))]
    return sorted(made, key=lambda reply: reply.kind not in PLAIN)


def _replies(chance: random.Random) -> Iterator[Reply]:
    thought, action, given, seen, answer, asked = say["markers"]
    seek, reckon, python = tools()
    topic, other, third = chance.sample(say["pool"]["topics"], 3)
    why, later = chance.sample(say["pool"]["thoughts"], 2)
    i, j, k = chance.sample(range(2, 99), 3)
    think, fact = f"{thought}{why}\n", say("fact", topic, i)
    formula, code = f"(a[{i}]+b[{j}])*{k}", f'print("{other}]", [{i}])'
    whole = f'{{"query": "{topic}", "pages": [{i}, {j}]}}'
    search = f"{action}{seek}[{topic}]"
    two = f"{action}{seek}\n{given}{topic}"
    mention, tried = say("mention", answer.strip()), say("tried", action.strip(), third)
    invented = f"\n{seen}{fact}\n{thought}{later}\n{answer}{i}"

    def asks(kind: str, text: str, value: Any, tool: str = seek) -> Reply:
        return _reply(kind, text, {"kind": "action", "tool": tool, "input": value, "thought": why})

    def ends(kind: str, text: str, value: str) -> Reply:
        return _reply(kind, text, {"kind": "final", "answer": value, "thought": why})

    yield asks("bracket", think + search, topic)
    yield asks("two_lines", think + two, topic)
    yield ends("answer", f"{think}{answer}{fact}", fact)
    yield asks("nested", f"{think}{action}{reckon}[{formula}]", formula, reckon)
    yield asks("quoted", f"{think}{action}{python}[{code}]", code, python)
    yield asks("mention", f"{thought}{say('two', why, mention)}\n{search}", topic)
    yield asks("mention", f"{thought}{say('two', why, tried)}\n{two}", topic)
    yield asks("no_thought", f"{why}\n{search}", topic)
    yield asks("two_actions", f"{think}{search}\n{action}{seek}[{other}]", topic)
    yield asks("invented", think + search + invented, topic)
    yield asks("invented", think + two + invented, topic)
    yield ends(
        "lines", f"{think}{answer}{fact}\n- {topic}\n- {other}", f"{fact}\n- {topic}\n- {other}"
    )
    yield ends("next", f"{think}{answer}{fact}\n\n{asked}{topic}\n{thought}{later}", fact)
    yield asks("whole", f"{think}{action}{seek}\n{given}{whole}", json.loads(whole))
    yield _reply("half", f"{think}{action}{seek}\n{given}{whole[:-3]}", {"kind": "error"})
    broken = f'{{"query": "{topic}", "pages": [{i}, {j}]'
    yield _reply("broken", f"{think}{action}{seek}[{broken}]", {"kind": "error"})
    yield _reply("no_input", f"{think}{action}{seek}", {"kind": "error"})
    yield _reply("cut", f"{think}{action}{python}[print({i}, a[{j}] + ", {"kind": "error"})
    yield _reply("nothing", f"{thought}{say('two', why, later)}", {"kind": "none"})


def _reply(kind: str, text: str, expect: dict[str, Any]) -> Reply:
    return Reply("", kind, "", current(), tools(), text, expect)


def tools() -> tuple[str, str, str]:
    """Names for searching, for arithmetic and for code, in the edition in use."""
    search, calculator, code = say["pool"]["tools"]
    return search, calculator, code


def unreadable() -> Iterator[tuple[str, str]]:
    """Replies without a step, each with the line that is wrong with it."""
    thought, action, given = say["markers"][:3]
    search = tools()[0]
    for seed in range(3):
        chance = random.Random(200 + seed)
        topic, why = chance.choice(say["pool"]["topics"]), chance.choice(say["pool"]["thoughts"])
        tried = say("tried", action.strip(), topic)
        cut = f"{action}Python[for i in range({seed + 3}):"
        yield f"{thought}{why}\n{cut}\n    print(i", cut
        yield f"{thought}{why}\n{action}{search}", f"{action}{search}"
        yield f"{thought}{say('two', why, tried)}\n{action}Python", f"{action}Python"
        yield f"{say('later')}\n{action}{search}", f"{action}{search}"
        yield f"{thought}{why}\n{given}{topic}", f"{given}{topic}"
        yield f"{why}\n{say('fact', topic, seed + 20)}", say("fact", topic, seed + 20)
