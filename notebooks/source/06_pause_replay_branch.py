# %% [markdown] lang="en"
# # 06 · Pause, replay, branch
#
# **If the loop pauses wherever it needs the world, then stepping, testing, replay and “what if” are one thing.** You will give the loop a place to pause, write the function that answers it, and ask a finished run: what if the tool had said something else?
#
# Results are marked **mechanism** (true for any model), **staged** (the embedded model, a set of rules, was written to do it) or **measured** (a real model).
#
# **Minutes:** 45. **Needs:** nothing from other notebooks. **You may skip to 07:** `agent.run()` is all you need there, and overriding `build_prompt` or `parse_response` needs nothing from here. Without the inside of the loop: first section, “What if” and clinic (20 minutes).

# %% [markdown] lang="zh" en="5f4a9795"
# # 06 · 暂停、重放、分支
#
# **如果循环在每个需要外界的地方都能暂停，那么逐步执行、测试、重放和“如果……会怎样”就是同一件事**。你将让循环有地方可以暂停，写出回答它的函数，再问一次已经结束的运行：如果当时工具说的是别的，会怎样？
#
# 结果标有三个词之一：**机制**（对任何模型都成立）、**演示**（内置模型是一套规则，就是为此写的）、**实测**（真实模型的结果）。
#
# **时间**：45 分钟。**前提**：不依赖其他课。**可以直接跳到 07**：那里只用到 `agent.run()`，重写 `build_prompt` 或 `parse_response` 也用不到这里的内容。如果不想看循环内部：只读第一节、“如果 14:00 的航班没有座位了呢”和会诊（20 分钟）。

# %%
import json

from reactlab import FlightAgent, Message, Request, ToolRegistry, default_llm, flight_tools
from reactlab.course import check, edition, example, show

language = edition("en", "06")
model = default_llm()
question = example("06.rebook")

# %% [markdown] lang="en"
# ## A run leaves a receipt
#
# Here is a run of the flight agent. What it returns is a **trace**: every thought, action and observation, in order. Step through it with the buttons. The agent may rebook, because `approve` says yes; the list `allowed` keeps what was approved.

# %% [markdown] lang="zh" en="25d0069b"
# ## 每次运行都留下完整的轨迹
#
# 下面是航班智能体的一次运行。它返回的是**轨迹**：所有的思考、行动、观察，按顺序排列。可以用按钮逐步查看。这个智能体可以改签，因为 `approve` 会同意；列表 `allowed` 记下批准过的调用。

# %%
allowed = []


def approve(call):
    """Says yes to every change, and keeps it."""
    allowed.append(f"{call.name}{call.arguments}")
    return True


agent = FlightAgent(model, approve=approve, language=language)
run = agent.run(question)
run

# %% [markdown] lang="en"
# What did it cost? Every call of the model sends the whole story so far. The prices here are made up, 2 dollars for a million tokens in and 8 for a million out, so that there is something to add up; without them, `cost(run)` uses a dated list of real ones. **Predict:** is step 5 dearer than step 1?

# %% [markdown] lang="zh" en="777a729d"
# 这次运行花了多少钱？每次调用模型，都要把到目前为止的全部经过发送一遍。这里的价格是虚构的：每百万 token 输入 2 美元、输出 8 美元，只是为了能算出个数；不给价格时，`cost(run)` 用一张注明日期的真实价目表。**预测**：第 5 步比第 1 步贵吗？

# %% tags=["predict"]
from reactlab.cost import Price, cost

guess = "…"
print(guess, "?")
made_up = {run.model: Price(input=2, output=8)}
cost(run, made_up, language=language)

# %% [markdown] lang="en"
# The last steps send the most. So a question such as “what if the 14:00 flight had been full?” should not cost a whole run.
#
# ## Running it again asks another question
#
# This is what one would try first: run it again and look. **Predict:** does the second run end like the first?

# %% [markdown] lang="zh" en="034efbdb"
# 最后几步发送得最多。所以像“如果 14:00 的航班没有座位了呢？”这样的问题，不该花掉一整次运行的钱。
#
# ## 再运行一次，问的就不是同一个问题了
#
# 最先想到的办法：再运行一次看看。**预测**：第二次的结尾和第一次一样吗？

