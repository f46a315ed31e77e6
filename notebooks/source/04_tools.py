# %% [markdown] lang="en"
# # 04 · Tools
#
# **The description is part of the program.** You will give one function two descriptions and see another tool chosen. Then you take a function all the way to a tool: schema, arguments from text, errors that a model can read. At the end you break into a calculator and a database, and close both.
#
# **Minutes:** 35. **Needs:** nothing from other notebooks. New here? Begin with `00_start_here`.

# %% [markdown] lang="zh" en="770139ca"
# # 04 · 工具
#
# **描述是程序的一部分**。你将给同一个函数写两种描述，看模型选了不同的工具。然后把一个函数一步步做成工具：模式、从文字得到参数、模型读得懂的错误。最后，你会攻破一个计算器和一个数据库，再把两个漏洞都堵上。
#
# **时间**：35 分钟。**前提**：不依赖其他课。第一次来？请从 `00_start_here` 开始。

# %%
from reactlab import ReActAgent, SimulatedLLM, Tool, ToolCall, ToolRegistry, builtin_tools
from reactlab.course import check, edition, example, journey, show

language = edition("en")
question = example("04.price")

# %% [markdown] lang="en"
# ## Same function, two descriptions
#
# A model never sees this function. It sees a name, one sentence and the parameters. Here are two sentences for the same function. Both are true.

# %% [markdown] lang="zh" en="c0a39686"
# ## 同一个函数，两种描述
#
# 模型从来看不到这个函数。它看到的是名称、一句话和参数。下面是写给同一个函数的两句话，两句都没有说错。

# %% lang="en"
prices = {"teapot": 24, "lantern": 18, "wool blanket": 45}
VAGUE = "Gets the data of an item."
CLEAR = "Returns the price of a product in our shop, in euros."


def price(product: str, units: int = 1):
    return prices[product] * units


price("teapot", 2)

# %% lang="zh" en="261268b2"
prices = {"茶壶": 68, "灯笼": 35, "羊毛毯": 129}
VAGUE = "获取一件物品的数据。"
CLEAR = "查询本店商品的价格，单位是元。"


def price(product: str, units: int = 1):
    return prices[product] * units


price("茶壶", 2)

# %% [markdown] lang="en"
# The agent below also has an encyclopaedia to search. **Predict:** which tool does it call with the vague description, and what does it answer?

# %% [markdown] lang="zh" en="444b76e6"
# 下面的智能体还有一部百科全书可以查。**预测**：用含糊的描述时，它会调用哪个工具？会给出什么答案？

# %% tags=["predict"]
guess = "…"
search = builtin_tools(language=language)[0]
runs = {}
for about in (VAGUE, CLEAR):
    tools = [search, Tool("Shop", about, price)]
    run = runs[about] = ReActAgent(SimulatedLLM(), tools, language=language).run(question)
    print(about, "→", [call.name for step in run for call in step.calls], "→", run)
print("guess:", guess)

# %% [markdown] lang="en"
# Nothing in the function has changed. In the stored outcome, the vague sentence sends the agent to the encyclopaedia, three times, and it finds nothing. The price was one call away.
#
# **Staged:** this model matches words. Its advantage is that it can say which.

# %% [markdown] lang="zh" en="3e4139ba"
# 函数一点没变。在存档的结果里，含糊的那句话让智能体翻了三次百科全书，最后说没有找到。其实再调用一次就有价格。
#
# **演示**：这个模型靠词语匹配。它的长处是能说出匹配了哪些词。

# %%
for about, run in runs.items():
    request = run.steps[0].model_calls[0].request
    print(about)
    for what, value in SimulatedLLM().explain(request).rows:
        if "Shop" in what or value.startswith(("Shop[", "Search[")):
            print("  ", what, "|", value)

# %% [markdown] lang="en"
# Write a third sentence for the shop and see what it does. Does a real model depend on the sentence in the same way? A small one was asked to name a tool: 6 questions, each with both orders of the two tools, so 12 times for each sentence. **Predict:** how often does its reply begin with `Shop`?

# %% [markdown] lang="zh" en="6632a891"
# 给商店写第三句描述，看看会怎样。真实的模型也这样依赖描述吗？我们请一个小模型说出工具名：6 个问题，两个工具的两种排列各问一次，所以每种描述问 12 次。**预测**：有几次回复以 `Shop` 开头？

# %% tags=["predict"]
from reactlab.course import real_model
from reactlab.course.shop import choice_request

