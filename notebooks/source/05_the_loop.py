# %% [markdown] lang="en"
# # 05 · The loop
#
# **The loop has no intelligence and the model has no memory: the history is all there is.** You will write the loop of an agent (a model that uses tools step by step), watch it fail because one character is missing, be the model yourself, and tell from a run why it stopped.
#
# Results are marked **mechanism** (true for any model), **staged** (the embedded model, a set of rules, was written to do it) or **measured** (a real model).
#
# **Minutes:** 45. **Needs:** nothing from other notebooks. New here? Begin with `00_start_here`.

# %% [markdown] lang="zh" en="7364fb8b"
# # 05 · 循环
#
# **循环没有智能，模型没有记忆：历史就是全部**。你将亲手写出智能体（一步步使用工具的模型）的循环，看它因为少一个字符而失败，自己当一回模型，并从一次运行中看出它为什么停下。
#
# 结果标有三个词之一：**机制**（对任何模型都成立）、**演示**（内置模型是一套规则，就是为此写的）、**实测**（真实模型的结果）。
#
# **时间**：45 分钟。**前提**：不依赖其他课。第一次来？请从 `00_start_here` 开始。

# %%
import json
import re

from reactlab import Message, ReActAgent, Request, ToolRegistry, default_llm, flight_tools, parse
from reactlab.course import check, edition, example, show

language = edition("en", "05")
question = example("05.compare")

# %% [markdown] lang="en"
# ## A model turns text into text
#
# `example` has fetched the question of this edition and printed it. The loop needs to know one thing about a model: text goes in (the prompt), text comes out (the reply). The model in use is the embedded one, unless you chose another: a set of rules that sees the prompt and nothing else. So you can check against the prompt what it can know.

# %% [markdown] lang="zh" en="62cd05cf"
# ## 模型把文字变成文字
#
# `example` 取出了本版的问题，并把它打印出来。关于模型，循环只需要知道一件事：输入文字（提示词），输出文字（回复）。现在用的模型是内置模型，除非你另选了一个：它是一套规则，只看得到提示词。所以你可以对照提示词，检查它能知道什么。下面的 `llm` 把收到的每个提示词都记在 `prompts` 里。

# %%
model = default_llm()
prompts = []


def llm(prompt):
    """Text in, text out; keeps what it was shown."""
    prompts.append(prompt)
    request = Request((Message("user", prompt),))  # a request holds messages, here one
    return model.complete(request).text


llm(question)

# %% [markdown] lang="en"
# Asked like this, it has nothing but its memory, and no way to look. So the prompt has to offer the tools. It is a template with three slots filled in: the tools, the question, and what has happened so far. Below you see the whole first prompt, and under the line the reply. One tool is enough here; without `[:1]` there are several.

# %% [markdown] lang="zh" en="d229806e"
# 这样问，它只有记忆，没有办法去查。所以提示词里要有工具。提示词就是填好三个空位的模板：工具、问题，以及到目前为止发生的事。`build_prompt` 就做这件事。下面是完整的第一个提示词，横线之下是回复。这里一个工具就够了；去掉 `[:1]`，就有好几个。

# %%
from reactlab.prompts import PromptTemplate, load

TEMPLATE = PromptTemplate(load("bracket", language))
tools = {tool.name: tool for tool in flight_tools(language=language)[:1]}


def build_prompt(question, tools, history):
    """The template with tools, question and history filled in."""
    described = ToolRegistry(tools).to_prompt(language)
    history = "\n".join(history)
    return TEMPLATE.format(tool_descriptions=described, question=question, history=history)


reply = llm(build_prompt(question, tools, history=[]))
print(f"{prompts[-1]}\n{'—' * 20}\n{reply}")

# %% [markdown] lang="en"
# The reply is text; it goes on where the prompt ends, after “Thought:”. A parser turns it into a decision: a thought, and then a call or an answer. How to write one is the subject of notebook 03; here we take the finished one.

