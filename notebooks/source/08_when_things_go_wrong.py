# %% [markdown] lang="en"
# # 08 · When things go wrong
#
# **Retrying heals chance and nothing else.** A busy server answers at the second try. A wrong key does not, and a refund that is tried again is paid again. You will see two usual repairs do harm, decide by the kind of error, see all six kinds in real runs, and write a test for an agent.
#
# Results are marked **mechanism** (true for any model) or **staged** (the embedded model and the faults are rules that were written to do it).
#
# **Minutes:** 45, ten of them for the last exercise. **Needs:** nothing from other notebooks; it helps to have written a loop once (05).

# %% [markdown] lang="zh" en="160e7bb2"
# # 08 · 出错的时候
#
# **重试只对偶发的故障有用，对别的都没用**。服务器忙，再试一次就好；密钥错了，试多少次都没用；退款再试一次，就再付一次钱。你将看到两种常见的补救办法怎样帮倒忙，学会根据错误的种类决定怎么办，在真实的运行里看到全部六类错误，并为智能体写一个测试。
#
# 结果标有两个词之一：**机制**（对任何模型都成立）、**演示**（内置模型和故障都是特意写好的规则）。
#
# **时间**：45 分钟，其中最后一个练习 10 分钟。**前提**：不依赖其他课；写过一次循环（第 05 课）会更轻松。

# %%
import sqlite3

from reactlab import Message, Request, Tool, ToolRegistry, default_llm, flight_tools, parse
from reactlab.course import check, edition, example, show
from reactlab.prompts import PromptTemplate, load

language = edition("en", "08")
question = example("08.refund")

# %% [markdown] lang="en"
# ## A tool that pays
#
# Three tools: two look things up in the flight example's database, the third writes a row into a real SQLite table of refunds. `effects=True` says that it changes something. (`example`, above, fetched the question of this edition and printed it.)

# %% [markdown] lang="zh" en="2d8799b2"
# ## 一个会付钱的工具
#
# 三个工具：两个在航班示例的数据库里查询，第三个往一张真实的 SQLite 退款表里写一行。`effects=True` 表示它会改变某些东西。（上面的 `example` 取出本课的问题，并把它打印出来。）

# %% lang="en"
THOUGHT, ACTION, OBSERVATION, ANSWER = "Thought: ", "Action: ", "Observation: ", "Final Answer: "
DOWN, REFUSED = "The server failed (HTTP 503).", "The server refuses the key (HTTP 401)."
LIMIT = "step limit reached"
account = sqlite3.connect(":memory:", check_same_thread=False)
account.execute("CREATE TABLE refunds (order_id TEXT, amount INTEGER)")


def refund(order_id: str):
    """Pay the price of a booking back to the passenger."""
    with account:
        account.execute("INSERT INTO refunds VALUES (?, 1500)", (order_id,))
    return {"order_id": order_id, "amount": 1500, "result": "paid back"}


pay = Tool("ProcessRefund", refund.__doc__, refund, effects=True)
tools = ToolRegistry([*flight_tools(language=language)[:2], pay])
print(tools.to_prompt())

# %% lang="zh" en="f912cfdf"
THOUGHT, ACTION, OBSERVATION, ANSWER = "思考：", "行动：", "观察：", "最终答案："
DOWN, REFUSED = "服务器出错（HTTP 503）。", "服务器拒绝了密钥（HTTP 401）。"
LIMIT = "步数已用完"
account = sqlite3.connect(":memory:", check_same_thread=False)
account.execute("CREATE TABLE refunds (order_id TEXT, amount INTEGER)")


def refund(order_id: str):
    """把订单的票款退给乘客。"""
    with account:
        account.execute("INSERT INTO refunds VALUES (?, 1500)", (order_id,))
    return {"order_id": order_id, "amount": 1500, "result": "退款"}


pay = Tool("ProcessRefund", refund.__doc__, refund, effects=True, language=language)
tools = ToolRegistry([*flight_tools(language=language)[:2], pay])
print(tools.to_prompt(language))

# %% [markdown] lang="en"
# ## A loop that asks for trouble
#
# This is the loop of notebook 05, cut in two: `turn` is one step, `run` repeats it. It has no line for anything that goes wrong. Without faults it pays once:

# %% [markdown] lang="zh" en="23865048"
# ## 一个没有防备的循环
#
# 这就是第 05 课的循环，分成两半：`turn` 是一步，`run` 一步步重复它。它完全没有处理出错的情况。没有故障时，它退一次款：


# %%
TEMPLATE = PromptTemplate(load("bracket", language))


