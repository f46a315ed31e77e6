# %% [markdown] lang="en"
# # 07 · Function calling
#
# **Same loop, other envelope: the brackets leave, call ids arrive.** A model that was trained for it returns its calls as data. You will write that loop with the official `openai` package, see a server refuse it, answer several calls in one turn, and put a streamed reply together.
#
# Results are marked **mechanism** (true for any model) or **staged** (the embedded model, a set of rules, was written to do it). The embedded model knows few kinds of question; odd answers to others show its rules, not the loop.
#
# **Minutes:** 45. **Needs:** nothing from other notebooks; it helps to have written a loop once (05).

# %% [markdown] lang="zh" en="e9e7171c"
# # 07 · 函数调用
#
# **循环还是那个循环，换了个信封：方括号走了，调用 id 来了**。专门训练过的模型，会把调用作为数据返回。你将用官方的 `openai` 包写出这个循环，看服务器拒绝它，在一轮里回答好几个调用，再把流式回复拼起来。
#
# 结果标有两个词之一：**机制**（对任何模型都成立）、**演示**（内置模型是一套规则，就是为此写的）。内置模型只认识少数几种问题；问别的，奇怪的回答只说明它的规则，不说明循环有错。
#
# **时间**：45 分钟。**前提**：不依赖其他课；写过一次循环（第 05 课）会更轻松。

# %%
import json

from openai import BadRequestError, OpenAI

from reactlab import ReActAgent, ReActAgentFunctionCall, ToolRegistry, default_llm, flight_tools
from reactlab.course import check, edition, example, show
from reactlab.serve import start

language = edition("en", "07")
question = example("07.compare")

# %% [markdown] lang="en"
# ## A tool is offered as a schema, not as a line of text
#
# Two tools: the look-up of bookings, and a small board of departures, a plain function. Note that its date has a default. The schema goes to the model in a field of its own; it is made from the function's signature and docstring. (`example`, above, fetched the question of this edition and printed it.)

# %% [markdown] lang="zh" en="48f7d210"
# ## 工具用 schema（参数说明）提供，不再写进提示词
#
# 两个工具：一个查订单，另一个是很小的起飞时刻表，就是一个普通的函数。注意它的日期有默认值。schema 放在请求里专门的字段中交给模型；它由函数的签名和说明文字生成。（上面的 `example` 取出本课的问题，并把它打印出来。）

# %% lang="en"
BOARD = {"2026-07-16": "RL701 07:00, RL802 10:00, RL411 12:20", "2026-07-17": "RL802 10:30"}


def departures(date: str = "2026-07-16"):
    """List the flights of a date (YYYY-MM-DD), those of today if no date is given."""
    return BOARD.get(date, "No flights are listed for this day.")


tools = ToolRegistry([flight_tools(language=language)[0], departures])
schemas = tools.to_openai_schema()
print(json.dumps(schemas[1], indent=1))

# %% lang="zh" en="b0f0a17b"
BOARD = {"2026-07-16": "RL701 07:00，RL802 10:00，RL411 12:20", "2026-07-17": "RL802 10:30"}


def departures(date: str = "2026-07-16"):
    """列出某一天（YYYY-MM-DD）起飞的航班；不写日期就是今天。"""
    return BOARD.get(date, "这一天没有航班。")


tools = ToolRegistry([flight_tools(language=language)[0], departures])
schemas = tools.to_openai_schema()
print(json.dumps(schemas[1], indent=1, ensure_ascii=False))

# %% [markdown] lang="en"
# ## The model returns the call as data
#
# `start` begins a server on this machine, over the model in use. It is real HTTP; with the embedded model nothing leaves this machine and no key is needed. The client is the official one. With a server of your own, write `OpenAI(base_url="…")` for `connect(default_llm())` and its model's name as `MODEL`; the key is read from the environment, `OPENAI_API_KEY`, and never stands in a cell. `finish_reason` says why the reply ended.