# %% [markdown] lang="zh" en="492b6d78"
# 回复只是文字，它从提示词结尾的“思考：”接着往下写。解析器把它变成一个决定：一个思考，再加一次工具调用或一个答案。怎样写解析器是第 03 课的内容；这里直接用现成的。

# %%
decision = parse(reply, language=language)  # its errors in the language of this edition
decision

# %% [markdown] lang="en"
# After each step three lines go into the next prompt: what the model thought, what it did, what came back. The first two are the model's, the third is the world's.

# %% [markdown] lang="zh" en="d05635c5"
# 每走一步，都有三行写进下一个提示词：模型想了什么、做了什么、得到了什么。前两行由模型写，第三行来自工具。

# %% lang="en"
THOUGHT, ACTION, OBSERVATION, ANSWER = "Thought: ", "Action: ", "Observation: ", "Final Answer: "
QUESTION = "Question: "
NO_ANSWER = "Sorry, I found no answer."


def as_lines(decision, observation):
    """One step as the three lines that the next prompt shows."""
    lines = [THOUGHT + decision.thought]
    for call in decision.calls:
        given = call.arguments
        if not isinstance(given, str):  # several inputs go back as they came: as JSON
            given = json.dumps(given, ensure_ascii=False)
        lines.append(f"{ACTION}{call.name}[{given}]")
    return "\n".join([*lines, f"{OBSERVATION}{observation}"])


for call in decision.calls:
    print(as_lines(decision, tools[call.name].execute(call.arguments)))

# %% lang="zh" en="60d34060"
THOUGHT, ACTION, OBSERVATION, ANSWER = "思考：", "行动：", "观察：", "最终答案："
QUESTION = "问题："
NO_ANSWER = "抱歉，没有找到答案。"


def as_lines(decision, observation):
    """一步写成三行，放进下一个提示词。"""
    lines = [THOUGHT + decision.thought]
    for call in decision.calls:
        given = call.arguments
        if not isinstance(given, str):  # 多个输入按原来的样子写回去：JSON
            given = json.dumps(given, ensure_ascii=False)
        lines.append(f"{ACTION}{call.name}[{given}]")
    return "\n".join([*lines, f"{OBSERVATION}{observation}"])


for call in decision.calls:
    print(as_lines(decision, tools[call.name].execute(call.arguments)))

# %% [markdown] lang="en"
# ## A first loop: keep the newest step
#
# This is an easy loop to think of. It keeps prompts short, it stops at a limit, and it shows the model the newest result, which is the one it asked for.

# %% [markdown] lang="zh" en="c8a2cacf"
# ## 第一个循环：只留最新一步
#
# 这样写很容易想到：提示词短，最多调用模型 `max_steps` 次，并且把最新的结果给模型看，这正是模型要的。


# %%
def newest_only(question, llm, tools, max_steps=6):
    """Ask, act, show the newest step; at most max_steps calls of the model."""
    history = []
    for step in range(max_steps):
        reply = llm(build_prompt(question, tools, history))
        decision = parse(reply, language=language)
        if decision.answer is not None:
            return decision.answer
        call = decision.calls[0]
        print(f"{step + 1}  {call.name}[{call.arguments}]")
        history = [as_lines(decision, tools[call.name].execute(call.arguments))]
    return NO_ANSWER


newest_only(example("05.one"), llm, tools)

# %% [markdown] lang="en"
# One look-up, one answer: it works. Now the question about two bookings. **Predict first:** how many look-ups will it take? Write your guess in place of “…”, then run the cell. The last line is what the loop returned.

# %% [markdown] lang="zh" en="976413c2"
# 查一次就有答案：它能用。现在问那个涉及两个订单的问题。**先预测**：需要查几次？把猜测写在“…”的位置，再运行单元格。最后一行是循环返回的结果。

# %% tags=["predict"]
guess = "…"
print(guess, "?")
newest_only(question, llm, tools)