def turn(question, llm, history):
    """One step: ask, then act. Returns the answer, or None and a longer history."""
    known = {"tool_descriptions": tools.to_prompt(language), "question": question}
    prompt = TEMPLATE.format(**known, history="\n".join(history))
    reply = llm.complete(Request((Message("user", prompt),))).text
    decision = parse(reply, language=language)
    for call in decision.calls:
        seen = tools.get(call.name).execute(call.arguments)
        history.append(f"{THOUGHT}{reply.strip()}\n{OBSERVATION}{seen}")
    return decision.answer


def run(question, llm, max_steps=6):
    """Steps until there is an answer."""
    history = []
    for _ in range(max_steps):
        answer = turn(question, llm, history)
        if answer is not None:
            return answer
    return None


def refunds():
    """The rows of the table."""
    return account.execute("SELECT * FROM refunds").fetchall()


model = default_llm()
print(run(question, model))
print(refunds())

# %% [markdown] lang="en"
# ## First repair: if anything goes wrong, run again
#
# Servers are busy at times, so many programs do what `again` does. `server` plays a model whose calls go as listed; the last entry stands for all further calls. `ask` is the model in use, `BUSY` an error as it comes from a real server (**staged**: it comes when we say). Here the first call fails:

# %% [markdown] lang="zh" en="87cb56bc"
# ## 第一种补救：只要出错，就重新运行
#
# 服务器总有忙的时候，所以很多程序都像 `again` 这样写。`server` 扮演一个模型，每次调用的结果按列出的顺序来，用完后一直重复最后一项。`ask` 是当前的模型；`BUSY` 是一个错误，和真实服务器的错误一样（**演示**：什么时候出错由我们定）。这里是第一次调用失败：

# %%
from reactlab import ConfigError, ReactlabError, ScriptedLLM
from reactlab.errors import Unavailable

BUSY = Unavailable(DOWN, retry_after=0.0)  # the server asks to wait 0 s: nobody waits here
WRONG_KEY = ConfigError(REFUSED)


def ask(request):
    return model.complete(request).text


def server(*calls):
    """A model whose calls go as listed; the last entry stands for all further ones."""
    return ScriptedLLM(calls, repeat_last=True)


def again(question, llm, run=run):
    """Run; if anything goes wrong, run again, three times in all."""
    for attempt in range(1, 4):
        try:
            return run(question, llm)
        except Exception as error:
            print(f"{attempt}. {type(error).__name__}: {error}")
    return None


account.execute("DELETE FROM refunds")
print(again(question, server(BUSY, ask)))
print(refunds())

# %% [markdown] lang="en"
# It heals what it was written for. Now the same server is busy once again, but later: at the fourth call, when the model was to say that it is done. **Predict:** how many rows will the table have?

# %% [markdown] lang="zh" en="d0ee4a22"
# 这种故障它确实对付得了。现在服务器同样只忙一次，不过晚一些：在第四次调用，模型正要说“办好了”的时候。**先预测**：表里会有几行？

# %% tags=["predict"]
guess = "…"
print(guess, "?")
account.execute("DELETE FROM refunds")
print(again(question, server(ask, ask, ask, BUSY, ask)))
print(refunds())

# %% [markdown] lang="en"
# The refund was paid twice, and the answer shows no trace of it. **Mechanism**: running again repeats everything that the run had already done.
#
# ## Second repair: catch it inside, and go on
#
# So the `try` goes inside. An error becomes an observation, like the error of a tool, and the loop never fails.

# %% [markdown] lang="zh" en="5a50b83a"
# 退款付了两次，而答案里一点也看不出来。**机制**：重新运行，就把这次运行已经做过的事全部重做一遍。
#
# ## 第二种补救：在循环里捕获异常，接着运行
#
# 于是把 `try` 放到里面。错误变成一条观察，就像工具的错误一样，循环再也不会中断。


# %%
def run_on(question, llm, max_steps=6):
    """Never fails: whatever goes wrong is written into the history."""
    history = []
    for _ in range(max_steps):
        try:
            answer = turn(question, llm, history)
        except Exception as error:
            history.append(f"{OBSERVATION}{error}")
            continue
        if answer is not None:
            return answer
    return LIMIT


account.execute("DELETE FROM refunds")
print(run_on(question, server(ask, ask, ask, BUSY, ask)))
print(refunds())

# %% [markdown] lang="en"
# Paid once. Unreadable replies are mended like this too. Two more cases: a server that is down for good, and a wrong key. For safety `again` stays around it. **Predict:** what is reported, and how many calls of the model are paid?

