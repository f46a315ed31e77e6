# %% [markdown] lang="en"
# # 02 · The prompt template
#
# **An agent is one growing document that a model continues. A stop word is why the model does not write the observation itself.** You will see a real model invent one, fill a template without holes, and work out what a run sends.
#
# **Minutes:** 25. **Needs:** nothing from other notebooks. New here? Begin with `00_start_here`.

# %% [markdown] lang="zh" en="d0ec4ba7"
# # 02 · 提示词模板
#
# **智能体是一份不断变长的文档，由模型接着往下写。模型之所以不会自己写观察，是因为有停止词**。你将看到一个真实模型编造观察，学会填模板而不出漏洞，并算出一次运行总共发送多少。
#
# **时间**：25 分钟。**前提**：不依赖其他课。第一次来？请从 `00_start_here` 开始。

# %%
import re
from string import Template

from reactlab import Message, Request, ToolRegistry, builtin_tools, parse
from reactlab.course import check, edition, example, show
from reactlab.prompts import words

language = edition("en")
said = words(language)
question = example("02.one")

# %% [markdown] lang="en"
# ## A prompt is a document with gaps
#
# Four things are in it: rules with the tools, one worked example (**few-shot**), the question, and what has happened so far. Three of them change, so they are slots in braces. `str.format` fills them. That is how most people begin, and it reads well.

# %% [markdown] lang="zh" en="d99576e3"
# ## 提示词是一份留了空位的文档
#
# 里面有四样东西：规则和工具、一个完整的示例（**few-shot**）、问题，以及到目前为止发生的事。其中三样会变，所以用花括号留成空位，由 `str.format` 填上。多数人都这样开始，读起来也清楚。

# %% lang="en"
TEMPLATE = """Answer the question by thinking and using tools, one step at a time.

Tools:
{tools}

Question: How long is the pier of Port Ellery?
Thought: I need the page about the pier.
Action: Search[Port Ellery pier]
Observation: The pier of Port Ellery is 210 metres long.
Thought: The page gives the length, so I can answer.
Final Answer: 210 metres

Question: {question}
{history}Thought:"""

tools = ToolRegistry(builtin_tools(language=language)[:1])
prompt = TEMPLATE.format(tools=tools.to_prompt(language), question=question, history="")
print(prompt)

# %% lang="zh" en="e9f02147"
TEMPLATE = """请通过思考和使用工具来回答问题，一次只走一步。

工具：
{tools}

问题：艾勒里港码头有多长？
思考：需要查码头的词条。
行动：Search[艾勒里港码头]
观察：艾勒里港码头长210米。
思考：词条给出了长度，可以回答了。
最终答案：210米

问题：{question}
{history}思考："""

tools = ToolRegistry(builtin_tools(language=language)[:1])
prompt = TEMPLATE.format(tools=tools.to_prompt(language), question=question, history="")
print(prompt)

# %% [markdown] lang="en"
# The document breaks off after `Thought:`. A real small model shall go on, at most 100 tokens. The last line is put in its mouth (the role `assistant`), so it continues instead of replying. **Predict:** where will it stop?

# %% [markdown] lang="zh" en="31a3aa89"
# 文档写到“思考：”就断了。让一个真实的小模型接着写，最多 100 个 token。最后一行算作它自己说的话（角色 `assistant`），所以它会接着写，而不是另起一段回答。这个模型的中文很差（后面会看到），所以给它同一份文档的英文版。**先预测**：它会在哪里停下？

# %% lang="en" tags=["predict"]
from reactlab.course import real_model

guess = "…"
print("guess:", guess)
voice = real_model("02")
recorded = "How tall is Tokyo Tower?"  # a recording answers what it was asked, nothing else
opened = TEMPLATE.format(tools=tools.to_prompt(), question=recorded, history="")
ask = (Message("user", opened.removesuffix("Thought:")), Message("assistant", "Thought:"))
free = voice.complete(Request(ask, max_tokens=100))
print("a real model said:", voice.about, free.text, sep="\n")

