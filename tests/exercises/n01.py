"""Right and wrong solutions of 01 why_react."""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum

from reactlab.course.lessons.n01 import shuffled

# 01.1


def by_pattern(lines, use):
    found = {line: re.fullmatch(r"(\w+)\[(.*)\]", line) for line in lines}
    world = {use(*match.groups()) for match in found.values() if match}
    kinds = {True: "observation", False: "thought"}
    return ["action" if found[line] else kinds[line in world] for line in lines]


def by_splitting(lines, use):
    """No pattern, one pass to collect and one to name."""
    said = []
    for line in lines:
        name, bracket, rest = line.partition("[")
        if bracket and rest.endswith("]") and " " not in name:
            said.append((line, use(name, rest[:-1])))
    actions, world = [line for line, _ in said], [seen for _, seen in said]
    words = []
    for line in lines:
        if line in actions:
            words.append("action")
        elif line in world:
            words.append("observation")
        else:
            words.append("thought")
    return words


def by_index(lines, use):
    """Everything is a thought until it is found to be something else."""
    words = ["thought"] * len(lines)
    for at, line in enumerate(lines):
        name = line[: line.find("[")]
        if line[-1] == "]" and name.isidentifier():
            words[at] = "action"
            seen = use(name, line[len(name) + 1 : -1])
            words[lines.index(seen)] = "observation"
    return words


def as_mapping(lines, use):
    return dict(zip(lines, by_pattern(lines, use), strict=True))


def in_chinese(lines, use):
    names = {"thought": "思考", "action": "行动", "observation": "观察"}
    return (names[word] for word in by_pattern(lines, use))


def with_capitals(lines, use):
    return tuple(word.title() for word in by_splitting(lines, use))


class Word(str, Enum):  # noqa: UP042
    T = "thought"
    A = "action"
    O = "observation"  # noqa: E741


def as_enum(lines, use):
    return [Word(word) for word in by_pattern(lines, use)]


def one_by_one(lines, use):
    yield from by_pattern(lines, use)


def breaks_later(lines, use):
    yield "thought"
    raise ValueError("later")


def by_joined_part(lines, use):
    """A line that stands anywhere in all that the world says."""
    found = {line: re.fullmatch(r"(\w+)\[(.*)\]", line) for line in lines}
    world = "\n".join(use(*match.groups()) for match in found.values() if match)
    others = ["observation" if line in world else "thought" for line in lines]
    return ["action" if found[line] else o for line, o in zip(lines, others, strict=True)]


def by_search(lines, use):
    """Asks the world about every bracket, also of lines that talk about one."""
    found = {line: re.search(r"(\w+)\[(.*?)\]", line) for line in lines}
    world = [use(*match.groups()) for match in found.values() if match]
    others = ["observation" if line in world else "thought" for line in lines]
    return ["action" if found[line] else o for line, o in zip(lines, others, strict=True)]


def asks_too_much(lines, use):
    """Names only whole lines actions, but asks about brackets within lines, too."""
    whole = {line: re.fullmatch(r"(\w+)\[(.*)\]", line) for line in lines}
    found = [re.search(r"(\w+)\[(.*?)\]", line) for line in lines]
    world = [use(*match.groups()) for match in found if match]
    others = ["observation" if line in world else "thought" for line in lines]
    return ["action" if whole[line] else o for line, o in zip(lines, others, strict=True)]


def all_others_think(lines, use):
    return ["action" if re.fullmatch(r"\w+\[.*\]", line) else "thought" for line in lines]


def by_looks(lines, use):
    """What looks like data is data."""
    kinds = []
    for line in lines:
        data = line.startswith("{") or any(sign.isdigit() for sign in line)
        kinds.append("observation" if data else "thought")
    return [
        "action" if line.endswith("]") else kind for line, kind in zip(lines, kinds, strict=True)
    ]


def in_one_pass(lines, use):
    """Knows an answer only after its action has come."""
    seen, words = [], []
    for line in lines:
        match = re.fullmatch(r"(\w+)\[(.*)\]", line)
        if match:
            seen.append(use(*match.groups()))
        words.append("action" if match else "observation" if line in seen else "thought")
    return words


