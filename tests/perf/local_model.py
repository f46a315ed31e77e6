"""Ask the small local model one-hop questions, by hand: `python tests/perf/local_model.py en`.

Every question can be answered with one search in the embedded encyclopaedia. Text dialect
"bracket", the shipped prompt, one run of at most three steps each, the likeliest token. Counted are
the first replies that could be read as a step with a tool there is, those whose tool was Search,
and the answers that hold the expected words. Figures belong into docs/local-model.md with date and
conditions. Nothing here is a test.
"""

from __future__ import annotations

import math
import sys
import time

from reactlab import LocalLLM, ReActAgent, calculator, search_tools
from reactlab.evaluation.scorers import holds
from reactlab.trace import Trace

EN = """
How tall is the Eiffel Tower? | 330
In which city was Gustave Eiffel born? | Dijon
When did Tokyo Tower open? | 1958
How many floors does the Burj Khalifa have? | 163
Who designed the Sydney Opera House? | Utzon
Who was the chief engineer of the Golden Gate Bridge? | Strauss
Which river does the Brooklyn Bridge cross? | East River
In which city does the Taj Mahal stand? | Agra
In which year did the Louvre become a public museum? | 1793
How high is Mount Everest in metres? | 8849
In which mountain range does K2 stand? | Karakoram
When did Mount Fuji last erupt? | 1707
What is the highest point of Mount Kilimanjaro called? | Uhuru
Which sea does the Nile flow into? | Mediterranean
How long is the Yangtze? | 6300
Where does the Danube rise? | Black Forest
How many floors does the Empire State Building have? | 102
Which firm designed the Shanghai Tower? | Gensler
Which village lies at the foot of the Matterhorn? | Zermatt
How large is the Forbidden City? | 72
What is the Yellow River named after? | silt
How long is the Rhine? | 1230
Who led the first ascent of the Matterhorn? | Whymper
Which tunnel runs between France and Italy below Mont Blanc? | Mont Blanc Tunnel
"""
ZH = """
埃菲尔铁塔有多高？ | 330
东京塔是哪一年开放的？ | 1958
上海中心大厦地上有多少层？ | 128
哈利法塔是谁设计的？ | 史密斯
八达岭长城距北京市中心多少公里？ | 70
故宫占地多少公顷？ | 72
卢浮宫的玻璃金字塔由谁设计？ | 贝聿铭
珠穆朗玛峰属于哪座山脉？ | 喜马拉雅
乔戈里峰有多高？ | 8611
富士山最近一次喷发是在哪一年？ | 1707
长江全长多少公里？ | 6300
黄河发源于哪里？ | 青海
尼罗河流入哪片海？ | 地中海
贝加尔湖最深处有多少米？ | 1642
日本最大的湖是哪个湖？ | 琵琶湖
波兰的货币是什么？ | 兹罗提
英国最长的河流是哪条？ | 塞文河
巴黎分为多少个区？ | 二十
东京在1868年以前叫什么？ | 江户
居里夫人出生在哪座城市？ | 华沙
爱因斯坦出生在哪座城市？ | 乌尔姆
图灵出生在哪座城市？ | 伦敦
屠呦呦发现了什么抗疟药？ | 青蒿素
鲁迅的本名叫什么？ | 周树人
"""


def wilson(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share, as E. B. Wilson gave it in 1927."""
    z, share = 1.959964, right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count**2))
    half /= 1 + z * z / count
    return middle - half, middle + half


def first_tool(run: Trace) -> str:
    """The tool of the first step, "" if the first reply could not be read or called none."""
    calls = run.steps[0].calls if run.steps else ()
    return calls[0].name if calls else ""


def main(language: str = "en") -> None:
    """Ask all questions of one language and print what came of each, and the counts."""
    tools = [*search_tools(language=language)[:1], calculator]
    agent = ReActAgent(LocalLLM(), tools, language=language, max_steps=3)
    known = agent.tools.names
    counts = {"first reply is a step with a tool there is": 0, "that tool is the first": 0}
    counts |= {"an answer came": 0, "the answer is right": 0}
    lines = (ZH if language == "zh" else EN).strip().splitlines()
    begin = time.perf_counter()
    for line in lines:
        question, gold = line.split(" | ")
        run = agent.run(question)
        tool, answer = first_tool(run), run.answer or ""
        found = (tool in known, tool == known[0], bool(answer), holds(answer, gold))
        counts = {name: counts[name] + hit for name, hit in zip(counts, found, strict=True)}
        print(question, gold, tool, len(run.steps), run.stop_reason, repr(answer[:80]), sep=" | ")
    for name, right in counts.items():
        low, high = wilson(right, len(lines))
        print(f"{name}: {right} of {len(lines)} ({low:.0%} to {high:.0%})")
    print(f"{time.perf_counter() - begin:.0f} s, {agent.llm.model}")


if __name__ == "__main__":
    main(*sys.argv[1:])