# %% lang="zh" tags=["predict"] en="4e51d4a1"
from reactlab.course import real_model

guess = "…"
print(f"猜测：{guess}")
voice = real_model("02")
ask = (Message("user", example("02.document")), Message("assistant", "Thought:"))
free = voice.complete(Request(ask, max_tokens=100))
print("真实模型说的话：", voice.about, free.text, sep="\n")

# %% [markdown] lang="en"
# It did not stop. **Measured** (one reply): it wrote the action, then the `Observation:` as well, with a height that no tool returned, an answer from it, and a question nobody asked. That is what continuing a document means. Now the same request with a **stop word**:

# %% [markdown] lang="zh" en="19a7d50a"
# 它没有停。**实测**（一条回复）：它写了行动，接着连 `Observation:` 也写了，里面的高度没有任何工具返回过；然后据此作答，还替人编了下一个问题。接着写文档，就是这个意思。现在给同一个请求加上**停止词**：

# %%
stopped = voice.complete(Request(ask, stop=("\nObservation:",), max_tokens=100))
print(stopped.text)

# %% [markdown] lang="en"
# **Mechanism:** the server stops generating when the stop word appears and leaves it out. The reply ends because it is cut, not because the model is polite. Now it is the world's turn: the loop runs the tool and appends what really came back. The embedded model writes here. **Staged:** it was built to stop by itself.

# %% [markdown] lang="zh" en="bd8af7d1"
# **机制**：一出现停止词，服务器就停止生成，停止词本身也不返回。回复不是靠自觉结束的，而是被截断的。现在轮到世界：循环运行工具，把真正返回的内容追加上去。这里由内置模型来写。**演示**：它本来就写成会自己停下。

# %%
from reactlab import SimulatedLLM

reply = SimulatedLLM().complete(Request((Message("user", prompt),))).text
history = f"{said.thought}{reply.strip()}\n"
for call in parse(reply).calls:
    history += f"{said.observation}{tools.execute(call).observation}\n"
document = TEMPLATE.format(tools="…", question=question, history=history)
print(document[document.rindex(question) :])

# %% [markdown] lang="en"
# The same document, longer, broken off at `Thought:` again. That is the whole agent: two authors take turns, and the stop word marks the turn.
#
# ## The cue belongs to the reply
#
# Many published parsers look for `Thought:` in the reply. **Predict:** what do they find in this one?

# %% [markdown] lang="zh" en="592a9b3d"
# 还是那份文档，变长了，又断在“思考：”。这就是智能体的全部：两位作者轮流写，停止词就是换人的记号。
#
# ## 提示语属于回复
#
# 许多公开的解析器会在回复里找“思考：”。**先预测**：在这条回复里会找到什么？

# %% tags=["predict"]
cue = said.thought.strip()
print(repr(reply))
print("re.search:", re.search(f"{cue}(.*)", reply))
print("parse:    ", parse(reply).thought)

# %% [markdown] lang="en"
# The prompt had already written the cue, so the reply begins inside the thought. The first thought is lost, without an error. `parse` reads what comes before the first marker as the thought.
#
# ## Braces in a value are harmless, braces in a template are not
#
# People fear the questions of users. Here is a question full of braces:

# %% [markdown] lang="zh" en="330f5d59"
# 提示语已经写在提示词里，所以回复一开头就在思考之中。第一个思考丢了，而且没有报错。`parse` 会把第一个标记之前的内容读作思考。
#
# ## 值里的花括号无害，模板里的才有害
#
# 人们担心用户的问题。下面这个问题里全是花括号：

# %%
asked = example("02.set")
short = "{question}"
print(short.format(question=asked))

# %% [markdown] lang="en"
# Nothing happens: `format` reads the template once and never looks at a value. Now add a JSON form to the template, because the model shall answer in JSON.