def any_bracket(lines, use):
    right = by_pattern(lines, use)
    return ["action" if "[" in line else word for line, word in zip(lines, right, strict=True)]


def with_pattern(pattern):
    def who_wrote(lines, use):
        found = {line: re.fullmatch(pattern, line) for line in lines}
        world = [use(*match.groups()) for match in found.values() if match]
        others = ["observation" if line in world else "thought" for line in lines]
        return ["action" if found[line] else o for line, o in zip(lines, others, strict=True)]

    return who_wrote


def by_part(lines, use):
    """A line that stands in what the world says, though not all of it."""
    found = {line: re.fullmatch(r"(\w+)\[(.*)\]", line) for line in lines}
    world = [use(*match.groups()) for match in found.values() if match]
    return [
        "action"
        if found[line]
        else "observation"
        if any(line in answer for answer in world)
        else "thought"
        for line in lines
    ]


def data_too(lines, use):
    """Trusts what looks like data besides what the world says."""
    right = by_pattern(lines, use)
    return [
        "observation" if line.startswith("{") else word
        for line, word in zip(lines, right, strict=True)
    ]


def in_order(lines, use):
    return (["thought", "action", "observation"] * len(lines))[: len(lines)]


def only_what_differs(lines, use):
    return [word for word in by_pattern(lines, use) if word != "thought"]


def authors(lines, use):
    return ["world" if word == "observation" else "model" for word in by_pattern(lines, use)]


def asks_with_the_line(lines, use):
    return [use(line) for line in lines]


RIGHT = [
    ("01.1", by_pattern),
    ("01.1", by_splitting),
    ("01.1", by_index),
    ("01.1", as_mapping),
    ("01.1", in_chinese),
    ("01.1", with_capitals),
    ("01.1", as_enum),
    ("01.1", one_by_one),
]
WRONG = [
    ("01.1", all_others_think, "Who could know this: the model or the world?"),
    ("01.1", by_looks, "you say thought. Who could know this"),
    ("01.1", in_one_pass, "Its action stands below it. Ask the world about all actions first"),
    ("01.1", any_bracket, "no words stand around it. This line talks about one"),
    ("01.1", with_pattern(r"(.+?)\[(.*)\]"), "]”: you say action. An action is Name[input]"),
    (
        "01.1",
        with_pattern(r"(\w+)\[(\w+)\]"),
        "The input between the brackets may be several words",
    ),
    ("01.1", by_part, "It is only a piece of what the world says"),
    ("01.1", data_too, "No action in these lines gets this answer from use(...)"),
    ("01.1", by_joined_part, "It is only a piece of what the world says"),
    ("01.1", by_search, "No action in these lines gets this answer from use(...)"),
    ("01.1", asks_too_much, "No action in these lines gets this answer from use(...)"),
    ("01.1", breaks_later, "your function stopped with ValueError: later"),
    ("01.1", in_order, "Run 1, the line"),
    ("01.1", only_what_differs, "6 lines went in"),
    ("01.1", authors, "is none of thought, action, observation"),
    ("01.1", asks_with_the_line, "your function stopped with TypeError"),
    ("01.1", lambda lines, use: "thought", "one word for each line"),
    ("01.1", lambda lines, use: None, "Run 1: 6 lines went in and None came back"),
    ("01.1", lambda lines, use: [None] * len(lines), "is none of"),
]
SAMPLES = [
    ("01.1", lambda lines, use: shuffled(0).wrote),
    ("01.1", lambda lines, use: (shuffled(0).wrote * 3)[: len(lines)]),
]


# 01.2


def calls(task):
    return list(task["facts"].values()).count("world") + len(task["changes"])


def by_steps(task):
    if calls(task) > 1:
        return "react"
    return "one_call" if calls(task) else "cot"


def by_table(task):
    counted = Counter(task["facts"].values())
    return {0: "cot", 1: "one_call"}.get(counted["world"] + len(task["changes"]), "react")