small, questions = real_model("04"), example("04.questions")
print(small.about)
for about in (VAGUE, CLEAR):
    pair = [search, Tool("Shop", about, price)]
    for tools in (pair, pair[::-1]):
        replies = [small.complete(choice_request(tools, one)).text.strip() for one in questions]
        hits = sum(reply.startswith("Shop") for reply in replies)
        print(about, [tool.name for tool in tools], f"{hits}/{len(replies)}", sorted(set(replies)))

# %% [markdown] lang="en"
# **Measured** (model and day above, 24 requests, always the likeliest reply): `Shop` 9 of 12 times with the vague sentence, 10 of 12 with the clear one. That is no difference. A model this small hardly reads the sentences, and some replies name no tool. It took four ways of asking to get tool names at all. Does a larger one read them? Put it in place of `small` and count.
#
# ## A dictionary of functions knows too little
#
# Now build what stands between the model's text and the function. This is how many agents begin: names and functions, and one line that calls them. It works as long as every tool calls its parameter `input`.

# %% [markdown] lang="zh" en="e284839a"
# **实测**（模型和日期见上，24 次请求，每次取最可能的回复）：含糊的那句话 12 次里有 7 次选 `Shop`，清楚的那句话 6 次。没有差别。它看的是位置：24 次里有 23 次选了列在最后的工具。这么小的模型几乎不读描述，而且试了四种问法才得到工具名。更大的模型会读吗？把它放到 `small` 的位置上，数一数。
#
# ## 只有函数的字典知道得太少
#
# 现在来做模型的文字和函数之间的那一层。许多智能体是这样开头的：名称、函数，再加一行调用。只要每个工具的参数都叫 `input`，它就能用。


# %% tags=["raises-exception"]
def length(input):
    return len(input)


by_name = {"Length": length, "Shop": price}


def use(name, text):
    """Run the tool that the model named."""
    return by_name[name](input=text)


print(use("Length", question))
use("Shop", next(iter(prices)))

# %% [markdown] lang="en"
# The dictionary has no idea what a function takes. Python has: the signature holds names, types and defaults.

# %% [markdown] lang="zh" en="1946d9be"
# 字典不知道函数要什么参数。Python 知道：签名里有名称、类型和默认值。

# %%
import inspect

for name, item in inspect.signature(price).parameters.items():
    print(name, item.annotation, item.default)

# %% [markdown] lang="en"
# `inspect._empty` means: no default, so it must be given. That is enough for a **schema**, the form in which models and APIs are told what a tool takes.
#
# ## Exercise 04.1: a schema from the signature

# %% [markdown] lang="zh" en="a93363b5"
# `inspect._empty` 表示没有默认值，必须给出。这些信息足够写出**模式**（schema）：模型和 API 就是靠它知道工具要什么参数。
#
# ## 练习 04.1：从签名得到模式
#
# 返回 JSON Schema 对象：`{"type": "object", "properties": {...}, "required": [...]}`。
#
# - `str`、`int`、`float`、`bool` 写成 `{"type": "string"}`、`"integer"`、`"number"`、`"boolean"`；没有注解的当作 `"string"`。
# - `list[X]` 写成 `{"type": "array", "items": …}`，里面是 X 的写法；`Literal["a", "b"]` 写成 `{"enum": ["a", "b"]}`。
# - `Optional[X]` 按 X 来写。
# - `required` 列出没有默认值的参数名。
#
# 等价的写法同样算对。卡住了？先 `from reactlab.course import hint`，再运行 `hint("04.1")`，最多三次。


