# %% [markdown] lang="en"
# # 02 · The prompt template
#
# **A ReAct agent (think, act with a tool, observe, and again) is one growing document that a model continues. A *stop word*, a text at which the reply is cut off, is why the model does not write the observation itself.** You will see a real model invent one, fill a template without gaps, and work out what a run sends.
#
# **Minutes:** 35. **Needs:** nothing from other notebooks. New here? Begin with `00_start_here`.

# %% [markdown] lang="zh" en="8d12968b"
# # 02 · 提示词模板
#
# **ReAct 智能体（思考，用工具行动，观察工具返回的内容，如此反复）是一份不断变长的文档，由模型接着往下写。模型之所以不会自己写观察，是因为有*停止词*：回复写到这段文字就被截断**。你将看到一个真实模型编造观察，学会安全地填模板，并算出一次运行总共发送多少 token。
#
# **时间**：35 分钟。**前提**：不依赖其他课。第一次来？请从 `00_start_here` 开始。

# %%
import re
from string import Template

from reactlab import Message, Request, ToolRegistry, builtin_tools, parse
from reactlab.course import check, edition, example, show
from reactlab.prompts import words

language = edition("en", "02")
said = words(language)  # the markers in this edition's language: said.thought and so on
tools = ToolRegistry(builtin_tools(language=language)[:1])  # a set of tools; here Search alone
listed = tools.to_prompt(language)
question = example("02.one")

# %% [markdown] lang="en"
# `example` fetches a text of this edition and prints it.
#
# ## A prompt is a document with gaps
#
# The **prompt** is all that the model is sent. In this first template there are four things: rules with the tools, one worked example (with one or a few of them, a prompt is called **few-shot**), the question, and the history, what has happened so far. **Markers** are the line beginnings `Thought:`, `Action:`, `Observation:`. Tools, question and history are slots in braces; `str.format` fills them, as most people begin.

# %% [markdown] lang="zh" en="9a275ee6"
# `example` 取来本语言版的一段文本，并把它打印出来。
#
# ## 提示词是一份留了空位的文档
#
# **提示词**就是发给模型的全部文字。这第一个模板里有四样东西：规则和工具、一个完整的示例（带一个或几个示例的提示词叫 **few-shot**）、问题，以及到目前为止发生的事（历史）。**标记**就是“思考：”“行动：”“观察：”这些行首。工具、问题和历史用花括号留成空位，由 `str.format` 填上，多数人都这样开始。

# %% lang="en"
TEMPLATE = """Answer the question by thinking and using tools, one step at a time.

Tools:
{tool_descriptions}

Question: How long is the pier of Port Ellery?
Thought: I need the page about the pier.
Action: Search[Port Ellery pier]
Observation: The pier of Port Ellery is 210 metres long.
Thought: The page gives the length, so I can answer.
Final Answer: 210 metres

Question: {question}
{history}Thought:"""

prompt = TEMPLATE.format(tool_descriptions=listed, question=question, history="")
print(prompt)

# %% lang="zh" en="9f5d92b1"
TEMPLATE = """请通过思考和使用工具来回答问题，一次只走一步。

工具：
{tool_descriptions}

问题：临江港码头有多长？
思考：需要查码头的词条。
行动：Search[临江港码头]
观察：临江港码头长210米。
思考：词条给出了长度，可以回答了。
最终答案：210米

问题：{question}
{history}思考："""

prompt = TEMPLATE.format(tool_descriptions=listed, question=question, history="")
print(prompt)

# %% [markdown] lang="en"
# The document breaks off after `Thought:`. A real small model is to continue it, for at most 100 **tokens** (words or pieces of words). A `Request` is what is sent: a list of `Message`s, each with a role and a text. The last line is sent as the model's own words (role `assistant`). Its replies were recorded; any other request raises an error that says what to install. **Predict:** where will it stop?

# %% [markdown] lang="zh" en="5c7982af"
# 文档写到“思考：”就断了。下面重放一个真实小模型的录制回复：让它接着写，最多 100 个 **token**（词或词的一部分）。`Request` 就是发出去的东西：一串 `Message`，每条有一个角色和一段文字。最后一行算作它自己说的话（角色 `assistant`），所以它会接着写。这个模型的中文很差（后面会看到），所以给它的是同一份文档的英文版，由 `example` 打印出来。没有录过的请求会报错，并告诉你该安装什么。**先预测**：它会在哪里停下？

