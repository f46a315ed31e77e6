# %% [markdown] lang="en"
# # 09 · Loops and context
#
# **The same call proves nothing; the same call with the same result does.** You will watch a run go round in circles, write a detector that does not kill a patient one, and find out why the run went in circles at all: what it needed was no longer in its prompt. Then you make old steps short without losing what later steps need.
#
# Results are marked **mechanism** (true for any model), **staged** (the embedded model is a set of rules; its behaviour was written) or **measured** (a real model, or published).
#
# **Minutes:** 45. **Needs:** nothing from other notebooks; it helps to have written a loop once (05).

# %% [markdown] lang="zh" en="9eee8138"
# # 09 · 循环与上下文
#
# **调用相同说明不了什么；调用相同、结果也相同，才是死循环**。你将看到一次原地打转的运行，写一个不会误伤耐心等待的检测器，再找出它为什么会打转：需要的内容已经不在提示词里了。然后把旧的步骤缩短，又不丢掉后面要用的东西。
#
# 结果标有三个词之一：**机制**（对任何模型都成立）、**演示**（内置模型是一组规则，它的行为是写好的）、**实测**（真实的模型，或已发表的数字）。
#
# **时间**：45 分钟。**前提**：不依赖其他课；写过一次循环（第 05 课）会更轻松。

# %%
from reactlab import ReActAgent, default_llm, flight_tools
from reactlab.course import check, edition, example, show

language = edition("en", "09")
question = example("09.compare")

# %% [markdown] lang="en"
# (`example` fetched the question of this edition and printed it.)
#
# ## A run that goes round in circles
#
# This agent shows its model only the last step: `max_context=1`, and `older="drop"` leaves out what is older. **Predict:** two bookings have to be looked up. How many steps will it take? (The limit is ten.)

# %% [markdown] lang="zh" en="638a7493"
# （`example` 取出本课的问题，并把它打印出来。）
#
# ## 一次原地打转的运行
#
# 这个智能体只给模型看最后一步：`max_context=1`，而 `older="drop"` 丢掉更早的内容。**先预测**：要查两个订单，它会用几步？（上限是十步。）

# %% tags=["predict"]
model, search = default_llm(), flight_tools(language=language)[:1]


def steps_of(run):
    """Each tool call of a run with its result, as two texts."""
    uses = [use for step in run for use in step.uses]
    return [(f"{use.call.name}[{use.call.arguments}]", str(use.observation)) for use in uses]


guess = "…"
print(guess, "?")
circles = ReActAgent(model, search, max_context=1, older="drop", language=language).run(question)
for call, result in steps_of(circles):
    print(call, "→", result[:40], "…")
print(circles.stop_reason, circles.answer)

# %% [markdown] lang="en"
# Each look-up pushes the other one out of the prompt. **Staged** with a short memory, but any model with a long run and a short prompt can do this. **Measured:** of 500 runs that the authors of ReAct saved with their code (GPT-3 judging claims, `FEVER.ipynb` of `ysymyth/ReAct`), 12 repeat an action at once and 9 never finish. It is rare, and then all steps are paid for nothing.
#
# ## First detector: three equal calls
#
# A common version: the same call three times in a row, or A-B-A, is a loop. Both are `calls[0] == calls[2]`. Seven runs to try it on, as (call, result). D and G wait for a job, E opens a door and looks again.

# %% [markdown] lang="zh" en="c6194ef9"
# 每查一个订单，就把另一个挤出提示词。这里是短记忆的**演示**，不过只要运行长、提示词短，任何模型都可能这样。**实测**：ReAct 作者随代码保存了 500 次运行（GPT-3 判断陈述的真假，`ysymyth/ReAct` 里的 `FEVER.ipynb`），其中 12 次立刻重复同一个行动，9 次始终没有结束。这不常见，一旦出现，后面每一步的钱都白花了。
#
# ## 第一个检测器：三次相同的调用
#
# 常见的写法：连续三次相同的调用，或者 A-B-A，就算死循环，两者都是 `calls[0] == calls[2]`。用七次运行来试，每步是（调用，结果）。D 和 G 在等一个任务完成，E 打开门以后又看了一次。

