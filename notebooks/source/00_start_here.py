# %% [markdown] lang="en"
# # 00 · Start here
#
# **An answer comes with a receipt.** Run the next cell (Shift + Enter). An agent, which is a model in a loop with tools, answers a question, and below the answer you see how it got there. No network, no key as for a paid model: the tool `Search` reads a small library on your disk.
#
# **Minutes:** 20.

# %% [markdown] lang="zh" en="506dec6f"
# # 00 · 从这里开始
#
# **答案要有依据**。运行下一个单元格（Shift + Enter）。智能体（在循环里使用工具的模型）会回答一个问题，答案下面就是它得出答案的过程。不需要网络，也不需要付费模型的密钥：工具 `Search` 读的是你硬盘上的一个小资料库。
#
# **时间**：20 分钟。

# %%
from reactlab import ReActAgent, builtin_tools
from reactlab.course import edition, example

language = edition("en", "00")
agent = ReActAgent(tools=builtin_tools(language=language), language=language)
trace = agent.run(example("00.first"))
print(trace)
trace

# %% [markdown] lang="en"
# `example` fetched the question of this edition and printed it; the second line is the answer. The model here, unless you chose another, is the **embedded model** (`reactlab-simulated`): a set of rules, not a language model. A token is the unit in which models count text. Step through the run with the buttons above it. All of it together is a **trace**: the record of a run. Who answered, and is this computer ready for the other notebooks?

# %% [markdown] lang="zh" en="5cf80120"
# `example` 取出本版的问题并把它打印出来；第二行是答案。这里的模型叫**内置模型**（`reactlab-simulated`，除非你另选了一个），是一套规则，不是语言模型；token 是模型计量文字的单位。用轨迹上方的按钮逐步查看。这一切合在一起叫做**轨迹**：一次运行的记录。是谁回答的？这台电脑能运行其他各课吗？

# %%
from reactlab.course import ready

ready()

# %% [markdown] lang="en"
# ## How to read a trace
#
# ReAct is short for reasoning and acting. Two authors take turns. The **model** writes thoughts and actions. The **world** answers with observations: a tool ran, and this is what it returned. Each kind of part once:

# %% [markdown] lang="zh" en="824d5bce"
# ## 怎样读轨迹
#
# ReAct 是 reasoning（推理）和 acting（行动）的合写。轨迹由两方轮流写成：**模型**写思考和行动；**外部环境**（轨迹里标作“世界”）写观察，也就是工具实际运行后返回的内容。下面逐一来看：

# %%
from reactlab.course import annotated

annotated(trace)

# %% [markdown] lang="en"
# A trace is also data. This is how to get at its parts:

# %% [markdown] lang="zh" en="ae151422"
# 轨迹也是数据。这样取出它的各个部分：

# %%
for step in trace.steps:
    print(step.number, [call.name for call in step.calls], [str(o)[:50] for o in step.observations])
print(trace.answer, "|", trace.stop_reason)

# %% [markdown] lang="en"
# ## Take the tools away
#
# The same model, without tools, has only its memory to go by. `CoTAgent` asks it once, to think and then to answer (CoT: chain of thought). The question: how tall is the Eiffel Tower? **Predict:** will it say that it does not know? Write your guess in place of the dots, then run the cell.

# %% [markdown] lang="zh" en="bf186e9a"
# ## 拿走工具
#
# 同一个模型，没有工具，就只能靠记忆。`CoTAgent` 只问它一次，让它先想再答（CoT，chain of thought，思维链）。问题是：埃菲尔铁塔有多高？**先预测**：它会承认自己不知道吗？把猜测写在省略号的位置，再运行单元格。

# %% tags=["predict"]
from reactlab import CoTAgent

guess = "…"
print(guess, "?")
memory = CoTAgent(agent.llm, language=language)
from_memory = memory.run(example("00.stale"))
from_memory

# %% [markdown] lang="en"
# Same tone, no receipt. It can say that it does not know: first it is asked about a tower that its memory does not hold. Then the Eiffel Tower again, with the tools back. The last two lines above the trace are both answers, from memory and with tools.

# %% [markdown] lang="zh" en="9c298f97"
# 语气同样肯定，却没有依据。它其实会说不知道：先问它一座记忆里没有的高楼。然后把工具还给它，再问埃菲尔铁塔。轨迹上方的最后两行是两个答案：凭记忆的，和用工具的。

# %%
print(memory.run(example("00.unknown")))
with_tools = agent.run(example("00.stale"))
print(f"{from_memory}\n{with_tools}")
with_tools

# %% [markdown] lang="en"
# With the embedded model the answers differ: 324 metres from memory, 330 with tools. Only the second has an observation behind it. **Staged:** the memory of the embedded model was made stale for this lesson.
#
# ## The model in use is a flight simulator
#
# In a flight simulator the instruments are real and the weather is scripted. With `reactlab-simulated`, the loop, the tools and the traces are real, and the replies follow rules: no understanding of language. It sees the request, which is the text sent to it, and nothing else.

