"""Throw a million mutated replies at the parser, by hand: `python tests/perf/fuzz_parser.py`.

Reports every exception that is no ParseError, and the slowest inputs with how their CPU time grows
from 10 to 100 to 1,000 repetitions (a factor of about 10 each time is linear).
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import time
from collections import Counter
from pathlib import Path

from reactlab.errors import ParseError
from reactlab.parser import parse

CASES = Path(__file__).parents[1] / "cases"
TOOLS = ("Search", "Calculator", "Python", "web_search", "get_time", "query_db", "搜索", "计算器")
_GRAMMAR = (
    "Thought: |Action: |Action Input: |ActionInput: |Observation: |Final Answer: |Answer: |Action |"
    "思考：|行动：|行动输入：|观察：|最终答案：|**Action:** |- Thought: |1. Action: |Step 2: |"
    "# Action\n|Search[|Search(|Finish[|Finish(answer=|get_time|None|web_search|搜索［|搜索【|Use |"
    '{"action": "get_time", |"action_input": |{"name": |[{|{|}|[|]|(|)|【|】|［|］|"|\'|“|”|`|```|'
    '```json\n|"""|\'\'\'|<think>|</think>|<tool_call>|</tool_call>|<invoke name="a">|</invoke>|'
    '<parameter name="b">|</parameter>|<tool>a</tool>|<tool_input>|<final_answer>|</final_answer>|'
    "<function=a>|/*|*/|//|#|\\|\\u|\\ud83c|\\n|,|:|：|=|-|.|。|\n|\n\n|\r\n| |\t|\u3000|\u200b|"
    "\ufeff|\x00|0|1e9|true|é|😀"
)
GRAMMAR = _GRAMMAR.split("|")


def seeds() -> list[str]:
    texts = []
    for name in ("parser_cases.jsonl", "parser_variants.jsonl"):
        for line in (CASES / name).read_text(encoding="utf-8").strip().split("\n"):
            texts.append(json.loads(line)["text"])
    return [text for text in texts if 0 < len(text) < 2_000]


def mutated(text: str, others: list[str], dice: random.Random) -> str:
    """Cut, insert, swap, repeat or splice, one to eight times."""
    for _ in range(dice.randint(1, 8)):
        start = dice.randrange(len(text) + 1)
        end = min(len(text), start + dice.randint(0, 12))
        match dice.randrange(6):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:start] + dice.choice(GRAMMAR) + text[start:]
            case 2:
                text = text[:start] + dice.choice(GRAMMAR) + text[end:]
            case 3:
                text = text[:start] + text[start:end] * dice.randint(2, 9) + text[end:]
            case 4:
                other = dice.choice(others)
                text = text[:start] + other[dice.randrange(len(other)) :]
            case 5:
                text = text[:start] if dice.random() < 0.3 else dice.choice(GRAMMAR) * 5 + text
    return text[:5_000]


def made(dice: random.Random) -> str:
    return "".join(dice.choices(GRAMMAR, k=dice.randint(1, 40)))


def timed(text: str) -> tuple[float, str]:
    """Return the CPU time of a parse and how it ended."""
    began = time.process_time()
    try:
        decision = parse(text, TOOLS)
        ended = "action" if decision.calls else "final"
    except ParseError:
        ended = "refused"
    except Exception as error:
        ended = f"{type(error).__name__}: {error}"
    return time.process_time() - began, ended


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--inputs", type=int, default=1_000_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    dice, texts = random.Random(chosen.seed), seeds()
    ends: Counter[str] = Counter()
    slowest: list[tuple[float, str]] = []
    for _ in range(chosen.inputs):
        text = made(dice) if dice.random() < 0.3 else mutated(dice.choice(texts), texts, dice)
        spent, ended = timed(text)
        if ended not in ("action", "final", "refused") and ends[ended] < 3:
            print("ESCAPED", ended, repr(text))
        ends[ended] += 1
        heapq.heappush(slowest, (spent / (len(text) + 50), text))
        if len(slowest) > 200:
            heapq.heappop(slowest)
    print(f"{chosen.inputs} inputs, seed {chosen.seed}: {dict(ends)}")
    growth(slowest)


def growth(slowest: list[tuple[float, str]]) -> None:
    """Print how the time of the slowest inputs grows, worst first."""
    rows = []
    for _, text in slowest:
        once, ten, hundred = (min(timed(text * n)[0] for _ in range(3)) for n in (10, 100, 1_000))
        rows.append((hundred / max(ten, 1e-4), ten / max(once, 1e-4), hundred, text))
    rows.sort(reverse=True)
    for ratio, first, spent, text in rows[:10]:
        print(f"x10: {first:5.1f} then {ratio:5.1f}; {spent:6.3f} s at {len(text) * 1000:,} chars")
        print(f"    {text[:150]!r}")


if __name__ == "__main__":
    main()
