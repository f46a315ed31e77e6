# %% [markdown] lang="en"
# # 01 · Why ReAct
#
# **ReAct** (reasoning and acting): a model writes a thought, uses a tool, reads what comes back, and goes on from there. **Tools supply what a model cannot know. Thoughts keep what it must not forget. And ReAct does not always win.** You will see one question answered in five ways, find out who wrote which line, and choose the cheapest way that can do a task.
#
# **Minutes:** 40. **Needs:** nothing from other notebooks. New here? Begin with `00_start_here`.

# %% [markdown] lang="zh" en="4db34da4"
# # 01 · 为什么用 ReAct
#
# **ReAct**（推理加行动）：模型写下思考，使用工具，读返回的内容，再接着往下做。**工具提供模型不可能知道的东西，思考留住它不能忘记的东西；而 ReAct 也并不总是赢**。你会看到同一个问题的五种答法，弄清每一行是谁写的，并为任务选出够用的最便宜的方式。
#
# **时间**：40 分钟。**前提**：不依赖其他课。第一次来？请从 `00_start_here` 开始。

# %% [markdown] lang="en"
# ## A friendly answer can change nothing
#
# Most people ask a model and read the reply. The **prompt**, all that the model is sent, is here the question and nothing else. `CoTAgent` (the name is explained below) sends one prompt and has no tools; here it is used without its chain of thought. The **embedded model** answers: a set of rules in this package, without key or network. `example` fetches a text of this edition and prints it.

# %% [markdown] lang="zh" en="e9721ce9"
# ## 客气的回答可能什么也没改变
#
# 使用模型最常见的方式：提问，然后读回复。**提示词**就是发给模型的全部文字，这里只有问题本身。`CoTAgent`（名称的含义见下文）只发一次提示词，没有工具；这里没有用到它的思维链。回答的是**内置模型**：本软件包自带的一套规则，不用密钥，也不联网。`example` 取来本语言版的一段文本，并把它打印出来。

# %%
from reactlab import CoTAgent, FlightDesk
from reactlab.course import edition, example

language = edition("en", "01")  # the language, and the number of this notebook
question = example("01.rebook")
reply = CoTAgent(prompt="{question}", language=language).run(question)
print("→", reply)

# %% [markdown] lang="en"
# It answers in full sentences and in the right tone. **Predict:** which flight is in the booking now, and does the flight in the reply exist? Write your guess in place of the dots. `FlightDesk` is the airline's database.

# %% [markdown] lang="zh" en="143d5a27"
# 句子完整，语气得体。**先预测**：预订里现在是哪个航班？回复里说的航班存在吗？把猜测写在省略号的位置。`FlightDesk` 是航空公司的数据库。

# %% tags=["predict"]
guess = "…"
print("?", guess)

desk = FlightDesk(language=language)
now = desk.search_booking("12345")
print("12345 →", now["flight_number"], now["departure"], "\n")
for flight in desk.search_alternatives(now["origin"], now["destination"]):
    print(flight["flight_number"], flight["departure"])

# %% [markdown] lang="en"
# The flight of the reply is not among those with seats, and the booking is where it was. **Staged** (its rules were written to do this): sent nothing but the bare question, and asked to book or change something, it says “Done”. **Mechanism** (true of any model): text alone moves no booking. So ask of every result: what does the database say now?
#
# ## What is new is not in its memory
#
# Now a question with nothing to do, only something to know.

# %% [markdown] lang="zh" en="aca5ed8c"
# 回复里的航班不在还有座位的航班当中，预订也原样未动。**演示**（它的规则特意写成这样）：只把问题本身发给它，请它预订或改动什么，它就说办好了。**机制**（对任何模型都成立）：光靠文字改不了预订。所以对每个结果都要去查：数据库里现在是什么？
#
# ## 新的事情不在它的记忆里
#
# 再来一个不用做什么、只需要知道什么的问题。

# %%
sales = example("01.sales")
print("→", CoTAgent(prompt="{question}", language=language).run(sales))

# %% [markdown] lang="en"
# The embedded model says that it does not know. Not every model does. SmolLM2, a real small model with 135 million parameters (`Q4_1`: each kept in about four bits), got the same question, and its reply was recorded. The bookshop was made up for the course, so nobody can know its sales by heart.

