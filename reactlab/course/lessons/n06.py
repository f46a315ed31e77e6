"""Checks of 06 pause_replay_branch: a driver, a branch, and three runs in the clinic."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.apps.flights import flight_tools
from reactlab.course.cases import Case, by_cases
from reactlab.course.clinic import Clinic, Patient, by_diagnosis
from reactlab.course.exercises import Judge, Raised, Stumble, TooMany, attempt
from reactlab.course.pause import Ask, Event, Paused, Use
from reactlab.course.scripts import act, answer
from reactlab.course.texts import Texts
from reactlab.course.words import current, value_shown
from reactlab.errors import ProgramError
from reactlab.llm.scripted import ScriptedLLM

say = Texts("06")
WORDS = ("Altair", "Deneb", "Rigel", "Sirius", "Mizar", "Polaris", "Capella", "Arcturus")


@dataclass
class Play:
    """A program that makes these requests and returns `value`; `sent` is what it was sent."""

    requests: Sequence[Any]
    value: Any = None
    sent: list[Any] = field(default_factory=list)

    def program(self) -> Paused:
        """The program itself."""
        for request in self.requests:
            self.sent.append((yield request))
        return self.value


@dataclass
class Teller:
    """A model or a tool: says its texts in order, again and again, and keeps what it was given."""

    texts: Sequence[Any]
    given: list[Any] = field(default_factory=list)

    def __call__(self, text: Any) -> Any:
        """The next text."""
        if len(self.given) > 500:
            raise TooMany
        self.given.append(text)
        return self.texts[(len(self.given) - 1) % len(self.texts)]


def plays() -> Iterator[tuple[str, Play, dict[str, Teller]]]:
    """Programs, each with those who answer it: the model, under "", and tools."""
    chance = random.Random(6)
    ask = [Ask(say("prompt", number)) for number in range(1, 9)]
    use = [Use("Lookup", word) for word in WORDS]
    other = [Use("Count", word) for word in WORDS]
    said = [str(number) for number in chance.sample(range(100, 999), 8)]
    mixed = [request for pair in zip(ask, use, strict=True) for request in pair]
    plans: dict[str, tuple[Sequence[Any], Any]] = {
        "one": (ask[:1], said[5]),
        "three": ([*mixed[:4], ask[2]], said[7]),
        "uses": ([*use[:3], ask[0]], said[6]),
        "at_once": ((), said[3]),
        "tools": ([other[0], use[1], ask[0], other[2]], said[2]),
        "no_value": (mixed[:2], None),
        "long": (mixed * 8, 0),
    }
    for name, (requests, value) in plans.items():
        lookup, count = Teller(chance.sample(WORDS, 8)), Teller(said[::-1])
        tellers = {"": Teller(said), "Lookup": lookup, "Count": count}
        yield say(name), Play(requests, value), tellers
    empty = Play([use[0], ask[0], use[1], ask[1]], said[4])
    yield say("empty"), empty, {"": Teller(["", "0"]), "Lookup": Teller(["0", "00"])}


def judge_drive(drive: Any) -> Iterator[str]:
    """06.1: every request answered in order, every answer sent in, the result returned."""
    for case, play, tellers in plays():
        got = _run(case, drive, play, dict(tellers))
        yield _flow(case, play, tellers) or _value(case, got, play.value)
    yield _refuses(drive)


def _run(case: str, drive: Any, play: Play, tellers: dict[str, Teller]) -> Any:
    try:
        return attempt(case, drive, play.program(), tellers.pop(""), tellers)
    except TooMany:
        raise Stumble(say("endless", case=case)) from None
    except Raised as raised:
        if isinstance(raised.error, StopIteration):
            raise Stumble(say("stop", case=case)) from None
        if "just-started generator" in raised.told:
            raise Stumble(say("first_send", case=case)) from None
        raise


def _flow(case: str, play: Play, tellers: dict[str, Teller]) -> str:
    """What is wrong with what went to and fro."""
    right = {name: Teller(teller.texts) for name, teller in tellers.items()}
    wanted = [right[getattr(one, "name", "")](_asked(one)) for one in play.requests]
    if play.sent and play.sent != wanted and play.sent.count(None) == len(play.sent):
        return say("for", case=case, count=len(play.sent))
    if len(play.sent) < len(wanted):
        return say("early", case=case, got=len(play.sent), wanted=len(wanted))
    for name, teller in tellers.items():
        if teller.given != right[name].given:
            told = map(value_shown, (teller.given, right[name].given))
            return say("given", case, name or "llm", *told)
    for request, sent, answered in zip(play.requests, play.sent, wanted, strict=True):
        if sent != answered:
            return say("sent", case, *map(value_shown, (request, sent, answered)))
    return ""


def _asked(request: Ask | Use) -> Any:
    return request.prompt if isinstance(request, Ask) else request.text


def _value(case: str, got: Any, wanted: Any) -> str:
    if got == wanted and (got is None) == (wanted is None):
        return ""
    return say("value", case=case, got=value_shown(got), wanted=value_shown(wanted))


def _refuses(drive: Any) -> str:
    """A request of another kind must not pass in silence."""
    play = Play([Play(()).program(), Ask("")], "")
    try:
        got = _run(say("other"), drive, play, {"": Teller([""])})
    except Raised as raised:
        fits = isinstance(raised.error, TypeError | ProgramError)
        return "" if fits else say("other_error", told=raised.told)
    return say("silent", got=value_shown(got))


def record(steps: Sequence[tuple[int, str, str]], seed: int) -> list[Event]:
    """A run: for each step so often asked, then this looked up and that seen; then an answer."""
    chance, made = random.Random(seed), list[Event]()
    for times, word, seen in steps:
        for _ in range(times):
            made.append(Event(Ask(say("prompt", len(made))), f"? {chance.randrange(100, 999)}"))
        made.append(Event(Use("Lookup", word), seen))
    return [*made, Event(Ask(say("prompt", len(made))), answer("", "42"))]


def branches() -> Iterator[Case]:
    """Records to branch from, some with more questions than steps, or with the same step twice."""
    plain = [(1, word, say("seen", number)) for number, word in enumerate(WORDS[:4], 1)]
    twice = [plain[0], plain[1], plain[0], plain[2]]
    asked_again = [(1, *plain[0][1:]), (3, *plain[1][1:]), (1, *plain[2][1:])]
    free = [plain[0], (0, *plain[1][1:]), plain[2]]
    seen = say("seen", 99)
    for name, steps, step, changed in (
        ("middle", plain, 3, seen),
        ("first", plain, 1, seen),
        ("last", plain, 4, seen),
        ("again", asked_again, 2, seen),
        ("twice", twice, 3, seen),
        ("free", free, 3, seen),
        ("nothing", plain, 2, ""),
    ):
        run = record(steps, step)
        wanted = _branch(run, step, changed)
        paid, needed = _asks(run), _asks(run) - _asks(wanted)
        yield Case(say(name), (run, step, changed), wanted, {"paid": paid, "needed": needed})


def _asks(run: Sequence[Event]) -> int:
    return sum(isinstance(effect, Ask) for effect, _ in run)


def _uses(run: Sequence[Event]) -> list[int]:
    return [place for place, (effect, _) in enumerate(run) if isinstance(effect, Use)]


def _branch(run: Sequence[Event], step: int, observation: str, extra: int = 0) -> list[Event]:
    at = _uses(run)[step - 1 + extra]
    return [*run[:at], Event(run[at].effect, observation)]


def _keeps_tail(run: list[Event], step: int, observation: str) -> list[Event]:
    return [*_branch(run, step, observation), *run[_uses(run)[step - 1] + 1 :]]


MISTAKES = {
    "over": lambda run, step, observation: [],
    "tail": _keeps_tail,
    "not_changed": lambda run, step, observation: run[: _uses(run)[step - 1] + 1],
    "cut": lambda run, step, observation: run[: _uses(run)[step - 1]],
    "from_zero": lambda run, step, observation: _branch(run, step, observation, 1),
    "step_before": lambda run, step, observation: _branch(run, step, observation, -1),
    "old_too": lambda run, step, observation: [
        *run[: (at := _uses(run)[step - 1]) + 1],
        (run[at].effect, observation),
    ],
    "pairs": lambda run, step, observation: [
        *run[: 2 * step - 1],
        (run[2 * step - 1].effect, observation),
    ],
    "events": lambda run, step, observation: [*run[: step - 1], (run[step - 1][0], observation)],
    "found_first": lambda run, step, observation: _branch(
        run, [run[at] for at in _uses(run)].index(run[_uses(run)[step - 1]]) + 1, observation
    ),
}


def _same(got: Any, wanted: Sequence[Event]) -> bool:
    return [tuple(event) for event in got] == [tuple(event) for event in wanted]


def judge_branch(branch: Any) -> Iterator[str]:
    """06.2: the record up to the edited observation; the original stays as it is."""
    yield from by_cases(say, branches, MISTAKES, _same)(branch)
    for case in branches():
        given = deepcopy(case.given)
        attempt(case.name, branch, *given)
        yield "" if given == case.given else say("changed", case=case.name)


def patients() -> Clinic:
    """Three runs of the real loop on the real tools; what the model says was written for it."""
    return Clinic({name: _patient(one) for name, one in say["patients"].items()})


def _patient(told: dict[str, Any]) -> Patient:
    *moves, (thought, last) = told["moves"]
    replies = [act(*move) for move in moves]
    tools = flight_tools(language=current())
    llm = ScriptedLLM([*replies, answer(thought, last)], model=say("scripted"))
    trace = ReActAgent(llm, tools, max_context=None, language=current()).run(told["question"])
    return Patient(trace, told["step"], told["cause"], told["look"], told["why"])


JUDGES: dict[str, Judge] = {"1": judge_drive, "2": judge_branch, "3": by_diagnosis(patients)}
EXAMPLES = {"patients": patients}
