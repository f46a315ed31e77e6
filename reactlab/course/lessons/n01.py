"""Checks of 01 why_react: who wrote a line, and which way of asking a task needs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.apps.flights import flight_tools
from reactlab.course.cases import Case, by_cases
from reactlab.course.exercises import Judge, Stumble, attempt
from reactlab.course.scripts import act, answer
from reactlab.course.texts import Texts
from reactlab.course.words import current, plain, value_shown
from reactlab.llm.scripted import ScriptedLLM
from reactlab.trace import Trace

say = Texts("01")
WORDS = ("thought", "action", "observation")
IN_CHINESE = {
    "思考": "thought",
    "行动": "action",
    "观察": "observation",
    "思维链": "cot",
    "一次调用": "one_call",
}
WAYS = ("cot", "one_call", "react")
# Exact match in %, PaLM-540B: Yao et al., arXiv 2210.03629.
HOTPOTQA = {
    "standard": 28.7,
    "CoT": 29.4,
    "CoT-SC": 33.4,
    "Act": 25.7,
    "ReAct": 27.4,
    "CoT-SC → ReAct": 34.2,
    "ReAct → CoT-SC": 35.1,
}
Task = Mapping[str, Any]


class Titled(list[Any]):
    """A list that prints as its title."""

    def __init__(self, title: str, items: Iterable[Any]) -> None:
        super().__init__(items)
        self.title = title

    def __str__(self) -> str:
        return self.title


@dataclass(frozen=True)
class Shuffled:
    """Lines of a trace without labels and order; `wrote` has the word for each of them."""

    lines: list[str]
    wrote: list[str]
    world: Mapping[tuple[str, str], str]

    def use(self, name: str, text: str) -> str:
        """What the world says when a tool is used."""
        key = (plain(name), plain(text))
        return self.world.get(key, say("no_tool", *key))

    def __str__(self) -> str:
        return "\n".join(self.lines)


def shuffled(seed: int) -> Shuffled:
    """A run of look-ups on made-up plates; from seed 1 on some lines look like another kind."""
    chance = random.Random(seed)
    stars = chance.sample(say["says"]["stars"], 5)
    numbers = [f"{n:,}" for n in chance.sample(range(1000, 9999), 5)]
    looks = [
        (star, say("plate", star, number)) for star, number in zip(stars, numbers, strict=True)
    ]
    looks[1] = (stars[1], say("as_data", stars[1], numbers[1]))
    looks[2] = (stars[2], say("no_entry", stars[2]))
    world = {("Lookup", plain(star)): seen for star, seen in looks}
    parts = [(say("need", star), f"Lookup[{star}]", seen) for star, seen in looks[: 2 + seed % 2]]
    rows = list(zip(WORDS * len(parts), [line for part in parts for line in part], strict=True))
    if seed:
        double, number = say("two_words"), f"{chance.randrange(1000, 9999):,}"
        world["Lookup", plain(double)] = say("noted", double, number)
        rows += [
            ("action", f"Lookup[{double}]"),
            ("observation", say("noted", double, number)),
            ("thought", say("piece", number)),
            ("thought", say("next", stars[3])),
            ("thought", say("mention", stars[4])),
            ("thought", looks[3][1]),
            ("thought", say("as_data", stars[4], numbers[4])),
            ("action", f"Telescope[{stars[3]}]"),
            ("observation", say("no_tool", "Telescope", stars[3])),
        ]
    chance.shuffle(rows)
    return Shuffled([line for _, line in rows], [word for word, _ in rows], world)


def judge_wrote(who_wrote: Any) -> Iterator[str]:
    """01.1: the lines of the notebook, then of other runs."""
    for number in range(6):
        scene, case = shuffled(number), say("run", number + 1)
        yield _first_wrong(case, scene, attempt(case, who_wrote, list(scene.lines), scene.use))


def _first_wrong(case: str, scene: Shuffled, answer: Any) -> str:
    got = _one_for_each(case, scene, answer)
    words = [IN_CHINESE.get(plain(value), plain(value).casefold()) for value in got]
    rows = zip(scene.lines, got, words, scene.wrote, strict=True)
    for line, value, word, right in sorted(rows, key=lambda row: row[3] != "action"):
        if word not in WORDS:
            return say("no_word", case=case, got=value_shown(value))
        if word != right:
            key = "too_early" if words == _in_one_pass(scene) else _what(line, word, right, scene)
            return say(key, case=case, line=line, got=plain(value))
    return ""


def _what(line: str, word: str, right: str, scene: Shuffled) -> str:
    """The key of what to tell about a line that has the wrong word."""
    if right == "action" and word == "thought" and " " in line:
        return "two_words_thought"
    whole = [seen for seen in scene.lines if line in seen and line != seen]
    if (right, word) == ("thought", "observation") and whole:
        return "piece_observation"
    return "who" if right == "observation" else f"{right}_{word}"


def _in_one_pass(scene: Shuffled) -> list[str]:
    """What comes out if a line is compared only with answers to the actions above it."""
    seen, words = set[str](), list[str]()
    for line, right in zip(scene.lines, scene.wrote, strict=True):
        if right == "action":
            seen.add(scene.use(*line[:-1].split("[", 1)))
        words.append("thought" if right == "observation" and line not in seen else right)
    return words


def _one_for_each(case: str, scene: Shuffled, value: Any) -> list[Any]:
    """A learner's words in the order of the lines; they may come in a mapping from line to word."""
    words: list[Any] = []
    if isinstance(value, Mapping):
        words = [value.get(line) for line in scene.lines]
    elif isinstance(value, Iterable) and not isinstance(value, str):
        words = list(value)
    if len(words) != len(scene.lines):
        raise Stumble(say("count", case=case, lines=len(scene.lines), got=value_shown(value)))
    return words