# %% [markdown] lang="zh" en="a2e0e9aa"
# ## 模型把调用作为数据返回
#
# `start` 在本机启动一个服务器，背后是当前的模型。走的是真实的 HTTP；用内置模型时，数据不会离开这台机器，也不需要密钥。客户端用的是官方的 `openai` 包。换成你自己的服务器：把 `connect(default_llm())` 写成 `OpenAI(base_url="…")`，再把模型名写进 `MODEL`；密钥从环境变量 `OPENAI_API_KEY` 读取，绝不写进单元格。`finish_reason` 说明回复为什么结束。

# %%
MODEL, servers = default_llm().model, []


def connect(llm, **options):
    """A local server for this model, and the official client for that server."""
    servers.append(start(llm, **options))
    return OpenAI(base_url=servers[-1].address, api_key="none", max_retries=0)


def ask(client, messages, **more):
    """What the model replies: a message, and why it ended."""
    create = client.chat.completions.create
    return create(model=MODEL, messages=messages, tools=schemas, **more).choices[0]


client = connect(default_llm())
choice = ask(client, [{"role": "user", "content": question}])
print(choice.finish_reason)
print(choice.message.model_dump_json(indent=1, exclude_none=True))

# %% [markdown] lang="en"
# None of the parser's work is left: name and arguments stand in fields, and the arguments are JSON **text**. New is the `id`. `content`, a thought, is optional beside calls and is often null.
#
# ## A first loop: one call, one result
#
# The history is now a list of messages. The model's message goes back as it came; the result follows in a message with the role `tool`, under the id of its call. A reply without calls is the answer.

# %% [markdown] lang="zh" en="9e804c75"
# 不用找方括号，也没有会被漏写的标记：名字和参数各有字段，参数是 JSON **文本**。新出现的是 `id`。有调用时，`content`（思考）可有可无，常常是 null。
#
# ## 第一个循环：一个调用，一个结果
#
# 历史现在是一列消息。模型的消息原样放回去；结果写成一条角色为 `tool` 的消息，跟在后面，用的是那次调用的 id。没有调用的回复就是答案。


# %%
def first_call(question, client, max_steps=6):
    """Ask, run the call, send its result back under its id."""
    messages = [{"role": "user", "content": question}]
    for _ in range(max_steps):
        message = ask(client, messages).message
        if not message.tool_calls:
            return message.content
        messages.append(message.model_dump(exclude_none=True))
        call = message.tool_calls[0]
        print(call.id, call.function.name, call.function.arguments)
        arguments = json.loads(call.function.arguments or "{}")
        result = tools.get(call.function.name).execute(**arguments)
        messages.append({"role": "tool", "tool_call_id": call.id, "content": str(result)})
    return None


first_call(question, client)

# %% [markdown] lang="en"
# It works, and there is no parser in it. Other models ask for both bookings at once, which the API allows. `Eager` does so. **Staged:** it was written to repeat the embedded model's first call for every order number in the question. **Predict:** the loop runs the first call and answers it. What happens to the second?

# %% [markdown] lang="zh" en="0d0ee6b0"
# 它能用，而且里面没有解析器。有的模型会一次查两个订单，API 允许这样做。`Eager` 就是这样。**演示**：它是特意这样写的，内置模型的第一个调用，它会对问题里的每个订单号各做一遍。**先预测**：循环只运行并回答第一个调用。第二个会怎样？

# %% tags=["predict"]
from reactlab.course.staged import Eager

guess = "…"
print(guess, "?")
eager = connect(Eager(default_llm()))
try:
    print(first_call(question, eager))
except BadRequestError as error:
    print(error.status_code, error.body["message"])

# %% [markdown] lang="en"
# The server refuses the *next* request: a call stands in the history without its result. **Mechanism**: this is a rule of OpenAI's API, and the local server keeps to this rule.
#
# ## The repair: every call is answered, under its id
#
# `loop` is given a function `run`, which turns a call into the text of its result; `trusting` takes a call as it comes. (`finish`, why the turn ended, is used later.)

# %% [markdown] lang="zh" en="a365da9b"
# 服务器拒绝的是**下一个**请求：历史里有一个调用没有结果。**机制**：这是 OpenAI 的 API 的规则，本地服务器也照样执行。
#
# ## 修正：每个调用都要用它的 id 回答
#
# `loop` 的参数 `run` 是一个函数，它把一个调用变成结果的文字；`trusting` 是完全信任的写法，来什么就执行什么。（`finish` 是这一轮结束的原因，后面才用到。）