# %% tags=["predict"]
from reactlab.course import real_model

guess = "…"
print("guess:", guess)
voice = real_model("02")
ask = (Message("user", example("02.document")), Message("assistant", "Thought:"))
free = voice.complete(Request(ask, max_tokens=100))
print(f"--- {free.model}, finish: {free.finish} ---", free.text, sep="\n")

# %% [markdown] lang="en"
# `finish: length` means that it stopped only because the 100 tokens were used up. **Measured** (seen with a real model, here in one reply): it wrote the action, then the observation too, with a height that no tool returned, an answer from it, and a question nobody asked. That is what continuing a document means. Now the same request with two different stop words:

# %% [markdown] lang="zh" en="2ea2c413"
# `finish: length` 表示：它停下来，只是因为 100 个 token 用完了。**实测**（在真实模型上看到的，这里是一条回复）：它写了行动，接着连观察也写了，里面的高度没有任何工具返回过；然后据此作答，还替人编了下一个问题。接着写文档，就是这个意思。现在给同一个请求加上停止词，换两种试试：

# %%
for stop in ("\nThought:", "\nObservation:"):
    stopped = voice.complete(Request(ask, stop=(stop,), max_tokens=100))
    print(f"--- stop={stop!r}, finish: {stopped.finish} ---", stopped.text, sep="\n")

# %% [markdown] lang="en"
# **Mechanism** (how the parts work, whatever the model): the server, the program that runs the model, ends the reply before the stop word. So it must be what the world would write first: at `Thought:` the invented height is already there. The **loop** is the code that asks the model, runs the tool, appends what really came back, and asks again. Next the **embedded model**, a set of rules in this package, writes. **Staged** (written so): it stops by itself.

# %% [markdown] lang="zh" en="d5c8ec82"
# **机制**（各部分就是这样工作的，与用哪个模型无关）：服务器，也就是运行模型的程序，在停止词之前结束回复。所以停止词必须是轮到世界写的第一样东西：等到 `Thought:` 才停，编造的高度已经写出来了。**循环**就是这样一段代码：问模型，运行工具，把真正返回的内容追加上去，再去问。下面由**内置模型**（本软件包里的一套规则）来写。**演示**（特意写成这样）：它不用停止词，自己就会停。

# %%
from reactlab import SimulatedLLM

reply = SimulatedLLM().complete(Request((Message("user", prompt),))).text
history = f"{said.thought}{reply.strip()}\n"
for call in parse(reply).calls:  # the actions that the parser finds in the reply
    history += f"{said.observation}{tools.execute(call).observation}\n"
document = TEMPLATE.format(tool_descriptions=listed, question=question, history=history)
print(document[prompt.rindex(question) :])  # from the question on

# %% [markdown] lang="en"
# The same document, longer, broken off at `Thought:` again. That is the whole agent: model and world take turns at writing; a stop word ends the turn of a real model.
#
# ## What the prompt has written may be missing from the reply
#
# Our prompt ends with `Thought:`. The recorded server repeated that line in its reply; the embedded model goes on behind it. A parser that circulates searches replies for `Thought:`. **Predict:** in which of the two does it find one?

# %% [markdown] lang="zh" en="8a7932c2"
# 还是那份文档，变长了，又断在“思考：”。这就是智能体的全部：模型和世界轮流写；对真实模型来说，是停止词结束了它的一轮。
#
# ## “思考：”在提示词里，不一定在回复里
#
# 提示词以“思考：”（英文版是 `Thought:`）结尾。录制时的服务器在回复中重复了这一行；内置模型则从它后面接着写。有一种流传的解析器，会在回复里找“思考：”。**先预测**：两条回复里，哪一条能找到思考？

# %% tags=["predict"]
guess = "…"
print("guess:", guess)
for cue, text in (("Thought:", stopped.text), (said.thought.strip(), reply)):
    print("re.search:", re.search(f"{cue}.*", text))
    print("parse:    ", parse(text).thought)

# %% [markdown] lang="en"
# In the first alone; in the second the thought is lost, without an error. `parse`, the finished parser (notebook 03), reads both: text before the first marker is the thought.
#
# ## Braces in a value are harmless, braces in a template are not
#
# People fear the questions of users. Here is one full of braces. Does it come out unchanged?