# %% [markdown] lang="zh" en="f69c1233"
# 用内置模型时，两个答案不同：同一座塔的高度，凭记忆是 324 米，用工具是 330 米。资料库里只写着 330 米（连同天线），没有一页写 324 米：只有第二个答案有观察作依据。**演示**：这份记忆是为本课故意写旧的。
#
# ## 现在用的模型是一台飞行模拟器
#
# 飞行模拟器里，仪表是真的，天气是写好的。用 `reactlab-simulated` 时，循环、工具和轨迹是真的，回复则按规则写出：它不理解语言。它只看得到请求，也就是发给它的文字。

# %% [markdown] lang="en"
# It has one advantage over a real model: it can say why it did something. The first question was about two buildings. **Which words made it compare their heights, and not their floors?** Look for the line of telling words. (`length` and `height` are the names that the rules use for it.)

# %% [markdown] lang="zh" en="1b361e95"
# 和真实模型相比，它有一个长处：能说出为什么这样做。第一个问题问的是两座建筑。**是哪个词让它去比高度**？请看“关键词”那一行。输出里的 `length`、`height` 是规则内部用的名字；`rows` 是它看过的一切，这里只取几行。

# %%
from reactlab import SimulatedLLM

request = trace.steps[0].model_calls[0].request
rows = SimulatedLLM().explain(request).rows
for what, value in [*rows[3:6], *rows[-2:]]:  # rows holds all it looked at
    print(f"{what}: {value}")

# %% [markdown] lang="en"
# `height*` comes from *taller*, `metr` from *metres*; the star says that synonyms count as well. It matches words, and one word is enough to fool it. The next question is the first one with *giraffes* in place of *metres*. **Predict:** what will it say?

# %% [markdown] lang="zh" en="14c6ab71"
# `height*` 来自“高”，星号表示同义词也算。它匹配的是词，所以换一个词就能骗过它。下一个问题和第一个相同，只是把“米”换成了“头长颈鹿”。**先预测**：它会怎么说？

# %% tags=["predict"]
guess = "…"
print(guess, "?")
fooled = agent.run(example("00.fool"))
print(fooled)

# %% [markdown] lang="en"
# The embedded model answers as before, in metres, and as calmly: *giraffes* matched nothing, so the word did not exist for it. Fool it with a word of your own: write `agent.run("…")` in the cell above.
#
# Therefore every result in this course carries one of three words.
#
# | word | meaning |
# |---|---|
# | **mechanism** | holds for any model: how a reply is read, limits, what the model gets to see |
# | **staged** | the embedded model was built to do this, as with the stale answer above |
# | **measured** | a real model or a published figure, with source, number and date |

# %% [markdown] lang="zh" en="f48ab9be"
# 内置模型的回答和前面一样，还是用米，还是那样镇定：“长颈鹿”没有匹配到任何东西，这个词对它等于不存在。用你自己的一个词骗骗它：在上面的单元格里写 `agent.run("…")`。
#
# 因此，本课程的每个结果都带有三个词之一。
#
# | 词 | 含义 |
# |---|---|
# | **机制** | 对任何模型都成立：怎样读懂回复、上限、模型看得到什么 |
# | **演示** | 内置模型就是为此写的：上面那个过时的答案 |
# | **实测** | 真实模型或公开数据，注明来源、数量和日期 |

# %% [markdown] lang="en"
# ## How exercises work
#
# Replace `return ...` by your code and run the cell. `check` tries your function on cases you do not see and shows what it returned where it is wrong. `hint("00.1")` gives up to three hints, one at each call. `progress()`, also from `reactlab.course`, lists what is done; the list stays in a file beside the notebook. `progress(export=True)` writes a file to hand in; nothing is sent.

# %% [markdown] lang="zh" en="8828c077"
# ## 练习怎样做
#
# 把 `return ...` 换成你的代码，运行单元格。`check` 会用你看不到的用例来试你的函数，出错时给出你的函数返回了什么。`hint("00.1")` 每调用一次给一条提示，最多三条。`progress()` 同样来自 `reactlab.course`，列出已完成的练习；记录只存在笔记本旁边的一个文件里。`progress(export=True)` 会写出一个可以提交的文件；不会发送任何内容。

# %% [markdown] lang="en"
# **Exercise 00.1.** Find the receipt: the first step whose observation holds the text of the answer. `evidence_step(with_tools)` returns 1. `evidence_step(trace)` returns `None`: there is evidence, the 196 in an observation, but the answer says “196 metres”, and this function only compares text.

# %% [markdown] lang="zh" en="fa8568a0"
# **练习 00.1**。找出依据：答案的文字最早出现在哪一步的观察里。返回这一步的编号（从 1 开始）；没有这样的步，或没有答案，就返回 `None`。可以用：`trace.answer`、`trace.steps`，以及每一步的 `.number`、`.thought`、`.observations`（最后一步没有），`str(observation)` 是观察的文字。例：`evidence_step(with_tools)` 返回 1；`evidence_step(trace)` 返回 `None`：依据其实有（观察里的 495），只是答案多了“米”字，而这个函数只会逐字比较。