# %%
def trusting(call, finish):
    """The result of a call, taken as it comes."""
    arguments = json.loads(call.function.arguments or "{}")
    return str(tools.get(call.function.name).execute(**arguments))


def loop(question, client, run=trusting, max_steps=4):
    """Ask until there is an answer; every call of a turn is answered under its id."""
    messages = [{"role": "user", "content": question}]
    for _ in range(max_steps):
        choice = ask(client, messages)
        if not choice.message.tool_calls:
            return choice.message.content
        messages.append(choice.message.model_dump(exclude_none=True))
        for call in choice.message.tool_calls:
            content = run(call, choice.finish_reason)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    return None


loop(question, eager)

# %% [markdown] lang="en"
# Once more, with a new server that keeps what it receives. Its last request, by role and id:

# %% [markdown] lang="zh" en="43f6fa06"
# 再来一次，用一个新的服务器，它会记下收到的请求。这是最后一个请求，每条消息一行，写着角色和 id：

# %%
eager = connect(Eager(default_llm()))
loop(question, eager)
for message in servers[-1].requests[-1]["messages"]:
    calls = [call["id"] for call in message.get("tool_calls", [])]
    print(message["role"], calls or message.get("tool_call_id", ""))

# %% [markdown] lang="en"
# One turn, two results: the ids say which is whose.
#
# ## Exercise 07.1: an answer for every call
#
# An id may be empty, or occur twice. Write the messages that follow a turn with calls, as plain dicts. Stuck? `from reactlab.course import hint`, then `hint("07.1")`.

# %% [markdown] lang="zh" en="a1790ea1"
# 一轮里有两个结果：哪个结果属于哪个调用，由 id 决定。
#
# ## 练习 07.1：每个调用都有回答
#
# id 可能是空的，也可能重复。请写出一轮调用之后要追加的消息，写成普通的字典。
#
# - `calls`：这一轮的调用，格式与 API 相同。`id` 可能是 `""`，也可能重复。
# - `results`：每个调用的结果，顺序相同；文字，或者失败的调用抛出的异常。
# - 返回一个列表：先是一条 `assistant` 消息，在 `tool_calls` 里放全部调用；然后每个调用一条 `tool` 消息，`tool_call_id` 是它的 id，`content` 是结果的文字，失败时是错误的文字。
# - 返回的消息里，每个调用都有自己的、不为空的 id：原来的可以保留，也可以全部换新；其余内容不变。可以直接修改 `calls` 里的字典。
# - 例：`answer_calls([{"id": "a", "type": "function", "function": f}], ["10:00"])` 返回 `[{"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": f}]}, {"role": "tool", "tool_call_id": "a", "content": "10:00"}]`。
#
# 卡住了？先 `from reactlab.course import hint`，再运行 `hint("07.1")`。