# %% [markdown] lang="zh" en="89c02406"
# 只付了一次。读不懂的回复也能这样纠正。再看两种情况：服务器彻底坏了；密钥是错的。为了保险，外面还留着 `again`。**先预测**：会报告什么？模型被调用（付费）几次？

# %% tags=["predict"]
cases = {
    "busy_once": (ask, ask, ask, BUSY, ask),
    "down": (BUSY,),
    "wrong_key": (WRONG_KEY,),
}


def on_cases(answer):
    """What comes of each case, with the calls of the model and the refunds paid."""
    for name, calls in cases.items():
        account.execute("DELETE FROM refunds")
        llm = server(*calls)
        try:
            came = answer(question, llm)
        except ReactlabError as error:
            came = f"{type(error).__name__}: {error}"
        print(f"{name}: {came} · calls: {len(llm.requests)} · refunds: {len(refunds())}")


def safe(question, llm):
    return again(question, llm, run_on)


guess = "…"
print(guess, "?")
on_cases(safe)

# %% [markdown] lang="en"
# Six calls, and “step limit reached”: true, useless, and in the place of an answer. Whoever reads it raises the limit. The retry around it did nothing: `run_on` never raises. (You will meet both in published code.)
#
# ## The repair: the kind of error decides
#
# There are three things to do about an error. **Retry** the one call that failed, not the run, if it may pass. **Tell** the model, if the model can mend it. Else **stop**, and say why.

# %% [markdown] lang="zh" en="1a8ff608"
# 六次调用，再加一句“步数已用完”：没说错，但没有用，还占了答案的位置。看到它的人只会去提高上限。外面的重试什么也没做，因为 `run_on` 从不抛异常。（这两种写法在公开的代码里都能见到。）
#
# ## 修正：由错误的种类决定
#
# 出错时能做的事有三种。可能自行恢复的，**重试**失败的那一次调用，而不是整个运行。模型自己能改的，**告诉**模型。其他的，**停止**，并说明原因。

# %%
from reactlab import ParseError
from reactlab.errors import RateLimited


def policy(error, attempt):
    """What to do about an error; attempt is 1 when a call has failed for the first time."""
    if isinstance(error, (RateLimited, Unavailable)) and attempt < 3:
        return "retry"
    if isinstance(error, ParseError):
        return "tell"
    return "stop"


def by_kind(question, llm, max_steps=6):
    """The answer, and why the run ended."""
    history, attempt = [], 1
    while len(history) < max_steps:
        try:
            answer = turn(question, llm, history)
        except ReactlabError as error:
            match policy(error, attempt):
                case "retry":
                    attempt += 1
                case "tell":
                    attempt = 1
                    history.append(f"{OBSERVATION}{error}")
                case _:
                    return None, str(error)
            continue
        attempt = 1
        if answer is not None:
            return answer, "answered"
    return None, "max_steps"


on_cases(by_kind)

# %% [markdown] lang="en"
# One refund, three calls for a dead server, one for a wrong key, and each says why. Answer and reason are two values now, so that no error text is taken for an answer. (In `turn`, the model and the parser raise; a tool returns its errors as observations. A name that no tool has still breaks it: `tools.get` gives None. 05 mends that.)
#
# ## The finished piece
#
# In `reactlab` a policy returns `Retry(seconds)`, `Tell(text)`, or None: “not mine, ask the next policy”. `patient()` is a list of such policies; `RobustReActAgent` is `ReActAgent` with them, and any agent takes `policies=`. (A plain `ReActAgent` has three by default: rate limits, a server that is down, an empty reply.)

# %% [markdown] lang="zh" en="97752dbc"
# 退款一次；服务器坏了，调用三次；密钥错了，一次；每个都说明了原因。现在答案和原因是两个值，错误的文字不会再被当成答案。（在 `turn` 里，模型和解析器会抛异常；工具的错误作为观察返回。没有这个名字的工具时它还是会断：`tools.get` 给出 None；第 05 课补上了这一点。）
#
# ## 成品
#
# 在 `reactlab` 里，策略返回 `Retry(秒数)`、`Tell(文字)`，或者 None：“不归我管，问下一个策略”。`patient()` 就是这样的一组策略；`RobustReActAgent` 就是带上它们的 `ReActAgent`；任何智能体都可以用 `policies=`。（普通的 `ReActAgent` 默认有三个：限流、服务器坏了、空回复。）

# %%
from reactlab import RobustReActAgent
from reactlab.policies.retrying import _retry_when_down

show(_retry_when_down)

# %% [markdown] lang="en"
# Each policy names what chance may heal. Waits grow, 1 s, then 2 s, unless the server says how long. The same cases; `approve="always"` stands for a person who agrees to every refund (11 has real approvals). In brackets: why the run stopped.

