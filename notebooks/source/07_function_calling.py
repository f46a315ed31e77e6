# %% [markdown] lang="en"
# # 07 · Function calling
#
# **Same loop, other envelope: parse errors leave, call ids arrive.** A model that was trained for it returns its calls as data. You will write that loop with the official `openai` package, see a server refuse it, answer several calls in one turn, and put a streamed reply together.
#
# Results are marked **mechanism** (true for any model), **staged** (the embedded model, a set of rules, was written to do it) or **measured** (a real model).
#
# **Minutes:** 35. **Needs:** nothing from other notebooks; it helps to have written a loop once (05).

# %% [markdown] lang="zh" en="15cb8ef5"
# # 07 · 函数调用
#
# **循环还是那个循环，换了个信封：解析错误走了，调用 id 来了**。为此训练过的模型，会把调用作为数据返回。你将用官方的 `openai` 包写出这个循环，看服务器拒绝它，在一轮里回答好几个调用，再把流式回复拼起来。
#
# 结果标有三个词之一：**机制**（对任何模型都成立）、**演示**（内置模型是一套规则，就是为此写的）、**实测**（真实模型的结果）。
#
# **时间**：35 分钟。**前提**：不依赖其他课；写过一次循环（第 05 课）会更轻松。

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
# Two tools: the look-up of bookings, and a small board of departures, a plain function. Note that its date has a default. The schema goes to the model in a field of its own; it is made from the function's signature and docstring.

# %% [markdown] lang="zh" en="51a7e3cc"
# ## 工具用 schema 提供，不再写进提示词
#
# 两个工具：查订单，以及一块小小的起飞告示牌，它是一个普通函数。注意它的日期有默认值。schema（参数说明）放在请求里专门的字段中交给模型；它由函数的签名和说明文字生成。

# %% lang="en"
BOARD = {"2026-07-16": "RL701 07:00, RL802 10:00, RL411 12:20", "2026-07-17": "RL802 10:30"}
LIMIT, SHORT = 10, 5  # tokens, for later


def departures(date: str = "2026-07-16"):
    """List the flights that leave on a date, today if no date is given."""
    return BOARD.get(date, "No flights are listed for this day.")


tools = ToolRegistry([flight_tools(language=language)[0], departures])
schemas = tools.to_openai_schema()
print(json.dumps(schemas[1], indent=1))

# %% lang="zh" en="1f5a9631"
BOARD = {"2026-07-16": "RL701 07:00, RL802 10:00, RL411 12:20", "2026-07-17": "RL802 10:30"}
LIMIT, SHORT = 8, 2  # token 数，后面会用到


def departures(date: str = "2026-07-16"):
    """列出某一天起飞的航班；不写日期就是今天。"""
    return BOARD.get(date, "这一天没有航班。")


tools = ToolRegistry([flight_tools(language=language)[0], departures])
schemas = tools.to_openai_schema()
print(json.dumps(schemas[1], indent=1, ensure_ascii=False))

# %% [markdown] lang="en"
# ## The model returns the call as data
#
# `start` begins a server on this machine, over the model in use. It is real HTTP; with the embedded model nothing leaves this machine and no key is needed. The client is the official one. With another model in `REACTLAB_MODEL`, the server passes requests on to it. A server of your own is one line: `client = OpenAI(base_url="…", api_key="…")`, and its model's name in `MODEL`.

# %% [markdown] lang="zh" en="237d2057"
# ## 模型把调用作为数据返回
#
# `start` 在本机启动一个服务器，背后是当前的模型。走的是真实的 HTTP；用内置模型时，什么也不会离开这台机器，也不需要密钥。客户端是官方的。如果 `REACTLAB_MODEL` 里是别的模型，服务器会把请求转给它。换成你自己的服务器只要一行：`client = OpenAI(base_url="…", api_key="…")`，再把模型名写进 `MODEL`。

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
# No brackets to find, no marker to miss: name and arguments stand in fields, and the arguments are JSON **text**. New is the `id`. `content`, a thought, is optional beside calls and is often null.
#
# ## A first loop: one call, one result
#
# The history is now a list of messages. The model's message goes back as it came; the result follows in a message with the role `tool`, under the id of its call. A reply without calls is the answer.

