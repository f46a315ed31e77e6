"""Measure the digest of old steps against dropping them and against showing all in full.

    python tests/perf/context.py             the table for docs/context.md
    python tests/perf/context.py --show      also each task that was not solved

72 seeded tasks (half of them Chinese) in which a later step needs something of an earlier one: a
height for a difference or a sum, a year, a customer number for a parcel. The embedded model works
on them. What is needed stands in the middle of a page that says nothing else of use.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from planted import NOISE, page

from reactlab import ReActAgent, SimulatedLLM, Tool, Trace, builtin_tools
from reactlab.prompts.tokens import tokens_of

NAMES = {
    "en": [f"{first}{last}" for first in ("Al", "Ber", "Cel", "Dor", "Fen", "Gal")
           for last in ("bano", "gamo", "dona", "mira")],
    "zh": [f"{first}{last}" for first in "阿贝切多芬加"
           for last in ("尔巴", "尔加", "洛纳", "米拉")],
}  # fmt: skip
HIGH = {"en": "Mount {} is {} metres high.", "zh": "{}山高{}米。"}
OPENED = {"en": "{} Bridge was opened in {}.", "zh": "{}大桥于{}年通车。"}
THING = {
    "mountain": {"en": "Mount {}", "zh": "{}山"},
    "bridge": {"en": "{} Bridge", "zh": "{}大桥"},
}
ASKED = {
    "difference": {"en": "How many metres higher is {} than {}?", "zh": "{}比{}高多少米？"},
    "sum": {
        "en": "What is the sum of the heights of {}, {} and {}?",
        "zh": "{}、{}和{}的高度加起来是多少？",
    },
    "years": {
        "en": "How many years lie between the opening of {} and the opening of {}?",
        "zh": "{}通车到{}通车隔了多少年？",
    },
    "first": {"en": "Which was opened first, {} or {}?", "zh": "{}和{}，哪座先通车？"},
}
SEARCH = {
    "en": ("Search", "Search the pages: returns the text of the page with that title."),
    "zh": ("搜索", "搜索页面：返回标题对应的页面内容。"),
}
PARCELS = {
    "FindCustomer": "Find a customer by name: returns the customer number.",
    "ListOrders": "List the orders of a customer, by customer number.",
    "TrackParcel": "Track the parcel of an order: needs order number and customer number.",
}
DENSE = {
    "en": "In room {} stand {} clocks, which cost ${} in {}, and case K-{} of {} May 1930.",
    "zh": "{}号房间有{}座钟，花了{}元，那是{}年，还有1930年5月{}日的K-{}号箱。",
}
LOST = {"en": "Could not find it.", "zh": "没有找到。"}


class Asked(NamedTuple):
    """A task: its tools, and a piece of text that a right answer holds."""

    kind: str
    language: str
    question: str
    tools: list[Tool]
    wanted: str


def looking_up(kind: str, language: str, seed: int, sentences: int) -> Asked:
    """A question about figures that stand on pages of their own."""
    rng = random.Random(f"{kind}{language}{seed}")
    high = kind in ("difference", "sum")
    names = rng.sample(NAMES[language], 3 if kind == "sum" else 2)
    values = rng.sample(range(1200, 4800) if high else range(1801, 1980), len(names))
    values = sorted(values, reverse=True) if kind == "difference" else values
    things = [THING["mountain" if high else "bridge"][language].format(name) for name in names]
    form = (HIGH if high else OPENED)[language]
    told = [form.format(name, f"{value:,}" if high and language == "en" else value)
            for name, value in zip(names, values, strict=True)]  # fmt: skip
    pages = {thing: page(rng, language, text, sentences)
             for thing, text in zip(things, told, strict=True)}  # fmt: skip
    wanted = {
        "difference": f"{values[0] - values[1]:,}",
        "sum": f"{sum(values):,}",
        "years": f"{abs(values[0] - values[1])}",
        "first": things[values.index(min(values))],
    }[kind]

    def search(query: str) -> str:
        return pages.get(query.strip(), LOST[language])

    calculator = next(t for t in builtin_tools(language=language) if t.name == "Calculator")
    question = ASKED[kind][language].format(*things)
    return Asked(kind, language, question, [Tool(*SEARCH[language], search), calculator], wanted)


def tracking(kind: str, seed: int, sentences: int) -> Asked:
    """A parcel that needs the customer number of the first step in the third; English only."""
    rng = random.Random(f"{kind}{seed}")
    customer, order = f"C-{rng.randint(1000, 9999)}", str(rng.randint(10**4, 10**5))
    place = rng.choice(["Oslo", "Rome", "Lima"])

    def record(**values: str) -> str:
        noise = page(rng, "en", "", sentences // 2), page(rng, "en", "", sentences // 2)
        if kind == "parcel, JSON":
            return json.dumps({"note": noise[0], **values, "remark": noise[1]})
        return "\n".join(
            [noise[0], *(f"{key}: {value}" for key, value in values.items()), noise[1]]
        )

    found = record(name="Ann Moor", customer_id=customer)
    listed = record(order_id=order, status="open")

    def find(name: str) -> str:
        return found

    def orders(customer_id: str) -> str:
        return listed if customer_id == customer else LOST["en"]

    def track(order_id: str, customer_id: str) -> str:
        right = (order_id, customer_id) == (order, customer)
        return json.dumps({"parcel_status": place}) if right else LOST["en"]

    functions = (find, orders, track)
    tools = [Tool(*told, func) for told, func in zip(PARCELS.items(), functions, strict=True)]
    asked = "Track the parcel of the order of customer Ann Moor."
    return Asked(kind, "en", asked, tools, f"parcel status {place}")


def tasks(seeds: int, sentences: int) -> Iterator[Asked]:
    """All tasks: six kinds in English, and half as many again of the four kinds in Chinese."""
    for seed in range(seeds):
        yield from (tracking(kind, seed, sentences) for kind in ("parcel, JSON", "parcel, lines"))
        yield from (looking_up(kind, "en", seed, sentences) for kind in ASKED)
    for seed in range(seeds * 3 // 2):
        yield from (looking_up(kind, "zh", seed, sentences) for kind in ASKED)


def run(task: Asked, **settings: Any) -> Trace:
    """The trace of one task."""
    agent = ReActAgent(SimulatedLLM(), task.tools, language=task.language, **settings)
    return agent.run(task.question)


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser()
    options.add_argument("--show", action="store_true")
    options.add_argument("--dense", action="store_true", help="every sentence holds figures")
    options.add_argument("--seeds", type=int, default=6)
    given = options.parse_args()
    if given.dense:
        rng = random.Random(0)
        for language, text in DENSE.items():
            NOISE[language] = [text.format(*rng.sample(range(2, 2000), 6)) for _ in range(200)]
    settings: list[dict[str, Any]] = [{"max_context": None}]
    settings += [{"max_context": n, "older": o} for n in (1, 2, 3) for o in ("digest", "drop")]
    for sentences in (4, 12, 40):
        for how in settings:
            done = [(task, run(task, **how)) for task in tasks(given.seeds, sentences)]
            right = [task.wanted in str(trace.answer) for task, trace in done]
            sent = [sum(tokens_of(c.request) for s in trace for c in s.model_calls)
                    for _, trace in done]  # fmt: skip
            steps = sum(len(trace) for _, trace in done) / len(done)
            name = " ".join(f"{key}={value}" for key, value in how.items())
            print(f"{sentences:3} sentences  {name:32} solved {sum(right):3} of {len(right)}"
                  f"  tokens a task {sum(sent) / len(sent):7.0f}  steps {steps:.1f}")  # fmt: skip
            for (task, trace), good in zip(done, right, strict=True):
                if given.show and not good:
                    print(f"      {task.kind} {task.language} {task.question} -> {trace}"[:200])


if __name__ == "__main__":
    main()
