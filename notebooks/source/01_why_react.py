# %% [markdown] lang="en"
# # 01 · Why ReAct
#
# **Tools supply what a model cannot know. Thoughts keep what it must not forget. And ReAct does not always win.** You will see one question answered in five ways, find out who can have written which line of a trace, and choose the cheapest way that can do a task.
#
# **Minutes:** 20. **Needs:** nothing from other notebooks. New here? Begin with `00_start_here`.

# %% [markdown] lang="zh" en="46a35212"
# # 01 · 为什么用 ReAct
#
# **工具提供模型不可能知道的东西，思考留住它不能忘记的东西；而 ReAct 也并不总是赢**。你会看到同一个问题的五种答法，弄清轨迹里的每一行可能是谁写的，并为任务选出够用的最便宜的方式。
#
# **时间**：20 分钟。**前提**：不依赖其他课。第一次来？请从 `00_start_here` 开始。

# %% [markdown] lang="en"
# ## A friendly answer can change nothing
#
# The most common way to use a model: ask, and read the reply. The prompt below is the question and nothing else.

# %% [markdown] lang="zh" en="2b69e125"
# ## 客气的回答可能什么也没改变
#
# 使用模型最常见的方式：提问，然后读回复。下面的提示词只有问题本身，没有别的。

# %%
from reactlab import ActAgent, CoTAgent, FlightDesk, ReActAgent, SingleCallAgent, flight_tools
from reactlab.course import edition, example

language = edition("en", "01")
question = example("01.rebook")
direct = CoTAgent(prompt="{question}", language=language).run(question)
print("→", direct)

# %% [markdown] lang="en"
# It answers in full sentences and in the right tone. **Predict:** which flight is in the booking now, and does the flight in the reply exist?

# %% [markdown] lang="zh" en="455488fe"
# 句子完整，语气得体。**先预测**：预订里现在是哪个航班？回复里说的航班存在吗？

# %% tags=["predict"]
guess = "…"
print("?", guess)

desk = FlightDesk(language=language)
now = desk.search_booking("12345")
print("12345 →", now["flight_number"], now["departure"], "\n")
for flight in desk.search_alternatives(now["origin"], now["destination"]):
    print(flight["flight_number"], flight["departure"])

# %% [markdown] lang="en"
# First the booking, then the flights with seats. In the stored run the flight of the reply is not among them, and the booking is where it was. **Staged:** the embedded model was written to invent a flight here. **Mechanism:** text alone moves no booking, whoever writes it. So ask of every result: what does the world say afterwards?
#
# ## What is new is not in its memory
#
# Now a question with nothing to do, only something to know.

# %% [markdown] lang="zh" en="d8a0fde8"
# 第一行是预订，下面是还有座位的航班。在存档的运行里，回复说的航班不在其中，预订也原样未动。**演示**：嵌入的模型就是写成在这里编造一个航班的。**机制**：光靠文字改不了预订，不管是谁写的。所以对每个结果都要问：事后世界怎么说？
#
# ## 新的事情不在它的记忆里
#
# 再来一个不用做什么、只需要知道什么的问题。

# %%
sales = example("01.sales")
print("→", CoTAgent(language=language).run(sales))

# %% [markdown] lang="en"
# The embedded model admits it. Not every model does. Here is what a real small model said to the same question. This bookshop was made up for the course, so nobody can know its sales by heart.

# %% [markdown] lang="zh" en="2bf481c4"
# 嵌入的模型承认不知道，但不是每个模型都这样。下面是一个真实的小模型对同一个问题说的话。试着用中文问它时，它只是一遍遍重复问题，所以这里用英文问（问的是同一件事：2026年1月卖出多少本书）。这家书店是为本课程虚构的，没有谁能记得它的销量。

# %%
from reactlab.course import real_model

voice = real_model("01")
print(voice.about)
print("→", CoTAgent(voice, prompt="{question}").run(example("01.voice")))

# %% [markdown] lang="en"
# A number, in the same tone as a true one. **Measured**, but small: one question, one reply, the likeliest words. The next cell lets the embedded model look it up: the page stands in the encyclopaedia that `Search` reads.

# %% [markdown] lang="zh" en="49985e58"
# 它给了一个数字，语气和说真话时一样。**实测**，但样本很小：一个问题，一条回复，取最可能的词。下一个单元格让嵌入的模型去查：`Search` 读的百科里有这一页。

# %%
from reactlab import builtin_tools

search, calculator, *_ = builtin_tools(language=language)
ReActAgent(tools=[search], language=language).run(sales)