# %%
def answer_calls(calls, results):
    """The messages that follow a turn with calls.

    calls: as the API has them, {"id": …, "type": "function", "function": {"name": …,
        "arguments": …}}; an id may be "" or occur twice.
    results: what came of each call, in the same order: a text, or the exception of a failed call.
    Returns one assistant message with all calls in "tool_calls", then one tool message for each
    call: its id as "tool_call_id", and as "content" the text of the result or of the error.
    In these messages every call has an id of its own that is not empty: the given one or a new one;
    the rest of a call stays. You may change the dicts in calls.
    Example: answer_calls([{"id": "a", "type": "function", "function": f}], ["10:00"]) ->
    [{"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": f}]},
     {"role": "tool", "tool_call_id": "a", "content": "10:00"}]
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    made, answers, seen = [], [], set()
    for number, (call, result) in enumerate(zip(calls, results, strict=True)):
        own = call["id"]
        while not own or own in seen:
            own = f"{own}_{number}"
        seen.add(own)
        made.append({**call, "id": own})
        answers.append({"role": "tool", "tool_call_id": own, "content": str(result)})
    return [{"role": "assistant", "tool_calls": made}, *answers]
    # END SOLUTION


check("07.1", answer_calls)

# %% [markdown] lang="en"
# ## Arguments can be cut, and one cut is silent
#
# A model may write a limited number of tokens a turn. **Staged:** the embedded model was written to keep to the limit; it stops in the middle of a word or a call. Here is one turn at growing limits: why it ended, and the arguments.

# %% [markdown] lang="zh" en="4d3e6d96"
# ## 参数会被截断，有一种截断不会报错
#
# 模型每一轮能写的 token 有上限。**演示**：内置模型是特意写成遵守上限的，哪怕停在一个词或一个调用的中间。下面是同一轮，上限逐渐增大：先是结束的原因，然后是参数。

# %% lang="en"
LIMIT = 10  # tokens
day = example("07.day")
for limit in range(LIMIT, LIMIT + 7):
    choice = ask(client, [{"role": "user", "content": day}], max_tokens=limit)
    calls = choice.message.tool_calls or []
    print(limit, choice.finish_reason, *[repr(call.function.arguments) for call in calls])

# %% lang="zh" en="8f820314"
LIMIT = 10  # token 数
day = example("07.day")
for limit in range(LIMIT, LIMIT + 7):
    choice = ask(client, [{"role": "user", "content": day}], max_tokens=limit)
    calls = choice.message.tool_calls or []
    print(limit, choice.finish_reason, *[repr(call.function.arguments) for call in calls])

# %% [markdown] lang="en"
# In the first row the call had begun, and nothing of its arguments was written: an empty text. `Limited` (**staged**) sets this limit for every turn. **Predict:** the question is about the 17th. Which day does `loop` look up?

# %% [markdown] lang="zh" en="4311f395"
# 第一行里，调用刚开了头，参数一个字也没写：是空的文字。`Limited`（**演示**）让每一轮都是这个上限。**先预测**：问的是 17 日。`loop` 会查哪一天？

# %% tags=["predict"]
from reactlab.course.staged import Limited

guess = "…"
print(guess, "?")


def watched(call, finish):
    result = trusting(call, finish)
    print(repr(call.function.arguments), "→", result)
    return result


limited = connect(Limited(default_llm(), LIMIT))
print(loop(day, limited, watched))

# %% [markdown] lang="en"
# It ran for the 16th, four times (`max_steps=4`), without an error. **Mechanism**: the loop reads an empty text as “no arguments”, as a server may send for a tool without any, and the default filled the gap. The other cuts do not parse. This one passes; only `finish_reason` tells: after `length`, run nothing of the turn.
#
# ## Of four bad turns, two are silent
#
# `Once` (**staged**) makes a call of our choice in its first turn. And a short limit cuts plain text:

# %% [markdown] lang="zh" en="50358104"
# 查的是 16 日，四轮都是（`max_steps=4`），没有任何报错。**机制**：循环把空的文字读成“没有参数”，因为对没有参数的工具，服务器可能就这样写；缺的日期由默认值补上。其他截断无法解析；这一种光看参数看不出来，看 `finish_reason` 才知道：它是 `length`，这一轮的任何调用都不能执行。
#
# ## 四种有问题的轮次，其中两种不会报错
#
# `Once`（**演示**）在第一轮做出我们指定的调用。另外，很低的上限会截断普通的文字。（中间两行是 Python 自己的报错：参数不是完整的 JSON；找不到工具，所以是 `None`。）

# %%
from reactlab import ToolCall
from reactlab.course.staged import Once

BROKEN = ToolCall("SearchBooking", '{"order_id": "12346"', "call_1")
INVENTED = ToolCall("FindBooking", '{"order_id": "12346"}', "call_1")
cases = {
    "cut_call": (day, limited),
    "broken_json": (question, connect(Once(default_llm(), BROKEN))),
    "unknown_tool": (question, connect(Once(default_llm(), INVENTED))),
    "cut_text": (day, connect(Limited(default_llm(), LIMIT // 4))),
}
for name, (asked, server) in cases.items():
    try:
        print(f"{name}: {loop(asked, server)}")
    except (ValueError, AttributeError) as error:
        print(f"{name}: {type(error).__name__}: {error}")

# %% [markdown] lang="en"
# ## The repair: whatever happens is the call's result
#
# Every call needs an answer, also a call that cannot be run. So the function that runs calls never raises for the model's mistakes: it says what is wrong. First it looks at how the turn ended. An empty text counts as “no arguments” only for a tool that accepts none. What the model is told:

# %% [markdown] lang="zh" en="e33f42c3"
# ## 修正：无论发生什么，都作为这次调用的结果返回
#
# 每个调用都要有回答，不能执行的也一样。所以对模型的错误，运行调用的函数从不抛异常，而是说明哪里不对。它首先看这一轮是怎样结束的。只有对不接受参数的工具，空的文字才算“没有参数”。模型会看到：

# %% lang="en"
CUT = "The reply was cut off, so nothing was run. Send it again, shorter."
NO_JSON = "The arguments are not a JSON object:"
NO_TOOL = "There is no such tool. Tools:"


def careful(call, finish):
    """The result of a call as text, or what is wrong with the call."""
    tool, written = tools.get(call.function.name), call.function.arguments
    if finish == "length":
        return CUT
    if tool is None:
        return f"{NO_TOOL} {', '.join(tools.tools)}"
    try:
        arguments = json.loads(written or ("" if tool.accepts else "{}"))
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        return f"{NO_JSON} {written!r}"
    return str(tool.execute(**arguments))


for name in ("cut_call", "broken_json", "unknown_tool"):
    asked, server = cases[name]
    choice = ask(server, [{"role": "user", "content": asked}])
    print(f"{name}: {careful(choice.message.tool_calls[0], choice.finish_reason)}")

# %% lang="zh" en="87b52ed8"
CUT = "回复被截断，所以什么都没有执行。请写短一些再发一次。"
NO_JSON = "参数不是一个 JSON 对象："
NO_TOOL = "没有这个工具。可用的工具："


def careful(call, finish):
    """一次调用的结果，或者它哪里不对；都是文字。"""
    tool, written = tools.get(call.function.name), call.function.arguments
    if finish == "length":
        return CUT
    if tool is None:
        return NO_TOOL + "、".join(tools.tools)
    try:
        arguments = json.loads(written or ("" if tool.accepts else "{}"))
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        return f"{NO_JSON}{written!r}"
    return str(tool.execute(**arguments))


for name in ("cut_call", "broken_json", "unknown_tool"):
    asked, server = cases[name]
    choice = ask(server, [{"role": "user", "content": asked}])
    print(f"{name}: {careful(choice.message.tool_calls[0], choice.finish_reason)}")

# %% [markdown] lang="en"
# And half a sentence is no answer. The loop once more, with the line that says so:

# %% [markdown] lang="zh" en="bfb5971e"
# 还有，半句话不是答案。再写一遍循环，多了说明这一点的一行：


# %%
def loop(question, client, run=careful, max_steps=4):
    """Ask until there is an answer; a turn that was cut is not run and is no answer."""
    messages = [{"role": "user", "content": question}]
    for _ in range(max_steps):
        choice = ask(client, messages)
        if not choice.message.tool_calls:
            return None if choice.finish_reason == "length" else choice.message.content
        messages.append(choice.message.model_dump(exclude_none=True))
        for call in choice.message.tool_calls:
            content = run(call, choice.finish_reason)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    return None


for name, (asked, server) in cases.items():
    print(f"{name}: {loop(asked, server)}")

# %% [markdown] lang="en"
# The two that were cut have no answer; they need a higher limit.
#
# ## The finished piece
#
# `ReActAgentFunctionCall` is the loop of notebook 05 with another dialect: one function writes the request, another reads the reply. Reading has become short. `with_ids` gives calls ids of their own, as you did in 07.1; `tell(say(…))` is the message in the run's language.

# %% [markdown] lang="zh" en="d6910663"
# 被截断的两个没有答案；它们需要更高的上限。
#
# ## 成品
#
# `ReActAgentFunctionCall` 就是第 05 课的循环，换了一种方言：一个函数写请求，另一个读回复。读回复变得很短。`with_ids` 给每个调用自己的 id，和你在 07.1 里做的一样；`tell(say(…))` 是用本次运行的语言写的提示。

# %%
from reactlab.dialects import ToolCallDialect

show(ToolCallDialect.parse)

# %% [markdown] lang="en"
# Both on the same cases, and on the turn with two calls. On the left, whether both give the same answer. Two that give `None` agree on that alone: in brackets stands why the agent stopped (`unreadable`: every reply it got was cut). Our loop does not say why.

# %% [markdown] lang="zh" en="bfbd4980"
# 用同样的用例来比较两者，再加上有两个调用的那一轮。左边的 True 或 False 表示两者的答案是否相同。两个都是 `None`，只说明都没有答案：括号里是智能体停止的原因（`answered` 是已回答；`unreadable` 是一直读不懂，因为每个回复都被截断了）。我们的循环不说明原因。

# %%
cases["two_calls"] = (question, eager)
for name, (asked, server) in cases.items():
    by_hand = loop(asked, server)
    agent = ReActAgentFunctionCall(server, tools, 4, model=MODEL, language=language)
    run = agent.run(asked)
    print(f"{by_hand == run.answer}  {name}: {by_hand} | {run.answer} ({run.stop_reason})")

# %% [markdown] lang="en"
# ## Same steps, other envelope
#
# One task in both dialects. For each step: is the thought the same, are the observations? (The last thought differs: with calls, plain text is the answer.) Then one trace, line by line, in short form: the real request begins with a system message of instructions, and holds a thought and its calls in one message.

# %% [markdown] lang="zh" en="5b16ea99"
# ## 同样的步骤，不同的信封
#
# 同一个任务用两种方言做。每一步：思考相同吗，观察相同吗？（最后一步的思考不同：在函数调用里，没有调用的文字就是答案。）然后逐行看同一条轨迹写成文字和写成消息的样子，这里是简写：真正的请求以一条 system 消息（说明）开头，思考和它的调用写在同一条消息里。

# %%
from reactlab.course.envelopes import envelopes

text_run = ReActAgent(default_llm(), tools, language=language).run(question)
agent = ReActAgentFunctionCall(client, tools, model=MODEL, language=language)
calls_run = agent.run(question)
for old, new in zip(text_run.steps, calls_run.steps, strict=False):
    print(old.thought == new.thought, old.observations == new.observations)
envelopes(calls_run)

# %% [markdown] lang="en"
# ## Calls of one turn run side by side
#
# Nobody said which call has to be first. In this tool the look-up of 12346 waits until the other one has been made, at most one second, and tells whether it came. One after another:

# %% [markdown] lang="zh" en="b4894868"
# ## 同一轮的调用同时进行
#
# 没有人规定哪个调用先做。在这个工具里，查 12346 时要等另一个订单也查过，最多等一秒，并报告等到了没有。先一个接一个地做：

# %%
import threading

from reactlab import Tool

arrived, finished = threading.Event(), []


def look_up(order_id: str):
    """Waits for the other look-up if it is the one of 12346; tells whether it came."""
    met = arrived.wait(timeout=1) if order_id == "12346" else True
    finished.append(order_id)
    if order_id != "12346":
        arrived.set()
    return f"{order_id}: {met}"


for order_id in ("12346", "34567"):
    print(look_up(order_id))

# %% [markdown] lang="en"
# `False`: the first waited in vain. Now both calls in one turn of the agent. **Predict:** which look-up ends first?

# %% [markdown] lang="zh" en="4f330ff0"
# `False`：第一个白等了一场。现在让智能体在同一轮里做这两个调用。**先预测**：哪一个先结束？

# %% tags=["predict"]
guess = "…"
print(guess, "?")
arrived.clear()
finished.clear()
waiting = Tool("SearchBooking", tools.get("SearchBooking").description, look_up)
agent = ReActAgentFunctionCall(eager, [waiting], 1, model=MODEL, language=language)
print(*agent.run(question).steps[0].observations, sep="\n")
print(*finished)

# %% [markdown] lang="en"
# Both ran at once: `True`. The last line is the order in which they ended, second before first; the results still stand in the order asked.
#
# What it would save, for two calls of two and three seconds:

# %% [markdown] lang="zh" en="f9a21f5b"
# 两个同时进行：`True`。最后一行是结束的先后，第二个先于第一个；结果仍按请求的顺序排列。
#
# 能省多少？假设两次调用分别需要两秒和三秒：

# %%
from reactlab.course.envelopes import time_bars

time_bars({"SearchBooking 12346": 2, "SearchBooking 34567": 3})

# %% [markdown] lang="en"
# ## A streamed reply comes in pieces
#
# With `stream=True` the reply is sent while it is written. Calls come in pieces: first id and name, then the arguments. Each piece says by `index` which call it belongs to.

# %% [markdown] lang="zh" en="efbe5d9c"
# ## 流式回复是一段一段到来的
#
# 加上 `stream=True`，回复会边写边发。调用是一段一段到来的：先是 id 和名字，然后是参数。每一段都用 `index` 说明自己属于哪个调用。

# %%
asked = [{"role": "user", "content": question}]
with eager.chat.completions.create(
    model=MODEL, messages=asked, tools=schemas, stream=True
) as stream:
    for chunk in stream:
        for delta in chunk.choices[0].delta.tool_calls or []:
            print(delta.index, delta.id or "—", delta.function.name or "—", end="  ")
            print(repr(delta.function.arguments))

# %% [markdown] lang="en"
# ## Exercise 07.2: put the pieces together
#
# Two calls may be interleaved: a piece of one, a piece of the other. And servers differ: a piece may lack the index, the id, or both.

# %% [markdown] lang="zh" en="eb455f61"
# ## 练习 07.2：把片段拼起来
#
# 两个调用可能交替到来：这个一段，那个一段。各家服务器还不一样：一段里可能没有 index，没有 id，或者两个都没有。
#
# - `deltas`：按到来的顺序排列的片段，普通的字典，例如 `{"index": 0, "id": "a", "function": {"name": "Search", "arguments": ""}}`，然后是 `{"index": 0, "function": {"arguments": "{}"}}`。
# - 片段属于哪个调用：有 `index` 就看 `index`；没有 `index` 就看 `id`；两个都没有，就属于最近开始的那个。没有，是指键不存在，或者值是 `None`。一个调用可能开始时有 `index` 和 `id`，之后只有其中一个。
# - 名字在调用的第一段里。`arguments` 可能是 `None`：这一段里没有参数。
# - 返回调用的列表，按开始的先后，格式与 API 相同；没有给过 id 的，id 是 `""`。
# - 例：上面两段的结果是 `[{"id": "a", "type": "function", "function": {"name": "Search", "arguments": "{}"}}]`。


# %%
def assemble(deltas):
    """The calls that were streamed in pieces, in the order in which they began.

    deltas: the pieces as they came, such as
        {"index": 0, "id": "a", "function": {"name": "Search", "arguments": ""}}, then
        {"index": 0, "function": {"arguments": "{}"}}
    A piece belongs to the call of its index; without an index (no key, or None), to the call of
    its id; with neither, to the call that began last. A call may begin with both and go on with
    one of them. The name comes with a call's first piece. Arguments may be None: nothing of them is
    in this piece. A call that got no id has the id "".
    Example: the two pieces above ->
    [{"id": "a", "type": "function", "function": {"name": "Search", "arguments": "{}"}}]
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    calls, known = [], {}
    for delta in deltas:
        index, own, function = delta.get("index"), delta.get("id"), delta["function"]
        key = own if index is None else index
        call = known.get(key) if key is not None else (calls or [None])[-1]
        if call is None:
            made = {"name": function["name"], "arguments": ""}
            call = {"id": own or "", "type": "function", "function": made}
            calls.append(call)
            known[index] = known[own] = call
        call["function"]["arguments"] += function.get("arguments") or ""
    return calls
    # END SOLUTION