# %% [markdown] lang="zh" en="13cc7405"
# 每个策略都写明它针对哪一类偶发的故障。等待逐次加长，先 1 秒，再 2 秒，除非服务器说了要等多久。用同样的用例；`approve="always"` 代表有人同意每一笔退款（真正的批准见第 11 课）。括号里是停止原因和说明。


# %%
def robust(question, llm):
    """The robust agent's answer, and why it ended."""
    agent = RobustReActAgent(llm, tools, language=language, approve="always")
    run = agent.run(question)
    return run.answer, f"{run.stop_reason} {run.detail}".strip()


def late(order_id: str):
    """Pays, and then the reply is lost."""
    refund(order_id)
    raise TimeoutError


on_cases(robust)
for effects in (True, False):
    account.execute("DELETE FROM refunds")
    slow = [*list(tools)[:2], Tool("ProcessRefund", pay.description, late, effects=effects)]
    RobustReActAgent(model, slow, language=language, approve="always").run(question)
    print(f"effects={effects}: {len(refunds())}")

# %% [markdown] lang="en"
# The same calls, the same refunds. In the last two lines the reply of a tool that pays is lost: with `effects=True` it is never used again by itself; without it, it pays three times. A wrong key is your mistake, not the run's: it is raised at once.
#
# ## Exercise 08.1: retry, tell or stop
#
# Three kinds of error, here as plain dicts. Stuck? `from reactlab.course import hint`, then `hint("08.1")`.

# %% [markdown] lang="zh" en="e532c487"
# 调用次数相同，退款次数相同。最后两行里，付钱的工具没有把结果送回来：有 `effects=True`，就绝不会自动再用；没有它，就付了三次。密钥错误要由你来改，与这次运行无关：立刻抛出异常。
#
# ## 练习 08.1：重试、告诉还是停止
#
# 三类错误，这里写成普通的字典；不适用的键，值是 None。
#
# - `"server"`：模型的服务器拒绝了。`"status"` 是它的代码，`"retry_after"` 是它要求等待的秒数，或 None。429 和 500 以上的可能会过去，其他的（400、401、404……）不会。
# - `"tool_timeout"`：工具没有按时返回。`"effects"` 说明它会不会改变什么：会的，绝不自动重试；不会的，可能会过去。
# - `"unknown_tool"`：模型要用一个不存在的工具。`"tools"` 是有的工具名：把它们告诉模型。
# - `attempt`：失败的是第几次尝试，第一次是 1。可能会过去的就重试，至少等 `retry_after` 秒，一共三次尝试；之后停止。其他不能重试的，停止；超时的工具，停止或告诉模型都可以。
# - 返回三者之一：`("retry", 秒数)`、`("tell", 给模型的文字)`、`("stop", 原因)`。
# - 例：`what_to_do({"kind": "server", "status": 503, "retry_after": None}, 1)` 返回 `("retry", 1)`。
#
# 卡住了？先 `from reactlab.course import hint`，再运行 `hint("08.1")`。