# %% [markdown] lang="zh" en="c16aa360"
# 什么也没发生：`format` 只读一遍模板，从不看值。现在因为要让模型用 JSON 回答，在模板里加一段 JSON。

# %% tags=["raises-exception"]
with_json = '{"a": "…"}\n{question}'
with_json.format(question=asked)

# %% [markdown] lang="en"
# `"a"` was taken for a slot. Doubling the braces repairs this one text. The next error comes in two passes: the question is put in early, the history later.

# %% [markdown] lang="zh" en="d16fe42c"
# `"a"` 被当成了空位。把花括号写成两个，只能修好这一段。下一个错误来自分两遍填：先放进问题，稍后再放进历史。

# %% tags=["raises-exception"]
both_slots = "{question}\n{{history}}"
half = both_slots.format(question=asked)
half.format(history=history)

# %% [markdown] lang="en"
# In the second pass the user's question is part of the template. The usual way out is one `.replace` for each slot: no special braces, no `KeyError`.

# %% [markdown] lang="zh" en="fe32ed24"
# 第二遍时，用户的问题已经成了模板的一部分。常见的出路是每个空位用一次 `.replace`：花括号不再特殊，也没有 `KeyError`。


# %%
def chained(template, **slots):
    """One replacement after the other."""
    for name, value in slots.items():
        template = template.replace("{" + name + "}", value)
    return template


log = f"{said.thought}…\n{said.observation}333"
print(chained("{question}\n{history}", question=example("02.slot"), history=log))

# %% [markdown] lang="en"
# No error, and worse: the log stands in the middle of the question. The second replacement looked inside the first value. `string.Template` has other signs, and its own trap:

# %% [markdown] lang="zh" en="08723a85"
# 没有报错，却更糟：日志跑进了问题中间。第二次替换看进了第一个值的内部。`string.Template` 用别的符号，也有自己的陷阱：

# %% tags=["raises-exception"]
Template(example("02.price")).substitute(question=question)

# %% [markdown] lang="en"
# ## The repair: one pass, and a value is never read again
#
# Two faults are behind all this: plain text of the template is taken for a slot, and a value that was put in is read again. So say exactly what a slot looks like, look for all slots first, and put everything together once. Two values that look like slots show the difference:

# %% [markdown] lang="zh" en="9f5fc136"
# ## 修正：只走一遍，放进去的值不再读
#
# 背后有两个毛病：模板里的正文被当成空位；放进去的值又被读了一遍。所以要说清楚空位长什么样，先找出全部空位，再一次拼好。下面两个值本身就像空位，最能看出差别：

# %%
values = {"a": "{b}", "b": "{a}"}


def value_of(found):
    """The text for one slot that was found."""
    return values[found[1]]


print(chained("{a} + {b}", **values))
print(re.sub(r"\{(a|b)\}", value_of, "{a} + {b}"))
print(re.split(r"\{(a|b)\}", "{a} + {b}"))

# %% [markdown] lang="en"
# The chain gives `{a}` twice. `re.sub` with a function goes through the template once and swaps them. `re.split` shows why that works: it cuts the template, and every second piece is a slot's name.
#
# ## Exercise 02.1: fill
#
# Write `fill` for any slots. A slot is a word of letters, digits and `_` between two braces. Every other brace stays as it is. Stuck? `from reactlab.course import hint`, then `hint("02.1")`.