# %% tags=["predict"]
guess = "…"
print(guess, "?")
second = agent.run(question)
for step in second:
    print(step.number, step.thought)

# %% [markdown] lang="en"
# All was paid again, and it is no repetition: the first run had **moved the booking**, so the second met a flight that is on time. **Mechanism:** a run changes the world; who starts over starts in another one. (What the embedded model then did is staged.)
#
# We want to stop a run at step 3, say something else, and go on. First the loop of notebook 05 in short; its tools are plain functions, from text to text.

# %% [markdown] lang="zh" en="645b7ed7"
# 全部又付了一遍钱，而且并不是重复：第一次运行已经**改签了订单**，所以第二次看到的是一个准点的航班。**机制**：运行会改动外部的数据；从头再来时，起点已经不一样了。（内置模型接着做了什么，属于演示。）
#
# 我们想让运行停在第 3 步，告诉它别的内容，再往下走。先把第 05 课的循环简写一遍；这里的工具是普通函数，输入文字，输出文字。

# %%
from reactlab import parse
from reactlab.prompts import PromptTemplate, load, words

TEMPLATE, SAID = PromptTemplate(load("bracket", language)), words(language)


def build_prompt(question, tools, history):
    """The template with tools, question and history filled in."""
    described, told = ToolRegistry(tools).to_prompt(language), "\n".join(history)
    return TEMPLATE.format(tool_descriptions=described, question=question, history=told)


def as_lines(decision, observation):
    """One step as the lines that the next prompt shows."""
    call = decision.calls[0]
    action = f"{SAID.action}{call.name}[{call.arguments}]"
    return f"{SAID.thought}{decision.thought}\n{action}\n{SAID.observation}{observation}"


def llm(prompt):
    """The model in use: text in, text out."""
    return model.complete(Request((Message("user", prompt),))).text


def look_up(order_id):
    return str(booking.execute(order_id))


booking = flight_tools(language=language)[0]
look_up.__doc__ = booking.description  # what the prompt says of it
tools = {"SearchBooking": look_up}
later = example("06.later")


# %%
def plain(question, llm, tools, max_steps=6):
    """Think, act, observe; an unknown tool becomes an observation."""
    history = []
    for _ in range(max_steps):
        prompt = build_prompt(question, tools, history)
        reply = llm(prompt)
        decision = parse(reply, language=language)
        if decision.answer is not None:
            return decision.answer
        name, text = decision.calls[0].name, decision.calls[0].arguments
        observation = f"404 {name}"
        if name in tools:
            observation = tools[name](text)
        history += [as_lines(decision, observation)]
    return None


plain(later, llm, tools)

# %% [markdown] lang="en"
# ## The plain loop cannot pause
#
# It calls `llm(...)`, and until that comes back nobody else gets a turn. Say you want to be the model. **First attempt:** `plain(later, input, tools)`. By hand it works. But “Run all” waits at the input box, and where nobody sits at the keyboard, as in a test, it ends in `StdinNotImplementedError`. (So try it in a cell of your own.)
#
# **Second attempt:** somebody else is called, and calls back when the reply is there.

# %% [markdown] lang="zh" en="a4945c23"
# ## 普通循环不能暂停
#
# 它调用 `llm(...)`，在它返回之前，别的代码都没有机会运行。假设你想自己当模型。**第一次尝试**：`plain(later, input, tools)`。手动运行没有问题，会出现一个输入框。但“全部运行”会卡在输入框那里；没有人坐在键盘前的时候，比如在测试里或服务器上，它会以 `StdinNotImplementedError` 结束。（所以这里没有运行它。可以在自己的单元格里试试。）
#
# **第二次尝试**：用回调。把提示词和一个函数一起交给别人，等有了回复，由他来调用这个函数。


# %%
def with_callback(question, ask, tools, finish):
    """The same loop for somebody who answers later: ask(prompt, go_on)."""
    history = []

    def go_on(reply):
        decision = parse(reply, language=language)
        if decision.answer is not None:
            return finish(decision.answer)
        call = decision.calls[0]
        history.append(as_lines(decision, tools[call.name](call.arguments)))
        return ask(build_prompt(question, tools, history), go_on)

    return ask(build_prompt(question, tools, history), go_on)