# %% [markdown] lang="en"
# The number stands in an observation, which the model did not write. Ask for June as well, and read the observation before you believe the answer.
#
# ## Five ways to treat one question
#
# Back to the flight. Each way gets the same question and a fresh database of its own, and may change it.

# %% [markdown] lang="zh" en="84d701cf"
# 这个数字在观察里，而观察不是模型写的。也可以问问6月的销量；相信答案之前，先读观察。
#
# ## 同一个问题的五种答法
#
# 回到航班。每种方式都得到同一个问题，以及一个属于自己的全新数据库，并且允许改动它。

# %%
ways = example("01.ways")


def five_ways(tools):
    """The five ways by name; where tools are used, they are the same."""
    told = {"language": language}
    able = {"tools": tools, "approve": "always", "language": language}
    agents = [
        CoTAgent(prompt="{question}", **told),  # asked directly
        CoTAgent(**told),  # thoughts, no tools
        ActAgent(**able),  # tools, no thoughts
        SingleCallAgent(**able),  # one use of a tool
        ReActAgent(**able),  # thoughts and tools
    ]
    return dict(zip(ways, agents, strict=True))


# %%
desks = {way: FlightDesk(language=language) for way in ways}
runs = {}
for way, its_desk in desks.items():
    tools = flight_tools(its_desk, language=language)
    runs[way] = five_ways(tools)[way].run(question)
    print(runs[way].stop_reason, "|", way)

# %% [markdown] lang="en"
# In the stored run all five say `answered`. **Predict:** which lanes end on a flight that this passenger can take: after noon, and in Beijing before 17:00? A solid border is the model's, a dashed one the world's.

# %% [markdown] lang="zh" en="4418838a"
# 在存档的运行里，五道都说 `answered`（已回答）。**先预测**：哪几道最后落在这位旅客能坐的航班上，也就是中午以后出发、17:00 前到北京？实线框是模型写的，虚线框是世界写的。

# %% tags=["predict"]
from reactlab.course import lanes

guess = "…"
print("?", guess)
lanes(runs)

# %% [markdown] lang="en"
# All five have spoken. What do the five databases say?

# %% [markdown] lang="zh" en="00af0041"
# 五道的话都说完了。五个数据库又怎么说？

# %%
for way, its_desk in desks.items():
    now = its_desk.search_booking("12345")
    print(now["flight_number"], now["departure"], "→", now["arrival"], "|", way)

# %% [markdown] lang="en"
# | way (**staged**) | what it did | what it lacked |
# |---|---|---|
# | asked directly | said “Done”, changed nothing | the world |
# | CoT | reasoned well, said that it can look nothing up | the world |
# | act only | rebooked to 09:00, before noon | room to weigh the flights |
# | one call | found the booking, could not act on it | a second turn |
# | ReAct | ruled out 09:00 and took 14:00 | nothing here; it paid for five calls |
#
# Act only and ReAct have the same model, tools and loop. What differs is the prompt:

# %% [markdown] lang="zh" en="33a483e4"
# | 方式（**演示**） | 做了什么 | 缺什么 |
# |---|---|---|
# | 直接问 | 说“已办好”，什么也没改 | 世界 |
# | CoT | 推理得不错，并说明自己什么也查不了 | 世界 |
# | 只行动 | 改到 09:00，在中午之前 | 权衡航班的余地 |
# | 一次调用 | 查到了预订，却不能再往下做 | 第二个回合 |
# | ReAct | 排除 09:00，选了 14:00 | 这里不缺什么；付了五次调用 |
#
# “只行动”和 ReAct 用的是同一个模型、同样的工具、同一个循环。不同的是提示词：

# %%
from reactlab.prompts import load

without = load("act", language).splitlines()
print("\n".join(line for line in load("bracket", language).splitlines() if line not in without))

# %% [markdown] lang="en"
# These lines ask for a thought. The demand stands in both prompts, in the question. **Mechanism:** a model continues a text, so what it has worked out and written down is there for its next line. Without a thought it has to name a flight at once. **Staged:** how much that costs. This simulator then takes the first; a strong model may get it right.
#
# ## Exercise 01.1: who wrote this line?
#
# The labels and the order of these lines are lost. You can ask the world again: `use(name, text)`.

# %% [markdown] lang="zh" en="d9034c18"
# 多出来的就是要它写思考的那几行。旅客的要求在问题里，两种提示词都有。**机制**：模型是接着文字往下写的，推出来并写下的东西，写下一行时就在眼前；没有思考，它只能马上写出一个航班号。**演示**：这要付出多大代价。这个模拟器这时会取第一个航班；强的模型也可能选对。
#
# ## 练习 01.1：这一行是谁写的？
#
# 下面这些行丢了标签，也乱了顺序。你可以再问一次世界：`use(name, text)`。

