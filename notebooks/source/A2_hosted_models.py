# %% [markdown] lang="en"
# # A2 · Hosted models
#
# **“Compatible” is a list of things to probe.** Many servers accept the requests of the OpenAI API: hosted ones, and programs such as Ollama, vLLM and llama.cpp on a machine of your own. You will see what goes wrong between a program and such a server, name the cause of odd replies, and fill a table of what a server can do.
#
# All servers here run on this machine, without a key. Results are **mechanism** (true for any model), **staged** (made to happen) or **measured** (a real model).
#
# **Minutes:** 40. **Needs:** nothing from other notebooks; the extra `serve` (`pip install "reactlab[serve]"`).

# %% [markdown] lang="zh" en="28cca6ad"
# # A2 · 托管的模型
#
# **“兼容”与否，要一项一项地探测**。许多服务器都接受 OpenAI API 的请求：有托管的，也有 Ollama、vLLM、llama.cpp 这样在自己机器上运行的程序。你将看到程序和这样的服务器之间会出什么问题，学会说出奇怪回复的原因，并填出一张服务器能做什么的表。
#
# 这里的服务器都在这台机器上运行，不需要密钥。结果标有三个词之一：**机制**（对任何模型都成立）、**演示**（特意安排的）、**实测**（真实模型的结果）。
#
# **时间**：40 分钟。**前提**：不依赖其他课；需要附加包 `serve`（`pip install "reactlab[serve]"`）。

# %%
import json
import os
import re
import warnings
from pathlib import Path
from tempfile import mkdtemp

from openai import OpenAI

from reactlab import ConfigError, Message, OpenAILLM, ReactlabError, Request, flight_tools
from reactlab.course import check, edition, example, real_model, show
from reactlab.serve import start

language = edition("en", "A2")
document = example("A2.document")

# %% [markdown] lang="en"
# ## A server without `stop` lets the model invent the observation
#
# Above is a prompt for an agent: rules, one example, a question. A small server of this package, on this machine, plays what a real small model said to this prompt; for a prompt of your own install the model. `ask` sends the prompt with the official SDK. `stop` is a **stop word**: the server is to end the reply there, so that the observation is left to the tool.

# %% [markdown] lang="zh" en="0d6897de"
# ## 服务器不理会 `stop`，模型就会自己编造观察
#
# 上面是给智能体的提示词：规则、一个示例、一个问题。这个小模型主要懂英文，所以提示词是英文的：Question 是问题，Thought 思考，Action 行动，Observation 观察，Final Answer 最终答案；问的是订单 12346 几点起飞。这台机器上有一个真的服务器，背后重放的是一个真实小模型录下的回复；要换提示词，就得安装模型本身。`ask` 按常见的写法，用官方 SDK 发送提示词。`stop` 是**停止词**：服务器写到那里就应当结束回复，把观察留给工具来写。

# %%
model = real_model("A2")
STOP = ("\nObservation:",)


def ask(address):
    """One reply to the prompt, through the official SDK."""
    user = {"role": "user", "content": document}
    begun = {"role": "assistant", "content": "Thought:"}  # a beginning; it may say it again
    with OpenAI(base_url=address, api_key="none", max_retries=0) as client:
        reply = client.chat.completions.create(
            model="any", messages=[user, begun], stop=list(STOP), max_tokens=80
        )
    return reply.choices[0].message.content


with start(model) as server:  # runs until the end of this block
    print(f"{model.about}\n{ask(server.address)}")

# %% [markdown] lang="en"
# The reply ends after the action. A plain loop then takes what it finds: a final answer, else an action to carry out. Here is one turn of it. It is easily written, and with this server it does well: the booking is looked up.

# %% [markdown] lang="zh" en="73bf5d34"
# 回复在行动之后就结束了。普通的循环接着看里面有什么：有最终答案就用，否则执行行动。下面是它的一轮（LOOK-UP 是查询，ANSWER 是答案）。这样写很容易想到，遇到这个服务器也没有问题：它去查了订单。


# %%
def look_up(order_id):
    """When a booking leaves, in one line."""
    found = json.loads(str(flight_tools()[0].execute(order_id)))
    return f"Booking {order_id} leaves at {found['departure']}."