waiting = []  # what is open: a prompt, and the function to call with its reply
with_callback(later, lambda *asked: waiting.append(asked), tools, print)
prompt, go_on = waiting.pop()
go_on(f"{SAID.thought}\n{SAID.answer}34567")

# %% [markdown] lang="en"
# It can wait. But the loop is gone: no `for`, no limit, no `return` to the caller; one reads it inside out. And it brings a **third** trouble: the loop is copied now. The copy was made from memory, and one repair did not come along. The same two replies for both:

# %% [markdown] lang="zh" en="6cba2cb6"
# 它可以等了。但循环不见了：没有 `for`，没有上限，也没有返回给调用者的 `return`；只能从里往外读。它还带来**第三个**问题：循环被抄了一份，而且凭记忆抄漏了一处修正。给两个循环同样的两条回复：

# %%
wish = f"{SAID.thought}?\n{SAID.action}Telescope[Vega]"
script = [wish, f"{SAID.thought}!\n{SAID.answer}34567"]

replies = iter(script)
print("plain:", plain(later, lambda prompt: next(replies), tools))
replies = iter(script)
try:
    with_callback(later, lambda prompt, go_on: go_on(next(replies)), tools, print)
except KeyError as error:
    print("with_callback: KeyError", error)

# %% [markdown] lang="en"
# Two loops drift apart. We want **one** loop that can pause.
#
# ## A function with `yield` stops there and keeps its place
#
# Four lines, no agent. `yield` hands a question out and waits; `send` puts the answer in. Calling the function runs nothing yet: it makes a program. The first `send` starts it, so it carries `None`. When the program returns, `send` raises `StopIteration` with the result; `send_to` catches that.

# %% [markdown] lang="zh" en="bab6a1b0"
# 两份循环只会越改越不一样。我们要的是**一个**能暂停的循环。
#
# ## 含有 `yield` 的函数停在那里，并记住自己的位置
#
# 先看四行，与智能体无关。`yield` 把一个问题交出去，然后等待；`send` 把回答送进来。调用这个函数时什么也没有运行，只是得到一个程序（Python 里叫生成器）。第一次 `send` 让它启动，所以送的是 `None`。程序返回时，`send` 抛出带着结果的 `StopIteration`；由 `send_to` 接住。


# %% lang="en"
def greet():
    """Asks for a name."""
    name = yield "Who is there?"
    return f"Hello {name}"


def send_to(program, reply):
    """What the program asks next, or what it returned."""
    try:
        return "asks:", program.send(reply)
    except StopIteration as done:
        return "returned:", done.value


program = greet()
print(*send_to(program, None))
print(*send_to(program, "Ada"))


# %% lang="zh" en="a8d1d199"
def greet():
    """问名字。"""
    name = yield "门外是谁？"
    return f"你好，{name}"


def send_to(program, reply):
    """程序接着问什么，或者返回了什么。"""
    try:
        return "问：", program.send(reply)
    except StopIteration as done:
        return "返回：", done.value


program = greet()
print(*send_to(program, None))
print(*send_to(program, "小明"))

# %% [markdown] lang="en"
# ## Two lines change in the loop
#
# ```diff
# - reply = llm(prompt)
# + reply = yield Ask(prompt)
# - observation = tools[name](text)
# + observation = yield Use(name, text)
# ```
#
# `Ask(prompt)` and `Use(name, text)` are notes that say what is needed; they do nothing. The loop no longer gets a model. Nothing else moves: `for`, `if`, `return` stay where they were.

# %% [markdown] lang="zh" en="b1f752b7"
# ## 循环里只改两行
#
# ```diff
# - reply = llm(prompt)
# + reply = yield Ask(prompt)
# - observation = tools[name](text)
# + observation = yield Use(name, text)
# ```
#
# `Ask(prompt)` 和 `Use(name, text)` 是两种便条，写明需要什么；它们自己什么也不做。循环不再需要拿到模型。其他都不动：`for`、`if`、`return` 都在原处。

# %%
from reactlab.course.pause import Ask, Use


def paused(question, tools, max_steps=6):
    """The loop of plain; pauses wherever it needs somebody."""
    history = []
    for _ in range(max_steps):
        prompt = build_prompt(question, tools, history)
        reply = yield Ask(prompt)
        decision = parse(reply, language=language)
        if decision.answer is not None:
            return decision.answer
        name, text = decision.calls[0].name, decision.calls[0].arguments
        observation = f"404 {name}"
        if name in tools:
            observation = yield Use(name, text)
        history += [as_lines(decision, observation)]
    return None