# %% [markdown] lang="zh" en="6bc4460b"
# 内置模型承认不知道，但不是每个模型都这样。下面是一个真实的小模型 SmolLM2（1.35 亿个参数，`Q4_1` 表示每个约用四位存储）对同一个问题的回复，是事先录好的。用中文问它时，它只是一遍遍重复问题，所以这里用英文问（问的是同一件事：2026年1月卖出多少本书）。这家书店是为本课程虚构的，没有谁能记得它的销量。

# %%
from reactlab.course import real_model

voice = real_model("01")
print(voice.about)
print("→", CoTAgent(voice, prompt="{question}").run(example("01.voice")))

# %% [markdown] lang="en"
# A number, in the same tone as a true one. **Measured** (seen with a real model), but small: one question, one reply, the most probable word taken each time. Next the embedded model may look it up: the shop's page stands in the encyclopaedia that the tool `Search` reads. The output is a **trace**, the record of a run.

# %% [markdown] lang="zh" en="ee15206c"
# 它给了一个数字，语气和说真话时一样。**实测**（在真实模型上看到的），但样本很小：一个问题，一条回复，每一步都取概率最高的词。下一个单元格让内置模型去查：工具 `Search` 读的百科里有这一页。输出的是**轨迹**，也就是一次运行的记录。

# %%
from reactlab import ReActAgent, builtin_tools

search = builtin_tools(language=language)[0]
ReActAgent(tools=[search], language=language).run(sales)

# %% [markdown] lang="en"
# The number stands in an **observation**, what the tool returned; the model did not write it. The page has figures up to June 2026; the tool shows its beginning or its best sentences, so you do not see the end. Ask for June and for July too, and compare the answers with the observations.
#
# ## Five ways to treat one question
#
# | way | what it gets |
# |---|---|
# | asked directly | the bare question |
# | CoT (chain of thought) | a request to think first; no tools |
# | act only | tools, no thoughts |
# | one call | one tool, once |
# | ReAct | thoughts and tools |

# %% [markdown] lang="zh" en="205cce48"
# 这个数字在**观察**里，也就是工具返回的内容；它不是模型写的。这一页的数字到2026年6月为止；工具只给出开头或最相关的几句，所以你看不到结尾。再问问6月和7月的销量，把答案和观察对照一下。
#
# ## 同一个问题的五种答法
#
# | 方式 | 它得到什么 |
# |---|---|
# | 直接问 | 只有问题 |
# | CoT（思维链） | 要求先思考；没有工具 |
# | 只行动 | 有工具，不写思考 |
# | 一次调用 | 一个工具，只用一次 |
# | ReAct | 思考和工具都有 |
#
# 代码里的 `approve="always"` 表示：改动预订时不必先问我。

# %%
from reactlab import ActAgent, SingleCallAgent

asked, cot, act, one_call, react = ways = example("01.ways")


def run_as(way, question, tools):
    """Run a question in one way. "always": change the booking without asking me first."""
    if way in (asked, cot):
        prompt = "{question}" if way == asked else None  # None: the agent's own prompt
        return CoTAgent(prompt=prompt, language=language).run(question)
    agent = {act: ActAgent, one_call: SingleCallAgent, react: ReActAgent}[way]
    return agent(tools=tools, approve="always", language=language).run(question)


# %% [markdown] lang="en"
# Back to the flight. Each way gets the same question and a fresh database of its own. `lanes` puts the five runs side by side, each in a **lane**. A solid border is the model's, a dashed one the world's. **Predict:** which lanes end on a flight that this passenger can take: after noon, and in Beijing before 17:00?

# %% [markdown] lang="zh" en="e09e2685"
# 回到航班。每种方式都得到同一个问题，以及一个属于自己的全新数据库。`lanes` 把五次运行并排放在一起，每次一条**泳道**；实线框是模型写的，虚线框是世界写的。**先预测**：哪几条泳道最后落在这位旅客能坐的航班上，也就是中午以后出发、17:00 前到北京？

# %% tags=["predict"]
from reactlab import flight_tools
from reactlab.course import lanes

guess = "…"
print("?", guess)
desks = {way: FlightDesk(language=language) for way in ways}
runs = {}
for way in ways:
    tools = flight_tools(desks[way], language=language)
    runs[way] = run_as(way, question, tools)
lanes(runs)

# %% [markdown] lang="en"
# All five have spoken. What do the five databases say?

# %% [markdown] lang="zh" en="00af0041"
# 五条泳道的话都说完了。五个数据库又怎么说？

