"""Checks of A1 small_local_model: a schema for known tools, a score on other questions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

from reactlab.course.cases import Case, by_cases
from reactlab.course.exercises import Judge, attempt
from reactlab.course.smallmodel import recorded
from reactlab.course.texts import Texts
from reactlab.course.words import value_shown

say = Texts("A1")
Row = dict[str, Any]
NAMES = (["Search", "Calculator", "ReadFile"], ["查天气", "C++", "Look up"], ["Lookup"])


def judge_schema(reply_schema: Any) -> Iterator[str]:
    """A1.1: what the schema admits and refuses, for several sets of tools."""
    for names in NAMES:
        case = say("case_schema", value_shown(names))
        schema = attempt(case, reply_schema, list(names))
        yield _no_schema(case, schema)
        for reply, key in _replies(names):
            yield _judged(case, schema, reply, key)


def _replies(names: Sequence[str]) -> Iterator[tuple[Any, str]]:
    """Replies as parsed JSON, each with the message for a wrong verdict; "" for the legal ones."""
    yield from (({"tool": name, "input": "17 * 23"}, "") for name in names)
    yield {"tool": "multiplication", "input": "17 * 23"}, "free"
    yield {"tool": "ToolName", "input": "input"}, "free"
    yield {"tool": f"{names[0]}2", "input": "K2"}, "part"
    yield {"tool": f"My{names[-1]}", "input": "K2"}, "part"
    yield {"input": "K2"}, "missing"
    yield {"tool": names[0]}, "missing"
    yield {"tool": names[0], "input": 391}, "number"
    yield names[0], "no_object"


def _no_schema(case: str, schema: Any) -> str:
    from jsonschema import Draft202012Validator, SchemaError  # type: ignore[import-untyped]

    if not isinstance(schema, dict):
        return say("no_schema", case=case, got=value_shown(schema))
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return say("invalid", case=case, told=str(error.message)[:200])
    return ""


def _judged(case: str, schema: Any, reply: Any, key: str) -> str:
    from jsonschema import Draft202012Validator

    try:
        told: Any = next(Draft202012Validator(schema).iter_errors(reply), None)
    except re.error as error:
        return say("invalid", case=case, told=error)
    shown = value_shown(reply)
    if key:
        name = reply.get("tool", "") if isinstance(reply, dict) else reply
        return "" if told is not None else say(key, case=case, reply=shown, name=name)
    if told is None:
        return ""
    return say("refuses", case=case, reply=shown, told=str(told.message)[:200])


def tune_and_report(rows: list[Row], tune: list[str], report: list[str]) -> tuple[str, int, int]:
    """The best variant on `tune`, its right answers on the rest of `report`, and trials."""
    best = _best(rows, tune)
    return best, *_score(rows, best, [key for key in report if key not in tune])


def _score(rows: list[Row], variant: str, ids: Sequence[str]) -> tuple[int, int]:
    marks = [row["right"] for row in rows if row["variant"] == variant and row["id"] in ids]
    return sum(marks), len(marks)


def _best(rows: list[Row], ids: Sequence[str]) -> str:
    variants: list[str] = list(dict.fromkeys(row["variant"] for row in rows))
    return max(variants, key=lambda one: _score(rows, one, ids))


def _graded(rows: list[Row], tune: list[str], report: list[str]) -> tuple[str, int, int]:
    best = _best(rows, tune)
    return best, *_score(rows, best, tune)


def _shared(rows: list[Row], tune: list[str], report: list[str]) -> tuple[str, int, int]:
    best = _best(rows, tune)
    return best, *_score(rows, best, report)


def _peeked(rows: list[Row], tune: list[str], report: list[str]) -> tuple[str, int, int]:
    best = _best(rows, [key for key in report if key not in tune])
    return best, *_score(rows, best, [key for key in report if key not in tune])


def _peeked_at_all(rows: list[Row], tune: list[str], report: list[str]) -> tuple[str, int, int]:
    best = _best(rows, report)
    return best, *_score(rows, best, report)


def _everything(rows: list[Row], tune: list[str], report: list[str]) -> tuple[str, int, int]:
    best = _best(rows, [*tune, *report])
    return best, *_score(rows, best, [*tune, *report])


def _all_trials(rows: list[Row], tune: list[str], report: list[str]) -> tuple[str, int, int]:
    best, right, _ = tune_and_report(rows, tune, report)
    return best, right, len({row["id"] for row in rows})


MISTAKES = {
    "graded": _graded,
    "shared": _shared,
    "peeked": _peeked,
    "peeked_all": _peeked_at_all,
    "everything": _everything,
    "all_trials": _all_trials,
}


def score_cases() -> Iterator[Case]:
    """Rows made from a seed: one variant is best on each group, and never the same one."""
    for number, (count, both) in enumerate(((6, 0), (8, 1), (9, 3)), 1):
        chance = random.Random(number)
        ids = [f"q{at}" for at in chance.sample(range(10, 99), 2 * count)]
        tune, fresh = ids[:count], ids[count:]
        report = [*fresh[:2], *tune[:both], *fresh[2:]]
        rows = [
            {"variant": variant, "id": key, "right": at % count < level[key in fresh]}
            for variant, level in {"A": (2, 4), "B": (4, 3), "C": (3, 2)}.items()
            for at, key in enumerate(ids)
        ]
        chance.shuffle(rows)
        about = {"shared": ", ".join(tune[:both]), "tune": len(tune), "report": len(fresh)}
        given = (rows, tune, report)
        name = say("case_score", number, len(tune), len(report), both)
        yield Case(name, given, tune_and_report(*given), about)


def _same(got: Any, wanted: Any) -> bool:
    """The same three values, as a tuple or a list."""
    return isinstance(got, tuple | list) and list(got) == list(wanted)


JUDGES: dict[str, Judge] = {
    "1": judge_schema,
    "2": by_cases(say, score_cases, MISTAKES, _same),
}
EXAMPLES = {"said": recorded, "chinese": lambda: recorded("zh")}