# %%
runs = {
    "A": steps_of(circles),
    "B": [("read[a]", "41")] * 5,
    "C": [(f"page[{number}]", f"{number}/5") for number in range(1, 6)],
    "D": [("job[77]", f"{number}0 %") for number in range(1, 9)],
    "E": [("door[1]", "0"), ("open[1]", "ok"), ("door[1]", "1")],
    "F": [("read[a]", "41"), ("read[b]", "42"), ("read[c]", "43")] * 3,
    "G": [("job[78]", "…")] * 3 + [("job[78]", "100 %")],
}


def three_equal(steps):
    """Whether the last steps are a loop, by their calls alone."""
    calls = [call for call, _ in steps][-3:]
    return len(calls) == 3 and calls[0] == calls[2]


def first_alarm(detector, steps):
    """The step at which the detector first says loop, None if it never does."""
    return next((n for n in range(1, len(steps) + 1) if detector(steps[:n])), None)


for name, steps in runs.items():
    print(name, first_alarm(three_equal, steps))

# %% [markdown] lang="en"
# A and B are found. But D and G were killed while they waited, E for looking twice, and F, a circle of three, goes unseen. Two kinds of mistake: a **false alarm** ends a good run, a **miss** pays for a bad one.
#
# What tells D from B? Not the calls. Look at calls *and* results, each step against all steps before it. First D, which is patient, then F:

# %% [markdown] lang="zh" en="17adb881"
# A 和 B 抓到了。但是 D 和 G 在等待时被叫停，E 因为多看一眼也被叫停，而 F 是三步一圈，没有被发现。错误有两种：**误报**结束了好的运行，**漏报**让坏的运行白白花钱。
#
# D 和 B 差在哪里？不在调用。把调用**和**结果放在一起，每一步都和之前的所有步比较。先看有耐心的 D，再看 F：

# %%
from reactlab.course.recurrence import Recurrence

Recurrence(runs["D"])

# %%
Recurrence(runs["F"])

# %% [markdown] lang="en"
# Waiting that gets on stays half. A loop is a diagonal of full marks. In F the first ● stands in row 4, column 1: 4 − 1 = 3 is the length of the circle. **Mechanism:** when calls and results repeat, the model learns nothing new about the world.
#
# ## Exercise 09.1: a loop or patience
#
# Here each step is a dict, and arguments have names. Stuck? `from reactlab.course import hint`, then `hint("09.1")`.

# %% [markdown] lang="zh" en="e88f1b09"
# 有进展的等待只出现半实心的标记（◐）。死循环是一条由实心标记组成的斜线。F 里第一个 ● 在第 4 行第 1 列：4 − 1 = 3，就是一圈的长度。**机制**：调用和结果都在重复，模型就没有从外界得到任何新信息。
#
# ## 练习 09.1：死循环还是耐心
#
# - `steps`：到目前为止的步，每步是一个字典：`"tool"` 是工具名，`"arguments"` 是从参数名到值的字典，`"result"` 是工具的返回文字。
# - 两步相同，是指工具、参数和结果都相同；参数的先后顺序不算。
# - 返回 `True`，如果最后的几步是死循环：同一步连续三次；或者两步、三步的一圈，最后完整地走了两遍。
# - 其他情况返回 `False`。之前有过循环、后来走出去了，也返回 `False`。
# - 例：`read[a] → 41` 连续三次，返回 `True`。
#
# 卡住了？先 `from reactlab.course import hint`，再运行 `hint("09.1")`。


