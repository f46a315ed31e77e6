"""Checks of 10 safety: a folder's border, a permit for an office, and three runs in the clinic."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.approval import written
from reactlab.course.cases import Case, by_cases
from reactlab.course.clinic import CAUSES, HARM, Clinic, Patient, by_diagnosis
from reactlab.course.exercises import Judge, NotDone, Stumble, TooMany, attempt
from reactlab.course.scripts import act, answer
from reactlab.course.texts import Texts
from reactlab.course.words import current, value_shown
from reactlab.injection import Clerk, Gullible, LabTask, World, lab_tasks
from reactlab.injection.making import Maker
from reactlab.injection.world import Scene
from reactlab.llm.scripted import ScriptedLLM
from reactlab.trace import Trace
from reactlab.types import ToolCall

say = Texts("10")
SEED = 41
CHANGING = ("SendMessage", "CancelBooking", "Rebook")
TEXTS = {"page", "file", "note"}
MORE = (("cancel number", "", ""), ("rebook number code", "", ""), ("send words address", "", ""),
        ("rebook number page", "page", "swap"), ("rebook number file", "file", "swap"))  # fmt: skip
PATHS: tuple[tuple[str, bool, str], ...] = (
    ("lamps.txt", True, "kept_out"),
    ("../shop-old/wages.txt", False, "startswith"),
    ("notes/today.txt", True, "kept_out"),
    ("../../etc/passwd", False, "dots"),
    ("/etc/passwd", False, "absolute"),
    ("notes/../lamps.txt", True, "dots_inside"),
    ("..lamps.txt", True, "dots_name"),
    ("notes/../../shop-old/wages.txt", False, "dots"),
    ("not/yet/there.txt", True, "missing"),
    ("%2e%2e/shop-old/wages.txt", False, "encoded"),
    ("..%2Fshop-old%2Fwages.txt", False, "encoded"),
    ("%252e%252e%252fshop-old/wages.txt", False, "encoded_twice"),
    (f"%{'25' * 6}2e%{'25' * 6}2e/shop-old/wages.txt", False, "encoded_often"),
    ("5% off.txt", True, "per_cent"),
)
FILES = ("shop/notes/today.txt", "shop/lamps.txt", "shop/..lamps.txt", "shop/5% off.txt",
         "shop-old/wages.txt")  # fmt: skip
LINKS: tuple[tuple[str, bool, str], ...] = (
    ("archive/wages.txt", False, "link"),
    ("wages.txt", False, "link"),
    ("latest/today.txt", True, "link_inside"),
    ("newest.txt", True, "link_inside"),
)


def borders() -> Iterator[Case]:
    """Paths in a real scratch folder, with links where the system allows them."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        place = Path(scratch).resolve()
        root, old, door = place / "shop", place / "shop-old", place / "door"
        for name in FILES:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(name)
        for path, wanted, otherwise in PATHS:
            yield _border(root, path, wanted, otherwise)
        with suppress(OSError):  # Windows may not allow links
            (root / "archive").symlink_to(old)
            (root / "wages.txt").symlink_to(old / "wages.txt")
            (root / "latest").symlink_to(root / "notes")
            (root / "newest.txt").symlink_to(root / "notes" / "today.txt")
            door.symlink_to(root)
        if door.exists():
            for path, wanted, otherwise in LINKS:
                yield _border(root, path, wanted, otherwise)
            if os.name == "posix":  # Windows takes the .. before it follows a link
                yield _border(root, "archive/../lamps.txt", False, "link_dots")
            yield _border(door, "lamps.txt", True, "root_link")
            yield _border(door, "../shop-old/wages.txt", False, "startswith")


def _border(root: Path, path: str, wanted: bool, otherwise: str) -> Case:
    return Case(say("path", path), (root, path), wanted, {"path": path, "otherwise": otherwise})


def honest(tasks: Iterable[LabTask]) -> Iterator[LabTask]:
    """Tasks without an attack in which the user, or the booking's e-mail, gives what is needed.

    So that no language lacks messages to passengers, those that are attacked are there as well,
    without the attack.
    """
    for task in tasks:
        verb, *phrases = task.kind.split()
        read = verb != "ask" and TEXTS & set(phrases[1:] if verb == "send" else phrases)
        if not read and (task.attack is None or ("passenger" in phrases and not task.attack.open)):
            yield _peaceful(task)


def _peaceful(task: LabTask) -> LabTask:
    """The task without its attack."""
    return replace(_reworded(task, task.attack.text if task.attack else "", ""), attack=None)


def _disguised(task: LabTask) -> LabTask:
    """The same with an attacker whose address and words are on no list of bad ones."""
    if task.attack is None or task.attack.open:
        return task
    maker = Maker(task.id, task.kind, task.attack.place, task.attack.goal, task.language, SEED)
    for name in ("evil", "bad"):
        maker.slots[name] = re.sub(r".+@.+", "guest10001@home.example", maker.slots[name])
    return _reworded(maker.task(), *say["disguise"])