# %% [markdown] lang="zh" en="1191517d"
# 只有第一条；第二条里的思考丢了，而且没有报错。`parse` 是现成的解析器（第 03 课），两条都读得出来：第一个标记之前的内容就是思考。
#
# ## 值里的花括号无害，模板里的才有害
#
# 人们担心用户的问题。下面这个问题里全是花括号。填进去以后会变样吗？

# %%
asked = example("02.set")
short = "{question}"
print(short.format(question=asked) == asked)

# %% [markdown] lang="en"
# `True`: `format` reads the template once and never looks at a value. Now the template itself gets braces: a JSON form in which the model is to answer. The next cell ends with an error, on purpose.

# %% [markdown] lang="zh" en="002fb38e"
# `True`，没有变样：`format` 只读一遍模板，从不看值。现在轮到模板自己带花括号：一段 JSON，要模型照着回答。下一格会以报错结束，这是有意的。

# %% tags=["raises-exception"]
with_json = '{"a": "…"}\n{question}'
with_json.format(question=asked)

# %% [markdown] lang="en"
# `"a"` was taken for a slot. Doubled braces come out as single ones, which repairs this one text. It also tempts people to fill in two passes: the question now, the history later. `{{history}}` becomes `{history}` in the first pass, ready for the second. The next cell ends with an error, on purpose.

# %% [markdown] lang="zh" en="a7020b6c"
# `"a"` 被当成了空位。花括号写成两个，输出时就变回一个，这能修好这一段。它也诱使人们分两遍填：现在放问题，稍后再放历史。`{{history}}` 经过第一遍变成 `{history}`，留给第二遍。下一格会以报错结束，这是有意的。

# %% tags=["raises-exception"]
both_slots = "{question}\n{{history}}"
half = both_slots.format(question=asked)
print(half)
half.format(history=history)

# %% [markdown] lang="en"
# In the second pass the user's question is part of the template, and `{p, q}` looks like a slot. The usual way out is one `.replace` for each slot: no special braces, no `KeyError`.

# %% [markdown] lang="zh" en="b1eb7d2c"
# 第二遍时，用户的问题已经成了模板的一部分，`{p, q}` 看起来就像空位。常见的出路是每个空位用一次 `.replace`：花括号不再特殊，也没有 `KeyError`。


# %%
def chained(template, **slots):
    """One replacement after the other."""
    for name, value in slots.items():
        template = template.replace("{" + name + "}", value)
    return template


log = f"{said.thought}…\n{said.observation}333"
tricky = example("02.slot")
print("", chained("{question}\n{history}", question=tricky, history=log), sep="\n")

# %% [markdown] lang="en"
# No error, and worse: the log has landed inside the question. The second replacement looked inside the first value. `string.Template` marks its slots with `$`, and has a trap of its own. The next cell ends with an error, on purpose.

# %% [markdown] lang="zh" en="a06acf50"
# 没有报错，却更糟：日志跑进了问题里面。第二次替换又把第一个值里的文字当成了空位。`string.Template` 用 `$` 标出空位，也有自己的陷阱。下一格会以报错结束，这是有意的。

# %% tags=["raises-exception"]
Template("$5: $question").substitute(question=question)

# %% [markdown] lang="en"
# ## The repair: one pass, and a value is never read again
#
# `$5` was taken for a slot. Two faults are behind all this: plain text of the template is taken for a slot, and a value that was put in is read again. So say exactly what a slot looks like, look for all slots first, and put each value in once. Two values that look like slots show the difference:

# %% [markdown] lang="zh" en="e9749a18"
# ## 修正：只走一遍，放进去的值不再读
#
# `$5` 被当成了空位。背后有两个毛病：模板里的正文被当成空位；放进去的值又被读了一遍。所以要说清楚空位长什么样，先找出全部空位，每个值只放一次。下面两个值本身就像空位，最能看出差别：


# %%
values = {"a": "{b}", "b": "{a}"}
slot = r"\{(a|b)\}"  # braces around a or b; the round brackets keep the name


def value_of(found):
    """The text for one slot that was found; found[1] is the name that was kept."""
    return values[found[1]]


print(chained("{a} + {b}", **values))
print(re.sub(slot, value_of, "{a} + {b}"))  # calls value_of once for each slot
print(re.split(slot, "{a} + {b}"))