# %% [markdown] lang="zh" en="fe79c71b"
# 不用找方括号，也不会漏掉标记：名字和参数各有字段，参数是 JSON **文本**。新出现的是 `id`。有调用时，`content`（思考）可有可无，常常是 null。
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
# 它能用，而且里面没有解析器。有的模型会一次要两个订单，API 允许这样做。`Eager` 就是这样。**演示**：写它的时候就规定，把内置模型的第一个调用，对问题里的每个订单号各做一遍。**先预测**：循环只运行并回答第一个调用。第二个会怎样？

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
# The server refuses the *next* request: a call stands in the history without its result. **Mechanism**: this is a rule of OpenAI's API, and the local server keeps to it in the same words.
#
# ## The repair: every call is answered, under its id
#
# `run` turns a call into text; `trusting` takes a call as it comes.

# %% [markdown] lang="zh" en="38d11d9b"
# 服务器拒绝的是**下一个**请求：历史里有一个调用没有结果。**机制**：这是 OpenAI 的 API 的规则，本地服务器照样执行，连报错的话都一样。
#
# ## 修正：每个调用都要用它的 id 回答
#
# `run` 把一个调用变成文字；`trusting` 是完全信任的写法，来什么就执行什么。


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
# One turn, two results, two requests instead of three. The tool messages may stand in any order: the ids say which is whose.
#
# ## Exercise 07.1: an answer for every call
#
# Servers exist that leave ids empty or use one twice. Write the messages that follow a turn with calls, as plain dicts. Stuck? `from reactlab.course import hint`, then `hint("07.1")`.

# %% [markdown] lang="zh" en="0cb0ad3f"
# 一轮里有两个结果，请求从三次变成两次。结果的顺序无所谓：哪个结果属于哪个调用，由 id 决定。
#
# ## 练习 07.1：每个调用都有回答
#
# 有的服务器会把 id 留空，或者把同一个 id 用两次。请写出一轮调用之后要追加的消息，用普通的字典。
#
# - `calls`：这一轮的调用，形状和 API 里一样。`id` 可能是 `""`，也可能重复。
# - `results`：每个调用的结果，顺序相同；文字，或者失败的调用抛出的异常。
# - 返回一个列表：先是一条 `assistant` 消息，在 `tool_calls` 里放全部调用；然后每个调用一条 `tool` 消息，`tool_call_id` 是它的 id，`content` 是结果的文字，失败时是错误的文字。
# - 返回的消息里，每个调用都有自己的、不为空的 id。
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
    In these messages every call has an id of its own that is not empty.
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
# ## Arguments can be cut, and still parse
#
# A model may write a limited number of tokens a turn. `Limited` sets that limit; the embedded model keeps to it and stops in the middle of a word or a call. **Predict:** the question is about the 17th, and the limit is ten tokens. For which day does the tool run?

# %% [markdown] lang="zh" en="a3f1cd00"
# ## 参数会被截断，而且照样能解析
#
# 模型每一轮能写的 token 有上限。`Limited` 设定这个上限；内置模型会遵守，哪怕停在一个词或一个调用的中间。**先预测**：问的是 17 日，上限是 8 个 token。工具会查哪一天？

# %% tags=["predict"]
from reactlab.course.staged import Limited

day = example("07.day")
guess = "…"
print(guess, "?")


def watched(call, finish):
    result = trusting(call, finish)
    print(repr(call.function.arguments), "→", result)
    return result


limited = connect(Limited(default_llm(), LIMIT))
print(loop(day, limited, watched))

# %% [markdown] lang="en"
# Asked about the 17th, the tool ran for the 16th, four times, without an error. The embedded model saw that this is not what it wanted and asked again; another may believe it. And a tool that changes something would have changed it. Here is such a turn at growing limits: why it ended, and the arguments.

# %% [markdown] lang="zh" en="b871558a"
# 问的是 17 日，工具查的是 16 日，一共四次，没有任何报错。内置模型发现这不是它要的，又问了一遍；换一个模型，也许就信了。如果工具会改动数据，它就真的改了。下面是这样的一轮，上限逐渐增大：先是结束的原因，然后是参数。

# %%
for limit in range(LIMIT, LIMIT + 7):
    choice = ask(client, [{"role": "user", "content": day}], max_tokens=limit)
    calls = choice.message.tool_calls or []
    print(limit, choice.finish_reason, *[repr(call.function.arguments) for call in calls])

# %% [markdown] lang="en"
# **Mechanism**: with `""` the call had begun and no argument was written. The loop read it as “no arguments”, as it must for tools without any, and the default filled the gap. The arguments cannot tell you; `finish_reason` can. It says `length`: nothing of this turn may be run.
#
# ## Three bad turns
#
# Two more are loud. `Once` makes a call of our choice in its first turn, and is the embedded model afterwards. All of them, and the turn with two calls, in the loop as it is:

# %% [markdown] lang="zh" en="c30cfcac"
# **机制**：参数是 `''` 时，调用刚开了头，参数一个字也没写。循环把它读成“没有参数”（对没有参数的工具，它也只能这样读），缺的日期就由默认值补上。光看参数看不出来；`finish_reason` 看得出来。它是 `length`：这一轮的任何调用都不能执行。
#
# ## 三种坏的回合
#
# 另外两种会报错。`Once` 在第一轮做出我们指定的调用，之后就是内置模型。这三种，加上两个调用的那一轮，都交给现在的循环：

# %%
from reactlab import ToolCall
from reactlab.course.staged import Once

BROKEN = ToolCall("SearchBooking", '{"order_id": "12346"', "call_1")
INVENTED = ToolCall("FindBooking", '{"order_id": "12346"}', "call_1")
cases = {
    "two_calls": (question, eager),
    "cut_call": (day, limited),
    "broken_json": (question, connect(Once(default_llm(), BROKEN))),
    "unknown_tool": (question, connect(Once(default_llm(), INVENTED))),
}
for name, (asked, server) in cases.items():
    try:
        print(f"{name}: {loop(asked, server)}")
    except (ValueError, AttributeError) as error:
        print(f"{name}: {type(error).__name__}: {error}")

# %% [markdown] lang="en"
# ## The repair: whatever happens is the call's result
#
# Every call needs an answer, also a call that cannot be run. So the function that runs calls never raises for the model's mistakes. It says what is wrong, and the model can do better. First it looks at how the turn ended.

# %% [markdown] lang="zh" en="0a98effb"
# ## 修正：无论发生什么，都是这次调用的结果
#
# 每个调用都要有回答，不能执行的也一样。所以对模型的错误，运行调用的函数从不抛异常，而是说明哪里不对，让模型改正。它首先看这一轮是怎样结束的。

# %% lang="en"
CUT = "The reply was cut off, so nothing was run. Send it again, shorter."
NO_JSON = "The arguments are no JSON object:"
NO_TOOL = "There is no such tool. Tools:"


def careful(call, finish):
    """The result of a call as text, or what is wrong with the call."""
    tool = tools.get(call.function.name)
    if finish == "length":
        return CUT
    if tool is None:
        return f"{NO_TOOL} {', '.join(tools.tools)}"
    try:
        arguments = dict(json.loads(call.function.arguments or "{}"))
    except (ValueError, TypeError) as error:
        return f"{NO_JSON} {error}"
    return str(tool.execute(**arguments))


for name, (asked, server) in cases.items():
    print(f"{name}: {loop(asked, server, careful)}")

# %% lang="zh" en="2c016831"
CUT = "回复被截断，所以什么都没有执行。请写短一些再发一次。"
NO_JSON = "参数不是一个 JSON 对象："
NO_TOOL = "没有这个工具。可用的工具："


def careful(call, finish):
    """一次调用的结果，或者它哪里不对；都是文字。"""
    tool = tools.get(call.function.name)
    if finish == "length":
        return CUT
    if tool is None:
        return NO_TOOL + "、".join(tools.tools)
    try:
        arguments = dict(json.loads(call.function.arguments or "{}"))
    except (ValueError, TypeError) as error:
        return f"{NO_JSON}{error}"
    return str(tool.execute(**arguments))


for name, (asked, server) in cases.items():
    print(f"{name}: {loop(asked, server, careful)}")

# %% [markdown] lang="en"
# `cut_call` has still no answer, `None`, but now no tool ran, and the model was told why. It would need a higher limit.
#
# ## The finished piece
#
# `ReActAgentFunctionCall` is the loop of notebook 05 with another dialect, a pair of functions: one writes the request, the other reads the reply. Reading has become short. `_with_ids` gives calls their own ids, as you did in 07.1.

# %% [markdown] lang="zh" en="ffae2b3b"
# `cut_call` 还是没有答案（`None`），但这次没有运行任何工具，模型也知道了原因。它需要更高的上限。
#
# ## 成品
#
# `ReActAgentFunctionCall` 就是第 05 课的循环，换了一种方言。方言是一对函数：一个写请求，一个读回复。读回复变得很短。`_with_ids` 给每个调用自己的 id，和你在 07.1 里做的一样。

# %%
from reactlab.dialects import ToolCallDialect

show(ToolCallDialect.parse)

# %% [markdown] lang="en"
# Both on the same cases, and on one more: text that was cut. On the left, whether both give the same answer.