# %% [markdown] lang="en"
# It goes back and forth between the two bookings until the limit, and then returns a sentence that is no answer. Look at the end of the last prompt:

# %% [markdown] lang="zh" en="977cddcc"
# 它在两个订单之间来回查，一直到上限，然后返回一句并不是答案的话。看看最后一个提示词的结尾：

# %%
print(prompts[-1][prompts[-1].rindex(question) :])

# %% [markdown] lang="en"
# One booking is there, the other is gone: each look-up erased the one before. **Staged:** the embedded model, a set of rules, was written to look up what is missing; another model may guess. **Mechanism**, true for any model: the missing booking is missing, because no model sees more than its prompt.
#
# ## The repair: append
#
# `history =` becomes `history +=`. That is the whole difference.

# %% [markdown] lang="zh" en="9fb64bce"
# 一个订单在，另一个不见了：每次查询都抹掉了上一次。**演示**：内置模型是一套规则，写它的时候就规定缺什么查什么；别的模型也许会猜。**机制**，对任何模型都成立：缺的那个订单就是缺，因为没有模型能看到提示词以外的东西。
#
# ## 修正：往后追加
#
# 把 `history =` 改成 `history +=`。差别就这么大。


# %%
def react(question, llm, tools, max_steps=6):
    """Think, act, observe, and keep everything; at most max_steps calls of the model."""
    history = []
    for step in range(max_steps):
        reply = llm(build_prompt(question, tools, history))
        decision = parse(reply, language=language)
        if decision.answer is not None:
            return decision.answer
        call = decision.calls[0]
        print(f"{step + 1}  {call.name}[{call.arguments}]")
        history += [as_lines(decision, tools[call.name].execute(call.arguments))]
    return NO_ANSWER


react(question, llm, tools)

# %% [markdown] lang="en"
# Two look-ups and an answer. No line of this loop knows about bookings or times; it carries text back and forth. The embedded model knows few kinds of question; odd answers to others show its rules, not the loop.
#
# ## Exercise 05.1: a loop without two of its faults
#
# A tool that does not exist ends the loop above in a `KeyError`; running out of steps returns a sentence that looks like an answer. Write a loop without these two faults (a third comes later). Here a tool is a plain function: `tools[name](text)`. For the prompt take `build_prompt` or your own. Stuck? `from reactlab.course import hint`, then `hint("05.1")`.

# %% [markdown] lang="zh" en="a3750a20"
# 查两次，给出答案。这个循环里没有一行知道订单、时间或比较。它只是来回搬运文字。内置模型只认得少数几种问题，别的会答非所问；这说明的是规则，不是循环。
#
# ## 练习 05.1：去掉两个毛病
#
# 上面的循环遇到不存在的工具会以 `KeyError` 结束；步数用完时返回一句看起来像答案的话。请写一个没有这两个毛病的循环。（第三个毛病后面会遇到。）和上面的循环有一处不同：这里的工具是普通函数，用 `tools[name](text)` 调用。提示词可以用 `build_prompt`，也可以自己写。
#
# - 每个提示词都有问题，以及此前所有的思考、行动、观察，最早的在最前面。
# - 不存在的工具变成一条观察。
# - 调用 `llm` 满 `max_steps` 次仍没有答案，就返回 `None`。
# - 例：如果 `llm` 一开始就回复“最终答案：41”，`my_react("多长？", llm, {}, 5)` 返回 `"41"`。
#
# 卡住了？先 `from reactlab.course import hint`，再运行 `hint("05.1")`，最多三次。