check("07.2", assemble)

# %% [markdown] lang="en"
# ## Two questions at once
#
# While a model writes, your program waits. `arun` is `run` for programs that do something else meanwhile. `await` means: wait here for the result, and let others go on until then. (Readers of 06: it stands in the same place as `yield from`.) A notebook cell may use it at the top. The output: steps, question, answer; two `run`s would print the same, one question after the other.

# %% [markdown] lang="zh" en="d04df808"
# ## 同时问两个问题
#
# 模型在写的时候，你的程序在等。`arun` 就是 `run`，只是等的时候程序可以做别的事。`await` 的意思是：在这里等结果，等的时候让别的先走。（读过第 06 课的话：它和 `yield from` 在同样的位置。）在单元格里可以直接用。输出里先是步数，再是问题和答案；用两次 `run` 也会打印同样的内容，只是一个问题做完才做下一个。

# %%
import asyncio

agent = ReActAgentFunctionCall(client, tools, model=MODEL, language=language)
runs = await asyncio.gather(agent.arun(question), agent.arun(day))
for run in runs:
    print(f"{len(run)} · {run.question} → {run.answer}")

# %% [markdown] lang="en"
# ## When text still wins
#
# OpenAI announced function calling in 2023-06 (“Function calling and other API updates”), eight months after the first version of the ReAct paper (2022-10). For a model or server without tools, text is still the way. This server refuses them, as such servers do:

