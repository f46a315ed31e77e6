"""Checks of 09 loops_and_context."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from reactlab.course.cases import Case, by_cases
from reactlab.course.exercises import Judge, attempt
from reactlab.course.texts import Texts
from reactlab.course.words import value_shown

say = Texts("09")
Step = dict[str, Any]
CODE = re.compile(r"[A-Z]{2}-\d{4}")


def step(tool: str, result: str, **arguments: Any) -> Step:
    """A step as the exercise has it."""
    return {"tool": tool, "arguments": arguments, "result": result}


def is_loop(steps: list[Step], rounds: Mapping[int, int] | None = None) -> bool:
    """The rule of the exercise: a step three times in a row, a circle of two or three twice."""
    for length, times in (rounds or {1: 3, 2: 2, 3: 2}).items():
        last = steps[-length * times :]
        repeats = all(one == two for one, two in zip(last, last[length:], strict=False))
        if len(last) == length * times and repeats:
            return True
    return False


def runs() -> Iterator[tuple[str, list[Step]]]:
    """Named runs with seeded names and figures: loops and runs that only look like one."""
    chance = random.Random(91)
    order, job = str(chance.randrange(10_000, 99_999)), str(chance.randrange(100, 999))
    read = [step("read", f"{10 * number}", path=f"{number}.txt") for number in range(1, 8)]
    poll = [step("job", f"{number}0 %", id=job) for number in range(1, 10)]
    trip = {"origin": "Oslo", "destination": "Rome"}
    there = step("flights", "0", **trip)
    back = step("flights", "0", **dict(reversed(trip.items())))
    turned = {
        "tool": "flights",
        "arguments": {"origin": "Rome", "destination": "Oslo"},
        "result": "0",
    }
    yield "repeat", [read[4], *[read[0]] * 3]
    yield "polling", poll[:8]
    yield "two", [read[0], read[1]] * 2
    yield "paging", [step("page", f"{n} / 9", number=n) for n in range(1, 7)]
    yield "a_b_a", [step("door", "0", id=1), step("open", "ok", id=1), step("door", "0", id=1)]
    yield "alike", [step("read", "0", path=f"{number}.md") for number in range(3)]
    yield "reordered", [there, back, there]
    yield "turned", [there, turned, there]
    yield "three", [read[5], *[read[0], read[1], read[2]] * 2]
    yield "twice", [read[3], read[0], read[0]]
    yield (
        "looks_again",
        [step("door", "0", id=1), step("open", "ok", id=1), step("door", "1", id=1)],
    )
    yield "left", [*[read[0]] * 3, read[1]]
    yield "short", [read[0]]
    yield "empty", []
    yield "stuck_poll", [*poll[:3], *[poll[3]] * 3]
    yield "two_polls", [step("job", f"{n}", id=i) for n in range(4) for i in ("a", "b")]
    yield (
        "other_tool",
        [step("read", "41", id=order), step("size", "41", id=order), step("read", "41", id=order)],
    )
    yield "late_two", [*read[:3], *[read[4], read[5]] * 2]
    yield "broken_circle", [read[0], read[1], read[2], read[0], read[1], read[3]]
    yield "half_circle", [read[0], read[1], read[2], read[0], read[1]]
    yield "four_equal", [read[2]] * 4
    yield "five_equal", [read[1], *[read[2]] * 5]
    yield "mixed", [read[0], read[1], read[2], read[0], read[2], read[1]]
    yield "twice_in_circle", [read[0], read[0], read[1]] * 2
    yield "shouted", [step("job", "ok", id=1), step("job", "OK", id=1), step("job", "ok", id=1)]
    yield "lists", [step("sum", "6", numbers=[1, 2, 3])] * 3
    ordered, turned = (step("sum", "6", numbers=each) for each in ([1, 2, 3], [3, 2, 1]))
    yield "size", [ordered, turned, ordered]


def loops() -> Iterator[Case]:
    """All runs with their verdicts."""
    for number, (_name, steps) in enumerate(runs(), 1):
        told = " · ".join(_short(each) for each in steps) or "[]"
        about = {"run": told, "otherwise": f"wrong_{is_loop(steps)}".lower()}
        yield Case(say("run", number), (steps,), is_loop(steps), about)


def _short(each: Step) -> str:
    given = ", ".join(f"{key}={value}" for key, value in each["arguments"].items())
    return f"{each['tool']}({given}) → {each['result']}"


def _without_results(steps: list[Step]) -> bool:
    return is_loop([{**each, "result": ""} for each in steps])


def _one_alone(steps: list[Step]) -> bool:
    return is_loop(steps, {1: 3})


def _a_b_a(steps: list[Step]) -> bool:
    return len(steps) >= 3 and steps[-1] == steps[-3]


def _two_in_a_row(steps: list[Step]) -> bool:
    return is_loop(steps, {1: 2, 2: 2, 3: 2})


def _anywhere(steps: list[Step]) -> bool:
    return any(is_loop(steps[:end]) for end in range(len(steps) + 1))


def _as_text(steps: list[Step]) -> bool:
    return is_loop([{"text": str(each)} for each in steps])


def _results_alone(steps: list[Step]) -> bool:
    return is_loop([{"result": each["result"]} for each in steps])


def _sorted_values(steps: list[Step]) -> bool:
    return is_loop([{**each, "arguments": sorted(map(str, each["arguments"].values()))}
                    for each in steps])  # fmt: skip


def _other_tools(steps: list[Step]) -> bool:
    return is_loop([{**each, "tool": ""} for each in steps])


LOOP_MISTAKES = {
    "no_tool": _other_tools,
    "calls_alone": _without_results,
    "as_text": _as_text,
    "values_alone": _sorted_values,
    "one_alone": _one_alone,
    "a_b_a": _a_b_a,
    "two_in_a_row": _two_in_a_row,
    "anywhere": _anywhere,
    "results_alone": _results_alone,
}


def histories() -> Iterator[tuple[list[str], int]]:
    """Steps with planted codes, and budgets: some fit, most do not."""
    chance = random.Random(92)
    words = say["words"]

    def text(length: int, *codes: str) -> str:
        said = [chance.choice(words) for _ in range(length)]
        for code in codes:
            said.insert(chance.randrange(len(said) + 1), code)
        return " ".join(said)

    def code() -> str:
        return f"{''.join(chance.choices('ABKRX', k=2))}-{chance.randrange(1000, 9999)}"

    yield [text(3, code()), text(4)], 200
    yield [text(60, code()), text(60), text(10)], 200
    yield [text(40), text(40, code(), code()), text(40), text(12, code())], 220
    yield [text(8) for _ in range(3)] + [text(60, code())] + [text(9)], 260
    yield [text(50, code()) for _ in range(6)] + [text(14)], 300
    yield [text(400, code(), code()), text(5)], 200
    yield [text(30) for _ in range(6)] + [text(12)], 240
    yield [text(6, code()) for _ in range(4)], 400
    exact = [text(12, code()) for _ in range(3)]
    yield exact, max(200, len("\n".join(exact)))
    border = [text(20, code()) for _ in range(4)] + [text(9)]
    yield border, len("\n".join(border)) - 1


def judge_compact(compact: Any) -> Iterator[str]:
    """09.2: within the budget, the last step whole, codes kept, the cut marked."""
    for number, (steps, budget) in enumerate(histories(), 1):
        case = say("case", number)
        got = attempt(case, compact, list(steps), budget)
        told = _wrong(got, steps, budget)
        yield (
            say(told[0], case=case, got=value_shown(got), budget=budget, **told[1]) if told else ""
        )


def _wrong(got: Any, steps: list[str], budget: int) -> tuple[str, dict[str, Any]] | None:
    if not isinstance(got, str):
        return "no_text", {}
    whole = "\n".join(steps)
    if len(whole) <= budget:
        return None if got.strip() == whole else ("cut_for_nothing", {"whole": len(whole)})
    if len(got) > budget:
        return "too_long", {"length": len(got)}
    lost = [code for code in CODE.findall(whole) if code not in got]
    if lost:
        place = next(n for n, each in enumerate(steps, 1) if lost[0] in each)
        return "lost", {"code": lost[0], "place": place}
    invented = [code for code in CODE.findall(got) if code not in whole]
    if invented:
        return "invented", {"code": invented[0]}
    if steps[-1] not in got:
        return "last", {"last": value_shown(steps[-1])}
    return None if "…" in got or "..." in got else ("no_mark", {})


JUDGES: dict[str, Judge] = {"1": by_cases(say, loops, LOOP_MISTAKES), "2": judge_compact}
EXAMPLES: dict[str, Any] = {}