# %%
def what_to_do(error, attempt):
    """What to do: ("retry", seconds), ("tell", text for the model) or ("stop", reason).

    error: a dict; keys that do not apply are None. Its "kind" is one of these:
        "server": the model's server refused. "status" is its code, "retry_after" the seconds it
            asks to wait, or None. 429, and 500 and above, may pass; others (400, 401, 404 …) not.
        "tool_timeout": a tool did not come back in time. "effects" says whether it changes
            something: then it is never used again by itself. Without effects it may pass.
        "unknown_tool": the model named a tool that is not there. "tools" lists those that are:
            the model is told their names.
    attempt: which attempt has failed, 1 for the first. What may pass is retried, after at least
        retry_after seconds, three attempts in all; then, and for servers that will not pass: stop.
        A tool that timed out and may not be used again: stop, or tell the model.
    Example: what_to_do({"kind": "server", "status": 503, "retry_after": None}, 1) -> ("retry", 1)
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    if error["kind"] == "unknown_tool":
        return "tell", f"There is no such tool. Tools: {', '.join(error['tools'])}"
    if error["kind"] == "tool_timeout" and error["effects"]:
        return "tell", "The tool did not answer. Look up whether it was done."
    if error["kind"] == "server" and error["status"] != 429 and error["status"] < 500:
        return "stop", f"HTTP {error['status']}"
    if attempt >= 3:
        return "stop", "three attempts failed"
    return "retry", 1 if error["retry_after"] is None else error["retry_after"]
    # END SOLUTION


check("08.1", what_to_do)

# %% [markdown] lang="en"
# ## Six kinds of error have a name
#
# Beside the model's server, the run itself goes wrong. `ReActErrorHandler` knows six kinds. Each is provoked here on purpose, by a script (**staged**), with tools that are real functions. `endless` makes a new call in every step and never answers.

# %% [markdown] lang="zh" en="01b8cc9f"
# ## 六类错误，各有名字
#
# 除了模型的服务器，运行本身也会出问题。`ReActErrorHandler` 认得六类。这里用脚本逐个故意引发（**演示**），工具都是真实的函数。`endless` 每一步都做一个新的调用，从不回答。六类依次是：行动无效、工具失败、没有进展、步数用完、上下文超长、死循环。

# %%
from reactlab import ReActAgent, ReActErrorHandler
from reactlab.errors import ContextOverflow


def look(text: str):
    return f"{text} = 41"


def nothing(text: str):
    return "—"


def broken(text: str):
    raise ConnectionError("HTTP 503")


def long(text: str):
    return f"{text} {'41 ' * 500}"


def endless(name):
    return ScriptedLLM([f"{ACTION}{name}[{number}]" for number in range(20)])


def small(request):
    """A model that takes no more than 6,000 characters."""
    if len(request.prompt) > 6000:
        raise ContextOverflow("HTTP 400: context length exceeded")
    return f"{ACTION}long[{len(request.prompt)}]"


PROVOKED = {
    "invalid_action": lambda: server("41?", f"{ANSWER}41"),
    "tool_failure": lambda: endless("broken"),
    "no_progress": lambda: endless("nothing"),
    "max_steps": lambda: endless("look"),
    "context_overflow": lambda: server(small),
    "infinite_loop": lambda: server(f"{ACTION}look[41]"),
}
print(*ReActErrorHandler.ERROR_TYPES, sep="\n")

# %% [markdown] lang="en"
# Both agents on all six: why the run stopped, and the calls of the model. Last, the step in which `find` sees the kind first in the robust run's trace:

# %% [markdown] lang="zh" en="2f07df2a"
# 两个智能体各做六类：停止原因，和模型的调用次数。最后是 `find` 在可靠的那次运行的轨迹里第一次看到这类错误的步号：

# %%
handler, runs = ReActErrorHandler(language), {}
for kind, provoke in PROVOKED.items():
    parts = []
    for agent in (ReActAgent, RobustReActAgent):
        llm = provoke()
        made = agent(llm, [look, nothing, broken, long], language=language)
        runs[kind] = made.run("41?")
        parts.append(f"{agent.__name__} {runs[kind].stop_reason}, {len(llm.requests)}")
    steps = [step for step, found in handler.find(runs[kind]) if found == kind]
    print(f"{kind}: {' | '.join(parts)} | {steps[0]}")

# %% [markdown] lang="en"
# The plain agent calls four different troubles `max_steps`, after ten calls each. The robust one uses a failing tool without effects three times in a step (24 attempts in 8 steps here), then tells the model what is wrong; these scripts do not listen, so it stops, three times with the cause as its reason. What `handle_error` says to each (in the run, an unreadable reply is told even more exactly):

# %% [markdown] lang="zh" en="9e62102e"
# 普通的智能体把四种不同的麻烦都叫 `max_steps`，每种都用了十次调用。可靠的那个在一步里把没有副作用的失败工具用三次（这里 8 步共 24 次），再告诉模型哪里不对；这些脚本不听，于是它停下来，其中三次以起因作为停止原因。`handle_error` 对每一类会说的话（运行中，读不懂的回复会说得更具体）：

# %%
for kind in handler.ERROR_TYPES:
    print(f"{kind}: {handler.handle_error(runs[kind], kind)}")

# %% [markdown] lang="en"
# `None`: words do not shorten a request that is too long. The agent asked again with older steps cut, so it made more calls than its ten steps. How loops are found, and what to cut, is the subject of 09.
#
# ## What a retry buys
#
# A run needs six calls, and each fails at a rate of 0.2. **Predict:** how many runs of 100 get through? And with three attempts for each call? (The rate 1.0 is a wrong key.) The columns: rate, attempts for each call, runs that get through, calls paid a run.

# %% [markdown] lang="zh" en="67de02bf"
# `None`：请求太长，光靠提醒缩不短。智能体删去旧的步骤再问，所以调用比十步还多。循环怎样发现、删什么，是第 09 课的内容。
#
# ## 重试能换来什么
#
# 一次运行需要六次调用，每次的故障率是 0.2。**先预测**：100 次运行里有几次能走完？每次调用最多试三次呢？（故障率 1.0 就是密钥错了。）表里依次是：故障率、尝试次数、走完的百分比、每次运行付费的调用次数。

# %% tags=["predict"]
from random import Random


def one_run(p, calls, attempts, chance):
    """Whether every call got through within its attempts, and how many attempts were paid."""
    paid = 0
    for _ in range(calls):
        for _ in range(attempts):
            paid += 1
            if chance.random() >= p:
                break
        else:
            return False, paid
    return True, paid


guess, chance = "…", Random(1)
print(guess, "?")
for p in (0.2, 1.0):
    for attempts in (1, 3):
        many = [one_run(p, 6, attempts, chance) for _ in range(20_000)]
        through, paid = (sum(column) / len(many) for column in zip(*many, strict=True))
        print(f"{p}  {attempts} ×  {through:.0%}  {paid:.1f}")

# %% [markdown] lang="en"
# From 26 to 95 of 100, for about twice the calls. For the wrong key, three times the price of nothing. **Mechanism**: this is arithmetic, no model takes part.
#
# ## Exercise 08.2: the same without dice

# %% [markdown] lang="zh" en="5f63f760"
# 从 100 次里的 26 次到 95 次，代价是大约两倍的调用。密钥错了，就是花三倍的价钱，什么也没得到。**机制**：这只是算术，和模型无关。
#
# ## 练习 08.2：不掷骰子也能算
#
# - `p`：每次尝试失败的概率，0 到 1；各次尝试互相独立。
# - `calls`：一次运行需要的调用次数，每一次都必须成功。
# - `attempts`：每次调用最多尝试几次，包括第一次；1 表示不重试。
# - 返回整个运行成功的概率，0 到 1。
# - 例：`success(0.5, 1, 2)` 返回 `0.75`。


# %%
def success(p, calls, attempts):
    """The chance that a run gets through, 0 to 1.

    p: the chance that an attempt fails, 0 to 1; attempts do not depend on each other.
    calls: how many calls the run needs; every one has to succeed.
    attempts: how often each call is tried at most, the first time included; 1 is no retry.
    Example: success(0.5, 1, 2) -> 0.75
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    return (1 - p**attempts) ** calls
    # END SOLUTION