# %%
def is_loop(steps):
    """Whether the last steps are a loop: True or False.

    steps: the steps so far, each a dict: "tool" is a name, "arguments" a dict from name to value,
        "result" the text that the tool returned.
    Two steps are the same if tool, arguments and result are; the order of arguments does not count.
    True if the same step came three times in a row at the end, or if the run ends with a circle of
        two or three steps that was gone through twice in full.
    False for all else, also if there was a loop and the run has left it.
    Example: read[a] -> 41 three times in a row is True.
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    for length in (1, 2, 3):
        last = steps[-length * (3 if length == 1 else 2) :]
        whole = len(last) == length * (3 if length == 1 else 2)
        if whole and last[length:] == last[:-length]:
            return True
    return False
    # END SOLUTION


check("09.1", is_loop)

# %% [markdown] lang="en"
# ## The finished piece
#
# `LoopDetector` looks at calls and results, at circles of up to four (`LONGEST`), and knows the same call in other words. Take a fresh one for every run. In its rule, `key` is call and result together, and `pause` a tool that only waits: it is skipped.

# %% [markdown] lang="zh" en="9e851182"
# ## 成品
#
# `LoopDetector` 看调用和结果，能认出最多四步的一圈（`LONGEST`），也认得换了说法的同一个调用。每次运行都要新建一个。下面的规则里，`key` 是调用和结果合在一起，`pause` 是只管等待的工具，会被跳过。

# %%
from reactlab import LoopDetector
from reactlab.loops import _loop

show(_loop)


# %%
def finished(steps):
    """The same question to the finished detector."""
    detector = LoopDetector(threshold=3)
    for call, result in steps:
        detector.record("", call, result)  # "" is the thought
    return detector.is_looping()


for name, steps in runs.items():
    print(name, first_alarm(three_equal, steps), first_alarm(finished, steps))

# %% [markdown] lang="en"
# The last column: A, B and F are found, C, D and E are left alone. G is the price of the rule: a wait that shows no progress looks like a loop. A waiting tool should say how far it is, or pause in between; `threshold` can be raised. A circle of five goes unseen. On 73 labelled runs it is right on all, the common version on 45 (`tests/cases/loops.jsonl`; one author wrote runs and rule). Models also say one thing in several ways:

# %% [markdown] lang="zh" en="eec65280"
# 看最后一列：A、B、F 被发现，C、D、E 没有被误报。G 是这条规则的代价：看不出进展的等待，和死循环一个样。等待的工具应该说明进展，或者在两次查询之间调用一个等待工具；也可以提高 `threshold`。五步一圈它看不出来。在 73 个标注过的运行上，它全部正确，常见的写法对了 45 个（`tests/cases/loops.jsonl`；运行和规则出自同一位作者）。模型还会用几种说法做同一件事：

# %%
from reactlab.samecall import same_call

others = "search[Weather in Oslo?]", 'Search[{"query": "oslo weather"}]', "Search[Rome weather]"
for other in others:
    print(same_call("Search[Oslo weather]", other), other)
print(same_call("Flights[Oslo Rome]", "Flights[Rome Oslo]"), "Flights")

# %% [markdown] lang="en"
# The last line is a mistake: in a short plain text, order and capitals do not count. Give such a tool named arguments, `origin` and `destination`.
#
# ## Told once, then stopped
#
# What should happen when a loop is found? A policy (08) tells the model once. If the same loop comes up again in full, the run ends. `RobustReActAgent` has it. **Predict:** how many steps does the run of the beginning take now?

# %% [markdown] lang="zh" en="ba2c241c"
# 最后一行判错了：在短的纯文字里，词的先后和大小写都不算。给这样的工具用有名字的参数：`origin` 和 `destination`。
#
# ## 先告诉一次，再停下
#
# 发现了死循环，该怎么办？策略（第 08 课）先告诉模型一次；同一个循环又完整地出现，就结束运行。`RobustReActAgent` 带有这个策略。**先预测**：开头那次运行现在用几步？

# %% tags=["predict"]
from reactlab import RobustReActAgent

guess = "…"
print(guess, "?")
agent = RobustReActAgent(model, search, max_context=1, older="drop", language=language)
stopped = agent.run(question)
print(stopped.stop_reason, len(stopped), "·", stopped.detail)
print([(step.number, failure.kind) for step in stopped for failure in step.failures])

# %% [markdown] lang="en"
# After step 4 it was told of the circle, after step 6 that nothing new comes; at step 8 the circle was there again, and the run ended. The embedded model does not understand warnings (**staged**). That is two steps cheaper, and 42 with `max_steps=50`. But stopping is no answer. Why did it go round in circles?
#
# ## Dropping is the cause
#
# The first booking was gone when the second came. The other choice, and the default, is a **digest**: older steps become one line each. The same agent with one word changed, and the end of its last prompt:

# %% [markdown] lang="zh" en="f55c5ac2"
# 第 4 步之后，模型收到“在打转”的提醒，第 6 步之后收到“没有新内容”的提醒；到第 8 步，同一圈又出现，运行就结束了。内置模型看不懂警告（**演示**）。这样省了两步；如果 `max_steps=50`，就省 42 步。可是停下来并不是答案。它为什么会打转？
#
# ## 病因在于丢掉旧步骤
#
# 第二个订单来的时候，第一个已经不在了。另一个选择，也是默认的，是**摘要**：旧的步骤各缩成一行。同一个智能体，只改一个词，再看它最后一个提示词的结尾：

# %%
agent = ReActAgent(model, search, max_context=1, older="digest", language=language)
straight = agent.run(question)
print(straight.stop_reason, len(straight), "·", straight.answer)
print()
print(straight.steps[-1].model_calls[0].request.prompt.split(question)[-1])

# %% [markdown] lang="en"
# One line holds what the comparison needs. The line that begins with a dash is the digest of the older step; this record is short enough to stay whole in it. The last step stands in full.
#
# ## What to keep of a long text
#
# A booking is short. A page is not: its digest cannot hold all. The usual way is to keep the beginning. Here the code that a later step needs stands in the middle:

# %% [markdown] lang="zh" en="08ab865c"
# 一行就够比较用了。带短横线的一行是旧步骤的摘要；这条记录够短，摘要里还是完整的。最后一步原样保留。
#
# ## 长文本留下什么
#
# 一个订单很短，一个网页却很长，摘要装不下全部。通常的做法是留开头。这一页里，后面要用的预订代码在中间：

# %%
page = example("09.page")
code = "RX-4471"

# %% [markdown] lang="en"
# **Predict:** the first third, the last third, or `shortened` with at most 60 tokens: which of them keeps the code?

# %% [markdown] lang="zh" en="c8989a09"
# **先预测**：留前三分之一，留后三分之一，或者用 `shortened` 缩到最多 60 个 token：哪一种留得住预订代码？

# %% tags=["predict"]
from reactlab.prompts.digest import shortened
from reactlab.prompts.tokens import estimate_tokens

guess = "…"
print(guess, "?")
third = len(page) // 3
ways = {
    "page": page,
    "[:third]": page[:third],
    "[-third:]": page[-third:],
    "shortened": shortened(page, 60, language),
}
for name, text in ways.items():
    print(f"{name:10} {estimate_tokens(text):4} {code in text}")
print(ways["shortened"])

# %% [markdown] lang="en"
# The numbers are estimated tokens. `shortened` keeps the beginning, then facts of the middle (codes, dates, figures, names), then the end, and says how much is missing. These are patterns, not understanding: a sentence in the middle that says only that the door is red would be lost. **Mechanism:** whoever cuts decides what the model can still know.
#
# ## Exercise 09.2: compact without losing codes

# %% [markdown] lang="zh" en="17e8797e"
# 数字是估算的 token 数。`shortened` 留下开头，然后是中间的事实（代码、用阿拉伯数字写的日期和数、引号里的名称），然后是结尾，并说明少了多少。这只是模式，不是理解：中间如果有一句话只说门是红色的，就会丢。**机制**：谁来剪，谁就决定模型还能知道什么。
#
# ## 练习 09.2：压缩，但不丢预订代码
#
# - `steps`：各步的文字，最旧的在前。
# - `budget`：结果最多多少个字符，最少 200。
# - 全部放得下时（换行也算字符），返回所有的步，一步一行，用 `"\n"` 连接，一个字不改。
# - 放不下时：最后一步一字不改地保留；剪掉内容的地方写上 `"…"`；每一步里的预订代码都要留着。预订代码是两个大写字母、短横线、四个数字，例如 `RX-4471`，用 `re.findall(r"[A-Z]{2}-\d{4}", text)` 可以找到。
# - 返回一个不超过 `budget` 个字符的文字。最后一步加上所有代码总是放得下。
# - 例：`compact(["a", "b"], 200)` 返回 `"a\nb"`。

# %%
import re


def compact(steps, budget):
    """All steps in one text of at most `budget` characters.

    steps: the texts of the steps, the oldest first.
    budget: the most characters of the result, at least 200.
    If all fits, line ends counted: the steps unchanged, one a line, joined by "\\n".
    If not: the last step stays unchanged, "…" stands where something was cut, and every code of
        every step is still there. A code is two capital letters, a dash and four digits, such as
        RX-4471; re.findall(r"[A-Z]{2}-\\d{4}", text) finds them. The last step and all codes fit.
    Example: compact(["a", "b"], 200) -> "a\\nb"
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    whole = "\n".join(steps)
    if len(whole) <= budget:
        return whole
    *older, last = steps
    codes = re.findall(r"[A-Z]{2}-\d{4}", "\n".join(older))
    return "\n".join(["… " + " ".join(dict.fromkeys(codes)), last])
    # END SOLUTION