program = paused(later, tools)
word, asked = send_to(program, None)
print(word, type(asked).__name__, asked.prompt[asked.prompt.rindex(later) :], sep="\n")

# %% [markdown] lang="en"
# It waits, between two cells, as long as you like. Now be the model, and then the tool as well. Change both texts and run the cell: the loop believes whatever it is sent. (A program cannot go back. To start again, run the cell above first.)

# %% [markdown] lang="zh" en="545b22ae"
# 它在等，停在两个单元格之间，等多久都行。现在你来当模型，接着再当工具。改一改这两段文字，再运行：送进去什么，循环就信什么。（程序不能倒退。想重来，先运行上面的单元格。）

# %%
print(*send_to(program, f"{SAID.thought}12346?\n{SAID.action}SearchBooking[12346]"))
word, asked = send_to(program, "23:59")
print(word, type(asked).__name__, asked.prompt[asked.prompt.rindex(later) :] if asked else "")

# %% [markdown] lang="en"
# ## Exercise 06.1: somebody has to answer
#
# Whoever answers is called the **driver**. Write one that answers from a model and tools, until the program returns. Below the check, both loops answer the same question. Stuck? `from reactlab.course import hint`, then `hint("06.1")`.

# %% [markdown] lang="zh" en="1cf51ca7"
# ## 练习 06.1：总得有人回答
#
# 负责回答的函数叫**驱动函数**。请写一个：用模型和工具来回答，直到程序返回。检查的下面，两个循环会各回答一次同一个问题（显示 `Ellipsis` 说明还没有写）。
#
# - `program` 是含有 `yield` 的函数做出的程序，还没有启动。
# - 收到 `Ask`，把 `llm(effect.prompt)` 送进去；收到 `Use`，把 `tools[effect.name](effect.text)` 送进去。
# - 收到别的东西：`raise TypeError`。
# - 返回程序所返回的值。例：`drive(paused(later, tools), llm, tools)` 和 `plain(later, llm, tools)` 的结果一样。
#
# 卡住了？先 `from reactlab.course import hint`，再运行 `hint("06.1")`。