def naive_turn(reply):
    """What a plain loop makes of a reply: an answer, or a look-up."""
    if "Final Answer:" in reply:
        return "ANSWER   " + reply.partition("Final Answer:")[2].strip()
    return "LOOK-UP  " + look_up(re.search(r"SearchBooking\[(.*?)\]", reply)[1])


with start(model) as server:  # runs until the end of this block
    print(naive_turn(ask(server.address)))

# %% [markdown] lang="en"
# Now another server. It is “compatible”: it accepts every field of the request. `ignores` says which one it does nothing with. Same model, same request, same code. **Predict:** what does the loop do now?

# %% [markdown] lang="zh" en="78ab9fc8"
# 现在换一个服务器。它是“兼容”的：请求里的每个字段都收下。`ignores` 说明它对哪个字段不予理会。模型、请求、代码都不变。**先预测**：循环这回会做什么？

# %% tags=["predict"]
guess = "…"
print(guess, "?")
with start(model, ignores=["stop"]) as server:
    invented = ask(server.address)
print(invented, naive_turn(invented), sep="\n\n")

# %% [markdown] lang="en"
# No tool ran, no error was raised, and the time is wrong: the booking leaves at 10:00. The model went on, wrote the observation itself (with the time of the example) and answered from it: a **hallucination**. **Measured**, in one reply of one small model. **Mechanism:** nobody stopped it, and this loop does not ask who wrote a line.
#
# The repair is short: end the text yourself, whatever the server did.

# %% [markdown] lang="zh" en="f427326a"
# 没有运行工具，也没有报错，时间却是错的：这个订单 10:00 起飞。模型继续写下去，自己写了观察（用的是示例里的时间），再据此作答。这种编造叫**幻觉**。**实测**：一个小模型的一条回复。**机制**：没有人拦住它，而这个循环不问哪一行是谁写的。
#
# 修正很短：不管服务器做了什么，自己把文字截断。


# %%
def cut(text, stop):
    """The text before the first stop word."""
    for word in stop:
        text = text.partition(word)[0]
    return text


print(naive_turn(cut(invented, STOP)))

# %% [markdown] lang="en"
# ## The finished piece: `OpenAILLM`
#
# `OpenAILLM` is the library's client for such servers; it cuts every reply, with the function shown below. `parse`, the second guard, takes the first action and nothing after it. On the same server:

# %% [markdown] lang="zh" en="cbb5027b"
# ## 成品：`OpenAILLM`
#
# `OpenAILLM` 是库里连接这类服务器的客户端；每条回复它都会截断，用的就是下面显示的函数。第二道防线是 `parse`：只取第一个行动，后面的一概不要。还是那个服务器：

# %%
from reactlab import parse
from reactlab.llm import protocol

messages = (Message("user", document), Message("assistant", "Thought:"))
request = Request(messages, stop=STOP, max_tokens=80)
with start(model, ignores=["stop"]) as server:
    reply = OpenAILLM("any", base_url=server.address).complete(request).text
print(reply == cut(invented, STOP), "|", parse(invented).calls)
show(protocol.cut)

# %% [markdown] lang="en"
# A whole run on such a server. **Staged:** the embedded model (rules in this package) answers, and after each action it goes on with an invented time. The agent asks, cuts, looks up, asks again:

# %% [markdown] lang="zh" en="bebfd45f"
# 在这样的服务器上完整运行一次。**演示**：由内置模型（本软件包里的一套规则）回答，每次行动之后还接着写一个编造的时间。智能体提问、截断、查询，再提问：

# %%
from reactlab import ReActAgent, SimulatedLLM
from reactlab.llm.protocol import as_llm
from reactlab.prompts import words

said, embedded = words(language), SimulatedLLM()


def inventor(prompt):
    """The embedded model, which goes on after an action with what nobody looked up."""
    text = embedded.complete(Request((Message("user", prompt),))).text
    more = f"\n{said.observation}21:40\n{said.answer}21:40"
    return text if said.answer.strip() in text else text + more


with start(as_llm(inventor), ignores=["stop"]) as server:
    hosted = OpenAILLM(embedded.model, base_url=server.address)
    agent = ReActAgent(hosted, flight_tools(language=language)[:1], language=language)
    run = agent.run(example("A2.booking"))