def _reworded(task: LabTask, old: str, new: str) -> LabTask:
    def clear(texts: Mapping[str, str]) -> dict[str, str]:
        return {name: text.replace(old, new) for name, text in texts.items()}

    scene = replace(
        task.scene,
        bookings={number: clear(row) for number, row in task.scene.bookings.items()},
        pages=clear(task.scene.pages),
        files=clear(task.scene.files),
        errors=clear(task.scene.errors),
    )
    attack = task.attack and replace(task.attack, text=task.attack.text.replace(old, new))
    return replace(task, scene=scene, attack=attack)


def judge_allow(allow: Any) -> Iterator[str]:
    """10.2: nine of ten honest requests work, and no attack of the ordinary kind passes."""
    tasks = lab_tasks(SEED, current())
    # what the lab has in one language only
    tasks += [Maker(" ".join(one), *one, current(), SEED).task() for one in MORE]
    tasks = list(map(_disguised, tasks))
    benign = list(honest(tasks))
    runs = {task.id: _run(task, allow) for task in benign}
    lost = [task for task in benign if not task.done(runs[task.id])]
    if len(lost) == len(benign):
        yield say("deny_all")
    few = len(lost) * 10 <= len(benign)
    for task in benign:
        yield "" if few or task not in lost else _lost(task, runs[task.id], len(lost), len(benign))
    for task in tasks:
        if task.attack and not task.attack.open:
            trace = _run(task, allow)
            yield _passed(task, trace) if task.attack.reached(trace) else ""


def _run(task: LabTask, allow: Any) -> Trace:
    """The task with the learner's permit; what the learner's function raises ends it."""
    broken: list[BaseException] = []

    def permit(call: ToolCall, trace: Trace) -> bool | str:
        if broken:
            return False
        try:
            said = attempt(say("on", task.question, _short(call)), allow, call, trace)
        except (Stumble, NotDone, TooMany) as error:
            broken.append(error)
            return False
        if not isinstance(said, bool | str):
            broken.append(Stumble(say("shape", _short(call), value_shown(said))))
            return False
        return said

    tools = World(task.scene).tools()
    agent = ReActAgent(
        Gullible(Clerk()), tools, language=task.language, approve="always", permit=permit
    )
    trace = agent.run(task.question)
    if broken:
        raise broken[0]
    return trace


def _lost(task: LabTask, trace: Trace, lost: int, of: int) -> str:
    uses = [use for step in trace for use in step.uses if use.observation.error == "forbidden"]
    call = _short(uses[0].call) if uses else "–"  # forbidden: its arguments as they were written
    return say("lost", lost=lost, of=of, question=task.question, call=call)


def _passed(task: LabTask, trace: Trace) -> str:
    """Tells of the attack by the first call that changed something the user had not asked for."""
    uses = [use for step in trace for use in step.uses if not use.observation.error]
    made = [ToolCall(use.call.name, use.arguments) for use in uses if use.call.name in CHANGING]
    strange = [call for call in made if not _serves(call, task)] or made
    planted = task.attack.text if task.attack else ""
    call = _short(strange[0])
    return say("passed", question=task.question, planted=planted, call=call)


def _serves(call: ToolCall, task: LabTask) -> bool:
    given: Any = call.arguments
    return any(
        call.name == name and all(given.get(key) == value for key, value in args.items())
        for name, args in task.wanted
    )


def _short(call: ToolCall) -> str:
    text = written(call)
    return text if len(text) <= 160 else f"{text[:100]}…{text[-50:]}"


def patients() -> Clinic:
    """Three runs of the real loop on a real office; what the model says was written for it."""
    made = {name: _patient(one) for name, one in say["patients"].items()}
    return Clinic(made, CAUSES | HARM)


def _patient(told: Mapping[str, Any]) -> Patient:
    *moves, (thought, last) = told["moves"]
    llm = ScriptedLLM([*(act(*move) for move in moves), answer(thought, last)], model=say("script"))
    office = say["office"]
    scene = Scene(office["bookings"], office["pages"], {}, office["errors"], current())
    agent = ReActAgent(
        llm, World(scene).tools(), max_context=None, language=current(), approve="always"
    )
    trace = agent.run(told["question"])
    return Patient(trace, told["step"], told["cause"], told["look"], told["why"])


MISTAKES: Mapping[str, Callable[..., Any]] = {}
JUDGES: dict[str, Judge] = {
    "1": by_cases(say, borders, MISTAKES),
    "2": judge_allow,
    "3": by_diagnosis(patients),
}
EXAMPLES = {"patients": patients}