# %%
def schema(func):
    """What a function takes, as {"type": "object", "properties": {...}, "required": [...]}.

    str, int, float, bool: {"type": "string"}, "integer", "number", "boolean"
    no annotation: as str.   Optional[X]: as X.
    list[X]: {"type": "array", "items": X's form}.   Literal["a", "b"]: {"enum": ["a", "b"]}
    required: the names of the parameters without a default.
    Other ways to write the same schema are right as well. Stuck? hint("04.1")
    Example: schema(price)["required"] -> ["product"]
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    from typing import Literal, get_args, get_origin

    plain = {str: "string", int: "integer", float: "number", bool: "boolean"}

    def form(annotation):
        inner = [part for part in get_args(annotation) if part is not type(None)]
        if get_origin(annotation) is Literal:
            return {"enum": inner}
        if get_origin(annotation) is list:
            return {"type": "array", "items": form(inner[0])}
        return form(inner[0]) if inner else {"type": plain.get(annotation, "string")}

    items = inspect.signature(func).parameters
    return {
        "type": "object",
        "properties": {name: form(item.annotation) for name, item in items.items()},
        "required": [name for name, item in items.items() if item.default is item.empty],
    }
    # END SOLUTION


check("04.1", schema)

# %% [markdown] lang="en"
# ## A comma is not always a separator
#
# A text dialect gives you `Tool[Oslo, 5]`: one text for all arguments. The first idea is to cut at the commas.

# %% [markdown] lang="zh" en="1ec2f1b3"
# ## 逗号不一定是分隔符
#
# 文本格式给你的是 `Tool[Oslo, 5]`：所有参数在同一段文字里。最先想到的办法是按逗号切开。


# %%
def weather(city: str, days: int = 3):
    return f"city={city!r} days={days!r}"


for text in ("Oslo, 5", '"Paris, Texas"'):
    print(text, "→", weather(*text.split(",")))

# %% [markdown] lang="en"
# No error in either line, and both are wrong: the first `days` is the text `' 5'`, and the second asks for `Texas"` days. A silent mistake is worse than a loud one, because nobody is told.
#
# ## Exercise 04.2: arguments from text

# %% [markdown] lang="zh" en="670783fd"
# 两行都没有报错，两行都不对：第一行的 `days` 是文字 `' 5'`，第二行要查的天数是 `Texas"`。悄悄出错比大声出错更糟，因为没有人知道。
#
# ## 练习 04.2：从文字得到参数
#
# 返回字典，参数名 → 值，按 `func` 参数的顺序配对。
#
# - 逗号分隔各个值，双引号里的逗号除外。值两边的引号和空格不属于值。
# - 只有一个参数的函数得到整段文字。
# - 按注解转换：`int`、`float`、`bool`（`true`/`false`，大小写不限）；其他都是文字。
# - 没给的参数不用管。值比参数多时抛出 `ValueError`。


# %%
def bind(text, func):
    """The arguments in a text, as a dict: name -> value, in the order of func's parameters.

    Commas separate the values, but not inside double quotes.
    Quotes and blanks around a value do not belong to it.
    A function with one parameter takes the whole text.
    Values become what the annotation says: int, float, bool (true/false in any case), else text.
    Parameters without a value are left out. More values than parameters: raise ValueError.
    Example: bind("teapot, 2", price) -> {"product": "teapot", "units": 2}
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    import csv

    items = list(inspect.signature(func).parameters.values())
    values = next(csv.reader([text], skipinitialspace=True)) if len(items) > 1 else [text]
    if len(values) > len(items):
        raise ValueError(f"{len(values)} values for {len(items)} parameters")
    bound = {}
    for item, value in zip(items, values, strict=False):
        value = value.strip()
        if item.annotation is bool:
            value = value.lower() == "true"
        elif item.annotation in (int, float):
            value = item.annotation(value)
        bound[item.name] = value
    return bound
    # END SOLUTION


check("04.2", bind)

# %% [markdown] lang="en"
# ## One function, five forms
#
# `Tool` from the package puts the pieces together. It reads what models write more patiently: `units: 3`, JSON, full-width commas and quotes. Step through one call. Then put in a function and a text of your own.

# %% [markdown] lang="zh" en="b507c59f"
# ## 一个函数，五种形态
#
# 成品 `Tool` 把这些部件合在一起。它读模型的文字更有耐心：`units: 3`、JSON、全角逗号和引号都能读。一步步看完一次调用，再换成你自己的函数和文字。

# %%
shop = Tool("Shop", CLEAR, price)
item = next(iter(prices))
journey(shop, f"{item}, 2")

# %% [markdown] lang="en"
# ## Whatever goes wrong is an observation
#
# A model that calls a tool wrongly can repair it, if it is told what was wrong. So a tool does not raise: it answers. And whatever a function returns, the model gets a text that is never empty.

# %% [markdown] lang="zh" en="40c18047"
# ## 出了什么错，都写进观察
#
# 模型调用错了，只要告诉它错在哪里，它就可能改正。所以工具不抛出错误，而是作出回答。而且无论函数返回什么，模型得到的都是文字，而且不会是空的。

# %%
for text in (f"units: 3, product: {item}", f"{item}, many", f"{item}, 2, 3", question, ""):
    seen = shop.execute(text)
    print(f"[{text}] → {seen.error or 'ok'} → {seen}")
print()
for value in (None, "", 0, [], {"price": 24}, b"24"):
    print(repr(value), "→", Tool("Give", "", lambda given=value: given).execute())