# %%
def drive(program, llm, tools):
    """Run a program to its end and return what it returns.

    program: not started yet; yields Ask (with .prompt) and Use (with .name and .text).
    llm: function, prompt -> reply.   tools: name -> function, text -> text.
    Anything else that is yielded: raise TypeError.
    Example: drive(paused(later, tools), llm, tools) -> the same as plain(later, llm, tools)
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    result = None
    while True:
        try:
            effect = program.send(result)
        except StopIteration as done:
            return done.value
        match effect:
            case Ask(prompt):
                result = llm(prompt)
            case Use(name, text):
                result = tools[name](text)
            case other:
                raise TypeError(f"yielded {other!r}: did you forget 'yield from'?")
    # END SOLUTION


check("06.1", drive)
print(plain(later, llm, tools))
print(drive(paused(later, tools), llm, tools))  # Ellipsis: not written yet

# %% [markdown] lang="en"
# ## `yield from`, when a helper asks too
#
# Say a reply cannot be read, and a helper asks again. It pauses as well. **Rule: a function that pauses is called with `yield from`; read it as “wait for”.** (Who knows `await`: same place, same meaning.) Here the first reply is “hm”. `package_drive` is the driver of the package.

# %% [markdown] lang="zh" en="d5e01a20"
# ## 辅助函数也要提问时：`yield from`
#
# 假设有一条回复解析不了，由一个辅助函数再问一次。它自己也会暂停。**规则：会暂停的函数，用 `yield from` 来调用；可以读作“等待”**。（如果用过 `await`：写的位置和意思都一样。）这里的第一条回复是“hm”。`package_drive` 是库里的驱动函数。

# %%
from reactlab.course.pause import drive as package_drive
from reactlab.errors import ParseError, ProgramError


def readable(prompt):
    """Ask until a reply can be read."""
    while True:
        reply = yield Ask(prompt)
        try:
            return parse(reply, language=language)
        except ParseError as error:
            prompt += f"\n{error}"


def waits(prompt):
    decision = yield from readable(prompt)
    return decision


replies = iter(["hm", *script])
package_drive(waits("?"), lambda prompt: next(replies), {})

# %% [markdown] lang="en"
# Two slips that run into nothing: `yield from` forgotten, and a `for` in place of a driver. Both errors are real; the first is what the package's driver says.

# %% [markdown] lang="zh" en="3e999942"
# 下面两处疏忽：忘了 `yield from`，以及用 `for` 代替驱动函数。两个报错都是真的：第一个来自库里的驱动函数，意思是“调用了它却没有等它，应写 `yield from …`”；第二个是因为 `for` 送回的总是 `None`。


# %%
def hasty(prompt):
    decision = readable(prompt)  # runs nothing: it makes another program
    return decision
    yield  # a yield anywhere makes it a program


try:
    package_drive(hasty("?"), llm, {})
except ProgramError as error:
    print("ProgramError:", error)
try:
    for effect in paused(later, tools):  # for always sends None back
        print(type(effect).__name__)
except TypeError as error:
    print("TypeError:", error)

# %% [markdown] lang="en"
# ## A driver can answer from a record
#
# Now the pause pays. This driver writes down what was asked and what was sent, and when it is given such a record, the record answers first. Below: the talk of one run, as two lanes between which the turn goes to and fro.

# %% [markdown] lang="zh" en="368771de"
# ## 驱动函数也可以照着记录回答
#
# 现在看看能暂停有什么好处。下面这个驱动函数会记下问了什么、送进了什么；如果交给它一份这样的记录，就先由记录来回答。单元格下面是一次运行的对话：左栏是程序，右栏是驱动函数，箭头表示轮到谁。


# %%
from reactlab.course.pause import dialogue


def resume(program, record, llm, tools):
    """Like drive; the record answers as long as it lasts, and what is new is added to it."""
    result, old = None, iter(list(record))
    while True:
        try:
            effect = program.send(result)
        except StopIteration as done:
            return done.value
        played = next(old, None)
        if played:
            result = played[1]
            continue
        result = llm(effect.prompt) if type(effect) is Ask else tools[effect.name](effect.text)
        record.append((effect, result))


record = []
resume(paused(later, tools), record, llm, tools)
dialogue(record)

# %% [markdown] lang="en"
# **Predict:** the same record, but a model that only fails, and no tools. What happens?

# %% [markdown] lang="zh" en="b67da626"
# **预测**：还是这份记录，但模型只会报错，工具一个也没有。会怎样？

# %% tags=["predict"]
guess = "…"
print(guess, "?")


def broken(prompt):
    raise RuntimeError(prompt)


resume(paused(later, tools), record, broken, {})

# %% [markdown] lang="en"
# That is a **replay**: the same run, free of charge, without model or world. It makes a run a test: change the loop, replay, and see what comes out. (In the package, `RecordedLLM.of(trace)` is a model that repeats a trace.)
#
# ## Exercise 06.2: what if the tool had said something else?
#
# A **branch** is the record up to one observation, with that observation changed. What came later is gone: it answered something else. Step *n* ends with the *n*-th `Use`.

# %% [markdown] lang="zh" en="bd80ce0e"
# 这就是**重放**：同一次运行，不花钱，不需要模型，也不碰外界。这样，一次运行就成了一个测试：改了循环之后重放一遍，看结果如何。（库里的 `RecordedLLM.of(trace)` 是一个照着轨迹复述的模型。）
#
# ## 练习 06.2：如果工具说的是别的呢？
#
# **分支**就是到某条观察为止的记录，而这条观察换了内容。后面的全部去掉：它们针对的是原来那条观察。第 n 步以第 n 个 `Use` 结束。
#
# - `record` 是列表，每项是（请求，结果）：`(Ask(...), 回复)` 或 `(Use(...), 观察)`，按顺序。
# - `step` 是工具的第几次使用，从 1 数起；一步里可能问了模型不止一次。
# - 返回新的列表，`record` 本身不变。例：`branch(record, 1, "23:59")` 有两项，最后一项是 `(Use(...), "23:59")`。


# %%
def branch(record, step, observation):
    """A new record, up to the step's observation, which is replaced; record stays as it is.

    record: list of (effect, result): (Ask(...), reply) and (Use(...), observation), in order.
    step: which use of a tool, 1 is the first. A step may ask the model more than once.
    Example: branch(record, 1, "23:59") -> two items, the last is (Use(...), "23:59")
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    places = [place for place, (effect, _) in enumerate(record) if isinstance(effect, Use)]
    at = places[step - 1]
    return [*record[:at], (record[at][0], observation)]
    # END SOLUTION