run

# %% [markdown] lang="en"
# ## Status 200 is no answer
#
# The next mistake is on our side: an address without its version path, here `/v1`. Some servers answer such a request with status 200 (“all is well”) and put the error inside. The plain code ends in an error, on purpose; read its last line:

# %% [markdown] lang="zh" en="5c41e067"
# ## 状态码 200 不等于有答案
#
# 下一个错误出在自己这边：地址里少了版本路径，这里是 `/v1`。有些服务器对这种请求回应 200（“一切正常”），错误写在里面。普通的代码会报错，这是有意的；看最后一行：

# %% tags=["raises-exception"]
with start(model, odd_paths=True) as server:
    ask(server.address.removesuffix("/v1"))

# %% [markdown] lang="en"
# A true sentence about Python, and no help. What did the server send, and what does `OpenAILLM` make of it? (`told` prints an error in one line, with SERVER for the address, whose port changes.)

# %% [markdown] lang="zh" en="97c766a0"
# 报错本身没有错，却看不出问题在哪里。服务器到底发来了什么？`OpenAILLM` 又怎样处理？（`told` 把每次都不同的地址写成 SERVER。）


# %%
def told(error):
    """An error in one line, without the address."""
    line = re.sub(r"http://127\.0\.0\.1:\d+", "http://SERVER", str(error))
    return f"{type(error).__name__}: {line}"


with start(model, odd_paths=True) as server:
    short = server.address.removesuffix("/v1")
    with OpenAI(base_url=short, api_key="none", max_retries=0) as client:
        raw = client.chat.completions.with_raw_response.create(model="any", messages=[])
    print(raw.status_code, raw.text, "\n")
    try:
        OpenAILLM("any", base_url=short).complete(request)
    except ConfigError as error:
        print(told(error))

# %% [markdown] lang="en"
# So read the body. Here are eight replies, as plain dicts. Status, a header that matters, body:

# %% [markdown] lang="zh" en="4284cff1"
# 所以要读正文。下面是八条回复，都是普通的字典。依次是状态码、有用的响应头、正文：

# %%
replies = example("A2.replies")

# %% [markdown] lang="en"
# ## Exercise A2.1: name the cause
#
# | cause | how to tell | what helps |
# |---|---|---|
# | `ok` | a message with text or tool calls | go on |
# | `empty` | a message that ended by itself, nothing in it | ask again |
# | `cut` | finish reason `length` | more tokens |
# | `refused` | finish reason `content_filter`, or a `refusal` | another question |
# | `path` | no message at all under 200; or 404 and no word of a model | the address |
# | `key` | 401, 403 | the key |
# | `wait` | 429 | wait as long as Retry-After says |
# | `quota` | 429, the quota is used up | pay, not wait |
# | `tools` | 400, about tools or functions | an agent that writes text |
# | `parameter` | 400, about another parameter | leave it out |
# | `model` | 404, about a model | the name |
# | `server` | 500 and above | try again later |
# | `proxy` | a web page in place of JSON, whatever the status | the network |
#
# Where two rows fit, a web page wins over all, then the status, then the finish reason.

# %% [markdown] lang="zh" en="8b03fbd2"
# ## 练习 A2.1：说出原因
#
# | 原因 | 怎么看出来 | 怎么办 |
# |---|---|---|
# | `ok` | 有一条消息，里面有文字或工具调用 | 继续 |
# | `empty` | 有一条自己结束的消息，里面什么也没有 | 再问一次 |
# | `cut` | 结束原因是 `length` | 给更多 token |
# | `refused` | 结束原因是 `content_filter`，或有 `refusal` | 换个问题 |
# | `path` | 状态码 200 却根本没有消息；或 404 且没提到模型 | 改地址 |
# | `key` | 401、403 | 检查密钥 |
# | `wait` | 429 | 按 Retry-After 说的等 |
# | `quota` | 429，额度用完 | 付费（等也没用） |
# | `tools` | 400，说的是工具或函数 | 换用文字格式的智能体 |
# | `parameter` | 400，说的是别的参数 | 不发这个参数 |
# | `model` | 404，说的是模型 | 改名字 |
# | `server` | 500 及以上 | 过一会儿再试 |
# | `proxy` | 不管状态码是什么，来的是网页而不是 JSON | 检查网络 |
#
# 两行都符合时，先看是不是网页，再看状态码，再看结束原因。
#
# `response["status"]` 是整数；`response["headers"]` 是字典；`response["body"]` 是字典，是网页时是字符串。返回表中的一个词。例：`diagnose(replies["H"])` 返回 `"proxy"`。卡住了？先 `from reactlab.course import hint`，再运行 `hint("A2.1")`。