# %%
def my_react(question, llm, tools, max_steps):
    """Answer a question with a model and tools.

    llm: function, prompt -> reply.   tools: name -> function, text -> text.
    Every prompt shows the question and all earlier thoughts, actions, observations, oldest first.
    An unknown tool becomes an observation. After max_steps calls of llm: return None.
    Example, with an llm whose first reply is the answer 41:
    my_react("How long?", llm, {}, 5) -> "41"
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    history = []
    for _ in range(max_steps):
        reply = llm(build_prompt(question, tools, history))
        decision = parse(reply, language=language)
        if decision.answer is not None:
            return decision.answer
        call = decision.calls[0]
        if call.name in tools:
            observation = tools[call.name](call.arguments)
        else:
            observation = f"There is no tool {call.name}. Tools: {', '.join(tools)}"
        history += [as_lines(decision, observation)]
    return None
    # END SOLUTION


check("05.1", my_react)

# %% [markdown] lang="en"
# Your loop on the booking question, with the model in use and a tool that is a plain function (`Ellipsis` means: not written yet):

# %% [markdown] lang="zh" en="a9421781"
# 用你的循环回答订单的问题，模型不变，工具是一个普通函数；函数的说明（`__doc__`）会写进提示词。（显示 `Ellipsis` 说明还没有写。）


# %%
def look_up(order_id):
    return str(tools["SearchBooking"].execute(order_id))


look_up.__doc__ = tools["SearchBooking"].description  # what the prompt says of it
my_react(question, llm, {"SearchBooking": look_up}, 6)

# %% [markdown] lang="en"
# ## Thoughts are memory too
#
# Thoughts look like decoration: the observations hold the facts. Here is another model, a short function that compares bookings as people go through a long list: it notes what it has found and later trusts its notes, not the old observations. **Staged:** it was written to lean on its thoughts, and it can do nothing else. The pattern `NOTE` finds its notes in the prompt, `SEEN` the times that came back; of these it takes only the newest.

# %% [markdown] lang="zh" en="8fc55731"
# ## 思考也是记忆
#
# 思考看起来像装饰，事实都在观察里。下面是另一个模型，一个很短的函数。它比较订单的方式，就像人对付一长串资料：找到什么就记下来，以后只信自己的笔记，不再看旧的观察。**演示**：它就是为了依赖思考而写的，别的什么也不会。`NOTE` 在提示词里找它自己写的笔记（12346 = 10:00），`SEEN` 找行动和查到的起飞时间；查到的只用最新一次。


# %%
NOTE = r"(\d{5}) = (\d\d:\d\d)"  # what it wrote itself: 12346 = 10:00
SEEN = r'\[(\d{5})\]\n.*"departure": "(\d\d:\d\d)"'  # an action and the time that came back


def note_taker(prompt):
    """Trusts its own notes and the newest observation; looks up what is not noted yet."""
    asked, _, after = prompt[prompt.rindex(QUESTION) :].partition("\n")
    notes = dict(re.findall(NOTE, after) + re.findall(SEEN, after)[-1:])  # [-1:] the newest
    thought = THOUGHT + ", ".join(f"{order} = {time}" for order, time in notes.items())
    for order in re.findall(r"\d{5}", asked):
        if order not in notes:
            return f"{thought}\n{ACTION}SearchBooking[{order}]"
    return f"{thought}\n{ANSWER}{max(notes, key=notes.get, default=NO_ANSWER)}"


react(question, note_taker, tools)

# %% [markdown] lang="en"
# **Predict:** what happens if only the thoughts that hold notes (“=”) are dropped? All actions and observations stay. Write your guess, then run the cell.

# %% [markdown] lang="zh" en="e128c8d4"
# **预测**：如果去掉带笔记（“=”）的思考，会怎样？行动和观察全部保留。写下猜测，再运行单元格。


# %% tags=["predict"]
guess = "…"
print(guess, "?")


def forgetful(prompt):
    """The same model, shown everything but its notes: thoughts with “=” in them."""
    lines = prompt.split("\n")
    prompts.append("\n".join(line for line in lines if not re.match(f"{THOUGHT}.*=", line)))
    return note_taker(prompts[-1])


react(question, forgetful, tools)

# %% [markdown] lang="en"
# It asks again. What did its last prompt hold? The first two observations in it:

# %% [markdown] lang="zh" en="dd1f2306"
# 它又问了一遍。它最后看到的提示词里有什么？其中的前两条观察：

# %%
observed = [line for line in prompts[-1].split("\n") if line.startswith(OBSERVATION)]
print("\n".join(observed[:2]))

# %% [markdown] lang="en"
# Both facts stood there, unused. How much a model leans on its thoughts differs; but for every model, what is left out of the prompt is gone. So append all three lines.
#
# ## Be the model
#
# Now you are the model. You see the prompt below and nothing else. Write one thought and one action, and press **Send**. Without buttons, write them into `moves` in place of “…” and run the cell again. All moves are replayed from the start each time.

# %% [markdown] lang="zh" en="8d99c4a2"
# 两个事实都在提示词里，它却没有用上。各个模型对思考的依赖程度不同；但没写进提示词的就没有了，这一点都一样。所以三行都要追加。
#
# ## 自己当模型
#
# 现在你就是模型。你只看得到下面的提示词。写一个思考和一个行动，按**发送**。没有按钮时，把它们写进 `moves`，替换“…”，再运行单元格。每次都会从头重放所有回复。

# %%
from reactlab.course import be_the_model

moves = [
    f"{THOUGHT}12346?\n{ACTION}SearchBooking[12346]",
    f"{THOUGHT}…\n{ACTION}…",
    f"{THOUGHT}…\n{ANSWER}…",
]
be_the_model(question, tools.values(), moves, buttons=True)

# %% [markdown] lang="en"
# Try three things: answer too early; ask for a tool that does not exist; write an `Observation:` line yourself and see whether it survives.
#
# ## A real model in the same loop
#
# You had the same loop and the same text. Now a real one: SmolLM2, 135 million parameters, about the smallest there is. **Measured**, so no rules of ours: these are its own words, recorded. **Predict:** will it look up both bookings?

# %% [markdown] lang="zh" en="dae92d97"
# 试三件事：过早作答；请求一个不存在的工具；自己写一行“观察：”，看它会不会留下来。（行动之后的内容由工具返回，不能自己写。）
#
# ## 同一个循环里的真实模型
#
# 你刚才用的就是这个循环、这些文字。现在换一个真实的模型：SmolLM2，1.35 亿参数，几乎是最小的。**实测**，不是我们写的规则：下面是它自己的话，是录下来的。**先预测**：它会把两个订单都查一遍吗？

# %% tags=["predict"]
from reactlab import ParseError
from reactlab.course import real_model

guess, voice = "…", real_model("05")
print(guess, "?")


def real(prompt):
    """The real model as a function; prints what it said."""
    text = voice.complete(Request((Message("user", prompt),), max_tokens=60)).text
    print(f"{voice.about}\n{text}\n")
    return text


try:
    react(question, real, tools)
except ParseError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] lang="en"
# A real model said this. The number is right, but it looked nothing up: a guess between two. It did not keep to the form either, and our loop has no line for that, its third fault: without `try` it would have ended in this error. `ReActAgent`, the library's loop (ReAct: reasoning and acting), tells the model what was wrong and asks again. The same question, run by it; the text at the top is the whole first reply:

# %% [markdown] lang="zh" en="f123114c"
# 这是真实模型的话：它一次也没有查，也没有按格式写。这就是前面说的第三个毛病：循环没有处理这种情况；如果没有 `try`，它会以这个报错结束。`ReActAgent` 是库里的循环（ReAct：reasoning 推理，acting 行动），遇到这种回复，它会告诉模型哪里不对，再问一次。让它来运行同一个问题；最上面是第一次回复的全文：

# %%
real_run = ReActAgent(voice, tools.values(), max_steps=3, language=language).run(question)
print(real_run.steps[0].completion.text)
real_run

# %% [markdown] lang="en"
# Asked three times, it does not find the form. That is one model, one question and one prompt, no verdict on small models; in A1 it gets better examples. The loop did its part: it stopped, and it says why.
#
# ## Why a run stops
#
# "No answer" has several causes, and each needs something else. Here are six runs without their stop reasons.

# %% [markdown] lang="zh" en="84b47aa3"
# 提示词一字不差，但这是另外录的一次，模型的话不一样，所以这里看不到纠错。它其实没有守住格式：回复很长，把提示词里的格式说明和问题抄了好几遍；解析器只取了第一段，于是“答案”两个字成了答案。循环读得懂格式，读不懂内容，所以停止原因是 `answered`，背后却没有任何观察。这只是一个模型、一个问题、一个提示词，不能据此评判小模型；在 A1 里它会得到更好的示例。
#
# ## 运行为什么停下
#
# “没有答案”有好几种原因，每种原因需要不同的对策。下面六次运行没有标出停止原因。

# %%
runs = example("05.runs")

# %% [markdown] lang="en"
# | reason | what happened | what helps |
# |---|---|---|
# | `answered` | an answer, nothing was refused | find its evidence |
# | `denied` | an answer, but a change was refused | allow it, or leave it |
# | `max_steps` | the steps ran out, some replies could be read | more steps, or a smaller question |
# | `unreadable` | no reply could be read | the prompt, or another model |
# | `model_error` | no reply came | the server, the key, waiting |
# | `interrupted` | somebody stopped it | resume from the trace, the record of the run |
#
# ## Exercise 05.2: name the reason from the steps

# %% [markdown] lang="zh" en="0628e841"
# | 停止原因 | 发生了什么 | 怎么办 |
# |---|---|---|
# | `answered` | 有答案，并且没有任何改动被拒绝 | 找出依据 |
# | `denied` | 有答案，但有一次改动被拒绝 | 批准，或者放弃 |
# | `max_steps` | 步数用完，有的回复能读懂 | 加步数，或把问题变小 |
# | `unreadable` | 没有一条回复能读懂 | 改提示词，或换模型 |
# | `model_error` | 没有收到回复 | 查服务器和密钥，或稍等 |
# | `interrupted` | 有人中断了它 | 从轨迹（运行的记录）记录的地方接着运行 |
#
# ## 练习 05.2：从各步看出停止原因
#
# 返回表中六个词之一。`run.answer` 是答案或 `None`；`run.steps` 的每一步有：`.completion`（原始回复，没收到时是 `None`）、`.decision`（读懂的决定，读不懂时是 `None`）、`.calls`（请求的调用）、`.observations`（返回的观察，每次调用一条；有人中断了运行时会比调用少；改动被拒绝时 `observation.error` 是 `"denied"`）。例：`why_stopped(runs["A"])` 返回 `"answered"`。


# %%
def why_stopped(run):
    """The stop reason of a run: one of the six words in the table.

    run.answer: the answer or None.   run.steps: each step with
        .completion    the raw reply, None if no reply came
        .decision      the reply as understood, None if it could not be read
        .calls         the calls that were asked for
        .observations  what came back, one for each call; fewer if somebody stopped the run.
                       observation.error is "denied" for a refused change
    Example: why_stopped(runs["A"]) -> "answered"
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    last = run.steps[-1]
    if run.answer is not None:
        errors = [seen.error for step in run.steps for seen in step.observations]
        return "denied" if "denied" in errors else "answered"
    if last.completion is None:
        return "model_error"
    if all(step.decision is None for step in run.steps):
        return "unreadable"
    if len(last.observations) < len(last.calls):
        return "interrupted"
    return "max_steps"
    # END SOLUTION