# %% lang="en"
shuffled = example("01.lines")
print("→", shuffled.use("Lookup", "Capella"))

# %% lang="zh" en="46bf1ce9"
shuffled = example("01.lines")
print("→", shuffled.use("Lookup", "五车二"))

# %% [markdown] lang="en"
# Other runs hold lines that only look like data, and observations that sound like a thought.

# %% [markdown] lang="zh" en="3ec3d3fd"
# 给每一行一个词：`"thought"`、`"action"` 或 `"observation"`，按原来的顺序放进列表返回。
#
# - 行动只有 `Name[输入]`，前后没有别的字。
# - 观察是世界对这些行里某个行动的回答，一字不差；`use(name, text)` 会告诉你世界的回答。
# - 其余都是思考。
#
# 其他运行里有只是看起来像数据的行，也有听起来像思考的观察。卡住了？先 `from reactlab.course import hint`，再运行 `hint("01.1")`，最多三次。

# %%
import re

from reactlab.course import check


def who_wrote(lines, use):
    """Name each line of a trace: "thought", "action" or "observation".

    lines: list of texts, without labels, shuffled.
    use:   function, (name of a tool, input) -> what the world says, as text.
    An action is Name[input] and nothing else.
    An observation is exactly what the world says to an action of these lines.
    All other lines are thoughts. Return one word for each line, in the same order.
    Example: who_wrote(["Lookup[Vega]", "I look.", "It reads 7."], use)
             -> ["action", "thought", "observation"]
    Stuck? from reactlab.course import hint, then hint("01.1"), up to three times.
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    actions = {line: re.fullmatch(r"(\w+)\[(.*)\]", line) for line in lines}
    world = [use(*action.groups()) for action in actions.values() if action]
    words = []
    for line in lines:
        if actions[line]:
            words.append("action")
        else:
            words.append("observation" if line in world else "thought")
    return words
    # END SOLUTION


check("01.1", who_wrote)

# %% [markdown] lang="en"
# ## Thoughts come in six kinds
#
# A longer run of the same task, scripted so that each kind comes once. The observations are real; below each thought stands the tool it led to.

# %% [markdown] lang="zh" en="d9d69592"
# ## 思考有六种
#
# 同一个任务的一次更长的运行，按脚本写成每种思考各出现一次；观察是真实的。每个思考下面是它用的工具。

# %%
six = example("01.six")
for step in six:
    used = ", ".join(call.name for call in step.calls)
    print(f"\n{step.number}  {step.thought}\n   → {used or six.answer}")

# %% [markdown] lang="en"
# The kinds by the alphabet: calculation, final answer, information seeking, planning, reasoning, verification. **Predict:** which thought is which? Write six words into `guess`.

# %% [markdown] lang="zh" en="522b7dba"
# 六种思考（没有按顺序）：计算、最终答案、找信息、计划、推理、核实。**先预测**：哪个思考是哪一种？把六个词写进 `guess`。

# %% tags=["predict"]
from reactlab import ThoughtType

guess = "…"
print("?", guess)
for step, kind in zip(six, ThoughtType, strict=True):
    print(step.number, kind)

# %% [markdown] lang="en"
# | type | the thought says | if it is left out |
# |---|---|---|
# | information seeking | what is missing | it answers from memory |
# | planning | what comes in which order | it begins anywhere |
# | calculation | a number worked out | the number is guessed |
# | reasoning | because of this, that | the first option is taken |
# | verification | whether it really happened | “Done” is believed |
# | final answer | why it is enough now | it goes on looking, or stops too early |
#
# ## Every way has its price
#
# Three tasks, three ways, the embedded model (**staged**). Which is the cheapest that can do it?

# %% [markdown] lang="zh" en="b864fb81"
# | 类型 | 思考里说什么 | 少了它会怎样 |
# |---|---|---|
# | 找信息 information_seeking | 缺什么 | 凭记忆作答 |
# | 计划 planning | 先做什么、后做什么 | 随便从哪里开始 |
# | 计算 calculation | 算出一个数 | 数是猜的 |
# | 推理 reasoning | 因为这样，所以那样 | 取第一个选项 |
# | 核实 verification | 是否真的发生了 | 轻信“已办好” |
# | 最终答案 final_answer | 为什么现在够了 | 一直查下去，或停得太早 |
#
# ## 每种方式都有价钱
#
# 三个任务，三种方式，用嵌入的模型（**演示**）。够用的方式里，哪种最便宜？

# %%
tasks = example("01.tasks")
tools = [*flight_tools(language=language), calculator]
for task in tasks:
    print("\n" + task["question"])
    for way in ways[1], ways[3], ways[4]:
        run = five_ways(tools)[way].run(task["question"])
        paid = sum(len(step.model_calls) + len(step.uses) for step in run)
        print(f"   {paid} ×  {way} → {run}")

# %% [markdown] lang="en"
# The number counts calls of the model and uses of tools together. The task shows beforehand what it will take: its facts say where each can be had, and its changes say what has to be altered in the world.
#
# ## Exercise 01.2: the cheapest that can do it

# %% [markdown] lang="zh" en="a160a27c"
# 前面的数字是模型调用和工具使用的总次数。需要什么，事先就能从任务里看出来：`facts` 写着每个事实从哪里来，`changes` 写着要改动世界里的什么。
#
# ## 练习 01.2：够用的方式里最便宜的
#
# 返回 `"cot"`、`"one_call"` 或 `"react"`。`task["facts"]` 把每个需要的事实对应到来源：`"question"`（就在问题里）、`"memory"`（人人都知道，而且不会变）、`"world"`（每个都要用一次工具）；`task["changes"]` 是要在外面改动的东西的列表，每个也要用一次工具。`cot` 一次工具也不用，`one_call` 用一次，`react` 需要多少次就用多少次。


# %%
def choose(task):
    """The cheapest way that can do a task: "cot", "one_call" or "react".

    task["question"]: the text.
    task["facts"]:    what has to be known -> where it can be had: "question" (it stands there),
                      "memory" (everybody knows it and it never changes), or
                      "world" (one use of a tool for each).
    task["changes"]:  list of what has to be changed in the world, one use of a tool for each.
    cot uses no tool, one_call uses one once, react uses as many as it needs.
    Example: choose(tasks[1]) -> "one_call"
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    looked_up = [fact for fact, where in task["facts"].items() if where == "world"]
    uses = len(looked_up) + len(task["changes"])
    if uses == 0:
        return "cot"
    return "one_call" if uses == 1 else "react"
    # END SOLUTION