# %%
for way in ways:
    now = desks[way].search_booking("12345")
    print(now["flight_number"], now["departure"], "→", now["arrival"], "|", way)

# %% [markdown] lang="en"
# | way (**staged**) | what it did | what it lacked |
# |---|---|---|
# | asked directly | said “Done”, changed nothing | the database |
# | CoT | gave general advice, said that it can look nothing up | the database |
# | act only | rebooked to 09:00, before noon | a line in which to compare the flights |
# | one call | found the booking, could not go on | a second use of a tool |
# | ReAct | ruled out 09:00 and 18:00, took 14:00 | nothing here; five calls of the model like act only, 2.5 times the output tokens (pieces of words) |
#
# Now the meeting begins at 15:00. **Predict:** what do act only and ReAct book?

# %% [markdown] lang="zh" en="aee9518e"
# | 方式（**演示**） | 做了什么 | 缺什么 |
# |---|---|---|
# | 直接问 | 说“已办好”，什么也没改 | 接触不到数据库 |
# | CoT | 给了泛泛的建议，并说明自己什么也查不了 | 接触不到数据库 |
# | 只行动 | 改到 09:00，在中午之前 | 比较各航班的那一步 |
# | 一次调用 | 只查到了预订，无法继续改签 | 再用一次工具的机会 |
# | ReAct | 排除 09:00 和 18:00，选了 14:00 | 这里不缺什么；和“只行动”一样调用五次模型，输出 token（词的片段）是它的 2.3 倍 |
#
# 现在会议改到 15:00 开始。**先预测**：“只行动”和 ReAct 会订哪个航班？

# %% tags=["predict"]
guess = "…"
print("?", guess)
earlier = question.replace("17:00", "15:00")
for way in act, react:
    desk = FlightDesk(language=language)
    run = run_as(way, earlier, flight_tools(desk, language=language))
    print(way, "→", run)
    print("   12345 →", desk.search_booking("12345")["departure"])

# %% [markdown] lang="en"
# No flight fits. Act only books 09:00 again; ReAct changes nothing and says why (**staged**). Both have the same model, tools and **loop**, the code that runs a tool and asks the model again. What differs is the prompt. These lines stand in only one of the two:

# %% [markdown] lang="zh" en="395e9e6b"
# 没有一个航班合适。“只行动”还是订了 09:00；ReAct 什么也没改，并说明了原因（**演示**）。两者用的是同一个模型、同样的工具、同一个**循环**，也就是运行工具、再去问模型的那段代码。不同的是提示词。下面这些行只在其中一种里有：

# %%
from reactlab.prompts import load

acting = load("act", language).splitlines()
thinking = load("bracket", language).splitlines()
print(act, *(line for line in acting if line not in thinking), sep="\n   ")
print(react, *(line for line in thinking if line not in acting), sep="\n   ")

# %% [markdown] lang="en"
# One asks for a thought in each step, the other forbids it. The passenger's conditions (after noon, before the meeting) stand in both, because both contain the question. **Mechanism:** a model continues a text, so what it has worked out and written down is there for its next line. **Staged:** without a thought this model takes the first flight; a strong model may choose well.
#
# ## Exercise 01.1: who wrote this line?
#
# A trace without labels, shuffled. `use(name, text)` asks the world again:

# %% [markdown] lang="zh" en="df588d8b"
# 一种要求每一步写思考，另一种不许写。旅客的要求（中午以后、会议之前）在两种提示词里都有，因为都包含问题本身。**机制**：模型是接着文字往下写的，推出来并写下的东西，写下一行时就在眼前。**演示**：少了思考，这个模型就取第一个航班；强的模型也可能选对。
#
# ## 练习 01.1：这一行是谁写的？
#
# 下面的轨迹丢了标签，也乱了顺序。`use(name, text)` 可以再问一次世界：

# %% lang="en"
shuffled = example("01.lines")
seen = shuffled.use("Lookup", "Capella")
print("→", seen)
print(seen in shuffled.lines)

# %% lang="zh" en="5e94e051"
shuffled = example("01.lines")
seen = shuffled.use("Lookup", "五车二")
print("→", seen)
print(seen in shuffled.lines)

# %% [markdown] lang="en"
# `True`: one line is exactly what the world says to an action, so it is an observation. It may stand above its action. Other runs hold lines that only look like data, and observations that sound like a thought.

