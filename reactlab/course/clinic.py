"""A trace clinic: runs with one planted fault each, and the diagnosis, a step and a cause."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reactlab.course.exercises import Judge, NotDone
from reactlab.course.lesson import find_example
from reactlab.course.words import Both, current, needed, plain, value_shown
from reactlab.display import as_html, as_text
from reactlab.render.html import shown
from reactlab.trace import Trace

CAUSES = {
    "tool": Both("wrong tool: another one was needed", "工具选错：该用的是另一个"),
    "input": Both("wrong input: asked about something else", "输入有误：问的是别的东西"),
    "ignored": Both("ignored: goes against an observation above", "无视观察：与上面的观察相矛盾"),
    "invented": Both("invented: stands in no observation", "凭空编造：任何观察里都没有"),
    "condition": Both("condition lost: goes against the question", "忘了条件：违背了问题的条件"),
}
"""What may be wrong with a step: a word to answer with, and what it means."""
HARM = {
    "obeyed": Both(
        "obeyed data: follows an order that no user gave", "听命于数据：执行了并非用户下的命令"
    ),
    "twice": Both(
        "done twice: makes a change that was made before", "做了两遍：已经做过的改动又做一次"
    ),
}
"""What else may be wrong where tools change something."""


@dataclass(frozen=True)
class Patient:
    """A run, the first step that is wrong and its cause; `look` is a hint and `why` explains."""

    trace: Trace
    step: int
    cause: str
    look: str
    why: str


class Clinic(dict[str, Patient]):
    """Patients by letter; shows their traces and the causes to choose from."""

    def __init__(
        self, patients: Mapping[str, Patient], causes: Mapping[str, Both] = CAUSES
    ) -> None:
        super().__init__(patients)
        self.causes = causes

    def __repr__(self) -> str:
        runs = [f"── {a} ──\n{as_text(one.trace, language=current())}" for a, one in self.items()]
        causes = "\n".join(
            [f"{_CAUSES}{_COLON}", *(f"  {cause}" for cause in self.causes.values())]
        )
        return "\n\n".join([*runs, causes])

    def _repr_html_(self) -> str:
        runs = "\n".join(
            f"<p><b>{shown(name)}</b></p>\n{as_html(patient.trace, language=current())}"
            for name, patient in self.items()
        )
        causes = "".join(f"<li>{shown(str(cause))}</li>" for cause in self.causes.values())
        return f'<div lang="{current()}">{runs}\n<p><b>{_CAUSES}</b></p><ul>{causes}</ul></div>'

    def explain(self, diagnosis: Any) -> None:
        """Print why, for every patient whose diagnosis is right; and who still waits."""
        needed(diagnosis, Mapping, _NO_MAPPING)
        for name, patient in self.items():
            right = _told(name, patient, _of(diagnosis, name), self.causes) == ""
            print(f"{name}{_COLON}{patient.why if right else _WAITS}")


def clinic(number: str) -> Clinic:
    """The patients of a notebook, such as `clinic("06")`."""
    patients: Clinic = find_example(f"{number}.patients")
    return patients


def by_diagnosis(patients: Callable[[], Clinic]) -> Judge:
    """A judge of a mapping from letter to (step, cause); a part that is still `...` is not done."""

    def judge(diagnosis: Any) -> Iterator[str]:
        if not isinstance(diagnosis, Mapping):
            yield _NO_MAPPING.format(value_shown(diagnosis))
            return
        waiting = patients()
        told = {
            name: _told(name, one, _of(diagnosis, name), waiting.causes)
            for name, one in waiting.items()
        }
        yield from filter(None, told.values())
        if None in told.values():
            raise NotDone
        yield from told.values()  # type: ignore[misc]  # all are ""

    return judge


def _of(diagnosis: Mapping[Any, Any], name: str) -> Any:
    """What was written for a letter, in whatever case or width."""
    typed = {plain(key).upper(): value for key, value in diagnosis.items()}
    return typed.get(name, ...)


def _told(name: str, patient: Patient, said: Any, causes: Mapping[str, Both]) -> str | None:
    """What to tell about a diagnosis: "" if it is right, None if it is not there yet."""
    parts = said if isinstance(said, tuple | list) else (said,)
    if any(part is ... or plain(part) in ("…", "...", "") for part in parts):
        return None
    if len(parts) != 2 or _cause(parts[0], causes):
        return _NO_PAIR.format(name=name, got=value_shown(said))
    typed, cause = _STEP.fullmatch(plain(parts[0])), _cause(parts[1], causes)
    if cause is None:
        known = str(_COMMA).join(_word(str(cause)) for cause in causes.values())
        return _NO_CAUSE.format(name=name, got=value_shown(parts[1]), known=known)
    step = int(typed[1]) if typed else 0
    if not 1 <= step <= len(patient.trace):
        return _NO_STEP.format(name=name, got=value_shown(parts[0]), last=len(patient.trace))
    if step != patient.step:
        late = step > patient.step
        return (_LATE if late else _EARLY).format(name=name, step=step, before=step - 1)
    if cause != patient.cause:
        told = _word(str(causes[cause]))
        return _OTHER.format(name=name, step=step, cause=told, look=patient.look)
    return ""


def _cause(typed: Any, causes: Mapping[str, Both]) -> str | None:
    said = " ".join(re.findall(r"[^\W_]+", _word(str(typed)).casefold()))
    words = ((key, (key, _word(cause.en), _word(cause.zh))) for key, cause in causes.items())
    return next((key for key, known in words if said in known), None)


def _word(cause: str) -> str:
    """The word of a cause, without what it means."""
    return plain(cause).partition(":")[0]


_STEP = re.compile(r"(?:step|第)?\s*(\d{1,9})(?:\.0)?\s*步?", re.IGNORECASE)


_COLON = Both(": ", "：")
_COMMA = Both(", ", "、")
_CAUSES = Both("Causes to choose from", "可选的原因")
_WAITS = Both("still in the waiting room.", "还在候诊。")
_NO_MAPPING = Both(
    'A diagnosis is written {{"A": (step, "cause"), …}}, not {}.',
    '诊断写成 {{"A": (步, "原因"), …}}，而不是 {}。',
)
_NO_PAIR = Both(
    '{name}: write the step and the cause, such as (1, "invented"), not {got}.',
    '{name}：请写步和原因，例如 (1, "凭空编造")，而不是 {got}。',
)
_NO_CAUSE = Both(
    "{name}: {got} is none of the causes: {known}.",
    "{name}：{got} 不在可选的原因里：{known}。",
)
_NO_STEP = Both(
    "{name}: {got} is no step of this run; it has 1 to {last}.",
    "{name}：{got} 不是这次运行的步；步的编号是 1 到 {last}。",
)
_LATE = Both(
    "{name}: step {step} is not the first. What it builds on was wrong before; reread up to step "
    "{before} and compare each with the question and the observations above it.",
    "{name}：第 {step} 步不是最早的。它依据的东西在前面就错了；请重读到第 {before} 步为止，"
    "每一步都和问题、和它上面的观察对照。",
)
_EARLY = Both(
    "{name}: step {step} is sound: its thought and its input agree with the question and with what "
    "stands above. An observation is the world's. Reread what comes after step {step}.",
    "{name}：第 {step} 步没有问题：思考和输入都与问题、与上面的内容一致。观察由工具返回。"
    "请重读第 {step} 步之后的部分。",
)
_OTHER = Both(
    "{name}: step {step} it is. But the cause is not “{cause}”. {look}",
    "{name}：确实是第 {step} 步。但原因不是“{cause}”。{look}",
)