# %% [markdown] lang="zh" en="b049b76e"
# 两者用同样的用例比较，再加一个：被截断的文字。左边的 True 或 False 表示两者的答案是否相同。

# %%
cases["cut_text"] = (day, connect(Limited(default_llm(), SHORT)))
for name, (asked, server) in cases.items():
    by_hand = loop(asked, server, careful)
    agent = ReActAgentFunctionCall(server, tools, 4, model=MODEL, language=language)
    run = agent.run(asked)
    print(f"{by_hand == run.answer}  {name}: {by_hand} | {run.answer} ({run.stop_reason})")

# %% [markdown] lang="en"
# One difference is left: our loop takes half a sentence for the answer. `finish_reason` counts for text as well.
#
# ## Same steps, other envelope
#
# One task in both dialects. For each step: is the thought the same, are the observations? (The last thought differs: with calls, plain text is the answer.) Then one trace, line by line, as the next request shows it.

# %% [markdown] lang="zh" en="f3d96e5c"
# 只剩一处不同：我们的循环把半句话当成了答案。`finish_reason` 对文字同样重要。
#
# ## 同样的步骤，不同的信封
#
# 同一个任务用两种方言做。每一步：思考相同吗，观察相同吗？（最后一步的思考不同：在函数调用里，没有调用的文字就是答案。）然后逐行看同一条轨迹：在下一个请求里，它写成文字是什么样，写成消息又是什么样。

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
# 没有人规定哪个调用先做。在这个工具里，查 12346 时要等另一个订单也查过，最多等一秒，并报告等到了没有。一个接一个地做：

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
# `False`: the first waited in vain. Now both calls in one turn of the agent. **Predict:** does 12346 still wait in vain? Which look-up ends first?

# %% [markdown] lang="zh" en="69d5ca93"
# `False`：第一个白等了一场。现在让智能体在同一轮里做这两个调用。**先预测**：12346 还会白等吗？哪一个先结束？

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
# Both ran at once: `True`. The last line is the order in which they ended, second before first; the results still stand in the order asked. Tools that change something run one by one, after the rest.
#
# What it saves, for two calls of two and three seconds:

# %% [markdown] lang="zh" en="3f1bf1d1"
# 两个同时进行：`True`。最后一行是结束的先后，第二个先于第一个；结果仍按请求的顺序排列。会改动数据的工具，在其余的之后一个一个地运行。
#
# 能省多少？假设两次调用各需两秒和三秒：

# %%
from reactlab.course.envelopes import time_bars

time_bars({"SearchBooking 12346": 2, "SearchBooking 34567": 3})

# %% [markdown] lang="en"
# ## A streamed reply comes in pieces
#
# With `stream=True` the reply is sent while it is written. Text comes in pieces, and so do the calls: first id and name, then the arguments, a few letters at a time. Each piece says by `index` which call it belongs to. (An agent shows them as they come with `agent.iter(question)`.)

# %% [markdown] lang="zh" en="3777531e"
# ## 流式回复是一片一片来的
#
# 加上 `stream=True`，回复会边写边发。文字一片一片地来，调用也是：先是 id 和名字，然后是参数，每次几个字符。每一片都用 `index` 说明自己属于哪个调用。（用 `agent.iter(question)` 可以看着智能体的回复一片片到来。）

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
# Two calls may be streamed in turns, a piece of one, a piece of the other. And servers differ: some leave out the index, some the id.

# %% [markdown] lang="zh" en="6e3bb0ea"
# ## 练习 07.2：把碎片拼起来
#
# 两个调用可能交替到来：这个一片，那个一片。各家服务器还不一样：有的不给 index，有的不给 id。
#
# - `deltas`：按到来的顺序排列的碎片，普通的字典，例如 `{"index": 0, "id": "a", "function": {"name": "Search", "arguments": ""}}`，然后是 `{"index": 0, "function": {"arguments": "{}"}}`。
# - 碎片属于哪个调用：有 `index` 就看 `index`；没有 `index` 就看 `id`；两个都没有，就属于最近开始的那个。
# - 名字在调用的第一片里。`arguments` 可能是 `None`：这一片里没有参数。
# - 返回调用的列表，按开始的先后，形状和 API 里一样；没有给过 id 的，id 是 `""`。
# - 例：上面两片的结果是 `[{"id": "a", "type": "function", "function": {"name": "Search", "arguments": "{}"}}]`。