# %% [markdown] lang="zh" en="fe4c29fe"
# `True`：有一行和世界对某个行动的回答一字不差，所以它是观察。它可能排在那个行动的前面。
#
# 给每一行一个词：`"thought"`、`"action"` 或 `"observation"`。第几行对应第几个词：按列表给出的顺序返回，不用还原成打乱前的顺序。
#
# - 行动只有 `Name[输入]`，前后没有别的字；输入里可以有空格。
# - 观察是世界对这些行里某个行动的回答，一字不差；`use(name, text)` 会告诉你世界的回答。
# - 其余都是思考。
#
# 其他运行里有只是看起来像数据的行，也有听起来像思考的观察。代码里的标点请用半角（英文输入法）。卡住了？先 `from reactlab.course import hint`，再运行 `hint("01.1")`，最多三次。

# %%
import re

from reactlab.course import check


def who_wrote(lines, use):
    """Name each line of a trace: "thought", "action" or "observation".

    lines: list of texts, without labels, shuffled.
    use:   function, (name of a tool, input) -> what the world says, as text.
    An action is Name[input] and nothing else; the input may have several words.
    An observation is exactly what the world says to an action of these lines.
    All other lines are thoughts. Return one word for each line, in the order of lines.
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
# Another run of the first question. The model's part was written by hand, so that each kind comes once; the tools are real. Below each thought stand the tool it led to and the end of what came back; the last one led to the answer.

# %% [markdown] lang="zh" en="3bc07466"
# ## 思考有六种
#
# 第一个问题的另一次运行。模型的部分是手写的，让每种思考各出现一次；工具是真实的。每个思考下面是它用的工具，以及返回内容的结尾；最后一个思考之后就是答案。

# %%
six = example("01.six")
for step in six:
    print(f"\n{step.number}  {step.thought}")
    for use in step.uses:
        print("   →", use.call.name, "→ …", str(use.observation)[-60:])

# %% [markdown] lang="en"
# The kinds in alphabetical order: calculation, final answer, information seeking, planning, reasoning, verification. Judge by what the thought states, not by the tool that follows. **Predict:** which thought is which? Fill in `guess`.

# %% [markdown] lang="zh" en="e66b5624"
# 六种思考（没有按顺序）：计算、最终答案、找信息、计划、推理、核实。判断时看思考里说了什么，不看后面用了哪个工具。**先预测**：哪个思考是哪一种？把六个词写进 `guess`。

# %% tags=["predict"]
guess = {1: "…", 2: "…", 3: "…", 4: "…", 5: "…", 6: "…"}
print("?", guess)
for number, kind in enumerate(example("01.types"), 1):
    print(number, guess.get(number), "|", kind)

# %% [markdown] lang="en"
# ## Every way has its price
#
# Three tasks, three ways (**staged**). Each line shows the task, the calls of model and tools together, and the tokens sent and received. Which is the cheapest way that gets it right? At equal calls, fewer tokens decide.

# %% [markdown] lang="zh" en="5935a6b7"
# ## 每种方式都有成本
#
# 三个任务，三种方式（**演示**）。每行依次是：任务、模型调用和工具使用的总次数、收发的 token 数。答对的方式里，哪种最便宜？次数相同时，token 少的便宜。

# %%
tasks = example("01.tasks")
tools = [*flight_tools(language=language), builtin_tools(language=language)[1]]  # [1] calculates
for number, task in enumerate(tasks, 1):
    print()
    for way in cot, one_call, react:
        run = run_as(way, task["question"], tools)
        calls = sum(len(step.model_calls) + len(step.uses) for step in run)
        tokens = run.usage.input_tokens + run.usage.output_tokens
        print(f"{number} | {calls} × | {tokens:4} tokens | {way} → {run}")

# %% [markdown] lang="en"
# You need not run a task to choose. What it takes can be noted beforehand; here the author did. `facts`: where each fact that is needed comes from. `changes`: what has to be altered in the world.

# %% [markdown] lang="zh" en="cb72ee51"
# 不运行也能选：任务需要什么，事先就能记下来，这里由作者记好了。`facts` 写着每个需要的事实从哪里来，`changes` 写着要改动世界里的什么。

# %%
for task in tasks:
    print(task["question"])
    print("   facts   ", task["facts"])
    print("   changes ", task["changes"])

# %% [markdown] lang="en"
# ## Exercise 01.2: the cheapest that can do it

# %% [markdown] lang="zh" en="7e73e9fa"
# ## 练习 01.2：够用的方式里最便宜的
#
# 只根据这些记录来选：返回 `"cot"`、`"one_call"` 或 `"react"`。`task["facts"]` 把每个需要的事实对应到来源：`"question"`（就在问题里）、`"memory"`（人人都知道，而且不会变）、`"world"`（每个都要用一次工具）；`task["changes"]` 是要在外面改动的东西的列表，每个也要用一次工具。`cot` 一次工具也不用，`one_call` 用一次，`react` 需要多少次就用多少次。


# %%
def choose(task):
    """The cheapest way that can do a task: "cot", "one_call" or "react".

    task["question"]: the text.
    task["facts"]:    dict, what has to be known -> where it comes from: "question" (it stands
                      there), "memory" (everybody knows it and it never changes), or
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
# | asked directly | nobody, there is one reply | nothing | as old as its training | wording, ideas |
# | CoT | the model, on paper | reasons, no sources | as old as its training | working with given facts |
# | act only | the model, without saying why | actions, observations | fresh | steps that need no comparing |
# | one call | the model picks the one tool; your program allows no second | one observation | fresh for one fact | one look-up, one change |
# | ReAct | the model, again after each observation | thoughts, actions, observations | fresh | steps that depend on what comes back |
#
# ## Where the pattern comes from
#
# An arXiv number begins with the year and month of the first version.