check("05.2", why_stopped)

# %% [markdown] lang="en"
# ## The finished piece
#
# `ReActAgent` holds the same loop. `trace` is the record of the run, `len(trace)` the number of its steps so far. Read `yield from` as "wait for" and `yield Together(...)` as "run the tools". Why they are there is the subject of notebook 06.

# %% [markdown] lang="zh" en="87d72d5e"
# ## 成品
#
# `ReActAgent` 里是同一个循环。`trace`（轨迹）是运行的记录，`len(trace)` 是已走的步数。可以先把 `yield from` 理解为“等待”，把 `yield Together(...)` 理解为“运行工具”。为什么这样写，是第 06 课的内容。

# %%
show(ReActAgent.program)

# %% [markdown] lang="en"
# | in this notebook | in `ReActAgent` | what it adds |
# |---|---|---|
# | `build_prompt` | `build_prompt` | long histories in short form, other formats |
# | `parse(reply)` | `parse_response` | the model is told what could not be read |
# | `decision.answer is not None` | `is_finished`, `extract_final_answer` | nothing; yours to override |
# | `tools[name].execute(text)` | `execute_tool` | says that a tool is unknown; asks before it changes data |
# | `history += [...]` | the trace | everything is kept, not only text |
# | `return NO_ANSWER` | `give_up` | the reason, and no answer |