# %% [markdown] lang="zh" en="6e2e31d6"
# ## 什么时候文字仍然更合适
#
# OpenAI 在 2023 年 6 月宣布了函数调用（“Function calling and other API updates”），比 ReAct 论文的第一版（2022 年 10 月）晚八个月。对不支持工具的模型或服务器，今天仍然要用文字。下面这个服务器就拒绝工具：

# %%
from reactlab import ConfigError, OpenAILLM

without = connect(default_llm(), refuses=["tools"])
try:
    ReActAgentFunctionCall(without, tools, model=MODEL, language=language).run(question)
except ConfigError as error:
    print(f"{type(error).__name__}: {error}")
print(ReActAgent(OpenAILLM(MODEL, client=without), tools, language=language).run(question))

# %% [markdown] lang="en"
# The same server, the same model: in text it answers. Text also shows everything in one place, the prompt.
#
# ## What to keep
#
# - Calls come as data. Every id is answered at once, failures too, before the next request.
# - Look at `finish_reason` first. What was cut is not run, and is no answer.
# - The loop, the tools and the history are the same; only the envelope differs.

# %% [markdown] lang="zh" en="cac2fe25"
# 同一个服务器，同一个模型：用文字，它就能回答。（报错的意思是：这个模型不支持工具，请换用写文字的智能体。）文字还有一个好处：一切都在提示词里，一眼看得到。
#
# ## 要点
#
# - 调用作为数据到来。在下一个请求之前，每个 id 都要立刻得到回答，失败的也一样。
# - 先看 `finish_reason`。被截断的调用不执行，被截断的文字也不算答案。
# - 循环、工具、历史都没有变；变的只是信封。

# %%
from reactlab.course import compare, quiz, stored_run

quiz("07")

# %% [markdown] lang="en"
# The agent's run beside the **stored run**, which was recorded with the embedded model. With that model they do not differ. To see a difference, set `REACTLAB_MODEL="openai:MODEL"` before Jupyter starts. Then ask: did the format differ? Did it stop? Did it skip the tool, and was it right anyway?

# %% [markdown] lang="zh" en="d96fd4a1"
# 左边是**存档的运行**，用内置模型录下；右边是智能体刚才的运行。用内置模型时两者没有差别。想看到差别，请在启动 Jupyter 之前设置 `REACTLAB_MODEL="openai:模型名"`。然后问：格式不同吗？它停下来了吗？它跳过了工具吗，答案还对吗？

# %%
compare(stored_run("07.compare"), calls_run)

# %% [markdown] lang="en"
# **Next:** 08, when things go wrong. A server fails, a limit is reached, a tool breaks: which of these can a retry fix?

# %% [markdown] lang="zh" en="2d0bcef0"
# **下一课**：08，出错的时候。服务器出错、达到上限、工具坏了：其中哪些，再试一次就能好？