check("01.2", choose)

# %% [markdown] lang="en"
# | way | who decides the next step | what you can trace | how fresh | use it for |
# |---|---|---|---|---|
# | asked directly | nobody, there is one reply | nothing | as old as the model | wording, ideas |
# | CoT | the model, on paper | its reasons, no sources | as old as the model | working with given facts |
# | one call | your program: one tool, then the answer | one observation | fresh for one fact | one look-up, one change |
# | plan, then act | the model, once, before it has seen anything | the plan and its evidence | fresh | steps known beforehand |
# | ReAct | the model, again after each observation | thought, action, observation of each step | fresh | steps that depend on what comes back |
#
# ## Where the pattern comes from
#
# The first four digits of an arXiv number are year and month. Check the dates yourself:

# %% [markdown] lang="zh" en="b62017d8"
# | 方式 | 谁决定下一步 | 能追溯什么 | 有多新 | 用在哪里 |
# |---|---|---|---|---|
# | 直接问 | 没有谁，只有一条回复 | 什么也没有 | 和模型一样旧 | 措辞、点子 |
# | CoT | 模型，只在纸上 | 理由，没有来源 | 和模型一样旧 | 从给定的事实推算 |
# | 一次调用 | 你的程序：一个工具，然后回答 | 一条观察 | 一个事实是新的 | 查一次，或改一次 |
# | 先计划再行动 | 模型，只一次，什么都还没看到 | 计划和它的证据 | 新 | 事先就知道的步骤 |
# | ReAct | 模型，每次观察之后再决定 | 每步的思考、行动、观察 | 新 | 下一步取决于返回什么 |
#
# ## 这个模式从哪里来
#
# arXiv 编号的前四位是年和月。日期可以自己核对：

# %%
papers = {
    "CoT-SC": "2203.11171",
    "ReAct": "2210.03629",
    "Toolformer": "2302.04761",
    "Reflexion": "2303.11366",
    "Plan-and-Solve": "2305.04091",
    "ReWOO": "2305.18323",
    "LLMCompiler": "2312.04511",
}
for name, number in papers.items():
    print(f"20{number[:2]}-{number[2:4]}  {name}  arXiv:{number}")