# %% [markdown] lang="zh" en="8fd6032f"
# | 方式 | 谁决定下一步 | 能追溯什么 | 有多新 | 用在哪里 |
# |---|---|---|---|---|
# | 直接问 | 没有下一步，只有一条回复 | 什么也没有 | 只有模型训练时的知识 | 措辞、点子 |
# | CoT | 模型，只在纸上 | 理由，没有来源 | 只有模型训练时的知识 | 从给定的事实推算 |
# | 只行动 | 模型，不说理由 | 行动、观察 | 新 | 不需要比较的步骤 |
# | 一次调用 | 模型挑那一个工具；你的程序不许用第二次 | 一条观察 | 一个事实是新的 | 查一次，或改一次 |
# | ReAct | 模型，每次观察之后再决定 | 思考、行动、观察 | 新 | 下一步取决于返回什么 |
#
# ## 这个模式从哪里来
#
# arXiv 编号的前四位是首版的年和月。

# %%
for number, what in example("01.papers"):
    print(f"20{number[:2]}-{number[2:4]}", f"arXiv:{number}", what)

# %% [markdown] lang="en"
# Some articles place **Toolformer** in 2023-06; its number says 2023-02. Some place **OpenAI's function calling** in 2023-11; OpenAI announced it in 2023-06 (“Function calling and other API updates”). Two agents that set their own tasks, AutoGPT and BabyAGI, came in 2023-03 and about 2023-04.
#
# ## In its own paper, ReAct loses on HotpotQA
#
# **Measured** by its authors (Yao et al., arXiv 2210.03629) on questions that need two pages. “standard” is asking directly, “A → B” falls back from A on B. **Predict:** which place of seven has ReAct?

# %% [markdown] lang="zh" en="9f6933f4"
# 有些文章把 **Toolformer** 写成 2023 年 6 月；编号说是 2023 年 2 月。有些把 **OpenAI 的函数调用**写成 2023 年 11 月；OpenAI 是在 2023 年 6 月宣布的（“Function calling and other API updates”）。AutoGPT 和 BabyAGI 是两个自己给自己定任务的智能体，分别出现在 2023 年 3 月和大约 4 月。
#
# ## 在自己的论文里，ReAct 在 HotpotQA 上输了
#
# 作者的**实测**（Yao 等，arXiv 2210.03629），问题要用到两个页面。“standard”就是直接问，“A → B”表示 A 不行时退回 B。**先预测**：七种方式里 ReAct 排第几？

# %% tags=["predict"]
guess = "…"
print("?", guess)
scores = sorted(example("01.hotpotqa"), key=lambda row: row[1], reverse=True)
for place, (name, score) in enumerate(scores, 1):
    print(f"{place}  {score}  {'█' * round(score)}  {name}")