check("09.2", compact)

# %% [markdown] lang="en"
# ## Dropping saves nothing
#
# Thirty questions, made from a seed and answered by the embedded model: which of two or three bookings leaves later, or earlier? Each booking comes with a long text. Old steps stay in full, become a digest, or are dropped; the number is `max_context`. Right answers, and tokens sent for a question:

# %% [markdown] lang="zh" en="8d2294b2"
# ## 丢掉并不省钱
#
# 三十个问题，由随机种子生成，总是由内置模型回答：两个或三个订单里，哪一个起飞最晚，或者最早？每个订单都带一段长文字。旧步骤全部保留（`all`）、做摘要（`digest`）或者丢掉（`drop`），后面的数字是 `max_context`。接着是答对的题数，和每题发送的 token 数：

# %%
from reactlab import SimulatedLLM
from reactlab.course.bookings import booking_tasks

plans = {"all": {"max_context": None}, "digest 1": {"max_context": 1}}
plans |= {f"drop {steps}": {"max_context": steps, "older": "drop"} for steps in (1, 2)}
for name, options in plans.items():
    right, sent = 0, 0
    for task in booking_tasks(30, seed=9):
        agent = ReActAgent(SimulatedLLM(), task.tools, language=language, **options)
        run = agent.run(task.question)
        right += task.is_right(run.answer)
        sent += run.usage.input_tokens
    print(f"{name:9} {right:2} / 30  {sent // 30:5,}")