# %% [markdown] lang="en"
# Two dates are often given wrongly. **Toolformer** is placed in 2023-06; its number says 2023-02. **OpenAI's function calling** is placed in 2023-11; OpenAI announced it on 13 June 2023 (“Function calling and other API updates”). AutoGPT came in 2023-03, BabyAGI about 2023-04.
#
# ## In its own paper, ReAct loses once
#
# **Measured** by its authors (Yao et al., arXiv 2210.03629): seven ways on HotpotQA, questions that need two pages. Standard is asking directly. **Predict:** on which place is ReAct?

# %% [markdown] lang="zh" en="92ae6846"
# 有两个日期常被写错。**Toolformer** 被写成 2023 年 6 月；编号说是 2023 年 2 月。**OpenAI 的函数调用**被写成 2023 年 11 月；OpenAI 在 2023 年 6 月 13 日宣布（“Function calling and other API updates”）。AutoGPT 出现在 2023 年 3 月，BabyAGI 大约在 4 月。
#
# ## 在自己的论文里，ReAct 输过一次
#
# 作者的**实测**（Yao 等，arXiv 2210.03629）：HotpotQA 上的七种方式，问题要用到两个页面。standard 就是直接问。**先预测**：ReAct 排第几？

# %% tags=["predict"]
hotpotqa = example("01.hotpotqa")
for name, score in sorted(hotpotqa.items(), key=lambda row: row[1]):
    print(f"{score}  {'█' * round(score)}  {name}")

# %% [markdown] lang="en"
# CoT beats plain ReAct here; the best is ReAct that falls back on CoT-SC (many chains of thought, the majority wins). The same paper on other tasks, **measured**, PaLM-540B:
#
# | | Act | ReAct | CoT | best mix |
# |---|---|---|---|---|
# | FEVER, accuracy % | 58.9 | 60.9 | 56.3 | CoT-SC → ReAct 64.6 |
# | ALFWorld, success %, best of 6 | 45 | 71 | – | – |
# | WebShop, success % | 30.1 | 40.0 | – | – |
#
# It wins where there is something to check or to do. The authors also read 50 right answers of each: 14 % of CoT's rested on invented facts, 6 % of ReAct's.

# %% [markdown] lang="zh" en="cde67078"
# 在这里 CoT 胜过单独的 ReAct；最好的是 ReAct 答不出时退回 CoT-SC（多条思维链，多数票决定）。同一篇论文在其他任务上的**实测**，PaLM-540B：
#
# | | 只行动 | ReAct | CoT | 最好的组合 |
# |---|---|---|---|---|
# | FEVER，准确率 % | 58.9 | 60.9 | 56.3 | CoT-SC → ReAct 64.6 |
# | ALFWorld，成功率 %，6 次取最好 | 45 | 71 | – | – |
# | WebShop，成功率 % | 30.1 | 40.0 | – | – |
#
# 有东西要核对、有事情要做的地方，它就赢。作者还逐条读了两种方式各 50 个答对的例子：答案对、但依据是编造的，CoT 占 14%，ReAct 占 6%。

# %% [markdown] lang="en"
# ## What to keep
#
# - The proof is the world, not the words: look at the observation, or at the database.
# - A tool supplies what the model cannot know. A thought keeps what it must not forget.
# - Take the cheapest way that can do it. ReAct is for steps that depend on what comes back.

# %% [markdown] lang="zh" en="e8841627"
# ## 带走什么
#
# - 证明在世界里，不在话里：去看观察，或去看数据库。
# - 工具提供模型不可能知道的东西；思考留住它不能忘记的东西。
# - 选够用的最便宜的方式。下一步取决于返回什么时，才用 ReAct。

# %%
from reactlab.course import compare, quiz, stored_run

quiz("01")

# %% [markdown] lang="en"
# Your ReAct lane beside the stored one. With another model (`REACTLAB_MODEL`), ask: Did the format differ (→ 03)? Did it stop (→ 02)? Did it skip the tool, and was it right anyway? Did it do better? A different outcome is a finding to note down.

# %% [markdown] lang="zh" en="f2944647"
# 你的 ReAct 那一道和存档的运行并排放在一起。换了模型（`REACTLAB_MODEL`）时问四个问题：格式不同吗（→ 03）？它停下来了吗（→ 02）？它跳过了工具吗，答案还对吗？它做得更好吗？结果不同就是发现，值得记下来。

# %%
compare(stored_run("01.rebook"), runs[ways[-1]])

# %% [markdown] lang="en"
# **Next:** 02, the prompt. A few lines in a prompt made the difference above. What else stands in there, and what breaks when you fill it in?

# %% [markdown] lang="zh" en="3f7467d6"
# **下一课**：02，提示词。上面的差别来自提示词里的几行。里面还有什么，填空时又会出什么错？