# %%
def diagnose(response):
    """The cause of a reply: one word of the table.

    response["status"]: a whole number.   response["headers"]: a dict.
    response["body"]: a dict, or a string where it is a web page.
    Example: diagnose(replies["H"]) -> "proxy".  Stuck? hint("A2.1") from reactlab.course.
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    status, body = response["status"], response["body"]
    if isinstance(body, str):
        return "proxy"
    text = str(body).lower()
    if status == 429:
        return "quota" if "quota" in text else "wait"
    if status == 400:
        return "tools" if "tool" in text or "function" in text else "parameter"
    if status == 404:
        return "model" if "model" in text else "path"
    if status in (401, 403):
        return "key"
    if status >= 500:
        return "server"
    if not body.get("choices"):
        return "path"
    choice = body["choices"][0]
    message, finish = choice["message"], choice["finish_reason"]
    if finish == "length":
        return "cut"
    if finish == "content_filter" or message.get("refusal"):
        return "refused"
    return "ok" if message.get("content") or message.get("tool_calls") else "empty"
    # END SOLUTION


check("A2.1", diagnose)

# %% [markdown] lang="en"
# ## An error has to say what to do next
#
# What does the library make of them? Again servers of this package over real HTTP, each with one fault, put there on purpose; the model is called `any`. The classes tell what helps: `RateLimited` and `Unavailable` are worth another try, `ConfigError` is not. The last one raises nothing: a limit of 2 tokens cut it, and `finish` says so.

# %% [markdown] lang="zh" en="6bd818ab"
# ## 错误要说明下一步怎么办
#
# 库会怎样处理这些情况？这里仍是本软件包的服务器，走真实的 HTTP，各带一种有意放进去的故障；模型名写作 `any`。看类名就知道怎么办：`RateLimited` 和 `Unavailable` 值得再试，`ConfigError` 再试也没用。最后一个不报错：2 个 token 的上限把它截断了，`finish` 会说明。

# %%
from reactlab.serve.faults import Faults

hello = Message("user", example("A2.booking"))
tools = tuple(tool.to_schema() for tool in flight_tools()[:1])
faulty = [
    ("429", {"faults": Faults(["rate_limit"], seconds=7)}, Request((hello,))),  # Retry-After: 7
    ("500", {"faults": Faults(["server_error"])}, Request((hello,))),
    ("tools", {"refuses": ["tools"]}, Request((hello,), tools)),
    ("max_tokens=2", {}, Request((hello,), max_tokens=2)),
]
for name, options, asked in faulty:
    with start(embedded, **options) as server:
        try:
            outcome = OpenAILLM("any", base_url=server.address).complete(asked).finish
        except ReactlabError as error:
            outcome = f"{told(error)} | retry_after: {getattr(error, 'retry_after', None)}"
    print(f"{name}: {outcome}\n")

# %% [markdown] lang="en"
# A refused parameter need not end a run. `OpenAILLM` learns it from the first refusal, warns once, and sends what is accepted. Two questions to a server that refuses three parameters:

# %% [markdown] lang="zh" en="92f60cd7"
# 参数被拒绝，运行不必就此结束。第一次被拒绝后，`OpenAILLM` 会记住，警告一次，以后只发送对方接受的参数（警告说的是：不再发送 stop 和 temperature，`max_tokens` 改名为 `max_completion_tokens`）。下面向一个拒绝三个参数的服务器问两次：

# %%
asked = Request((hello,), stop=("\nObservation:",), temperature=0.5, max_tokens=80)
refuses = ["stop", "temperature", "max_tokens"]
with start(embedded, refuses=refuses) as server, warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    hosted = OpenAILLM("any", base_url=server.address)
    hosted.complete(asked)
    first = len(server.requests)
    hosted.complete(asked)
    print(f"{first} + {len(server.requests) - first}", hosted.quirks)
for warning in caught:
    print(told(warning.message))

# %% [markdown] lang="en"
# The first question took four requests, three refusals and a success; the second took one. `stop` is not sent any more, and still no observation is invented: the client cuts.
#
# ## Keys stay out of cells
#
# A notebook is saved, shared and committed, so a key never stands in one. It lives in an environment variable, set before Jupyter starts. The library's own list of servers, with the name of each variable; and what happens without it (the variable is taken away here, and no request is sent):

# %% [markdown] lang="zh" en="f45ffed5"
# 第一个问题用了四次请求，第二个用了一次。`stop` 不再发送，观察仍然不会被编造：客户端会截断。
#
# ## 密钥不写进单元格
#
# 笔记本会保存、分享、提交，所以里面绝不写密钥。密钥放在环境变量里，在启动 Jupyter 之前设好。下面是库自带的服务器清单和各自的变量名；再看没有它会怎样（这里先把变量拿走，不会发出任何请求）：

# %%
from reactlab import MissingKey
from reactlab.llm.servers import SERVERS

for name, preset in SERVERS.items():
    print(f"{name:10}", preset.address or "(default of the SDK)", "|", preset.key or "–")
kept = os.environ.pop("OPENAI_API_KEY", None)
try:
    OpenAILLM("any").complete(request)
except MissingKey as error:
    print(f"\n{told(error)}")
finally:
    os.environ.update({"OPENAI_API_KEY": kept} if kept else {})

# %% [markdown] lang="en"
# ## Probe, do not read
#
# A server's page says what it should do. A short request shows what it does. A probe of `stop` by hand: let it count to 9 and stop at 5. Three servers, the same real model behind each:

# %% [markdown] lang="zh" en="170712a6"
# ## 不要只看说明，要探测
#
# 服务器的介绍说的是它应该做什么，一个很短的请求能看出它实际做了什么。手工探测 `stop`：让它从 1 数到 9，到 5 停下。三个服务器，背后是同一个真实模型：


# %%
def probe_stop(llm):
    """Whether a server honours a stop word: yes, ignored, refused, or not to be told."""
    count = Message("user", "Write the numbers from 1 to 9 in figures, in one line.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is refused shows below
        text = llm.as_sent(Request((count,), stop=("5",))).text  # as the server sent it
    if "stop" in llm.quirks:
        return "refused", text
    before, _, after = text.partition("5")
    if "4" not in before:
        return "it did not count", text
    return "ignored" if after else "yes", text


SERVERS_HERE = {
    "A": {},
    "B": {"ignores": ["stop", "max_tokens"]},
    "C": {"refuses": ["stop", "max_tokens", "temperature", "system"]},
}
for name, options in SERVERS_HERE.items():
    with start(model, **options) as server:
        print(name, *probe_stop(OpenAILLM(model.model, base_url=server.address)))

# %% [markdown] lang="en"
# `probe` sends about a dozen such requests and makes a table of what it saw. Below, all three servers in one table. **Predict:** in which rows do A and B differ?

# %% [markdown] lang="zh" en="7b7bda57"
# `probe` 会发出十来个这样的请求，把看到的做成表。下面是三个服务器合成的一张表。**先预测**：A 和 B 在哪几行不同？

# %% tags=["predict"]
from reactlab.course.capabilities import side_by_side
from reactlab.probe import MOST_REQUESTS, probe

guess, probes = "…", {}
print(guess, "?")
for name, options in SERVERS_HERE.items():
    with start(model, **options) as server:
        hosted = OpenAILLM(model.model, base_url=server.address)
        probes[name] = probe(hosted, language=language)
side_by_side(probes)

# %% [markdown] lang="en"
# Words matter here: **refused** you would notice, **ignored** you would not. A and B differ in two rows, stop sequences and token limit. C refuses `max_tokens` and takes it under its other name, so that row says yes. **Measured:** one small model, three servers of this package; it says nothing about any other. A row such as “system message” tells about the model too: it may not do what it was told. So does “writes steps as text”: here the prompt has no example, above it had one. “Goes on after a tool's result” is yes for another call too. What was seen, for B:

# %% [markdown] lang="zh" en="3a0fa467"
# 注意用词：参数被**拒绝**，你会发现；被**忽略**，你发现不了。A 和 B 只在两行不同：停止词和 token 上限。C 拒绝 `max_tokens`，却接受改了名的 `max_completion_tokens`，所以那一行是“是”。**实测**：一个小模型，本软件包的三个服务器；不能说明别的模型和服务器。“系统消息”这样的行也与模型有关：它可能没有照做。“按文本格式写步骤”也是：这里的提示词没有示例，前面的有。收到工具结果后再调用一次，也算“继续”。在 B 上看到的是：

# %%
probes["B"]

# %% [markdown] lang="en"
# The library's check of `stop` is nearly the one above. It also asks once without the stop word, because a reply may end there by itself:

# %% [markdown] lang="zh" en="8724dcf3"
# 库里对 `stop` 的检查和上面的差不多。它还会不带停止词再问一次，因为回复可能本来就在那里结束：

# %%
from reactlab.probe.checks import CHECKS

show(CHECKS["stop",])

# %% [markdown] lang="en"
# ## Your own server
#
# Name one before Jupyter starts, for example `REACTLAB_MODEL="ollama:MODEL"` with the name of your model, and run all again. This cell then probes it: at most as many short requests as it prints, and one more for each refusal. All cells of this notebook together may ask 200 times; then one error stops them. `default_llm` never uses a key alone.

# %% [markdown] lang="zh" en="efd80d7c"
# ## 你自己的服务器
#
# 在启动 Jupyter 之前指定一个，例如 `REACTLAB_MODEL="ollama:模型名"`，再全部运行一遍。这个单元格就会探测它：最多发出下面打印的那么多个很短的请求，每遇到一次拒绝再加一个。它们和最后一格的运行一样，计入本课的预算（200 次调用，超过就报错）。环境里只有密钥而没有指定模型时，密钥不会被用到。

# %%
from reactlab import default_llm

used = default_llm()  # the embedded model unless you named another
print(f"{used.model} | MOST_REQUESTS = {MOST_REQUESTS}")
print('REACTLAB_MODEL="openai:MODEL"  "ollama:MODEL"  "http://HOST:PORT/v1#MODEL"')
None if isinstance(used, SimulatedLLM) else probe(used, language=language)

# %% [markdown] lang="en"
# ## Record once, replay for ever
#
# A paid reply is worth keeping. `RecordedLLM(path, record=llm)` writes down every request with its reply. The block ends, the server is gone, and the recording still answers:

# %% [markdown] lang="zh" en="2a446c75"
# ## 录一次，永远重放
#
# 付过钱的回复值得留下。`RecordedLLM(path, record=llm)` 把每个请求连同回复写下来。代码块结束，服务器没有了，录下的仍然能回答：

# %%
from reactlab import LLMError, RecordedLLM

path = Path(mkdtemp(), "mine.jsonl")
with start(model) as server:  # runs until the end of this block
    live = OpenAILLM("any", base_url=server.address)
    RecordedLLM(path, record=live).complete(request)
replayed = RecordedLLM(path)
print(replayed.complete(request).text)
try:
    live.complete(request)
except LLMError as error:
    print(told(error).partition("(")[0])

# %% [markdown] lang="en"
# A request that was never recorded is no guess: it is an error that shows what differs.

# %% [markdown] lang="zh" en="98e3e479"
# 遇到没有录过的请求，它不会猜，而是报错，并指出差别在哪里（- 是最接近的录制，+ 是这次的请求）。

# %%
other = Message("user", document.replace("12346", "34567"))
try:
    replayed.complete(Request((other, *request.messages[1:]), (), STOP, None, 80))
except LLMError as error:
    print(error)

# %% [markdown] lang="en"
# ## Exercise A2.2: an unknown cost is no zero
#
# Prices are dollars per million tokens, one for what you send, one for what comes back. Some servers report no tokens, and some models stand in no price list. Then the cost is unknown: `None`. The run to try it on:

# %% [markdown] lang="zh" en="69ea3c1d"
# ## 练习 A2.2：费用未知，不等于零
#
# 价格是每百万 token 多少美元：发出的一个价，收到的一个价。有些服务器不上报 token 数，有些模型不在任何价目表里。这时费用未知，记作 `None`。下面先打印用来试验的那次运行：每次调用的模型和 token 数。
#
# 返回一次运行的费用（美元）；有一次调用算不出来，就返回 `None`。`trace.steps` 是各步，`step.model_calls` 是其中的调用，`call.completion` 是回复（没有收到时是 `None`），它有 `.model`（名字）和 `.usage`（没有上报时是 `None`），`.usage` 有 `.input_tokens` 和 `.output_tokens`。`prices` 是字典：模型名 → `(输入价, 输出价)`。例：`cost(paid, PRICES)` 返回 `0.0062`。


# %%
PRICES = {"pine-large": (2.0, 8.0), "heron": (0.5, 0.5)}  # invented models and prices
paid = example("A2.run")
for call in [call for step in paid.steps for call in step.model_calls]:
    print(call.completion.model, call.completion.usage)


def cost(trace, prices):
    """Dollars that a run cost; None as soon as one call cannot be priced.

    trace.steps, step.model_calls: the calls.   call.completion: the reply, None if none came.
    .model: its name.   .usage: None if not reported, else .input_tokens and .output_tokens.
    prices: name -> (input, output), dollars per million tokens.
    Example: cost(paid, PRICES) -> 0.0062
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    total = 0.0
    for call in [call for step in trace.steps for call in step.model_calls]:
        done = call.completion
        if done is None or done.usage is None or done.model not in prices:
            return None
        given, made = prices[done.model]
        total += (done.usage.input_tokens * given + done.usage.output_tokens * made) / 1_000_000
    return total
    # END SOLUTION


