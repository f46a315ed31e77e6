"""The pattern of a check: seeded hidden cases, and typical mistakes that explain a wrong result.

A mistake is a function that does what learners often do. When it gives the learner's own wrong
result, its message is the hint. So a lesson lists what is right and what goes wrong, no more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from reactlab.course.exercises import Judge, Raised, attempt
from reactlab.course.words import Both, value_shown

Say = Callable[..., str]
Same = Callable[[Any, Any], bool]
Mistakes = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Case:
    """What a function is given and what it should return; `wanted` may be an exception class.

    `about` fills further slots of the messages, and may name the message for this case with
    `otherwise`; without it the message "wrong" is told when no mistake explains the result. None in
    place of a result has a message of its own.
    """

    name: str
    given: tuple[Any, ...]
    wanted: Any
    about: Mapping[str, Any] = field(default_factory=dict)


def equal(got: Any, wanted: Any) -> bool:
    """Equal, where True is not 1."""
    return bool(got == wanted) and isinstance(got, bool) == isinstance(wanted, bool)


def by_cases(
    say: Say,
    cases: Callable[[], Iterable[Case]],
    mistakes: Mistakes,
    same: Same = equal,
) -> Judge:
    """A judge that tries every case; a wrong result is explained by the first fitting mistake.

    Messages of `say` have the slots {case}, {got}, {wanted}, and those of the case's `about`.
    """

    def judge(answer: Any) -> Iterator[str]:
        for case in cases():
            got = _try(case, answer)
            if _agrees(case, got, same):
                yield ""
            else:
                shown = _shown(got)
                yield _unsteady(case, shown, answer) or _explain(say, case, got, mistakes, same)

    return judge


def _try(case: Case, answer: Any) -> Any:
    """What the function returned; an exception if one was wanted, or is a known mistake's."""
    try:
        return attempt(case.name, answer, *deepcopy(case.given))
    except Raised as raised:
        return raised


def _agrees(case: Case, got: Any, same: Same) -> bool:
    if isinstance(got, Raised):
        return isinstance(case.wanted, type) and isinstance(got.error, case.wanted)
    return not _is_error(case.wanted) and _alike(got, case.wanted, same)


def _shown(got: Any) -> str:
    return str(got.told) if isinstance(got, Raised) else value_shown(got)


def _unsteady(case: Case, first: str, answer: Any) -> str:
    """What to tell if the same input gives another result the second time, else ""."""
    second = _shown(_try(case, answer))
    bare = [re.sub(r"0x[0-9a-fA-F]+", "", shown) for shown in (first, second)]
    return "" if bare[0] == bare[1] else _UNSTEADY.format(case=case.name, got=first, then=second)


def _explain(say: Say, case: Case, got: Any, mistakes: Mistakes, same: Same) -> str:
    slots = {"case": case.name, "wanted": value_shown(case.wanted), **case.about}
    slots["got"] = _shown(got)
    for key, mistake in mistakes.items():
        if _does(mistake, case, got, same):
            return say(key, **slots)
    if isinstance(got, Raised):
        raise got
    if got is None and not _is_error(case.wanted):
        return _NOTHING.format(case=case.name)
    otherwise = "no_error" if _is_error(case.wanted) else "wrong"
    return say(case.about.get("otherwise", otherwise), **slots)


def _does(mistake: Callable[..., Any], case: Case, got: Any, same: Same) -> bool:
    """Whether a mistake does to this case what the learner's function did."""
    wrong: Any = None
    try:
        wrong = mistake(*deepcopy(case.given))
    except Exception as error:
        if not isinstance(got, Raised) or type(error) is not type(got.error):
            return False
        return not isinstance(error, KeyError) or error.args == got.error.args
    return not isinstance(got, Raised) and _alike(got, wrong, same)


def _alike(got: Any, other: Any, same: Same) -> bool:
    """Whether two results are the same; a result of another kind than expected is not."""
    with suppress(TypeError, ValueError, AttributeError, LookupError):
        return same(got, other)
    return False


def _is_error(wanted: Any) -> bool:
    return isinstance(wanted, type) and issubclass(wanted, BaseException)


_UNSTEADY = Both(
    "{case}: called twice with the same input, your function gave {got} and then {then}. Does it "
    "keep something between calls, such as a list that stands outside of it or is a default?",
    "{case}：用同样的输入调用两次，你的函数先给出 {got}，再给出 {then}。它是不是在两次调用之间"
    "留下了什么，例如写在函数外面的列表，或作为默认值的列表？",
)
_NOTHING = Both(
    "{case}: your function returned None. Is there a return on every way through it, or does it "
    "print the result?",
    "{case}：你的函数返回了 None。是不是每条路都写了 return？还是只用 print 打印了结果？",
)