# %%
def assemble(deltas):
    """The calls that were streamed in pieces, in the order in which they began.

    deltas: the pieces as they came, such as
        {"index": 0, "id": "a", "function": {"name": "Search", "arguments": ""}}, then
        {"index": 0, "function": {"arguments": "{}"}}
    A piece belongs to the call of its index; without an index, to the call of its id; with
    neither, to the call that began last. The name comes with a call's first piece. Arguments may
    be None: nothing of them is in this piece. A call that got no id has the id "".
    Example: the two pieces above ->
    [{"id": "a", "type": "function", "function": {"name": "Search", "arguments": "{}"}}]
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    calls, newest = {}, None
    for delta in deltas:
        key = delta.get("index", delta.get("id") or newest)
        function = delta["function"]
        if key not in calls:
            made = {"name": function["name"], "arguments": ""}
            calls[key] = {"id": delta.get("id") or "", "type": "function", "function": made}
            newest = key
        calls[key]["function"]["arguments"] += function.get("arguments") or ""
    return list(calls.values())
    # END SOLUTION


check("07.2", assemble)

# %% [markdown] lang="en"
# ## Two questions at once
#
# While a model writes, your program waits. `arun` is `run` for programs that do something else meanwhile. `await` means: wait here for the result, and let others go on until then. (Readers of 06: it stands in the same place as `yield from`.) A notebook cell may use it at the top.

# %% [markdown] lang="zh" en="236281db"
# ## 同时问两个问题
#
# 模型在写的时候，你的程序在等。`arun` 就是 `run`，只是等的时候程序可以做别的事。`await` 的意思是：在这里等结果，等的时候让别的先走。（读过第 06 课的话：它和 `yield from` 在同样的位置。）在单元格里可以直接用。

# %%
import asyncio

agent = ReActAgentFunctionCall(client, tools, model=MODEL, language=language)
runs = await asyncio.gather(agent.arun(question), agent.arun(day))
for run in runs:
    print(f"{len(run)} · {run.question} → {run.answer}")

# %% [markdown] lang="en"
# ## When text still wins
#
# OpenAI announced function calling in 2023-06 (“Function calling and other API updates”), eight months after the first version of the ReAct paper (2022-10). Before it, text was the only way, and for a model or server without tools it still is. This server refuses them, as such servers do:

# %% [markdown] lang="zh" en="684aa66c"
# ## 什么时候文字仍然更好
#
# OpenAI 在 2023 年 6 月宣布了函数调用（“Function calling and other API updates”），比 ReAct 论文的第一版（2022 年 10 月）晚八个月。在那之前只有文字这一种办法；对不支持工具的模型或服务器，今天也只有它。下面这个服务器就拒绝工具：

# %%
from reactlab import ConfigError, OpenAILLM

without = connect(default_llm(), refuses=["tools"])
try:
    ReActAgentFunctionCall(without, tools, model=MODEL, language=language).run(question)
except ConfigError as error:
    print(f"{type(error).__name__}: {error}")
print(ReActAgent(OpenAILLM(MODEL, client=without), tools, language=language).run(question))

# %% [markdown] lang="en"
# The same server, the same model: in text it answers. Text also shows everything in one place, the prompt; and a small model that was never trained for calls can be shown the form there, with examples.
#
# ## What to keep
#
# - Calls come as data. Every id is answered at once, failures too, before the next request.
# - Look at `finish_reason` first. What was cut is not run, and is no answer.
# - The loop, the tools and the history are the same; only the envelope is another.

# %% [markdown] lang="zh" en="3bfbb5f5"
# 同一个服务器，同一个模型：用文字，它就能回答。文字还有一个好处：一切都在提示词里，一眼看得到；没有为调用训练过的小模型，也可以在那里用示例教它格式。
#
# ## 带走什么
#
# - 调用作为数据到来。在下一个请求之前，每个 id 都要立刻得到回答，失败的也一样。
# - 先看 `finish_reason`。被截断的不执行，也不是答案。
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
# The servers end here. To run a cell above once more, run the cells from `connect` on again.

# %% [markdown] lang="zh" en="dbc6926a"
# 服务器到此结束。要再运行上面的单元格，请从定义 `connect` 的那一格开始重新运行。

# %%
for server in servers:
    server.stop()

# %% [markdown] lang="en"
# **Next:** 08, when things go wrong (planned). A server fails, a limit is reached, a tool breaks: which of these does trying again heal?

# %% [markdown] lang="zh" en="aad54abc"
# **下一课**：08，出错的时候（计划中）。服务器出错、达到上限、工具坏了：其中哪些，再试一次就能好？