check("A2.2", cost)

# %% [markdown] lang="en"
# The finished piece counts in exact decimals, has a dated table of prices, and says *why* a cost is unknown. The same run, and one whose model has no price:

# %% [markdown] lang="zh" en="dbbda5da"
# 成品用用十进制小数精确计算，带有注明日期的价目表，并会说明费用为什么未知。先是同一次运行，再是没有价格的情形：

# %%
from reactlab import Price
from reactlab.cost import cost as finished_cost

priced = {name: Price(*pair) for name, pair in PRICES.items()}
print(finished_cost(paid, priced, language=language), "\n")
print(finished_cost(paid, {}, language=language))

# %% [markdown] lang="en"
# ## What to keep
#
# - “Compatible” is a list of things to probe; *ignored* is worse than *refused*.
# - Cut every reply at the stop word yourself.
# - Read the body before you believe the status.
# - Unknown is not zero. Keys stay out of cells.

# %% [markdown] lang="zh" en="8635644c"
# ## 带走什么
#
# - “兼容”是一张要逐项探测的清单；“忽略”比“拒绝”更糟。
# - 每条回复都要自己在停止词处截断。
# - 先读正文，再信状态码。
# - 费用未知，不等于零。密钥不写进单元格。

# %%
from reactlab.course import compare, quiz, stored_run

quiz("A2")

# %% [markdown] lang="en"
# Last, one agent with the model in use beside the **stored run**, made with the embedded model; with that model they agree. When you move any notebook to a real model, ask four questions: Did the format differ (03)? Did it stop (02 and here)? Did it skip the tool, and was it right anyway (01)? Did it do better? A different outcome is a finding: note it down.

# %% [markdown] lang="zh" en="8d517779"
# 最后，左边是用内置模型录下的**存档的运行**，右边是用当前模型运行的同一个智能体；用内置模型时两者一致。把任何一课换到真实模型上，都问四个问题：格式不同吗（第 03 课）？它停下来了吗（第 02 课和本课）？它跳过了工具吗，答案还对吗（第 01 课）？它做得更好吗？结果不同，就是一个发现：记下来。

# %%
agent = ReActAgent(default_llm(), flight_tools(language=language)[:1], language=language)
compare(stored_run("A2.booking"), agent.run(example("A2.booking")))

# %% [markdown] lang="en"
# **Next:** A3, frameworks (planned). The loop is the same there too; what does each of them make of one bad reply?

# %% [markdown] lang="zh" en="1ad270ee"
# **下一课**：A3，框架（计划中）。那里的循环也一样；遇到一条有问题的回复，它们各自会怎样？
