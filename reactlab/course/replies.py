"""Replies made up from a seed, of the kinds that notebook 03 teaches."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from reactlab.course.gallery import Reply
from reactlab.course.texts import Texts
from reactlab.course.words import current

say = Texts("03")
REGEXES = (
    r"{action}\s*(?P<tool>\w+)\[(?P<input>[^\n]+?)\]",
    r"{action}\s*(?P<tool>[^\n]*?)\s*\n{given}\s*(?P<input>.*)",
)
PLAIN = ("bracket", "two_lines", "answer")

_MARKERS = ("thought", "action", "given", "seen", "answer", "asked")
_THINK = "{thought}{why}\n"
_SEARCH = "{action}{seek}[{topic}]"
_TWO_LINES = "{action}{seek}\n{given}"
_TWO = f"{_TWO_LINES}{{topic}}"
_INVENTED = "\n{seen}{fact}\n{thought}{later}\n{answer}{i}"
_LINES = "{fact}\n- {topic}\n- {other}"
_FORMULA = "(a[{i}]+b[{j}])*{k}"
_CODE = 'print("{other}]", [{i}])'
_PROGRAM = "b = {i} + {j}\nprint(b * {k})"
_HALF = '{{"query": "{topic}", "pages": [{i}'
_BROKEN = f"{_HALF}, {{j}}]"
_WHOLE = f"{_BROKEN}}}}}"

# Kind, text, the tool that is meant ("" for an answer), its input or the answer (None: refuse).
_TAUGHT: tuple[tuple[str, str, str, str | None], ...] = (
    ("bracket", _THINK + _SEARCH, "seek", "{topic}"),
    ("two_lines", _THINK + _TWO, "seek", "{topic}"),
    ("answer", _THINK + "{answer}{fact}", "", "{fact}"),
    ("nested", _THINK + "{action}{reckon}[" + _FORMULA + "]", "reckon", _FORMULA),
    ("quoted", _THINK + "{action}{python}[" + _CODE + "]", "python", _CODE),
    ("mention", "{thought}{mention}\n" + _SEARCH, "seek", "{topic}"),
    ("mention", "{thought}{tried}\n" + _TWO, "seek", "{topic}"),
    ("no_thought", "{why}\n" + _SEARCH, "seek", "{topic}"),
    ("two_actions", _THINK + _SEARCH + "\n{action}{seek}[{other}]", "seek", "{topic}"),
    ("invented", _THINK + _SEARCH + _INVENTED, "seek", "{topic}"),
    ("invented", _THINK + _TWO + _INVENTED, "seek", "{topic}"),
    ("thoughts", "{thought}{later}\n" + _THINK + _SEARCH, "seek", "{topic}"),
    ("lines_in", _THINK + "{action}{python}[" + _PROGRAM + "]", "python", _PROGRAM),
    ("lines_in", _THINK + "{action}{python}\n{given}" + _PROGRAM, "python", _PROGRAM),
    ("lines", _THINK + "{answer}" + _LINES, "", _LINES),
    ("next", _THINK + "{answer}{fact}\n\n{asked}{topic}\n{thought}{later}", "", "{fact}"),
    ("whole", _THINK + _TWO_LINES + _WHOLE, "seek", _WHOLE),
    ("half", _THINK + _TWO_LINES + _HALF, "", None),
    ("broken", _THINK + "{action}{seek}[" + _BROKEN + "]", "", None),
    ("no_input", _THINK + "{action}{seek}", "", None),
    ("cut", _THINK + "{action}{python}[print({i}, a[{j}] + ", "", None),
    ("read_on", _THINK + "{action}{seek}" + _INVENTED, "", None),
    ("read_on", _THINK + "{action}{python}[print({i}, a[{j}] + \n{answer}{k}", "", None),
    ("nothing", "{thought}{nothing}", "", None),
)


def replies(seeds: Iterable[int] = range(4)) -> list[Reply]:
    """Replies of the taught kinds, with other words each time; the plain ones first."""
    made = [reply for seed in seeds for reply in _replies(random.Random(100 + seed))]
    return sorted(made, key=lambda reply: reply.kind not in PLAIN)


def _replies(chance: random.Random) -> Iterator[Reply]:
    slots = _slots(chance)
    for kind, text, tool, value in _TAUGHT:
        meant = None if value is None else value.format(**slots)
        expect = _expect(slots.get(tool), meant, slots["why"])
        yield Reply("", kind, "", current(), tools(), text.format(**slots), expect)


def _expect(tool: str | None, meant: str | None, thought: str) -> dict[str, Any]:
    if meant is None:
        return {"kind": "error"}
    if tool is None:
        return {"kind": "final", "answer": meant, "thought": thought}
    given = json.loads(meant) if meant.startswith("{") else meant
    return {"kind": "action", "tool": tool, "input": given, "thought": thought}


def _slots(chance: random.Random) -> dict[str, Any]:
    marks = dict(zip(_MARKERS, say["markers"], strict=True))
    topic, other, third = chance.sample(say["pool"]["topics"], 3)
    why, later = chance.sample(say["pool"]["thoughts"], 2)
    numbers = dict(zip("ijk", chance.sample(range(2, 99), 3), strict=True))
    return {
        **marks,
        **numbers,
        **dict(zip(("seek", "reckon", "python"), tools(), strict=True)),
        "topic": topic,
        "other": other,
        "why": why,
        "later": later,
        "fact": say("fact", topic, numbers["i"]),
        "mention": say("two", why, say("mention", marks["answer"].strip())),
        "tried": say("two", why, say("tried", marks["action"].strip(), third)),
        "nothing": say("two", why, later),
    }


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
    yield "", ""


def by_regex(call: str) -> Callable[[str], dict[str, str] | None]:
    """A parser of the notebook's first half, with the pattern of its calls."""
    _, action, given, _, answer, _ = (re.escape(marker.strip()) for marker in say["markers"])
    asks = re.compile(call.format(action=action, given=given), re.DOTALL)

    def parser(text: str) -> dict[str, str] | None:
        found = re.search(rf"{answer}(?P<answer>.*)", text) or asks.search(text)
        return found.groupdict() if found else None

    return parser