check("08.2", success)

# %% [markdown] lang="en"
# ## The whole agent, from no faults to 40 %
#
# Faults are rarely of one kind. Here model and tools have all kinds that are **visible** in a reply or a status, in equal shares, each call at the same rate. The runs were made before; the cell loads their traces and scores them now. Step through the rates: success on the left, calls paid on the right.

# %% [markdown] lang="zh" en="757e060e"
# ## 整个智能体：从没有故障到 40 %
#
# 故障很少只有一种。这里模型和工具会出各种**看得见**的故障，也就是在回复或状态里能看出来的，各种份额相同，每次调用的故障率相同。运行是事先做好的；单元格现在读入它们的轨迹，当场评分。逐个故障率翻看：左边是成功率，右边是付费的调用次数。

# %%
from reactlab.course.fault_slider import fault_slider, kind_table
from reactlab.course.sweep import stored_kinds, stored_sweep

AGENTS = ("plain", "robust")
fault_slider(stored_sweep(AGENTS), AGENTS)

# %% [markdown] lang="en"
# **Staged:** the level. The embedded model repeats itself when asked again, and the faults are ours; another model has other curves. **Mechanism:** the direction. A visible fault can be asked again, for one call more, and the more calls a run needs, the more it helps. The plain agent is cheaper where its runs break off.
#
# Now one run of your own. With the seed 28, chosen for this, the plain agent fails in the output stored here. Turn `RATE` and `SEED`. Among the kinds is `repeated_action`: the model asks twice, so watch the refunds.

# %% [markdown] lang="zh" en="d67f0da4"
# **演示**的是高低：内置模型再问一次还是那样回答，故障也是我们放的；换一个模型，曲线就不同。**机制**是方向：看得见的故障可以再问一次，多付一次调用；一次运行需要的调用越多，帮助越大。普通的智能体便宜一些，也是因为它的运行中途就断了。
#
# 现在自己运行一次。种子 28 是特意挑的：在这里存下的输出里，普通的智能体没有走完。试着改 `RATE` 和 `SEED`。故障里有一种是 `repeated_action`，模型会要求两次，所以请留意退款：

# %%
from reactlab import FaultyLLM

RATE, SEED = 0.2, 28
for agent in (ReActAgent, RobustReActAgent):
    account.execute("DELETE FROM refunds")
    llm = FaultyLLM(model, RATE, seed=SEED)
    my_run = agent(llm, tools, language=language, approve="always").run(question)
    print(agent.__name__, my_run.stop_reason, [fault.kind for fault in llm.faults], refunds())