# %% [markdown] lang="zh" en="4fe0be63"
# 连续替换得到两个 `{a}`。`re.sub` 配一个函数，只把模板走一遍，于是两者对调。`re.split` 能看出原因：它把模板切开，每隔一段就是一个空位的名字。
#
# ## 练习 02.1：fill
#
# 写一个能填任意空位的 `fill(template, **slots)`。
#
# - 空位是两个花括号之间的一个词，由字母、数字和 `_` 组成；其他花括号原样保留。
# - 值原样放进去，不再读第二遍；同一个空位可以出现多次。
# - 没有给值的空位：抛出一个错误，内容里有这个空位的名字。
#
# 卡住了？先 `from reactlab.course import hint`，再运行 `hint("02.1")`。


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
# `PromptTemplate` does the same with three fixed slots; every other brace is text, so JSON may stand in it. `_parts` is the `re.split`, `_filled` picks the values. An empty history takes its line with it. Its type hints, such as `: str`, can be skipped.

# %% [markdown] lang="zh" en="3b9939eb"
# ## 成品
#
# `PromptTemplate` 做的是同一件事，只是空位固定为三个；其他花括号都是正文，所以里面可以写 JSON。`_parts` 就是 `re.split`，`_filled` 负责取值。历史为空时，那一行也一起去掉。`: str` 之类的类型标注可以略过。

# %%
from reactlab import PromptTemplate

show(PromptTemplate)

# %% [markdown] lang="en"
# Three ways on the same nasty questions: `format` in two passes, `.replace` in a chain, the finished piece. True means that the question came out unchanged.

# %% [markdown] lang="zh" en="98f7ebd4"
# 三种做法遇到同样棘手的问题：分两遍的 `format`、连续的 `.replace`、成品。True 表示问题原样出来了。


# %%
def twice(template, question, history):
    """str.format in two passes."""
    return template.format(question=question, history="{history}").format(history=history)


def one_pass(template, **slots):
    """The finished piece."""
    return PromptTemplate(template).format(**slots)


for nasty in example("02.nasty"):
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
# One pass is not all. A question, or a page that a tool returns, may hold a line that looks like a step. In the prompt nobody can see who wrote it. Here are the lines of a prompt that read as an observation or an answer, before any tool has run; first as it comes, then quoted:

# %% [markdown] lang="zh" en="b3b508e4"
# ## 数据也会说协议里的话
#
# 只走一遍还不够。问题里，或者工具返回的页面里，可能有一行看起来就像一步。在提示词里，谁也看不出是谁写的。还没有运行任何工具，提示词里下面这些行就已经读作观察或答案了；先是原样，再是加了引用号：

# %%
from reactlab import REACT_PROMPT_TEMPLATE, REACT_PROMPT_TEMPLATE_ZH
from reactlab.prompts import quote

finished = {"en": REACT_PROMPT_TEMPLATE, "zh": REACT_PROMPT_TEMPLATE_ZH}[language]
forged = example("02.forged")
marks = f"^(?:{said.observation.strip()}|{said.answer.strip()}).*"
for text in (forged, quote(forged)):
    filled = finished.format(tool_descriptions=tools.to_prompt(language), question=text)
    print(re.findall(marks, filled, re.MULTILINE))

# %% [markdown] lang="en"
# One line is left, from the rules themselves. `quote` puts `> ` before a line that looks like a step, and the rules say what it means. The agent quotes questions, observations and tool descriptions. A model can still believe a quoted lie: notebook 10 (planned).
#
# ## See the document grow
#
# Step through the prompts of a run. The slots are bordered, all the rest is fixed text.

# %% [markdown] lang="zh" en="62182bcc"
# 剩下的那一行来自规则本身。`quote` 在看起来像步骤的行前面加上 `> `，规则里写明了它的意思。智能体会对问题、观察和工具说明都这样做。被引用的谎话，模型仍然可能相信：见第 10 课（计划中）。
#
# ## 看文档变长
#
# 一步步看一次运行的提示词。空位有边框，其余都是固定文字。

# %%
from reactlab import ReActAgent
from reactlab.course import prompt_xray

both = builtin_tools(language=language)[:2]
yours = ReActAgent(tools=both, language=language).run(example("02.sum"))
prompt_xray(yours)

