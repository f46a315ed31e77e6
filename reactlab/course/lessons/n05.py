"""Checks of 05 the_loop: the loop itself, and why a run stopped."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from reactlab.course.exercises import Judge, Raised, Stumble, TooMany, attempt
from reactlab.course.runs import Runs, stopped_runs
from reactlab.course.scripts import Script, act, answer
from reactlab.course.texts import Texts
from reactlab.course.words import current, plain, value_shown
from reactlab.prompts import words

say = Texts("05")
REASONS = ("answered", "denied", "interrupted", "max_steps", "model_error", "unreadable")
AS_TOOLS = ("execute", "run", "description", "name")
STARS = ("Altair", "Deneb", "Rigel", "Sirius", "Mizar", "Polaris", "Capella", "Arcturus")


@dataclass
class Scene:
    """A scripted run for `react`: look-ups as (thought, input, observation), then an answer."""

    question: str
    steps: list[tuple[str, str, str]]
    answer: str
    used: list[str] = field(default_factory=list)

    def replies(self) -> list[str]:
        """What the model says."""
        asked = [act(thought, "Lookup", text) for thought, text, _ in self.steps]
        return [*asked, answer(say("enough"), self.answer)]

    def look_up(self, text: str) -> str:
        """Look up a plate."""
        # In order, whatever is asked; `used` keeps what it was given.
        self.used.append(str(text))
        return self.steps[(len(self.used) - 1) % len(self.steps)][2]


def nothing_there(text: str) -> str:
    """A tool that finds nothing."""
    return say("nothing")


def scene(steps: int, seed: int) -> Scene:
    """Look-ups of stars with made-up numbers; no text of it holds another."""
    chance = random.Random(seed)
    stars = chance.sample(STARS, steps)
    numbers = chance.sample(range(11, 99), steps)
    made = [
        (say("thought", star, number * 101), star, say("seen", number * 1007))
        for star, number in zip(stars, numbers, strict=True)
    ]
    return Scene(say("star_question"), made, str(sum(numbers)))


def judge_react(react: Any) -> Iterator[str]:
    """05.1: history, call count, unknown tool, step limit."""
    yield from _history(react, scene(3, seed=1), say("case", 1))
    yield from _at_once(react)
    yield _unknown_tool(react)
    yield from _limit(react, steps=3)
    yield from _history(react, scene(7, seed=2), say("case", 5))
    yield from _limit(react, steps=2)


def _history(react: Any, scene: Scene, case: str) -> Iterator[str]:
    llm, tools = Script(scene.replies()), {"Lookup": scene.look_up}
    got = _run(case, react, scene.question, llm, tools, 8)
    yield next(filter(None, (_missing(n, p, scene) for n, p in enumerate(llm.prompts, 1))), "")
    wanted = [text for _, text, _ in scene.steps]
    if scene.used != wanted[: len(scene.used)]:
        yield say("given", case=case, got=value_shown(scene.used), wanted=value_shown(wanted))
    yield _call_count(case, llm, len(scene.steps) + 1) or _same_answer(case, got, scene.answer)


def _missing(number: int, prompt: str, scene: Scene) -> str:
    """What prompt `number` should show of the steps before it, and does not."""
    text, at = plain(prompt), 0
    if plain(scene.question) not in text:
        return say("question", number=number)
    for step, (thought, given, observation) in enumerate(scene.steps[: number - 1], 1):
        thought_at, seen_at = text.find(plain(thought)), text.find(plain(observation))
        between = text[thought_at + len(plain(thought)) : seen_at]
        if thought_at < 0 and "\n".join(plain(thought)) in text:
            return say("letters", number=number)
        if thought_at < 0 and seen_at < 0:
            return say("step_gone", number=number, step=step)
        if thought_at < 0:
            return say("thought_gone", number=number, thought=thought)
        if seen_at < 0:
            return say("observation_gone", number=number, step=step, observation=observation)
        if thought_at < at or thought_at > seen_at:
            return say("order", number=number, step=step)
        if text.count(plain(observation)) > 1:
            return say("doubled", number=number, step=step)
        if given not in between:
            return say("action_gone", number=number, action=f"Lookup[{given}]")
        at = seen_at
    return ""


def _at_once(react: Any) -> Iterator[str]:
    case, llm = say("at_once"), Script([answer(say("enough"), "42")])
    got = _run(case, react, say("plain_question"), llm, {"Lookup": nothing_there}, 5)
    yield _call_count(case, llm, 1) or _same_answer(case, got, "42")


def _unknown_tool(react: Any) -> str:
    case, question = say("no_tool"), say("plain_question")
    llm = Script([act(say("wish"), "Telescope", "Vega"), answer(say("enough"), "7")])
    used: list[object] = []
    try:
        got = _run(case, react, question, llm, {"Lookup": used.append}, 5)
    except Stumble as stumble:
        return say("unknown", told=stumble)
    if len(llm.prompts) < 2:
        return say("unknown_ends", got=value_shown(got))
    if used:
        return say("other_tool")
    if "Vega" not in plain(llm.prompts[1]):
        return say("action_gone", number=2, action="Telescope[Vega]")
    cue = plain(llm.prompts[0]).rpartition(plain(question))[2].strip()
    told = plain(llm.prompts[1]).partition("Vega")[2].removesuffix(cue or "\0")
    return _same_answer(case, got, "7") if _says_something(told) else say("unknown_silent")


def _says_something(told: str) -> bool:
    """Whether more than markers is left."""
    rest = re.sub("Observation|Thought|观察|思考|None", "", told)
    return any(sign.isalnum() for sign in rest)


def _limit(react: Any, steps: int) -> Iterator[str]:
    case = say("limit", steps)
    llm = Script([act(say("again"), "Lookup", "Vega")], most=steps + 3)
    tools = {"Lookup": nothing_there}
    got = _run(case, react, say("plain_question"), llm, tools, steps)
    yield _call_count(case, llm, steps)
    yield "" if got is None else say("limit_answer", steps=steps, got=value_shown(got))


def _run(case: str, react: Any, question: str, llm: Script, tools: Any, steps: int) -> Any:
    try:
        return attempt(case, react, question, llm, tools, steps)
    except Raised as raised:
        if isinstance(raised.error, AttributeError) and raised.error.name in AS_TOOLS:
            raise Stumble(say("plain_tool", case=case, name=raised.error.name)) from None
        if _other_markers(react):
            raise Stumble(say("markers", told=raised)) from None
        raise
    except TooMany:
        told = say("endless", case=case, calls=llm.most, steps=steps)
        raise Stumble(told) from None


def _other_markers(react: Any) -> bool:
    """Whether the learner's code holds a marker of the other edition."""
    said = words("en" if current() == "zh" else "zh")
    held = getattr(getattr(react, "__code__", None), "co_consts", ())
    texts = [text for text in held if isinstance(text, str)]
    return any(mark.strip() in text for mark in (said.action, said.answer) for text in texts)


