"""Ask the small local model in four ways: `python tests/perf/local_grammar.py en report`.

One-hop questions, free and kept to a grammar with a prompt that describes the form; then, with
the grammar, eight examples, and eight whose thought names the tool. Questions and prompts are those
of notebook A1. The prompt is gone on with, not answered as a message. At most three steps, 60
tokens a reply, the likeliest token throughout; each question once. Every run is appended to a file
as it comes, and what is there already is not asked again. Figures belong into docs/local-model.md
with date and conditions. Nothing here is a test.
"""

from __future__ import annotations

import datetime
import json
import sys
import time
from pathlib import Path

from reactlab import LocalLLM, ReActAgent, ToolRegistry
from reactlab.course.smallmodel import VARIANTS, kit, prompt_of, questions
from reactlab.llm.grammar import for_tools


def main(language: str = "en", which: str = "tune", file: str = "") -> None:
    """Ask one set of one language in every way that the file does not hold yet."""
    path = Path(file or f"/tmp/A1.{language}.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    done = {(row["variant"], row["id"]) for row in map(json.loads, lines)}
    tools = ToolRegistry(kit(language))
    grammar = for_tools(tools, language=language, begun=True)
    llm = LocalLLM(max_tokens=60, chat=False)
    for variant, shape in VARIANTS.items():
        llm.grammar = None if variant == "raw" else grammar
        agent = ReActAgent(llm, tools, 3, language=language, prompt=prompt_of(shape, language))
        for key, question, gold, tool in questions(language)[which]:
            if (variant, key) in done:
                continue
            begin = time.perf_counter()
            run = agent.run(question)
            row = {
                "variant": variant,
                "id": key,
                "replies": [step.completion.text for step in run.steps],
                "stop": str(run.stop_reason),
                "model": llm.model,
                "recorded": f"{datetime.date.today()}",
            }
            with path.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
            took = time.perf_counter() - begin
            print(variant, key, gold, tool, repr(run.answer), f"{took:.1f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
