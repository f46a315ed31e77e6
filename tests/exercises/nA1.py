"""Right and wrong solutions of A1 small_local_model."""

from __future__ import annotations

import re
from collections import Counter

# A1.1


def with_enum(names):
    parts = {"tool": {"enum": names}, "input": {"type": "string"}}
    return {"type": "object", "properties": parts, "required": ["tool", "input"]}


def any_of(names):
    def one(name):
        return {
            "type": "object",
            "properties": {"tool": {"const": name}, "input": {"type": "string", "maxLength": 200}},
            "required": ["input", "tool"],
            "additionalProperties": False,
        }

    return {"anyOf": [one(name) for name in names]}


def anchored(names):
    either = "|".join(re.escape(name) for name in names)
    parts = {"tool": {"type": "string", "pattern": f"^({either})$"}, "input": {"type": "string"}}
    return {"type": "object", "properties": parts, "required": list(parts)}


def with_reference(names):
    return {
        "$defs": {"name": {"oneOf": [{"const": name} for name in names]}},
        "type": ["object"],
        "properties": {"tool": {"$ref": "#/$defs/name"}, "input": {"type": "string"}},
        "minProperties": 2,
        "additionalProperties": False,
    }


def with_part(names, key, value):
    return {**with_enum(names), key: value}


def free(names):
    parts = {"tool": {"type": "string"}, "input": {"type": "string"}}
    return with_part(names, "properties", parts)


def unanchored(names):
    either = {"type": "string", "pattern": "|".join(map(re.escape, names))}
    return with_part(names, "properties", {"tool": either, "input": {"type": "string"}})


def nothing_required(names):
    return with_part(names, "required", [])


def any_input(names):
    return with_part(names, "properties", {"tool": {"enum": names}, "input": {}})


def no_type(names):
    return {key: value for key, value in with_enum(names).items() if key != "type"}


def number_only(names):
    parts = {"tool": {"enum": names}, "input": {"type": "number"}}
    return with_part(names, "properties", parts)


# A1.2


def helper(rows, tune, report):
    def count(variant, ids):
        marks = [row["right"] for row in rows if row["variant"] == variant and row["id"] in ids]
        return sum(marks), len(marks)

    best = max({row["variant"] for row in rows}, key=lambda one: count(one, tune)[0])
    return (best, *count(best, set(report) - set(tune)))


def counted(rows, tune, report):
    wins = Counter(row["variant"] for row in rows if row["right"] and row["id"] in tune)
    best = wins.most_common(1)[0][0]
    right = trials = 0
    for row in rows:
        if row["variant"] == best and row["id"] in report and row["id"] not in tune:
            trials += 1
            right += row["right"]
    return [best, right, trials]


def by_table(rows, tune, report):
    table = {}
    for row in rows:
        table.setdefault(row["variant"], {})[row["id"]] = row["right"]
    fresh = [key for key in report if key not in tune]
    best = sorted(table, key=lambda name: sum(table[name][key] for key in tune))[-1]
    marks = [table[best][key] for key in fresh]
    return best, marks.count(True), len(marks)


def chosen_by(choose, count):
    """A solution that chooses and counts with other ids."""

    def solution(rows, tune, report):
        def score(variant, ids):
            marks = [r["right"] for r in rows if r["variant"] == variant and r["id"] in ids]
            return sum(marks), len(marks)

        lists = {"tune": tune, "report": report, "fresh": [k for k in report if k not in tune]}
        lists["all"] = [*tune, *report]
        best = max({row["variant"] for row in rows}, key=lambda one: score(one, lists[choose])[0])
        return (best, *score(best, lists[count]))

    return solution


def share(rows, tune, report):
    best, right, trials = helper(rows, tune, report)
    return best, right / trials, trials


RIGHT = [
    *(("A1.1", answer) for answer in (with_enum, any_of, anchored, with_reference)),
    *(("A1.2", answer) for answer in (helper, counted, by_table)),
]
WRONG = [
    ("A1.1", free, "multiplication still passes."),
    ("A1.1", unanchored, "a part of it"),
    ("A1.1", nothing_required, "required"),
    ("A1.1", any_input, "is a number"),
    ("A1.1", no_type, "no object"),
    ("A1.1", number_only, "which is legal"),
    ("A1.1", lambda names: names, "a JSON schema is a dict"),
    ("A1.1", lambda names: {"type": "nonsense"}, "no JSON schema"),
    ("A1.2", chosen_by("tune", "tune"), "You graded your own homework: the score"),
    ("A1.2", chosen_by("tune", "report"), "You graded your own homework: q"),
    ("A1.2", chosen_by("fresh", "fresh"), "chosen by the questions of the report"),
    ("A1.2", chosen_by("all", "all"), "Chosen and counted on all"),
    ("A1.2", share, "right is"),
]
SAMPLES = [
    ("A1.1", lambda names: with_enum(["Search", "Calculator", "ReadFile"])),
    ("A1.2", lambda rows, tune, report: ("B", 1, 1)),
]