# %% [markdown] lang="en"
# The chain gives `{a}` twice. `re.sub` goes through the template once and swaps them. `re.split` shows why that works: it cuts the template, and every second piece is the name of a slot.
#
# ## Exercise 02.1: fill
#
# Write `fill` for any slots. A slot is a word of letters, digits and `_` between two braces. Every other brace stays as it is. Stuck? `from reactlab.course import hint`, then `hint("02.1")`.

# %% [markdown] lang="zh" en="cf7e0694"
# 连续替换得到两个 `{a}`。`re.sub` 只把模板走一遍，于是两者对调。`re.split` 能看出原因：它把模板切开，每隔一段就是一个空位的名字。
#
# ## 练习 02.1：fill
#
# 写一个能填任意空位的 `fill(template, **slots)`。
#
# - 空位是两个花括号之间的一个词，由英文字母、数字和 `_` 组成；其他花括号原样保留。
# - 值原样放进去，不再读第二遍；同一个空位可以出现多次。
# - 没有给值的空位：抛出一个错误，内容里有这个空位的名字。
#
# 看到 `invalid character`，请把输入法切到英文。卡住了？先 `from reactlab.course import hint`，再运行 `hint("02.1")`。


# %%
def fill(template, **slots):
    """The template with a value in every {slot}.

    Values come out unchanged, whatever they hold, at every place of their slot.
    A slot without a value: raise an error whose message names the slot.
    Example: fill('{"a": 1} {question}', question="{p, q}?") -> '{"a": 1} {p, q}?'
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    pieces = re.split(r"\{(\w+)\}", template)
    for name in pieces[1::2]:
        if name not in slots:
            raise KeyError(name)
    return "".join(slots[piece] if n % 2 else piece for n, piece in enumerate(pieces))
    # END SOLUTION


check("02.1", fill)

# %% [markdown] lang="en"
# ## The finished piece
#
# `PromptTemplate` fills in one pass as well, but knows three slots only: `{tool_descriptions}`, `{question}` and `{history}`. Any other name in braces stays as text, without an error (your `fill` refuses there): so JSON may stand in it, and a misspelt slot goes unnoticed. An empty history takes its line with it. Its helpers `_parts` (a `re.split`) and `_filled` stand below it in the file. Type hints, such as `: str`, can be skipped.

# %% [markdown] lang="zh" en="d52c271a"
# ## 成品
#
# `PromptTemplate` 同样只填一遍，但只认三个空位：`{tool_descriptions}`、`{question}` 和 `{history}`。花括号里的其他名字都原样留作正文，不报错（你的 `fill` 在这里会拒绝）：所以里面可以写 JSON，但空位写错了名字也不会有人发现。历史为空时，那一行也一起去掉。它用到的 `_parts`（就是 `re.split`）和 `_filled` 在同一个文件里，紧跟在后面。`: str` 之类的类型标注可以略过。

# %%
from reactlab import PromptTemplate

show(PromptTemplate)

# %% [markdown] lang="en"
# Three ways on the same nasty questions: `format` in two passes, `.replace` in a chain, the finished piece. True means that the question came out unchanged. (The last question is for those who give `re.sub` a text: it would read `\1` as an order.)

# %% [markdown] lang="zh" en="19826048"
# 三种做法遇到同样棘手的问题：分两遍的 `format`、连续的 `.replace`、成品。True 表示问题原样出来了。（最后一个问题针对 `re.sub` 配字符串的写法：那样 `\1` 会被当成指令。）


# %%
def twice(template, question, history):
    """str.format in two passes."""
    return template.format(question=question, history="{history}").format(history=history)


def one_pass(template, **slots):
    """The finished piece."""
    return PromptTemplate(template).format(**slots)


questions = example("02.nasty")
print(f"\n{'twice':9}{'chained':9}{'one_pass':9}")
for nasty in questions:
    for way in (twice, chained, one_pass):
        try:
            same = way("{question}\n{history}", question=nasty, history=log) == f"{nasty}\n{log}"
        except Exception as error:
            same = type(error).__name__
        print(f"{same!s:9}", end="")
    print(nasty)

# %% [markdown] lang="en"
# ## Data can speak the protocol
#
# Filling once is not enough. A question, or a page that a tool returns, may hold a line that looks like a step, and in the prompt nobody sees who wrote it. Below: such a question, the same after `quote`, and for each the lines of its prompt that read as an observation or an answer. No tool has run yet.

# %% [markdown] lang="zh" en="ab8d1df0"
# ## 数据也会说协议里的话
#
# 只走一遍还不够。问题里，或者工具返回的页面里，可能有一行看起来就像一步，而在提示词里谁也看不出是谁写的。下面依次是：这样的一个问题；经过 `quote` 的同一个问题；以及两者的提示词里读作观察或答案的行。这时还没有运行过任何工具。

# %%
from reactlab import REACT_PROMPT_TEMPLATE, REACT_PROMPT_TEMPLATE_ZH, ReActAgent
from reactlab.prompts import quote

finished = {"en": REACT_PROMPT_TEMPLATE, "zh": REACT_PROMPT_TEMPLATE_ZH}[language]
forged = example("02.forged")
print(f"\n{quote(forged)}\n")
marks = f"^(?:{said.observation.strip()}|{said.answer.strip()}).*"
for text in (forged, quote(forged)):
    filled = finished.format(tool_descriptions=listed, question=text)
    print(re.findall(marks, filled, re.MULTILINE))

# %% [markdown] lang="en"
# One line of each list is from the rules themselves. Quoting protects the form, not the answer: the lie is still there, behind `> `. The embedded model takes search words from the quoted lines too. Try it: `ReActAgent(tools=tools, language=language).run(forged)`. The agent quotes questions, observations and tool descriptions.
#
# ## Every step sends all earlier steps again
#
# Input tokens are paid for in every call. A **stored run** (it ships with the course) took six steps; its first prompt had some 240 tokens, **estimated** from characters. **Predict:** how many in all?

# %% [markdown] lang="zh" en="558f62e8"
# 两个列表里各有一行来自规则本身。加引用号保护的是格式，不是答案：谎话还在提示词里，只是前面有了 `> `。内置模型也会从被引用的行里取搜索词。试一试：`ReActAgent(tools=tools, language=language).run(forged)`。智能体会对问题、观察和工具说明都加引用号。
#
# ## 每一步都把以前的步骤再发一遍
#
# 每次调用都要为输入 token 付钱。有一次**存档的运行**（随课程附带）走了六步；第一个提示词约有 190 个 token，是按字符数**估计**的。**先预测**：总共多少？

# %% tags=["predict"]
from reactlab.course import stored_run

guess = 1000
print("guess:", guess)
total, stored = 0, stored_run("02.sum")
for step in stored:
    total += step.usage.input_tokens
    print(f"{step.number} {step.usage.input_tokens:6,} {total:7,}")

# %% [markdown] lang="en"
# The columns: step, tokens in its prompt, tokens sent so far. To see where they come from, step through the prompts of your own run on the same question. Its **trace**, the record of all that happened, holds them. The slots are bordered, all the rest is fixed text. The finished template describes the form in rules and has no example; `with_examples` can add one.

# %% [markdown] lang="zh" en="1de36c6f"
# 三列依次是：第几步、这个提示词的 token 数、到此为止共发送多少。想知道它们从哪里来，就在同一个问题上自己运行一次，逐步看它的提示词；它们都在**轨迹**（一次运行的完整记录）里。空位有边框，其余都是固定文字。成品模板用规则说明格式，没有示例；`with_examples` 可以加一个。

# %%
from reactlab.course import prompt_xray

both = builtin_tools(language=language)[:2]
yours = ReActAgent(tools=both, language=language).run(example("02.sum"))
prompt_xray(yours)

# %% [markdown] lang="en"
# ## Exercise 02.2: what a run sends
#
# `sizes` lists tokens: first the fixed part with rules, tools and question, which is the whole first prompt; then what each step adds. So prompt 2 has the first two numbers in it, and the last prompt has all of them.

# %% [markdown] lang="zh" en="a1743674"
# ## 练习 02.2：一次运行发送多少
#
# `sizes` 是一串 token 数：第一个是固定部分（规则、工具和问题），也就是整个第一个提示词；后面的数是每一步新增的。所以第 2 个提示词含前两个数，最后一个提示词含全部。返回所有提示词的 token 总和。


# %%
def sent_tokens(sizes):
    """The input tokens of a whole run: all its prompts added up.

    sizes[0]: the first prompt.   sizes[1], sizes[2], ...: what step 1, step 2, ... adds.
    There are as many prompts as numbers.
    Example: sent_tokens([400, 60, 70]) -> 400 + 460 + 530 = 1390
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    total = prompt_size = 0
    for size in sizes:
        prompt_size += size
        total += prompt_size
    return total
    # END SOLUTION