# %% [markdown] lang="en"
# ## Every step sends all earlier steps again
#
# Input tokens are paid for in every call. These are the numbers of the stored run: step, tokens in its prompt, tokens sent so far. The embedded model has no real tokens; it **estimates** them from characters. **Predict:** how many in all?

# %% [markdown] lang="zh" en="71a1e783"
# ## 每一步都把以前的步骤再发一遍
#
# 每次调用都要为输入 token 付钱。下面是存档的运行里的数字：第几步、这个提示词的 token 数、到此为止共发送多少。内置模型没有真正的 token，只是按字符数**估计**。**先预测**：总共多少？

# %% tags=["predict"]
from reactlab.course import stored_run

guess = 1000
print("guess:", guess)
total, stored = 0, stored_run("02.sum")
for step in stored:
    total += step.usage.input_tokens
    print(f"{step.number} {step.usage.input_tokens:6,} {total:7,}")

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
# **Mechanism:** if each of n steps adds the same amount, the history alone sends n·(n−1)/2 of it: 15 for 6 steps, 66 for 12. Twice the steps, about four times the history. `max_context` keeps the newest steps in full and the others as a **digest**, one line each. Twelve real look-ups with a scripted model; characters in the last prompt, and in all:

# %% [markdown] lang="zh" en="c9454aac"
# **机制**：如果 n 步每步新增一样多，单是历史就要发 n·(n−1)/2 份：6 步是 15 份，12 步是 66 份。步数变成两倍，历史大约变成四倍。`max_context` 完整保留最新几步，其余写成**摘要**，每步一行。下面是十二次真实的查询，模型照剧本走；两列是最后一个提示词的字符数，以及总共的字符数：

# %%
from reactlab import ScriptedLLM, Trace

looks = [f"{said.action}Search[{title}]" for title in example("02.titles")]
long_run = ReActAgent(ScriptedLLM(looks), both, len(looks), language=language).run(question)
runs = [Trace(question), *(long_run.branch(n) for n in range(1, len(looks)))]
for context, older in [(None, "digest"), (5, "digest"), (2, "digest"), (2, "drop")]:
    agent = ReActAgent(None, both, max_context=context, older=older, language=language)
    sizes = [len(agent.build_prompt(run).prompt) for run in runs]
    print(f"max_context={context!s:5} older={older:7} {sizes[-1]:7,} {sum(sizes):7,}")

# %% [markdown] lang="en"
# The digest keeps up to 120 characters of an observation. These pages have about 300, so it saves something. Shorter ones would not become shorter: measure before you shorten. Dropping saves more and forgets (notebook 09, planned).
#
# ## A worked example is paid for in every step
#
# `with_examples` puts texts of your own, or the one that ships, before the question. Steps and input tokens (estimated), first without, then with an example:

# %% [markdown] lang="zh" en="e04bef63"
# 摘要最多保留每条观察的 120 个字符。这些中文词条大多不到 100 个字符，本来就不长，所以摘要一点也没省，反而多了几个标题字：先量再缩。直接丢弃省得更多，但也会遗忘（第 09 课，计划中）。
#
# ## 示例每一步都要付钱
#
# `with_examples` 把你自己的示例，或者自带的那个，放在问题前面。下面是步数和输入 token（估计值），先是没有示例，再是有示例：

# %%
from reactlab.prompts import load

shots = finished.with_examples(load("examples", language))
taught = ReActAgent(tools=both, language=language, prompt=shots).run(yours.question)
for run in (yours, taught):
    print(f"{len(run)} {run.usage.input_tokens:7,}")

# %% [markdown] lang="en"
# The price is the length of the example times the number of steps. What does it buy? The embedded model knows the format anyway (**staged**). The real one is asked again, this time without the example. **Predict** what becomes of its format.

# %% [markdown] lang="zh" en="f7366fba"
# 价格是示例的长度乘以步数。买到了什么？内置模型本来就会这种格式（**演示**）。再问一次真实模型，这回去掉示例。**先预测**：它的格式会变成什么样？