def by_cost(task):
    """The first way that is able, from the cheapest on."""
    able = {"cot": 0, "one_call": 1, "react": 99}
    return next(way for way, most in able.items() if calls(task) <= most)


def by_lists(task):
    outside = [fact for fact in task["facts"] if task["facts"][fact] == "world"]
    outside.extend(task["changes"])
    if not outside:
        return "CoT"
    return "one call" if outside[1:] == [] else "ReAct"


def in_chinese_words(task):
    return {"cot": "思维链", "one_call": "一次调用", "react": "ReAct"}[by_steps(task)]


class Way(str, Enum):  # noqa: UP042
    COT = "cot"
    ONE = "one_call"
    REACT = "react"


def as_member(task):
    return Way(by_steps(task))


def no_facts_no_call(task):
    return by_steps(task) if task["facts"] else "cot"


def names_once(task):
    """Puts names in a set, where a fact and a change of one name are one."""
    names = {fact for fact, where in task["facts"].items() if where == "world"}
    return ["cot", "one_call", "react"][min(len(names | set(task["changes"])), 2)]


def counts_memory(task):
    known = list(task["facts"].values()).count("memory")
    return by_steps({**task, "changes": task["changes"] + ["more"] * known})


def by_keys(task):
    """Walks over the names of the facts as if they were the sources."""
    uses = sum(fact == "world" for fact in task["facts"]) + len(task["changes"])
    return ["cot", "one_call", "react"][min(uses, 2)]


def without_changes(task):
    return by_steps({**task, "changes": []})


def every_fact(task):
    number = len(task["facts"]) + len(task["changes"])
    return ["cot", "one_call"][number] if number < 2 else "react"


def some_world_is_one_call(task):
    return "one_call" if calls(task) else "cot"


def some_world_is_react(task):
    return "react" if calls(task) else "cot"


def one_call_for_tea(task):
    return "one_call" if "tea" in task["question"] or "茶" in task["question"] else by_steps(task)


def never_plain(task):
    return "react" if calls(task) > 1 else "one_call"


RIGHT += [("01.2", by_steps), ("01.2", by_table), ("01.2", by_cost), ("01.2", by_lists)]
RIGHT += [("01.2", in_chinese_words), ("01.2", as_member)]
WRONG += [
    ("01.2", lambda task: "react", "Task 3 is “What is 17 × 23?” You say 'react'."),
    ("01.2", every_fact, "Needed from the world: nothing. Count the calls you just paid for."),
    ("01.2", some_world_is_react, "Needed from the world: order 88102. That is one use of a tool"),
    ("01.2", without_changes, "A sentence changes nothing out there"),
    ("01.2", some_world_is_one_call, "That is 2 uses of a tool, and one_call has one"),
    (
        "01.2",
        one_call_for_tea,
        "Needed: prices of green teas, the basket. Facts from the world and",
    ),
    ("01.2", never_plain, "What would the tool tell that is not known already?"),
    ("01.2", lambda task: "cot", "A sentence changes nothing out there"),
    ("01.2", no_facts_no_call, "A sentence changes nothing out there"),
    ("01.2", names_once, "Facts from the world and changes count alike. That is 2 uses"),
    ("01.2", by_keys, "the keys name the facts, the values their sources"),
    ("01.2", counts_memory, "What is in everybody's memory (“memory”) needs no tool."),
    ("01.2", lambda task: "act", "which is none of cot, one_call, react"),
    ("01.2", lambda task: None, "Is there a return"),
    ("01.2", lambda task: task["tools"], "your function stopped with KeyError"),
]
SHOWN = ({"12346", "34567"}, {"12346"}, {"17", "23"})


def as_shown(task):
    """Knows the three tasks of the notebook by their numbers."""
    numbers = set(re.findall(r"\d+", task["question"]))
    ways = zip(SHOWN, ("react", "one_call", "cot"), strict=True)
    return next((way for shown, way in ways if shown == numbers), "react")


SAMPLES += [("01.2", as_shown)]