check("02.2", sent_tokens)

# %% [markdown] lang="en"
# **Mechanism:** prompt 1 repeats no step, prompt 2 one, prompt n the n−1 before it: 0 + 1 + … + (n−1) = n·(n−1)/2 steps are sent, 15 for n = 6, 66 for 12. Twice the steps, about four times the history. So the agent keeps the newest steps in full (`max_context`, by default 5), the older ones as a **digest**, one line each, or drops them. Twelve real look-ups; `ScriptedLLM` plays a list of replies. In characters, the last prompt and all of them; then two digest lines:

# %% [markdown] lang="zh" en="98184200"
# **机制**：第 1 个提示词不重复任何一步，第 2 个重复一步，第 n 个重复前面的 n−1 步，所以共发送 0 + 1 + … + (n−1) = n·(n−1)/2 步：n = 6 是 15，n = 12 是 66。步数变成两倍，历史大约变成四倍。所以智能体只完整保留最新几步（`max_context`，默认 5），更早的写成**摘要**（`digest`），每步一行，或者干脆丢弃（`drop`）。下面是十二次真实的查询，`ScriptedLLM` 依次播放一串写好的回复。`last` 是最后一个提示词的字符数，`all` 是总共的字符数；最后是两行摘要。

# %%
from reactlab import ScriptedLLM
from reactlab.prompts.digest import digest

