"""Measure what the loop costs, as ratios to a hand-written loop in the same process.

    python tests/perf/speed.py               all of it
    python tests/perf/speed.py steps 50      only run 50 tool steps (to count instructions with)

Figures belong into docs/speed.md with date and conditions. Nothing here is a test.
"""

from __future__ import annotations

import math
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reactlab import ToolRegistry

STEPS = 100


def floor(question: str, steps: int) -> str:
    """The loop as one writes it by hand: format, regex, dictionary of tools."""
    tools = {"echo": lambda text: text}
    history = ""
    for number in range(steps + 1):
        prompt = f"Tools: echo\nQuestion: {question}\n{history}Thought:"
        reply = reply_to(number, steps, prompt)
        found = re.search(r"Action: (\w+)\[(.*)\]", reply)
        if found is None:
            return reply.split("Final Answer:")[1].strip()
        observation = tools[found[1]](found[2])
        history += f"{reply}\nObservation: {observation}\n"
    return ""


def reply_to(number: int, steps: int, prompt: str) -> str:
    """What the model says: the same for both loops."""
    if number < steps:
        return f"Thought: step {number}, I need to say it again.\nAction: echo[text {number}]"
    return "Thought: enough.\nFinal Answer: done"


@cache
def the_tools(timeout: float | None = None) -> ToolRegistry:
    """The same tool, built once: a run does not build it either."""
    from reactlab import Tool, ToolRegistry

    return ToolRegistry([Tool("echo", "Say it again.", lambda text: text, timeout=timeout)])


def ours(question: str, steps: int, *, timeout: float | None = None) -> str:
    """The same run with a trace, validation, and everything else that reactlab does."""
    from reactlab import Completion, ReActAgent, Request

    class Counting:
        model = "counting"
        asked = 0

        def complete(self, request: Request) -> Completion:
            self.asked += 1
            return Completion(reply_to(self.asked - 1, steps, request.prompt))

    agent = ReActAgent(Counting(), the_tools(timeout), max_steps=steps + 1, max_context=None)
    return str(agent.run(question))


def seconds(func: Callable[[], object], repeats: int = 15) -> float:
    """CPU seconds of the fastest of some repeats."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        func()
        times.append(time.process_time() - began)
    return min(times)


def per_step(repeats: int = 15) -> tuple[float, float, float]:
    """Microseconds a step: by hand, ours, ours with a time limit on the tool."""
    runs = (
        lambda: floor("q", STEPS),
        lambda: ours("q", STEPS),
        lambda: ours("q", STEPS, timeout=10),
    )
    for run in runs:
        run()
    by_hand, plain, limited = (seconds(run, repeats) / STEPS * 1e6 for run in runs)
    return by_hand, plain, limited


def exponent(run: Callable[[int], object]) -> float:
    """How run time grows from 100 to 500 steps: 1 is linear, 2 is quadratic."""
    return math.log(seconds(lambda: run(500), 7) / seconds(lambda: run(100), 7), 5)


def importing(statement: str) -> tuple[float, float]:
    """Milliseconds of CPU and megabytes that a statement adds to a bare interpreter."""
    code = (
        "import resource, time; b = time.process_time();"
        "m = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; {}; "
        "print(time.process_time() - b, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - m)"
    )
    rows = []
    for _ in range(11):
        done = subprocess.run(
            [sys.executable, "-c", code.format(statement)],
            capture_output=True,
            text=True,
            check=True,
        )
        rows.append([float(number) for number in done.stdout.split()])
    return (
        statistics.median(row[0] for row in rows) * 1e3,
        statistics.median(row[1] for row in rows) / 1024,
    )


def main() -> None:
    """Print every figure."""
    if sys.argv[1:2] == ["steps"]:
        ours("q", int(sys.argv[2]))
        return
    for statement in ("import reactlab", "from reactlab import ReActAgent"):
        milliseconds, megabytes = importing(statement)
        print(f"{statement}: {milliseconds:.0f} ms CPU, {megabytes:.1f} MB")
    by_hand, plain, limited = per_step()
    print(f"a step by hand {by_hand:.1f} us, ours {plain:.1f} us: {plain / by_hand:.1f} x")
    print(f"with a time limit on the tool {limited:.1f} us: {limited / by_hand:.1f} x")
    low, high = exponent(lambda n: floor("q", n)), exponent(lambda n: ours("q", n))
    print(f"growth from 100 to 500 steps: by hand {low:.2f}, ours {high:.2f}: {high / low:.2f} x")


if __name__ == "__main__":
    main()
