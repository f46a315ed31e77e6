"""Checks of 02 prompt_template: filling slots in one pass, and what a run sends in all."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import accumulate
from typing import Any

from reactlab.course.cases import Case, by_cases
from reactlab.course.exercises import Judge, Raised, attempt
from reactlab.course.texts import Texts
from reactlab.course.words import value_shown

say = Texts("02")
Slots = Mapping[str, str]
TWO = "{question}\n{history}"
NASTY = (
    "{p, q}",
    "{}",
    "{0}",
    "{question}",
    "100 % of $5 or ${x}",
    r"C:\new\1 \g<0>",
    "",
    "a\nb",
    " a ",
)

DOCUMENT = """\
Answer the question by thinking and using tools, one step at a time.

Tools:
- Search: Look up a title or words in the encyclopaedia; \
returns the beginning of the page, or the best sentences of several pages.
  Parameters: query: string

Question: How long is the pier of Port Ellery?
Thought: I need the page about the pier.
Action: Search[Port Ellery pier]
Observation: The pier of Port Ellery is 210 metres long.
Thought: The page gives the length, so I can answer.
Final Answer: 210 metres

Question: How tall is Tokyo Tower?
"""
"""What the real model is shown in both editions, since its Chinese is poor."""


def judge_fill(fill: Any) -> Iterator[str]:
    """02.1: nasty templates and values, then slots without a value."""

    def spread(template: str, slots: Slots) -> Any:
        return fill(template, **slots)

    yield from _judge_values(spread if callable(fill) else fill)
    for template, slots, name in _incomplete():
        yield _names_it(say("missing", template), spread, template, slots, name)


def _fill_cases() -> Iterator[Case]:
    chance = random.Random(2)
    word, city = say("word"), str(chance.randrange(1000, 9999))
    given = [
        (TWO, {"question": word, "history": city}, f"{word}\n{city}"),
        (TWO, {"question": say("asks"), "history": city}, f"{say('asks')}\n{city}"),
        (TWO, {"history": "{question}", "question": city}, f"{city}\n{{question}}"),
        ('{"a": "b"}\n{question}', {"question": word}, f'{{"a": "b"}}\n{word}'),
        ('{"say": "{question}"}', {"question": word}, f'{{"say": "{word}"}}'),
        ("{city_name}? {city_name}!", {"city_name": city}, f"{city}? {city}!"),
        ("{City_2}: {question}", {"City_2": city, "question": word}, f"{city}: {word}"),
        (
            "{} {{p, q}} { x } $5 {question}",
            {"question": word},
            f"{{}} {{{{p, q}}}} {{ x }} $5 {word}",
        ),
        ("{p, q} 100 %", {}, "{p, q} 100 %"),
        ("{1st}: {question}", {"1st": city, "question": word}, f"{city}: {word}"),
        ("{a-b}: {question}", {"question": word}, f"{{a-b}}: {word}"),
        ("{question}\n\n{history}\n", {"question": word, "history": city}, f"{word}\n\n{city}\n"),
        ("-  {question}   -", {"question": word}, f"-  {word}   -"),
    ]
    for number, nasty in enumerate(chance.sample(NASTY, len(NASTY))):
        name = ("question", "history", "tools")[number % 3]
        given.append((f"<{{{name}}}>", {name: nasty}, f"<{nasty}>"))
    for number, (template, slots, wanted) in enumerate(given, 1):
        case = say("case", number, value_shown(template), value_shown(slots))
        yield Case(case, (template, slots), wanted)


def _filled(
    template: str,
    slots: Slots,
    slot: str = r"\{(\w+)\}",
    value: Callable[[str], str] = str,
    count: int = 0,
) -> str:
    """What 02.1 asks for; the options are there to do it wrong."""
    return re.sub(slot, lambda found: value(slots[found[1]]), template, count=count)


def _in_turn(put: Callable[[str, str, str], str]) -> Callable[[str, Slots], str]:
    """Fills one slot after the other, each with `put(text, slot, value)`."""

    def fill(template: str, slots: Slots) -> str:
        for name, value in slots.items():
            template = put(template, f"{{{name}}}", value)
        return template

    return fill


_judge_values = by_cases(
    say,
    _fill_cases,
    {
        "chained": _in_turn(str.replace),
        "brace": lambda template, slots: template.format(**slots),
        "any_brace": partial(_filled, slot=r"\{(.*?)\}"),
        "pattern": _in_turn(lambda text, slot, value: re.sub(re.escape(slot), value, text)),
        "first": _in_turn(lambda text, slot, value: text.replace(slot, value, 1)),
        "unfilled": lambda template, slots: template,
        "one": partial(_filled, count=1),
        "popped": lambda template, slots: re.sub(r"\{(\w+)\}", lambda f: slots.pop(f[1]), template),
        "digits": partial(_filled, slot=r"\{([^\W\d]\w*)\}"),
        "letters": partial(_filled, slot=r"\{([a-z_]+)\}"),
        "breaks": lambda template, slots: _filled("\n".join(template.splitlines()), slots),
        "end": lambda template, slots: _filled(template.strip(), slots),
        "squeezed": lambda template, slots: _filled(" ".join(template.split()), slots),
        "trimmed": partial(_filled, value=str.strip),
    },
)


def _incomplete() -> Iterator[tuple[str, Slots, str]]:
    yield TWO, {"question": say("word")}, "history"
    yield TWO, {"history": "{question}"}, "question"
    yield '{"a": {city_name}}', {"question": "?"}, "city_name"


def _names_it(case: str, spread: Any, template: str, slots: Slots, name: str) -> str:
    """Whether the function raises something that names the slot without a value."""
    try:
        got = attempt(case, spread, template, slots)
    except Raised as raised:
        named = name in f"{raised.error!r} {raised.told}"
        return "" if named else say("unnamed", case=case, name=name, got=raised.told)
    return say("silent", case=case, name=name, got=value_shown(got))


def _token_cases() -> Iterator[Case]:
    chance = random.Random(22)
    for number, steps in enumerate((7, 4, 1, 12, 2, 9), 1):
        sizes = [chance.randrange(300, 600), *(chance.randrange(20, 200) for _ in range(steps - 1))]
        about = {"last": steps, "before": steps - 1, "first": sizes[0]}
        wanted = sum(accumulate(sizes))
        yield Case(say("run", number, value_shown(sizes)), (sizes,), wanted, about)


judge_tokens = by_cases(
    say,
    _token_cases,
    {
        "once": sum,
        "steps_once": lambda sizes: sizes[0] * len(sizes) + sum(sizes[1:]),
        "fixed_once": lambda sizes: sizes[0] + sum(accumulate(sizes[1:])),
        "no_last": lambda sizes: sum(accumulate(sizes[:-1])),
        "no_fixed": lambda sizes: sum(accumulate(sizes[1:])),
        "fixed_alone": lambda sizes: sizes[0] * len(sizes),
        "rising": lambda sizes: sum(size * place for place, size in enumerate(sizes)),
        "rising_one": lambda sizes: sum(size * place for place, size in enumerate(sizes, 1)),
        "last_each": lambda sizes: sum(sizes) * len(sizes),
        "each": lambda sizes: list(accumulate(sizes)),
    },
)
JUDGES: dict[str, Judge] = {"1": judge_fill, "2": judge_tokens}
EXAMPLES: dict[str, Any] = {"document": lambda: DOCUMENT}