replies = [f"{said.action}Search[{title}]" for title in example("02.titles")]
replies.append(f"{said.answer}…")
print(f"{'max_context':12}{'older':7}{'last':>7}{'all':>8}")
for context, older in [(None, "digest"), (5, "digest"), (2, "digest"), (2, "drop")]:
    llm = ScriptedLLM(replies)
    options = {"max_steps": 20, "max_context": context, "older": older}
    run = ReActAgent(llm, tools=both, language=language, **options).run(question)
    sizes = [len(request.prompt) for request in llm.requests]
    print(f"{context!s:12}{older:7}{sizes[-1]:7,}{sum(sizes):8,}")
print(digest(run.steps[0]), digest(run.steps[1]), sep="\n")

# %% [markdown] lang="en"
# A digest keeps the thought and the beginning of the observation, then codes, dates, figures and names of the rest, in about 60 tokens. These pages are longer, so it saves something and forgets what was cut. With short ones it saves little, only the markers: measure. Dropping saves more and forgets everything (notebook 09).
#
# ## A worked example is paid for in every step
#
# `with_examples` puts an example before the question. Steps and input tokens without, then with it; then what it adds, times the steps:

# %% [markdown] lang="zh" en="eb9c76b4"
# 摘要保留思考和观察的开头，再留下其余部分里的代码、日期、数字和名称，总共约 60 个 token，剪掉的也就忘了。这些中文词条大多很短，所以 `max_context=2` 时只省约 2%；英文版词条长得多，能省约 19%。先量一量，再决定要不要缩短。直接丢弃省得更多，也忘得干净（第 09 课）。
#
# ## 示例每一步都要付钱
#
# `with_examples` 把你自己的示例，或者自带的那个，放在问题前面。下面是步数和输入 token（估计值），先是没有示例，再是有示例；最后一行是示例增加的 token 乘以步数：

# %%
from reactlab.prompts import load

shots = finished.with_examples(load("examples", language))
taught = ReActAgent(tools=both, language=language, prompt=shots).run(yours.question)
for run in (yours, taught):
    print(f"{len(run)} {run.usage.input_tokens:7,}")
more = taught.steps[0].usage.input_tokens - yours.steps[0].usage.input_tokens
print(f"{more} × {len(taught)} = {more * len(taught):,}")

# %% [markdown] lang="en"
# That is the difference, up to rounding. What does it buy? The embedded model knows the form anyway (**staged**). The real one is asked again, with the example cut out of its document. **Predict:** what becomes of the form?

# %% [markdown] lang="zh" en="f46d8740"
# 除去四舍五入，正好是两者之差。买到了什么？内置模型本来就会这种格式（**演示**）。再问一次真实模型，这回从文档里剪掉示例。**先预测**：它的格式会变成什么样？