# %%
from reactlab.course import check, hint


def evidence_step(trace):
    """Number of the first step with an observation that holds the text of the answer.

    None if there is no such step, or no answer. Useful: trace.answer, trace.steps,
    and of a step: .number (from 1), .thought, .observations (none in the last step);
    str(observation) is the text of an observation.
    Example: evidence_step(with_tools) -> 1
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    for step in trace.steps:
        for observation in step.observations:
            if trace.answer is not None and trace.answer in str(observation):
                return step.number
    return None
    # END SOLUTION


check("00.1", evidence_step)

# %% [markdown] lang="en"
# **Exercise 00.2.** Ask the agent a question of your own that needs two different tools, such as something to look up and then compute with; `agent.tools.names` lists them. The trace of your run is the proof.

# %% [markdown] lang="zh" en="cf83a97a"
# **练习 00.2**。向智能体提一个你自己的问题，要用到两种不同的工具，比如先查、再计算；`agent.tools.names` 列出有哪些工具。写成 `my_run = agent.run("你的问题")`；你这次运行的轨迹就是证明。

# %%
# BEGIN SOLUTION
# STUB: my_run = ...  # agent.run("your question")
my_run = agent.run(example("00.own"))
# END SOLUTION
check("00.2", my_run)

# %% [markdown] lang="en"
# ## The map
#
# | part | notebooks |
# |---|---|
# | I The loop | **00 start here**, **01 why ReAct**, **02 prompt**, **03 parser**, **04 tools**, **05 the loop**, **06 pause and replay** |
# | II Making it hold | **07 function calling**, **08 errors**, **09 loops and context**, **10 safety** |
# | III Agents at work | 11 service, 12 research, 13 travel |
# | IV Beyond the loop | 14 Reflexion, 15 plan and execute, 16 ReWOO, 17 several agents |
# | V Measuring | 18 evaluation, 19 benchmarks, 20 head to head, 21 capstone |
# | Appendices | **A1 a small local model**, **A2 hosted models**, A3 frameworks |
#
# **Bold** notebooks exist now; the others are planned. Each stands alone, so begin where you like; in a hurry: 00, 05. Left out of the course: memory across conversations, training a model, search in very large collections.

# %% [markdown] lang="zh" en="a44ce6d3"
# ## 课程地图
#
# | 部分 | 各课 |
# |---|---|
# | 一 循环 | **00 从这里开始**、**01 为什么用 ReAct**、**02 提示词**、**03 解析器**、**04 工具**、**05 循环**、**06 暂停与重放** |
# | 二 让它可靠 | **07 函数调用**、**08 出错**、**09 循环与上下文**、**10 安全** |
# | 三 智能体上岗 | 11 客服、12 研究、13 旅行 |
# | 四 循环之外 | 14 Reflexion、15 计划与执行、16 ReWOO、17 多个智能体 |
# | 五 测量 | 18 评估、19 基准、20 正面比较、21 毕业项目 |
# | 附录 | **A1 本地小模型**、**A2 托管模型**、A3 框架 |
#
# **粗体**的课现在就有，其余在计划中。每一课都独立，可以从任何一课开始；时间紧就看 00 和 05。本课程不讲：跨对话的长期记忆、训练模型、在超大规模资料里检索。

# %% [markdown] lang="en"
# ## What to keep
#
# - Read an answer together with its trace, and look for the observation behind it.
# - A confident tone is no evidence. Nor is `answered`: “I do not know” is an answer too.
# - Ask of every result: whose words are these, and is it mechanism, staged or measured?

# %% [markdown] lang="zh" en="c4bac04a"
# ## 带走什么
#
# - 读答案要连同轨迹一起读，并找到它背后的观察。
# - 自信的语气不是证据。`answered` 也不是：“我不知道”同样是一个答案。
# - 对每个结果都要问：这是谁的话？它是机制、演示，还是实测？

# %%
from reactlab.course import compare, quiz, stored_run

quiz("00")

# %% [markdown] lang="en"
# Your first run beside the **stored run**, which was recorded with the embedded model. With that model they do not differ. To see a difference, set `REACTLAB_MODEL="openai:MODEL"` before Jupyter starts.

# %% [markdown] lang="zh" en="1bd69f7c"
# 左边是**存档的运行**，用内置模型录下；右边是你的第一次运行。用内置模型时两者没有差别。想看到差别，请在启动 Jupyter 之前设置 `REACTLAB_MODEL="openai:模型名"`。

# %%
compare(stored_run("00.first"), trace)

# %% [markdown] lang="en"
# **Next:** `01_why_react`. The same question asked in five ways, and what each of them misses. In a hurry? In `05_the_loop` you write the loop that makes a trace.

# %% [markdown] lang="zh" en="037b1b37"
# **下一课**：`01_why_react`。同一个问题用五种方式来问，看每种方式漏掉什么。时间紧？在 `05_the_loop` 里，你会写出产生轨迹的循环。