# %% [markdown] lang="zh" en="d22907dc"
# | 本课 | `ReActAgent` 里 | 多做了什么 |
# |---|---|---|
# | `build_prompt` | `build_prompt` | 长历史缩写，支持其他格式 |
# | `parse(reply)` | `parse_response` | 读不懂时告诉模型哪里不对 |
# | `decision.answer is not None` | `is_finished`、`extract_final_answer` | 没有多做；但你可以重写这个方法 |
# | `tools[name].execute(text)` | `execute_tool` | 处理不存在的工具；改动数据前先请求批准 |
# | `history += [...]` | 轨迹 | 保留一切，不只是文字 |
# | `return NO_ANSWER` | `give_up` | 给出原因，没有答案 |

# %%
agent = ReActAgent(model, tools.values(), max_steps=6, language=language)
library_run = agent.run(question)
library_run

# %% [markdown] lang="en"
# Do both loops show the model the same text? The whole of it, prompt by prompt:

# %% [markdown] lang="zh" en="6c2b8744"
# 两个循环给模型看的文字一样吗？逐个比较完整的提示词：

# %%
prompts.clear()
react(question, llm, tools)
finished = [step.model_calls[0].request.prompt for step in library_run]
for mine, theirs in zip(prompts, finished, strict=True):
    print(mine == theirs)