# %% tags=["predict"]
guess = "…"
print("guess:", guess)
rules, listed, worked, *last = ask[0].content.split("\n\n")
bare = (Message("user", "\n\n".join([rules, listed, *last])), ask[1])
print(voice.complete(Request(bare, stop=("\nObservation:",), max_tokens=60)).text)

# %% [markdown] lang="en"
# **Measured** (one reply): a thought, then tools that nobody offered, and no action. With one example it had kept the form. The height it made up shows that an example gives form, no facts.
#
# ## A template has a language
#
# Rules, markers and examples should be in one language, and in one that the model knows. The finished template has an English and a Chinese edition; the same real model continues both:

# %% [markdown] lang="zh" en="1eb27114"
# **实测**（一条回复）：写了思考，接着列出没人给过的工具，没有行动。有一个示例时，它守住了格式。而编造的高度说明，示例给的是格式，不是事实。
#
# ## 模板有语言
#
# 规则、标记和示例应当用同一种语言，而且是模型懂的语言。成品模板有英文版和中文版；让同一个真实模型分别接着写：

# %%
for name, template, ask_in in (
    ("en", REACT_PROMPT_TEMPLATE, "How tall is Tokyo Tower?"),
    ("zh", REACT_PROMPT_TEMPLATE_ZH, "东京塔有多高？"),
):
    listed = ToolRegistry(builtin_tools(language=name)[:1]).to_prompt(name)
    taught_in = template.with_examples(load("examples", name))
    start = words(name).thought.strip()
    text = taught_in.format(tool_descriptions=listed, question=ask_in).removesuffix(start)
    begun = (Message("user", text), Message("assistant", start))
    stop = ("\n" + words(name).observation.strip(),)
    print(f"{name}: {voice.complete(Request(begun, stop=stop, max_tokens=60)).text}\n")

# %% [markdown] lang="en"
# **Measured** (one reply each): in English the form is there; the number is made up, and there is no tool `Tower`. In Chinese it repeats the question and never gets to an action.
#
# ## What to keep
#
# - The model continues a document. The stop word keeps the observation for the world.
# - Fill in one pass. What was put in is never read again.
# - Quote data that looks like a step.
# - Every step sends all earlier ones again; an example is paid for each time.

# %% [markdown] lang="zh" en="0b00252f"
# **实测**（各一条回复）：英文的格式是对的，不过数字是编的，也没有叫 `Tower` 的工具。用中文时它只会重复问题，一直没写到行动。
#
# ## 带走什么
#
# - 模型接着写文档。停止词把观察留给世界来写。
# - 一遍填完。放进去的值不再读。
# - 像步骤的数据要加引用号。
# - 每一步都把以前的步骤再发一遍；示例每次都要付钱。

# %%
from reactlab.course import compare, quiz

quiz("02")

# %% [markdown] lang="en"
# Your run beside the stored one. The same agent answers with a model of your own if you name it in `REACTLAB_MODEL`. Then ask four questions. Did the format differ? Did it stop? Did it skip the tool, and was it right anyway? Did it do better? A different outcome is a finding to note down.

# %% [markdown] lang="zh" en="f6792054"
# 你的运行和存档的运行并排放在一起。用 `REACTLAB_MODEL` 指定别的模型，同一个智能体就由它来回答。这时问四个问题：格式不同吗？它停下来了吗？它跳过了工具吗，答案还对吗？它做得更好吗？结果不同就是发现，值得记下来。

# %%
compare(stored_run("02.sum"), yours)

# %% [markdown] lang="en"
# **Next:** 03, the parser (planned). The reply is text as well. What happens when a parser guesses?

# %% [markdown] lang="zh" en="978ba35a"
# **下一课**：03，解析器（计划中）。回复也只是文字。解析器靠猜的时候，会发生什么？