my_run

# %% [markdown] lang="en"
# ## What nobody sees, no retry heals
#
# Two more troubles (**staged**). In the first, a plausible wrong value stands in the answer in place of the right one. In the second, the model asks for the same refund once more, on its own. **Predict:** what does the robust agent report, and what does `find` find?

# %% [markdown] lang="zh" en="fbb4eae5"
# ## 看不见的错误，重试也没用
#
# 还有两种麻烦（**演示**）。第一种：答案里一个看起来合理的错误数值，代替了正确的数值。第二种：模型自己把同一笔退款又要求了一次。**先预测**：可靠的智能体会报告什么？`find` 会找到什么？

# %% tags=["predict"]
silent = {
    "wrong_value": FaultyLLM(model, {"wrong_value": 1.0}, seed=3),
    "asked_twice": server(ask, ask, ask, f"{ACTION}ProcessRefund[12345]", ask),
}
guess = "…"
print(guess, "?")
for name, llm in silent.items():
    account.execute("DELETE FROM refunds")
    agent = RobustReActAgent(llm, tools, language=language, approve="always")
    odd_run = agent.run(question)
    print(f"{name}: {odd_run} ({odd_run.stop_reason})", handler.find(odd_run), refunds())

# %% [markdown] lang="en"
# `answered`, and nothing found: the order in the first answer is another one, and the second refund was paid. **Mechanism:** a policy can only answer what shows. A value has to be checked against the observations (12, 18); one refund for each order is the business of the tool (11). So wrong values are reported apart. The stored runs at a rate of 0.2, each kind alone:

# %% [markdown] lang="zh" en="20cb6ac0"
# 都是 `answered`，什么也没找到：第一个答案里的订单号已经不是原来的，第二次退款也付了。**机制**：策略只能回应看得见的东西。数值要和观察核对（第 12、18 课）；一个订单只退一次款，该由工具来保证（第 11 课）。所以错误的数值要单独报告。下面是故障率 0.2 时存档的运行，每种故障单独出现：

# %%
kind_table([p for p in stored_kinds() if "wrong_value" in p.series or p.series == "mixed"])

# %% [markdown] lang="en"
# Retrying lifts the row of visible faults. It does nothing for wrong values.
#
# ## A limit on the bill
#
# Retries cost calls, so a run gets a budget: of calls, tokens, seconds or dollars. When it is used up, the run ends and says so; its steps are kept. A server that is busy at every second call, and a budget of five:

# %% [markdown] lang="zh" en="d18d448c"
# 重试能抬高看得见的故障那一行；对错误的数值，它什么也做不了。
#
# ## 给账单一个上限
#
# 重试要多花调用，所以一次运行要有预算：调用次数、token、秒数或金额。用完了，运行就结束并说明原因，已有的步骤都保留。下面的服务器每两次调用忙一次，预算是五次调用：

# %%
from reactlab import Budget

llm = server(BUSY, ask, BUSY, ask, BUSY, ask, BUSY, ask)
small_budget = Budget(calls=5)
agent = RobustReActAgent(llm, tools, language=language, approve="always", budget=small_budget)
short_run = agent.run(question)
print(short_run.stop_reason, "·", short_run.detail, "·", len(short_run))

# %% [markdown] lang="en"
# ## An agent is tested with a scripted model
#
# With a script in place of the model, a test is fast, costs nothing, and tries what a model does once in a thousand runs. A test of pytest is a function whose name begins with `test_`; `assert` says what has to be true. Here the promise is: the tool is used as the model asked, once.

# %% [markdown] lang="zh" en="749c9fa2"
# ## 用脚本模型来测试智能体
#
# 用脚本代替模型，测试很快，不花钱，还能重现模型一千次才出现一次的行为。pytest 的测试就是一个名字以 `test_` 开头的函数；`assert` 写明什么必须成立。这里的承诺是：工具按模型的要求使用，只用一次。


# %%
def test_the_tool_is_used_once():
    used = []

    def note(text: str):
        used.append(text)
        return "41"

    llm = ScriptedLLM([f"{ACTION}note[how long]", f"{ANSWER}41"])
    run = ReActAgent(llm, [note], language=language).run("?")
    assert used == ["how long"]
    assert "41" in llm.requests[1].prompt
    assert run.answer == "41"


test_the_tool_is_used_once()

# %% [markdown] lang="en"
# No output: it passed. In a file `test_agent.py`, `pytest` would find it. Does the test catch anything? Try it: add `used.append(text)` once more to `note`.
#
# ## Exercise 08.3: a test that catches wrong agents
#
# Write one test for three promises; the first is given. The check runs it with a right agent, where it has to pass, and with six that have one fault each, where it has to fail.