# %% [markdown] lang="en"
# A **registry** holds the tools by name. Case, blanks and underscores do not matter. **Predict:** which of these three names run `DeleteOrder`?

# %% [markdown] lang="zh" en="9fd3293c"
# **注册表**按名称保存工具。大小写、空格和下划线没有影响。**预测**：下面三个名称，哪些会运行 `DeleteOrder`？

# %% tags=["predict"]
deleted = []
registry = ToolRegistry([shop, Tool("DeleteOrder", "Deletes an order.", deleted.append)])
for number, name in enumerate(("delete_order", "DeleteOrders", "RemoveOrder"), 1):
    print(name, "→", registry.execute(ToolCall(name, str(number))).observation)
print("deleted:", deleted)

# %% [markdown] lang="en"
# A name that is nearly right gets a suggestion, and no tool runs. A registry that guessed would sooner or later delete an order that nobody named.
#
# ## `eval` is not a calculator
#
# Now the two tools that most agents have. A calculator in one line is `eval`, and careful people take its builtins away: no `open`, no `import`.

# %% [markdown] lang="zh" en="53aa8817"
# 名称差一点时，得到的是建议，没有工具运行。会自己猜的注册表，迟早会删掉一个谁也没提过的订单。
#
# ## `eval` 不是计算器
#
# 现在看大多数智能体都有的两个工具。一行代码的计算器就是 `eval`，细心的人会拿走它的内置函数：没有 `open`，没有 `import`。


# %%
def naive_calculator(expression: str):
    return eval(expression, {"__builtins__": {}})


for text in ("2 * (3 + 4)", "open('diary.txt')"):
    print(text, "→", Tool("Naive", "", naive_calculator).execute(text))

# %% [markdown] lang="en"
# It looks locked. **Predict:** can an expression without any name reach a file? The file is one that we make for this.

# %% [markdown] lang="zh" en="d54a70f4"
# 看起来锁住了。**预测**：一个不含任何名称的表达式，能读到文件吗？文件是我们为此专门建的。

# %% tags=["predict"]
import math
from pathlib import Path
from tempfile import mkdtemp

diary = Path(mkdtemp(), "diary.txt")
diary.write_text(question, encoding="utf-8")
reach = "().__class__.__base__.__subclasses__()"
steal = f"[c for c in {reach} if c.__name__ == 'FileLoader'][0]('', '').get_data({str(diary)!r})"
print("more than 100 classes within reach:", len(naive_calculator(reach)) > 100)
print("read from the disk:", naive_calculator(steal).decode("utf-8"))
print("digits of 9**9**9, not run:", f"{int(9**9 * math.log10(9)) + 1:,}")

# %% [markdown] lang="en"
# From an empty pair of brackets to its class, to the class of everything, to one that opens files. And `9**9**9` needs no trick at all: it would keep this kernel busy until you restart it. **Mechanism:** a list of what is forbidden has to be complete; a list of what is allowed does not.
#
# ## The repair: allow, and refuse the rest
#
# Python reads the text into a tree. We walk it and work out what is arithmetic.

# %% [markdown] lang="zh" en="1a9cb953"
# 从一对空括号到它的类，到万物的基类，再到一个能打开文件的类。而 `9**9**9` 不需要任何花招：它会让内核一直忙到你重启为止。**机制**：禁止的清单必须完整，允许的清单不必。
#
# ## 修正：允许几样，其余拒绝
#
# Python 把文字读成一棵树。我们沿着树走，只计算属于算术的部分。

# %%
import ast
import operator