# %% [markdown] lang="en"
# ## What to keep
#
# - The model sees the prompt and nothing else. What you do not append never happened.
# - Thought, action, observation: append all three, in order.
# - A limit is no answer. Return `None`, and say why.

# %% [markdown] lang="zh" en="1dd6c8a2"
# ## 带走什么
#
# - 模型只看得到提示词。没有追加进去的，就等于没有发生。
# - 思考、行动、观察：三样都按顺序追加。
# - 步数用完不是答案。返回 `None`，并说明原因。

# %%
from reactlab.course import compare, quiz, stored_run

quiz("05")

# %% [markdown] lang="en"
# The agent's run beside the **stored run**, which was recorded with the embedded model. With that model they do not differ. To see a difference, set `REACTLAB_MODEL="openai:MODEL"` before Jupyter starts. Then ask: did the format differ? Did it stop? Did it skip the tool, and was it right anyway?

# %% [markdown] lang="zh" en="d96fd4a1"
# 左边是**存档的运行**，用内置模型录下；右边是智能体刚才的运行。用内置模型时两者没有差别。想看到差别，请在启动 Jupyter 之前设置 `REACTLAB_MODEL="openai:模型名"`。然后问：格式不同吗？它停下来了吗？它跳过了工具吗，答案还对吗？

# %%
compare(stored_run("05.compare"), library_run)

# %% [markdown] lang="en"
# **Next:** 06, pause, replay, branch. In this loop, nothing can happen between `llm(...)` and its reply: you wait. What if the loop could pause there, and you could change what it sees?

# %% [markdown] lang="zh" en="488b0ef0"
# **下一课**：06，暂停、重放、分支。在这个循环里，调用 `llm(...)` 之后、收到回复之前，什么也做不了，只能等。如果循环能在那里暂停，而你可以改它看到的东西，会怎样？