def needed(task: Task) -> list[str]:
    """What only the world can give or change; each costs one use of a tool."""
    return [*_facts(task), *task["changes"]]


def _facts(task: Task, source: str = "world") -> list[str]:
    return [what for what, where in task["facts"].items() if where == source]


def cheapest(task: Task, calls: Callable[[Task], list[str]] = needed) -> str:
    """The first way that makes enough calls of tools."""
    return WAYS[min(len(calls(task)), 2)]


def tasks() -> Iterator[Case]:
    """The tasks: one that needs nothing comes first, then one that only changes something."""
    for number, task in sorted(enumerate(say["tasks"], 1), key=lambda row: row[0] not in (3, 5)):
        things = say("comma").join(needed(task)) or say("nothing")
        about = {"question": task["question"], "needed": things, "calls": len(needed(task))}
        yield Case(say("task", number), (dict(task),), cheapest(task), about)


def _same_way(got: Any, way: Any) -> bool:
    word = plain(got).casefold().replace(" ", "_").replace("-", "_")
    return way is not None and IN_CHINESE.get(word, word) == way


def _with_memory(task: Task) -> str | None:
    known = _facts(task, "memory")
    return cheapest(task, lambda task: [*known, *needed(task)]) if known else None


MISTAKES: dict[str, Callable[[Task], str | None]] = {
    "memory": _with_memory,
    "one_will_do": lambda task: "react" if len(needed(task)) == 1 else None,
    "paid": lambda task: "react",
    "too_few": lambda task: "one_call" if len(needed(task)) > 1 else None,
    "no_change": lambda task: cheapest(task, _facts) if task["changes"] else None,
    "needless": lambda task: "one_call" if not needed(task) else None,
    "model_cannot": lambda task: "cot",
}


def numbered(tasks: list[Task]) -> Titled:
    """Tasks that print as their questions, numbered."""
    lines = (f"{number}  {task['question']}" for number, task in enumerate(tasks, 1))
    return Titled("\n".join(lines), map(dict, tasks))


def six_thoughts() -> Trace:
    """A scripted run on a real desk whose six thoughts are one of each type, in their order."""
    steps = say["six"]
    replies = [act(step["thought"], step["tool"], step["input"]) for step in steps[:-1]]
    replies.append(answer(steps[-1]["thought"], steps[-1]["answer"]))
    tools = flight_tools(language=current())
    agent = ReActAgent(ScriptedLLM(replies), tools, language=current(), approve="always")
    return agent.run(say["examples"]["rebook"])


JUDGES: dict[str, Judge] = {
    "1": judge_wrote,
    "2": by_cases(say, tasks, MISTAKES, _same_way),
}
EXAMPLES: dict[str, Callable[[], Any]] = {
    "lines": lambda: shuffled(0),
    "ways": lambda: Titled(" | ".join(say["says"]["ways"]), say["says"]["ways"]),
    "tasks": lambda: numbered(say["tasks"][:3]),
    "six": lambda: Titled(say["examples"]["rebook"], six_thoughts()),
    "types": lambda: Titled(say("types"), (step["type"] for step in say["six"])),
    "papers": lambda: Titled(say("papers"), say["papers"].items()),
    "hotpotqa": lambda: Titled(say("published"), HOTPOTQA.items()),
}
