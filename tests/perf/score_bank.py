"""How many questions of a bank the simulated model answers: right, wrong, not found.

Run: python tests/perf/score_bank.py tests/data/questions_tune.jsonl [--dialect tools]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.evaluation.scorers import contains
from reactlab.evaluation.task import Sample, read_samples
from reactlab.llm.simulated import SimulatedLLM
from reactlab.tools.builtin import builtin_tools, search_tools


def run(sample: Sample, dialect: Any = "bracket") -> Any:
    """The trace of one question, with the built-in tools in the sample's language."""
    language = sample.meta["lang"]
    others = [tool for tool in builtin_tools(language=language) if tool.name == "Calculator"]
    tools = [*search_tools(language=language), *others]
    agent = ReActAgent(SimulatedLLM(), tools, language=language, dialect=dialect)
    return agent.run(sample.question)


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser()
    options.add_argument("bank", type=Path)
    options.add_argument("--dialect", default="bracket")
    options.add_argument("--show", nargs="*", default=["wrong", "missing"])
    given = options.parse_args()
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    steps = 0
    for sample in read_samples(given.bank):
        kind, lang = sample.meta["kind"], sample.meta["lang"]
        trace = run(sample, given.dialect)
        steps = max(steps, sum(len(step.uses) for step in trace.steps))
        said = contains(trace, sample).why
        for key in ((kind, lang), ("all", lang), ("all", "both")):
            counts[key][said] += 1
        if said in given.show:
            told = f"{sample.question} -> {trace.answer} ({sample.expected})"
            print(f"{said:8}{sample.id:12}{told}")
    for (kind, lang), row in sorted(counts.items()):
        total = sum(row.values())
        shown = "  ".join(f"{word} {row[word]:3}" for word in ("right", "wrong", "missing"))
        print(f"{kind:14}{lang:6}{shown}  of {total:3}  {row['right'] / total:.0%}")
    print(f"most actions in a run: {steps}")


if __name__ == "__main__":
    main()
