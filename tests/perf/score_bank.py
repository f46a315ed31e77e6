"""How many questions of a bank the simulated model answers: right, wrong, not found.

Run: python tests/perf/score_bank.py tests/data/questions_tune.jsonl [--dialect tools]
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import defaultdict
from pathlib import Path
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.llm.simulated import SimulatedLLM
from reactlab.tools.builtin import builtin_tools, search_tools

NOT_FOUND = re.compile(r"could not find|did not find|do not know|没有找到|不知道", re.IGNORECASE)
_YES = {"yes": "yes", "是": "yes", "是的": "yes", "有": "yes", "对": "yes", "no": "no", "不": "no"}
_YES |= {"否": "no", "不是": "no", "没有": "no", "不对": "no", "没": "no"}


def normalised(text: str) -> list[str]:
    """Words without case, accents kept, articles and punctuation gone; Chinese by character."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    words = re.findall(r"\d+(?:\.\d+)?|[\u3400-\u9fff]|[^\W_\d\u3400-\u9fff]+", text)
    return [word for word in words if word not in ("a", "an", "the", "about", "in", "约")]


def holds(answer: str, gold: str) -> bool:
    """Whether `gold` occurs in `answer` as whole words, or as a number equal within rounding."""
    if answer.strip(" .。") in _YES or gold in _YES:
        first = re.match(r"[a-z]+|[\u3400-\u9fff]+", answer.casefold())
        return bool(first) and _YES.get(first[0], first[0]) == _YES.get(gold.casefold(), gold)
    said, wanted = normalised(answer), normalised(gold)
    if any(said[i : i + len(wanted)] == wanted for i in range(len(said))) and wanted:
        return True
    numbers = [float(word) for word in said if re.fullmatch(r"\d+(?:\.\d+)?", word)]
    if re.fullmatch(r"\d+(?:\.\d+)?", gold.replace(",", "")):
        value = float(gold.replace(",", ""))
        return any(abs(number - value) <= 0.0005 * max(1, abs(value)) for number in numbers)
    return False


def verdict(answer: str | None, item: dict[str, Any]) -> str:
    """right, wrong or missing."""
    unknown = answer is None or bool(NOT_FOUND.search(answer))
    if item["answer"] == "not found":
        return "right" if unknown else "wrong"
    if unknown or answer is None:
        return "missing"
    return (
        "right" if any(holds(answer, gold) for gold in [item["answer"], *item["also"]]) else "wrong"
    )


def run(item: dict[str, Any], dialect: Any = "bracket") -> Any:
    """The trace of one question, with the built-in tools in the item's language."""
    language = item["lang"]
    others = [tool for tool in builtin_tools(language=language) if tool.name == "Calculator"]
    tools = [*search_tools(language=language), *others]
    agent = ReActAgent(SimulatedLLM(), tools, language=item["lang"], dialect=dialect)
    return agent.run(item["question"])


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser()
    options.add_argument("bank", type=Path)
    options.add_argument("--dialect", default="bracket")
    options.add_argument("--show", nargs="*", default=["wrong", "missing"])
    given = options.parse_args()
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    steps = 0
    for line in given.bank.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        trace = run(item, given.dialect)
        steps = max(steps, sum(len(step.uses) for step in trace.steps))
        said = verdict(trace.answer, item)
        for key in ((item["kind"], item["lang"]), ("all", item["lang"]), ("all", "both")):
            counts[key][said] += 1
        if said in given.show:
            print(f"{said:8}{item['id']:12}{item['question']} -> {trace.answer} ({item['answer']})")
    for (kind, lang), row in sorted(counts.items()):
        total = sum(row.values())
        shown = "  ".join(f"{word} {row[word]:3}" for word in ("right", "wrong", "missing"))
        print(f"{kind:14}{lang:6}{shown}  of {total:3}  {row['right'] / total:.0%}")
    print(f"most actions in a run: {steps}")


if __name__ == "__main__":
    main()
