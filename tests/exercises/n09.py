"""Right and wrong solutions of 09 loops_and_context."""

from __future__ import annotations

import json
import re
from itertools import pairwise

CODE = r"[A-Z]{2}-\d{4}"

# 09.1


def as_json(each):
    return json.dumps([each["tool"], each["arguments"], each["result"]], sort_keys=True)


def by_texts(steps):
    """Compares texts with sorted keys; looks at slices."""
    said = [as_json(each) for each in steps]
    return (
        (len(said) > 2 and len(set(said[-3:])) == 1)
        or (len(said) > 3 and said[-2:] == said[-4:-2])
        or (len(said) > 5 and said[-3:] == said[-6:-3])
    )


def by_hand(steps):
    """Counts backwards how long the end repeats itself."""
    for length, times in ((1, 3), (2, 2), (3, 2)):
        matched = 0
        for at in range(len(steps) - 1, length - 1, -1):
            if steps[at] != steps[at - length]:
                break
            matched += 1
        if matched >= length * (times - 1):
            return True
    return False


def only_two_and_three_given_different_steps(steps):
    """A circle of two equal steps twice is four in a row, which is a loop anyway."""
    runs = 1
    for one, other in pairwise(reversed(steps)):
        if one != other:
            break
        runs += 1
    rounds = (steps[-n:] == steps[-2 * n : -n] and len(steps) >= 2 * n for n in (2, 3))
    return runs >= 3 or any(rounds)


def changed(length_one=3, lengths=(1, 2, 3), view=lambda each: each):
    def is_loop(steps):
        seen = [view(each) for each in steps]
        for length in lengths:
            times = length_one if length == 1 else 2
            last = seen[-length * times :]
            whole = len(last) == length * times
            if whole and all(a == b for a, b in zip(last, last[length:], strict=False)):
                return True
        return False

    return is_loop


calls_alone = changed(view=lambda each: (each["tool"], each["arguments"]))
printed = changed(view=str)
no_circles = changed(lengths=(1,))
twice = changed(length_one=2)
values = changed(view=lambda e: (e["tool"], sorted(map(str, e["arguments"].values())), e["result"]))
results = changed(view=lambda each: each["result"])


def a_b_a(steps):
    return len(steps) >= 3 and steps[-1] == steps[-3]


def once_is_enough(steps):
    return any(changed()(steps[:end]) for end in range(len(steps) + 1))


# 09.2


def fits(steps, budget):
    return len("\n".join(steps)) <= budget


def heads_and_codes(steps, budget):
    """Fills what room is left with the beginnings of the older steps."""
    if fits(steps, budget):
        return "\n".join(steps)
    codes = " ".join(re.findall(CODE, " ".join(steps[:-1])))
    tail = f" … {codes}\n{steps[-1]}"
    return " ".join(steps[:-1])[: budget - len(tail)] + tail


def step_by_step(steps, budget):
    """A line for each older step that has a code, newest words first if there is room."""
    if fits(steps, budget):
        return "\n".join(steps)
    lines = [
        "... " + ",".join(re.findall(CODE, each)) for each in steps[:-1] if re.search(CODE, each)
    ]
    text = "\n".join([*lines, steps[-1]])
    return text if "..." in text else "...\n" + text


def whole_steps(steps, budget):
    """Keeps whole newer steps as long as there is room for the codes of the others."""
    kept = [steps[-1]]
    older = list(steps[:-1])
    while older:
        codes = re.findall(CODE, "\n".join(older[:-1]))
        trial = [*(["… " + " ".join(codes)] if older[:-1] else []), older[-1], *kept]
        if len("\n".join(trial)) > budget:
            break
        kept.insert(0, older.pop())
    head = ["… " + " ".join(re.findall(CODE, "\n".join(older)))] if older else []
    return "\n".join([*head, *kept])


def drops_oldest(steps, budget):
    kept = list(steps)
    while len("\n".join(kept)) > budget - 2 and len(kept) > 1:
        kept.pop(0)
    return "\n".join(kept) if len(kept) == len(steps) else "…\n" + "\n".join(kept)


def cuts_head(steps, budget):
    whole = "\n".join(steps)
    return whole if len(whole) <= budget else "…" + whole[-budget + 1 :]


def no_mark(steps, budget):
    return heads_and_codes(steps, budget).replace("…", " ")


def always_short(steps, budget):
    codes = re.findall(CODE, "\n".join(steps[:-1]))
    return "… " + " ".join(codes) + "\n" + steps[-1]


def cuts_last(steps, budget):
    if fits(steps, budget):
        return "\n".join(steps)
    return ("… " + " ".join(re.findall(CODE, "\n".join(steps))) + " " + steps[-1][:5])[:budget]


RIGHT = [
    ("09.1", by_texts),
    ("09.1", by_hand),
    ("09.1", only_two_and_three_given_different_steps),
    ("09.1", changed()),
    ("09.2", heads_and_codes),
    ("09.2", step_by_step),
    ("09.2", whole_steps),
]
WRONG = [
    ("09.1", calls_alone, "the results are not"),
    ("09.1", printed, "as dicts they do not"),
    ("09.1", values, "from Oslo to Rome is not from Rome to Oslo"),
    ("09.1", no_circles, "Circles of two and of three"),
    ("09.1", a_b_a, "two steps back only"),
    ("09.1", twice, "may be a second look"),
    ("09.1", once_is_enough, "the run has left it"),
    ("09.1", results, "the calls are others"),
    ("09.1", lambda steps: None, "returned None"),
    ("09.2", drops_oldest, "The code was in step 1"),
    ("09.2", cuts_head, "is gone"),
    ("09.2", no_mark, "nothing says so"),
    ("09.2", always_short, "It fits"),
    ("09.2", cuts_last, "does not stand in your text"),
    ("09.2", lambda steps, budget: "\n".join(steps), "are allowed"),
    ("09.2", lambda steps, budget: steps, "A text is asked for"),
]
SAMPLES = [("09.1", lambda steps: True), ("09.2", lambda steps, budget: "a\nb")]
VALUES: list[tuple[str, object]] = []