# %% [markdown] lang="en"
# Even asking directly beats plain ReAct here; first is ReAct that falls back on CoT-SC. The same paper on other tasks, **measured**, PaLM-540B:
#
# | | standard | CoT | CoT-SC | Act | ReAct | best mix |
# |---|---|---|---|---|---|---|
# | FEVER (is a claim true?), accuracy % | 57.1 | 56.3 | 60.4 | 58.9 | 60.9 | CoT-SC → ReAct 64.6 |
# | ALFWorld (household), success %, best of 6 | – | – | – | 45 | 71 | – |
# | WebShop (buying), success % | – | – | – | 30.1 | 40.0 | – |
#
# ReAct is ahead of Act on all three; on FEVER its lead over CoT-SC is half a point. The authors also read 50 right answers of each: 14 % of CoT's rested on invented facts, 6 % of ReAct's. That is 7 against 3 answers.

# %% [markdown] lang="zh" en="370b4a91"
# 在这里，连直接问也胜过单独的 ReAct；排第一的是 ReAct 答不出时退回 CoT-SC。同一篇论文在其他任务上的**实测**，PaLM-540B：
#
# | | standard | CoT | CoT-SC | 只行动 | ReAct | 最好的组合 |
# |---|---|---|---|---|---|---|
# | FEVER（判断说法真假），准确率 % | 57.1 | 56.3 | 60.4 | 58.9 | 60.9 | CoT-SC → ReAct 64.6 |
# | ALFWorld（家务），成功率 %，6 次取最好 | – | – | – | 45 | 71 | – |
# | WebShop（购物），成功率 % | – | – | – | 30.1 | 40.0 | – |
#
# 三项里 ReAct 都领先于只行动；在 FEVER 上，它比 CoT-SC 只高半个百分点。作者还逐条读了两种方式各 50 个答对的例子：答案对、但依据是编造的，CoT 占 14%，ReAct 占 6%，也就是 7 个对 3 个。

# %% [markdown] lang="en"
# ## What to keep
#
# - The proof is the world, not the words: look at the observation, or at the database.
# - A tool supplies what the model cannot know. A thought keeps what it must not forget (staged above). In the paper ReAct beats Act on all four tasks, by 1.7 to 26 points; why, the scores do not show.
# - Take the cheapest way that can do it. ReAct is for steps that depend on what comes back.

# %% [markdown] lang="zh" en="44e150fd"
# ## 带走什么
#
# - 证明在世界里，不在话里：去看观察，或去看数据库。
# - 工具提供模型不可能知道的东西；思考留住它不能忘记的东西（上面是演示）。论文里，四项任务 ReAct 都胜过只行动，高出 1.7 到 26 个百分点；为什么，分数看不出来。
# - 选够用的最便宜的方式。下一步取决于返回什么时，才用 ReAct。

# %%
from reactlab.course import quiz

quiz("01")

# %% [markdown] lang="en"
# Your ReAct lane beside the **stored run**, one that ships with the course. With the embedded model they are the same. For a difference, set `REACTLAB_MODEL="openai:MODEL"` before Jupyter starts, or write `agent(LocalLLM(), tools=tools, …)` in `run_as` (`from reactlab import LocalLLM`; it has to be installed), and run all again. Then ask: Did the format differ (notebook 03)? Did it stop (02)? Did it skip the tool, and was it right anyway? Did it do better?

# %% [markdown] lang="zh" en="11bc4737"
# 你的 ReAct 泳道和**存档的运行**（随课程附带的一次运行）并排放在一起。用内置模型时两者相同。想看到差别，可以在启动 Jupyter 之前设置 `REACTLAB_MODEL="openai:MODEL"`，或者在 `run_as` 里写 `agent(LocalLLM(), tools=tools, …)`（先 `from reactlab import LocalLLM`，需要另行安装），再全部重新运行。然后问四个问题：格式不同吗（第 03 课）？它停下来了吗（第 02 课）？它跳过了工具吗，答案还对吗？它做得更好吗？

# %%
from reactlab.course import compare, stored_run

compare(stored_run("01.rebook"), runs[react])

# %% [markdown] lang="en"
# **Next:** 02, the prompt. A few lines in a prompt were the only thing that differed between act only and ReAct. What else stands in there, and what breaks when you fill it in?

# %% [markdown] lang="zh" en="0cf61c49"
# **下一课**：02，提示词。“只行动”和 ReAct 之间，不同的只有提示词里的几行。里面还有什么，填空时又会出什么错？