def _call_count(case: str, llm: Script, wanted: int) -> str:
    got = len(llm.prompts)
    return "" if got == wanted else say("calls", case=case, got=got, wanted=wanted)


def _same_answer(case: str, got: Any, wanted: str) -> str:
    if got is None:
        return say("no_answer", case=case, wanted=wanted)
    return (
        "" if plain(got) == plain(wanted) else say("wrong_answer", case, wanted, value_shown(got))
    )


def judge_why(why_stopped: Any) -> Iterator[str]:
    """05.2: the six runs of the notebook, then others, some easily taken for another kind."""
    for variant, group in enumerate(map(stopped_runs, range(3))):
        got = {name: attempt(say("run", name), why_stopped, run) for name, run in group.items()}
        if {plain(value).casefold() for value in got.values()} == {"max_steps"}:
            yield say("all_limit")
        for name, value in got.items():
            yield _reason(say("hidden", name) if variant else name, value, name, group)


def _reason(title: str, value: Any, name: str, group: Runs) -> str:
    got, wanted = plain(value).casefold(), group.reasons[name]
    if got == wanted:
        return ""
    if got not in REASONS:
        reasons = say("listed").join(REASONS)
        return say("no_reason", name=title, got=value_shown(value), reasons=reasons)
    unanswered = got in ("answered", "denied") and group[name].answer is None
    look = "look_unanswered" if unanswered else f"look_{wanted}"
    return say("why", name=title, got=got, look=say(look))


JUDGES: dict[str, Judge] = {"1": judge_react, "2": judge_why}
EXAMPLES = {"runs": lambda: stopped_runs(0)}