ALLOWED = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def work_out(node):
    """The value of one part of the tree."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -work_out(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in ALLOWED:
        left, right = work_out(node.left), work_out(node.right)
        if isinstance(node.op, ast.Pow) and right * math.log10(max(abs(left), 1)) > 100:
            raise ValueError("the result would have more than 100 digits")
        return ALLOWED[type(node.op)](left, right)
    raise ValueError(f"{type(node).__name__} is not arithmetic")


def safe_calculator(expression: str):
    return work_out(ast.parse(expression, mode="eval").body)


for text in ("2 * (3 + 4)", reach, "9**9**9"):
    print(text, "→", Tool("Safe", "", safe_calculator).execute(text))

# %% [markdown] lang="en"
# ## SQL that begins with WITH can delete
#
# The second tool asks a database. Models write SQL, so the tool looks at the first word: only SELECT, or WITH, which begins longer questions. **Predict:** how many of the three orders are left after the second line?

# %% [markdown] lang="zh" en="e5c95fe1"
# ## 以 WITH 开头的 SQL 也能删除
#
# 第二个工具查询数据库。SQL 由模型来写，所以工具先看第一个词：只允许 SELECT，或者较长的查询开头用的 WITH。**预测**：第二行之后，三个订单还剩几个？

# %% tags=["predict"]
import sqlite3


def new_shop(where=":memory:"):
    """A new database with three orders."""
    db = sqlite3.connect(where)
    db.execute("CREATE TABLE orders(id INTEGER, item TEXT)")
    with db:
        db.executemany("INSERT INTO orders VALUES (?, ?)", enumerate(prices, 7))
    return db


def naive_sql(db, sql):
    if not sql.lstrip().upper().startswith(("SELECT", "WITH")):
        raise ValueError("only SELECT")
    return db.execute(sql).fetchall()


db = new_shop()
delete = "WITH k(n) AS (SELECT 7 UNION SELECT 8) DELETE FROM orders WHERE id IN k"
for sql in ("SELECT * FROM orders", delete, "SELECT * FROM orders"):
    print(sql, "→", naive_sql(db, sql))

# %% [markdown] lang="en"
# Two orders are gone. The text began with an allowed word.
#
# ## The repair: ask the database, not the text
#
# `query_only` makes the connection refuse writing. On its own, `PRAGMA query_only = OFF` would take that back. So there is a second lock: SQLite asks our function about every part of a statement. And what is cut off says so, or the model takes the part for the whole.

# %% [markdown] lang="zh" en="3540a64b"
# 两个订单没了。那段文字确实以允许的词开头。
#
# ## 修正：问数据库，不看文字
#
# `query_only` 让这个连接拒绝写入。单靠它，一句 `PRAGMA query_only = OFF` 就能取消。所以还要第二把锁：SQLite 对语句的每个部分都先问我们的函数。另外，结果截短时要说明，否则模型会把部分当成全部。

# %%
READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ}
COUNTING = {"count", "sum", "avg", "min", "max"}


def only_reading(action, table, name, *place):
    counts = action == sqlite3.SQLITE_FUNCTION and name in COUNTING
    return sqlite3.SQLITE_OK if action in READING or counts else sqlite3.SQLITE_DENY


def lock(db):
    db.execute("PRAGMA query_only = ON")
    db.set_authorizer(only_reading)
    return db


def safe_sql(db, sql, most=20):
    """At most so many rows, one a line; a note says if there are more."""
    rows = db.execute(sql).fetchmany(most + 1)
    note = [f"(first {most} rows; more rows exist)"] if len(rows) > most else []
    return "\n".join([*map(str, rows[:most]), *note])


print(safe_sql(lock(new_shop()), "SELECT a.id FROM orders a, orders b, orders c", most=2))

# %% [markdown] lang="en"
# ## The finished tools, and the same attacks
#
# `Calculator` and `QueryDatabase` follow the same two ideas, with more arithmetic and more bounds (time, length, nesting). The calculator walks the tree with its own list of what is allowed:

# %% [markdown] lang="zh" en="da7bb676"
# ## 成品，和同样的攻击
#
# `Calculator` 和 `QueryDatabase` 用的是同样的两个办法，算术更全，限制也更多（时间、长度、嵌套）。计算器沿着树走，有自己的允许清单：

# %%
from reactlab.tools.calculator import _work_out

show(_work_out)

# %% [markdown] lang="en"
# And this is how the database is opened. `_open` opens a file with `mode=ro`: read only.

# %% [markdown] lang="zh" en="4ca1037f"
# 数据库则是这样打开的。`_open` 用 `mode=ro` 打开文件：只读。

# %%
from reactlab.tools.database import Database

show(Database.connect)

# %% [markdown] lang="en"
# Each cell of the table is made from what happens here. Note the lines of everyday use as well: a tool that refuses everything is safe and useless. `[]` means that it ran and returned no row; the last line counts the orders that are left.

# %% [markdown] lang="zh" en="f940ca87"
# 表里的每一格都来自此刻真正发生的事。也请看日常用法的那几行：什么都拒绝的工具很安全，也没有用。`[]` 表示运行了，没有返回任何行；最后一行数一数还剩几个订单。

# %%
from functools import partial

from reactlab.course.journey import Attacks

where = Path(mkdtemp(), "shop.db")
new_shop(where).close()
builtins = {tool.name: tool for tool in builtin_tools(database=where, language=language)}
rows = {}
for text in ("2 * (3 + 4)", steal, "(lambda: 7)()", "9**9**9"):
    naive = None if text == "9**9**9" else Tool("Naive", "", naive_calculator).execute(text)
    safe = Tool("Safe", "", safe_calculator).execute(text)
    name = text.replace(repr(str(diary)), "'diary.txt'")
    rows[name] = [naive, safe, builtins["Calculator"].execute(text)]

tools = [
    Tool("Naive", "", partial(naive_sql, new_shop())),
    Tool("Safe", "", partial(safe_sql, lock(new_shop()))),
    builtins["QueryDatabase"],
]
one, stacked = "SELECT item FROM orders WHERE id = 9", "SELECT 1; DELETE FROM orders"
for sql in (one, delete, stacked, "PRAGMA query_only = OFF", "SELECT count(*) FROM orders"):
    rows[sql] = [tool.execute(sql=sql) for tool in tools]
Attacks(rows)

# %% [markdown] lang="en"
# `SELECT 1; DELETE …` is refused in every column: Python's `sqlite3` runs one statement at a time. Not every attack works, and that is worth knowing too. Paths and addresses, the other two ways out, are for notebook 10 (planned).
#
# ## The built-in tools
#
# Five tools come with the package, each bounded to what you give it. One call of each:

# %% [markdown] lang="zh" en="0aab2fdd"
# `SELECT 1; DELETE …` 在每一列都被拒绝：Python 的 `sqlite3` 一次只运行一条语句。不是每种攻击都能成功，这也值得知道。另外两条出路，路径和网址，留给第 10 课（计划中）。
#
# ## 内置工具
#
# 成品自带五个工具，每个都只能碰你给它的东西。各调用一次：

# %%
calls = {"Search": "ReAct", "Calculator": "15% of 80", "QueryDatabase": "SELECT 1 + 1 AS two"}
calls |= {"ReadFile": ".", "CallAPI": "https://example.com"}
for name, text in calls.items():
    print(f"{name}[{text}] → {' / '.join(str(builtins[name].execute(text)).splitlines())[:90]}")

# %% [markdown] lang="en"
# | tool | works on | cannot |
# |---|---|---|
# | `Search` | pages | leave them |
# | `Calculator` | one expression | run code, compute without end |
# | `QueryDatabase` | one SQLite file | write, return more than 50 rows |
# | `ReadFile` | one folder | leave it, write |
# | `CallAPI` | the hosts you allow; none until then | call anything else |
#
# ## What to keep
#
# - The description is part of the program. Write it for a reader who sees nothing else.
# - A tool answers, also when it was called wrongly.
# - Allow a few things and refuse the rest. Put the limit where the model cannot talk its way past.

# %% [markdown] lang="zh" en="bd8635b4"
# | 工具 | 作用于 | 做不到 |
# |---|---|---|
# | `Search` | 页面 | 查页面以外的内容 |
# | `Calculator` | 一个算式 | 运行代码，无休止地计算 |
# | `QueryDatabase` | 一个 SQLite 文件 | 写入，返回超过 50 行 |
# | `ReadFile` | 一个文件夹 | 离开它，写入 |
# | `CallAPI` | 你允许的主机；默认一个也没有 | 访问其他地址 |
#
# ## 带走什么
#
# - 描述是程序的一部分。写的时候，想着读者只看得到这句话。
# - 工具总要作出回答，调用错了也一样。
# - 允许几样，其余拒绝。把限制放在模型说什么都绕不过去的地方。

# %%
from reactlab.course import compare, quiz, stored_run

quiz("04")

# %% [markdown] lang="en"
# Your run with the clear description beside the stored one. Put another model in place of `SimulatedLLM()` above, or another sentence in place of `CLEAR`, and run both cells again. Did it choose the shop? Did it fill in the product? A different outcome is a finding to note down.

# %% [markdown] lang="zh" en="2a5421c4"
# 你用清楚的描述得到的运行，和存档的运行并排放在一起。把上面的 `SimulatedLLM()` 换成别的模型，或者把 `CLEAR` 换成别的句子，再把两个单元格运行一遍。它选了商店吗？商品名填对了吗？结果不同就是发现，值得记下来。

# %%
compare(stored_run("04.price"), runs[CLEAR])

# %% [markdown] lang="en"
# **Next:** `05_the_loop`. Tools answer now, one call at a time. Who carries the answer to the next call?

# %% [markdown] lang="zh" en="9dad2133"
# **下一课**：`05_the_loop`。现在工具能一次次地作出回答了。是谁把这次的回答带到下一次调用里？