check("06.2", branch)

# %% [markdown] lang="en"
# Try yours: `resume(paused(later, tools), branch(record, 1, "23:59"), llm, tools)`. One call fewer is paid.
#
# ## What if the 14:00 flight had been full?
#
# The package does the same with a trace: `trace.branch(step, observation)`, then `run(..., trace=...)`. Here: the stored flight run, and a new agent with a **database of its own**. `SearchAlternatives` lists flights with seats, so “full” means that the line is missing. **Predict:** how many calls are paid, and what is the answer?

# %% [markdown] lang="zh" en="13c71c6c"
# 试试你的函数：`resume(paused(later, tools), branch(record, 1, "23:59"), llm, tools)`。少付一次调用的钱。
#
# ## 如果 14:00 的航班没有座位了呢？
#
# 库里对轨迹做同样的事：`trace.branch(step, observation)`，然后 `run(..., trace=...)`。这里用的是存档的航班运行，和一个新的智能体，它有**自己的数据库**。`SearchAlternatives` 只列出有座位的航班，所以“没有座位”就是少了那一行。**预测**：要付几次调用的钱，答案是什么？

# %% tags=["predict"]
from reactlab.course import stored_run


class Counted:
    """The model in use, counting its calls."""

    def __init__(self, llm):
        self.llm, self.model, self.calls = llm, llm.model, 0

    def complete(self, request):
        self.calls += 1
        return self.llm.complete(request)


guess, stored, counted = "…", stored_run("06.rebook"), Counted(model)
print(guess, "?")
seats = json.loads(str(stored.steps[2].observations[0]))
full = json.dumps([row for row in seats if row["departure"] != "14:00"], ensure_ascii=False)
what_if = stored.branch(3, full)
FlightAgent(counted, approve=approve, language=language).run(stored.question, trace=what_if)
print(counted.calls, what_if, sep="\n")

# %% [markdown] lang="en"
# Instead of five calls, only those after step 3. **Mechanism:** the record answers up to the edit, whatever the model. **Staged:** what it then answers. Side by side, the stored run left and the branch (“your run”) right; the first difference is the one we made:

# %% [markdown] lang="zh" en="ca72d5c0"
# 不是五次调用，只有第 3 步之后的那些。**机制**：修改之前都由记录来回答，换什么模型都一样。**演示**：它接着给出的答案。并排来看：左边是存档的运行，右边（“你的运行”）是分支；第一处差别就是我们改的那一处：

# %%
from reactlab.comparison import Comparison

made_up[stored.model] = Price(input=2, output=8)  # the same as above
Comparison(stored, what_if, language=language, prices=made_up)

# %% [markdown] lang="en"
# ## A replay never acts twice
#
# Step 4 of the stored run rebooked. Go on from there, with an agent whose database is fresh. **Predict:** how often is it rebooked now, and what does the database say? (`allowed` keeps what was approved.)

# %% [markdown] lang="zh" en="90529121"
# ## 重放不会再做一遍
#
# 存档的运行在第 4 步改签了。从那里往下走，换一个数据库全新的智能体。**预测**：现在又改签了几次？数据库里写的是哪个航班？（`allowed` 记下批准过的调用。）

# %% tags=["predict"]
guess = "…"
print(guess, "?")
allowed.clear()
fresh = FlightAgent(model, approve=approve, language=language)
end = fresh.run(stored.question, trace=stored.branch(4))
print(end)
print(len(allowed), fresh.desk.search_booking("12345")["flight_number"])

# %% [markdown] lang="en"
# Zero times. The record said “rebooked”, the model believed it, and the database still has the old flight. **A branch edits what was read, not the data**; what comes after the edit is done for real. So give a branch a database of its own, or no approval. Here is the function of the package that asks the record; it also refuses a record that does not fit.