# %% [markdown] lang="en"
# Dropping is worse *and* dearer: these rules look up again what was lost. A model that guesses in its place may be cheaper, and wrong. With two steps in sight two bookings can be compared, three cannot. **Staged:** four kinds of question, made for this purpose and answered by rules. [docs/context.md](../docs/context.md) has a larger comparison of the same kind.
#
# ## A limit for one request
#
# A model takes only so much; a server then refuses with “context too long”. `Budget(request_tokens=…)` keeps each request below a limit: fewer steps in full, then long texts shortened. `Narrow` is such a server (**staged**). Three agents, the same question with long texts:

# %% [markdown] lang="zh" en="750fa703"
# 丢掉旧步骤更差，**而且**更贵：这些规则会把丢了的东西再查一遍。换成靠猜的模型，可能便宜些，也可能答错。看得到两步，就能比较两个订单，三个就不行。**演示**：四种问题都是为此而出的，由规则作答。[docs/context.md](../../docs/context.md) 里有同类的、更大的比较。
#
# ## 给一次请求设上限
#
# 模型一次只能读这么多，超过了，服务器就以“上下文太长”拒绝。`Budget(request_tokens=…)` 让每次请求不超过上限：先减少完整的步，再缩短长文本。`Narrow` 就是这样的服务器（**演示**）。三个智能体，同一个带长文字的问题：

# %%
from reactlab import Budget
from reactlab.errors import ContextOverflow
from reactlab.prompts.tokens import tokens_of

(task,) = booking_tasks(1, seed=9)
whole = ReActAgent(model, task.tools, language=language).run(task.question)
most = tokens_of(whole.steps[-1].model_calls[0].request) * 4 // 5


class Narrow:
    """The model in use, behind a server that takes a fifth less than the whole run needs."""

    model = "narrow"

    def complete(self, request):
        if tokens_of(request) > most:
            raise ContextOverflow("HTTP 400: context length exceeded")
        return model.complete(request)