# %% [markdown] lang="zh" en="ea0f2c89"
# 没有输出：通过了。写在文件 `test_agent.py` 里，`pytest` 就能找到它。这个测试真能抓住错误吗？试一试：在 `note` 里再加一行 `used.append(text)`。
#
# ## 练习 08.3：能抓住坏智能体的测试
#
# 为三个承诺写一个测试；第一个已经写好。检查时会用一个正确的智能体运行它，必须通过；再用六个各有一个毛病的智能体运行它，必须失败。
#
# - `make`：函数，`make(llm, tools, max_steps=10)` 返回一个智能体。
# - 承诺一：工具按模型的要求使用，只用一次，答案是模型给的。
# - 承诺二：工具失败时（抛出 `ToolError("…")`），模型的下一个提示词里有这个错误的文字，答案仍是模型给的，而不是错误的文字。
# - 承诺三：步数用完时，`run.answer` 是 `None`，`run.stop_reason` 是 `"max_steps"`。
# - 用 `assert` 写明每一点。`llm.requests[1].prompt` 是第二次请求的提示词；`ScriptedLLM([…], repeat_last=True)` 会一直重复最后一个回复。

# %%
from reactlab import ToolError


def test_my_agent(make):
    """Passes with a right agent, fails with one that breaks a promise.

    make: function, make(llm, tools, max_steps=10) returns the agent to test.
    Promise 1: a tool is used as the model asked, once, and the answer is the model's.
    Promise 2: when a tool fails, by raising ToolError("…"), these words are in the model's next
        prompt, and the answer is still the model's, not the words of the error.
    Promise 3: when the steps are used up, run.answer is None and run.stop_reason is "max_steps".
    Say each with assert. llm.requests[1].prompt is the prompt of the second request;
    ScriptedLLM([…], repeat_last=True) goes on with its last reply.
    """
    used = []

    def note(text: str):
        used.append(text)
        return "41"

    llm = ScriptedLLM([f"{ACTION}note[how long]", f"{ANSWER}41"])
    run = make(llm, [note]).run("?")
    assert used == ["how long"]
    assert run.answer == "41"
    # BEGIN SOLUTION
    # STUB: return ...  # your code here, in place of this line

    def broken(text: str):
        raise ToolError("out of paper")

    llm = ScriptedLLM([f"{ACTION}broken[a]", f"{ANSWER}none"])
    run = make(llm, [broken]).run("?")
    assert "out of paper" in llm.requests[1].prompt
    assert run.answer == "none"

    llm = ScriptedLLM([f"{ACTION}note[a]"], repeat_last=True)
    run = make(llm, [note], 3).run("?")
    assert run.answer is None
    assert run.stop_reason == "max_steps"
    # END SOLUTION


check("08.3", test_my_agent)

# %% [markdown] lang="en"
# ## What to keep
#
# - A retry heals chance. Ask: can the next try be different, although nobody changes anything?
# - Retry the call that failed, never the run; a tool with effects never by itself.
# - What the model can mend, tell it. What nobody can mend, stop, with the reason beside the answer, not in its place.
# - What does not show is not healed; measure it apart.

# %% [markdown] lang="zh" en="adff14cb"
# ## 要点
#
# - 重试只对付偶发的故障。先问：什么都不改，下一次会不一样吗？
# - 重试失败的那一次调用，绝不重试整个运行；有副作用的工具，绝不自动重试。
# - 模型能改的，告诉它。谁也改不了的，停止，把原因写在答案旁边，而不是写在答案的位置。
# - 看不见的，重试没有用；要单独测量。

# %%
from reactlab.course import compare, quiz, stored_run

quiz("08")

# %% [markdown] lang="en"
# Your run with faults beside the **stored run**, the same question without faults, recorded with the embedded model. Ask: did the format differ? Did it stop? Did it skip a tool, and was it right anyway? What did the faults cost?

# %% [markdown] lang="zh" en="6ce1c389"
# 左边是**存档的运行**，同样的问题，没有故障，用内置模型录下；右边是你那次有故障的运行。然后问：格式不同吗？它停下来了吗？它跳过了工具吗，答案还对吗？故障多花了什么？

# %%
compare(stored_run("08.refund"), my_run)

# %% [markdown] lang="en"
# **Next:** 09, loops and context. When is the same call a loop, and when is it patience?

# %% [markdown] lang="zh" en="2fd2be80"
# **下一课**：09，循环与上下文。同一个调用，什么时候是死循环，什么时候是耐心等待？