# %% [markdown] lang="zh" en="b06e90dd"
# 零次。记录说 `rebooked`（已改签），模型信了，而数据库里还是原来的航班。**分支只改读到的内容，不改真实的数据**；修改之后的动作却是真的执行。所以请给分支配一个单独的数据库，或者不批准改动。下面是库里查询记录的函数；记录对不上时，它会拒绝。

# %%
from reactlab.run import Run

show(Run.recall)

# %% [markdown] lang="en"
# ## Trace clinic: the first wrong step
#
# Three patients. Each run answered, each answer is wrong, and in each **one** fault was planted (staged: the replies were written, loop and tools are real). Name the first step that is wrong, and the cause. The last step is mostly where it shows, not where it began.

# %% [markdown] lang="zh" en="7bba3c77"
# ## 轨迹会诊：最早出错的一步
#
# 三位病人。每次运行都给出了答案，每个答案都不对，每次都埋了**一处**错误（演示：回复是写好的，循环和工具是真的）。请指出最早出错的一步，以及原因。错误多半在最后一步才看得见，却不是从那里开始的。

# %%
from reactlab.course import clinic

patients = clinic("06")
patients

# %% [markdown] lang="en"
# **Exercise 06.3.** Write the step as a number and the cause as listed. `explain` tells more about those that are right.

# %% [markdown] lang="zh" en="ce1b4c72"
# **练习 06.3**：步写成数字，原因照列表里的词写。`explain` 会解释答对的几位。

# %% lang="en"
diagnosis = {
    # BEGIN SOLUTION
    # STUB: "A": (..., "…"),  # step, cause
    # STUB: "B": (..., "…"),
    # STUB: "C": (..., "…"),
    "A": (3, "ignored"),
    "B": (2, "wrong input"),
    "C": (4, "invented"),
    # END SOLUTION
}
check("06.3", diagnosis)
patients.explain(diagnosis)

# %% lang="zh" en="9d97a951"
diagnosis = {
    # BEGIN SOLUTION
    # STUB: "A": (..., "…"),  # 步, 原因
    # STUB: "B": (..., "…"),
    # STUB: "C": (..., "…"),
    "A": (3, "无视观察"),
    "B": (2, "输入有误"),
    "C": (4, "凭空编造"),
    # END SOLUTION
}
check("06.3", diagnosis)
patients.explain(diagnosis)

# %% [markdown] lang="en"
# ## What to keep
#
# - Let the loop ask, not act: `yield` what it needs. Then driver, test, replay and branch are all the same loop.
# - A function that pauses is called with `yield from`.
# - A branch edits what was read. From there on, everything is real and is paid.
# - Read a trace from the top. Fix the first wrong step.

# %% [markdown] lang="zh" en="0cb21190"
# ## 带走什么
#
# - 让循环提出请求，而不是自己动手：需要什么就 `yield` 什么。这样，驱动、测试、重放和分支用的都是同一个循环。
# - 会暂停的函数，用 `yield from` 来调用。
# - 分支改的是读到的内容。从那里往后，一切都是真的，都要付钱。
# - 读轨迹要从头读。要改的是最早出错的那一步。

# %%
from reactlab.course import compare, quiz

quiz("06")

# %% [markdown] lang="en"
# The first run beside the **stored run**, which was recorded with the embedded model. With that model they do not differ. To see a difference, set `REACTLAB_MODEL="openai:MODEL"` before Jupyter starts. Then ask: did the format differ? Did it stop? Did it skip a tool, and was it right anyway?

# %% [markdown] lang="zh" en="e700b9f5"
# 左边是**存档的运行**，用内置模型录下；右边是本课的第一次运行。用内置模型时两者没有差别。想看到差别，请在启动 Jupyter 之前设置 `REACTLAB_MODEL="openai:模型名"`。然后问：格式不同吗？它停下来了吗？它跳过了工具吗，答案还对吗？

# %%
compare(stored, run)

# %% [markdown] lang="en"
# **Next:** 07, function calling. The same loop in another envelope, and `await agent.arun()`: a second driver for the same program.

# %% [markdown] lang="zh" en="be700758"
# **下一课**：07，函数调用。同一个循环，换一种信封；还有 `await agent.arun()`：同一个程序的另一个驱动函数。