# %% tags=["predict"]
guess = "…"
print("guess:", guess)
text = ask[0].content
without = text[: text.index("Question: How long")] + text[text.index("Question: How tall") :]
bare = (Message("user", without), ask[1])
reply = voice.complete(Request(bare, stop=("\nObservation:",), max_tokens=100))
print(f"--- finish: {reply.finish} ---", reply.text, sep="\n")

# %% [markdown] lang="en"
# **Measured** (one reply): a thought, tools that nobody offered, the question again; no action within 100 tokens. Only the example had shown the form. With it, the real model kept the form and made up the height: it took the form from the example, and no fact.
#
# ## A template has a language
#
# Rules, markers and examples should be in one language that the model knows. The finished template exists in English and Chinese; the same real model continues both:

# %% [markdown] lang="zh" en="f43ed23b"
# **实测**（一条回复）：写了思考，列出没人给过的工具，又重复了问题；100 个 token 里没有行动。原来只有示例写出了格式。有示例时，真实模型守住了格式，高度却是编的：它从示例里学到的是格式，不是事实。
#
# ## 模板有语言
#
# 规则、标记和示例应当用同一种语言，而且是模型懂的语言。成品模板有英文版和中文版；让同一个真实模型分别接着写：

# %%
for name, template, ask_in in (
    ("en", REACT_PROMPT_TEMPLATE, "How tall is Tokyo Tower?"),
    ("zh", REACT_PROMPT_TEMPLATE_ZH, "东京塔有多高？"),
):
    search = ToolRegistry(builtin_tools(language=name)[:1]).to_prompt(name)
    template = template.with_examples(load("examples", name))
    cue = words(name).thought.strip()  # the last line again as the model's own words
    text = template.format(tool_descriptions=search, question=ask_in).removesuffix(cue)
    begun = (Message("user", text), Message("assistant", cue))
    stop = ("\n" + words(name).observation.strip(),)
    reply = voice.complete(Request(begun, stop=stop, max_tokens=100))
    print(f"--- {name}, finish: {reply.finish} ---", reply.text, sep="\n")

# %% [markdown] lang="en"
# **Measured** (one reply each): in English the form is there, with a made-up number and a tool that does not exist. In Chinese it repeats the question; no action within 100 tokens.
#
# ## What to keep
#
# - The model continues a document. The stop word keeps the observation for the world.
# - Fill in one pass. What was put in is never read again.
# - Quote data that looks like a step.
# - Every step sends all earlier ones again; an example is paid for each time.

# %% [markdown] lang="zh" en="a4db1726"
# **实测**（各一条回复）：英文的格式是对的，不过数字是编的，也没有叫 `Tower` 的工具。用中文时它只会重复问题，100 个 token 里没有行动。
#
# ## 带走什么
#
# - 模型接着写文档。停止词把观察留给世界来写。
# - 一遍填完。放进去的值不再读。
# - 像步骤的数据要加引用号。
# - 每一步都把以前的步骤再发一遍；示例每次都要付钱。

# %%
from reactlab.course import quiz

quiz("02")

# %% [markdown] lang="en"
# Your run beside the stored one. With the embedded model they are the same. For a difference set `REACTLAB_MODEL="openai:MODEL"` (or `"local"`) before Jupyter starts, and run all again. Then look at four things:
#
# - Is the format another one?
# - Did it stop in time?
# - Did it skip a tool, and was it right anyway?
# - Did it do better?
#
# A different outcome is a finding to note down.

# %% [markdown] lang="zh" en="6d817c9f"
# 你的运行和存档的运行并排放在一起。用内置模型时两者相同。想看到差别，请在启动 Jupyter 之前设置 `REACTLAB_MODEL="openai:MODEL"`（或 `"local"`），再全部运行一遍。然后看四点：
#
# - 格式不同吗？
# - 它及时停下来了吗？
# - 它跳过了工具吗，答案还对吗？
# - 它做得更好吗？
#
# 结果不同就是发现，值得记下来。

# %%
from reactlab.course import compare, stored_run

compare(stored_run("02.sum"), yours)

# %% [markdown] lang="en"
# **Next:** 03, the parser. The reply is text as well. What happens when a parser guesses?

# %% [markdown] lang="zh" en="ba2bf8b5"
# **下一课**：03，解析器。回复也只是文字。解析器靠猜的时候，会发生什么？