limited = {"budget": Budget(request_tokens=most)}
for kind, options in ((ReActAgent, {}), (RobustReActAgent, {}), (ReActAgent, limited)):
    run = kind(Narrow(), task.tools, language=language, **options).run(task.question)
    calls = [call for step in run for call in step.model_calls]
    refused = sum(call.failure is not None for call in calls)
    print(kind.__name__, run.stop_reason, "· refused:", refused, "· answer:", run.answer)

# %% [markdown] lang="en"
# The plain agent ends with the reason `context`. The robust one is refused first, then asks again with a shorter prompt. The one with a budget asks nothing that would be refused. Token counts are estimates, so leave a margin.
#
# ## A limit for the whole run
#
# A budget can also bound what a run uses in all: `calls`, `tokens`, `seconds`, `dollars` (this one needs a price for the model). The circling run of the beginning, with two limits; then the straight one:

# %% [markdown] lang="zh" en="aa57c63f"
# 普通的智能体以 `context` 为原因停下。可靠的那个先被拒绝，再用更短的提示词去问。有预算的那个从来不发送会被拒绝的请求。token 数是估算的，所以要留余地。
#
# ## 给整次运行设上限
#
# 预算也可以限制一次运行总共用多少：`calls`（调用模型的次数）、`tokens`、`seconds`（秒）、`dollars`（美元，要知道模型的价格）。先是开头那次打转的运行，用两种上限；然后是没有打转的那次：

# %%
for limits, older in (({"calls": 4}, "drop"), ({"tokens": 1000}, "drop"), ({"calls": 4}, "digest")):
    agent = ReActAgent(
        model, search, max_context=1, older=older, budget=Budget(**limits), language=language
    )
    run = agent.run(question)
    print(older, "·", run.stop_reason, len(run), "·", run.detail or run.answer)

# %% [markdown] lang="en"
# The budget is looked at before each call, so the last one may go over it. It stops every kind of run that costs too much, and understands none: patient waiting too. It is the last net, not the first. `run.steps` keeps what was found.

# %% [markdown] lang="zh" en="cd57ead7"
# 预算在每次调用之前检查，所以最后一次可能会超出。无论哪种运行，只要太贵，预算都会让它停下，但它看不懂为什么：耐心等待的也一样。它是最后一道防线，不是第一道。已经找到的内容都在 `run.steps` 里。

# %% [markdown] lang="en"
# ## What to keep
#
# - A loop is the same call with the same result. Look at both, and at circles longer than one.
# - A false alarm costs a good run. Tell first, stop later, keep what was found.
# - A loop is often a symptom: ask what the prompt no longer shows.
# - Shorten by what later steps need, not by age.

# %% [markdown] lang="zh" en="0e933a02"
# ## 要点
#
# - 调用相同、结果也相同，才是死循环。两样都要看，还要看多步的圈。
# - 误报会毁掉一次好的运行。先告诉，再停下，已找到的要留着。
# - 死循环常常只是症状：问一问，提示词里少了什么。
# - 按后面需要什么来缩短，不按新旧来丢。

# %%
from reactlab.course import compare, quiz, stored_run

quiz("09")

# %% [markdown] lang="en"
# Your straight run beside the **stored run**, recorded with the embedded model. With the embedded model the steps are the same; the tokens differ a little, because yours showed an older step as a digest. With another one (set `REACTLAB_MODEL` before Jupyter starts) ask: did the format differ? Did it stop? Did it skip a tool, and was it right anyway? Did it do better?

# %% [markdown] lang="zh" en="c3bc6e82"
# 左边是用内置模型录下的**存档的运行**，右边是你的那次。用内置模型时每一步都相同；token 数稍有不同，因为你的那次把旧步骤写成了摘要。换一个模型（在启动 Jupyter 之前设置 `REACTLAB_MODEL`），再问：格式不同吗？它停下来了吗？它跳过了工具吗，答案还对吗？它做得更好吗？

# %%
compare(stored_run("09.compare"), straight)

# %% [markdown] lang="en"
# **Next:** 10, safety. What if a tool's result is not a fact but an order?

# %% [markdown] lang="zh" en="ca84326f"
# **下一课**：10，安全。如果工具返回的不是事实，而是一条命令呢？
