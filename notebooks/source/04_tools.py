# %% [markdown] lang="en"
# # 04 · Tools
#
# **In the embedded model, a set of rules that comes with the package, one sentence decides which tool is called; a small real model showed no difference.** You will see both. Then you take a function all the way to a tool: schema, arguments from text, errors that a model can read. At the end you break into a calculator and a database, and close what let you in.
#
# **Minutes:** 45. **Needs:** nothing from other notebooks. New here? Begin with `00_start_here`.
#
# `example` fetches a text of this edition and prints it.

# %% [markdown] lang="zh" en="ec4d2fe3"
# # 04 · 工具
#
# **在内置模型（成品自带的一套规则）里，一句话就决定调用哪个工具；一个真实的小模型却看不出差别**。两种情况你都会看到。然后把一个函数一步步做成工具：模式、从文字得到参数、模型读得懂的错误。最后，你会攻破一个计算器和一个数据库，再把攻进去的路堵上。
#
# **时间**：45 分钟。**前提**：不依赖其他课。第一次来？请从 `00_start_here` 开始。
#
# `example` 取出这个版本的一段文字，并打印出来。

# %%
from reactlab import ReActAgent, SimulatedLLM, Tool, ToolCall, ToolRegistry, builtin_tools
from reactlab.course import check, edition, example, journey, show

language = edition("en", "04")
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
    if product not in prices:
        raise ValueError(f"product must be one of {', '.join(prices)}, not {product!r}")
    return prices[product] * units


price("teapot", 2)

# %% lang="zh" en="acfedc26"
prices = {"茶壶": 68, "灯笼": 35, "羊毛毯": 129}
VAGUE = "获取一件物品的数据。"
CLEAR = "查询本店商品的价格，单位是元。"


def price(product: str, units: int = 1):
    if product not in prices:
        raise ValueError(f"找不到“{product}”，本店只卖{'、'.join(prices)}")
    return prices[product] * units


price("茶壶", 2)

# %% [markdown] lang="en"
# An **agent** is a model that may call tools, in a loop. This one also has an encyclopaedia to search. The model is embedded in the package, unless you chose another: a set of rules that reads the prompt, the text it is sent, and nothing else. **Predict:** which tool does it call with the vague description, and what does it answer?

# %% [markdown] lang="zh" en="d414db2b"
# **智能体**就是在循环中可以调用工具的模型。下面这一个还有一部百科全书可以查。除非你另选了模型，用的就是成品内置的模型：一套规则，只读发给它的文字（提示词），别的什么也看不到。**预测**：用含糊的描述时，它会调用哪个工具？会给出什么答案？

# %% tags=["predict"]
guess = "…"
print("?", guess)
search = builtin_tools(language=language)[0]
runs = {}
for about in (VAGUE, CLEAR):
    tools = [search, Tool("Shop", about, price)]
    run = runs[about] = ReActAgent(tools=tools, language=language).run(question)
    print(about, "→", [call.name for step in run for call in step.calls], "→", run)

# %% [markdown] lang="en"
# Nothing in the function has changed. In the stored outcome, the vague sentence sends the agent to the encyclopaedia, again and again, and it finds nothing. The price was one call away.
#
# **Staged:** the embedded model was written to choose by matching words. It can say which words matched: `explain` gives its reasons as rows. The row `match Shop` is a score and the words shared with the question, synonyms included; below 2 no tool is chosen. Its list of words is short: another word for price may score 0.

# %% [markdown] lang="zh" en="bbb5f50f"
# 函数一点没变。在存档的结果里，含糊的那句话让智能体一次次去翻百科全书，最后说没有找到。其实调用一次 `Shop` 就能查到价格。
#
# **演示**：内置模型就是按词语匹配来写的。它能说出匹配了哪些词：`explain` 把理由一行行列出来。“与 Shop 的匹配”那一行是得分，以及和问题共有的词（同义词归为一个英文代号，`price` 就是价格、多少钱这一类）；低于 2 分就不选工具。它的词表有限，换一个说法可能就是 0 分。

# %%
for about, run in runs.items():
    request = run.steps[0].model_calls[0].request
    print(about)
    for what, value in SimulatedLLM().explain(request).rows[-5:]:
        print("  ", what, "|", value)

# %% [markdown] lang="en"
# Add a third sentence of your own to `(VAGUE, CLEAR)` above. The model takes out of the question the words that it found in the description, so the argument changes too: `explain` shows it.
#
# Does a real model depend on the sentence as well? A small one was asked to name a tool: 6 questions, both orders of the two tools, so 12 times for each sentence. Its prompt holds two solved examples and no parameters. **Predict:** how often does its reply begin with `Shop`?

# %% [markdown] lang="zh" en="074c6d68"
# 在上面的 `(VAGUE, CLEAR)` 里加上你自己写的第三句描述，看看会怎样。模型会从问题里去掉在描述里找到的词，所以参数也会跟着变：`explain` 看得到。
#
# 真实的模型也这样依赖描述吗？我们请一个小模型说出工具名：6 个问题，两个工具的两种排列各问一次，所以每种描述问 12 次。它的提示词里有两个做好的例子，没有参数。**预测**：有几次回复以 `Shop` 开头？

# %% tags=["predict"]
from reactlab.course import choice_request, real_model

guess = "… / 12, … / 12"
print("?", guess)
small, questions = real_model("04"), example("04.questions")
print(small.about)
for about in (VAGUE, CLEAR):
    pair = [search, Tool("Shop", about, price)]
    for tools in (pair, pair[::-1]):
        replies = [small.complete(choice_request(tools, one)).text.strip() for one in questions]
        hits = sum(reply.startswith("Shop") for reply in replies)
        print(about, [tool.name for tool in tools], f"{hits}/{len(replies)}", sorted(set(replies)))

# %% [markdown] lang="en"
# **Measured** (a recorded real model; 24 requests, always its likeliest reply): 9 of 12 with the vague sentence, 10 of 12 with the clear one. From so few that is no difference: we cannot see that it reads the sentences. The recording holds these two; for others, `small = LocalLLM()` (from `reactlab`).
#
# ## A dictionary of functions knows too little
#
# Now for what stands between text and function. Many agents begin like this. The next cell ends with an error, on purpose.

# %% [markdown] lang="zh" en="ed724d98"
# **实测**（录制的真实模型，24 次请求，每次取最可能的回复）：含糊的那句话 12 次里有 7 次选 `Shop`，清楚的那句话 6 次。次数这么少，算不上差别：看不出它读了描述。看得出的是位置：24 次里有 23 次选了列在最后的工具。录制的只有这两句；想试别的句子，用 `small = LocalLLM()`（来自 `reactlab`）。
#
# ## 只有函数的字典知道得太少
#
# 现在来做文字和函数之间的那一层。许多智能体是这样开头的。下一个单元格会故意以报错结束。


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
# It works as long as every tool calls its parameter `input`. The dictionary has no idea what a function takes. Python has: the signature holds names, types (**annotations**) and defaults. `get_origin` and `get_args` take an annotation apart. `Optional[int]` is an older way to write `int | None`; in some versions of Python their origins differ, so test whether `type(None)` is in `get_args(…)`.

# %% [markdown] lang="zh" en="b0ee22b8"
# 只有每个工具的参数都叫 `input`，它才能用。字典不知道函数要什么参数。Python 知道：签名里有名称、类型（**注解**）和默认值。`get_origin` 和 `get_args` 把注解拆开来看。`Optional[int]` 是 `int | None` 的旧写法；在有些 Python 版本里两者的 `get_origin` 不同，所以请看 `type(None)` 在不在 `get_args(…)` 里。

# %%
import inspect
from typing import Literal, Optional, get_args, get_origin

for name, item in inspect.signature(price).parameters.items():
    print(name, item.annotation, item.default)
print()
for form in (list[int], Literal["aisle", "window"]):
    print(form, get_origin(form), get_args(form))
for name, form in {"int | None": int | None, "Optional[int]": Optional[int]}.items():
    print(name, get_args(form), type(None) in get_args(form))

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
# - `str`、`int`、`float`、`bool` 写成 `{"type": "string"}` 和 `"integer"` / `"number"` / `"boolean"`；没有注解的当作 `"string"`。
# - `list[X]` 写成 `{"type": "array", "items": …}`，里面是 X 的写法（X 可以又是列表或 `Literal`）；`Literal["a", "b"]` 写成 `{"enum": ["a", "b"]}`。
# - `Optional[X]`（也写作 `X | None` 或 `None | X`）按 X 来写。
# - `required` 列出没有默认值的参数名。
#
# 等价的写法同样算对。例：`schema(price)["required"]` 得到 `["product"]`。卡住了？先 `from reactlab.course import hint`，再运行 `hint("04.1")`，最多三次。


# %%
def schema(func):
    """What a function takes, as {"type": "object", "properties": {...}, "required": [...]}.

    str, int, float, bool: {"type": "string"}, "integer", "number", "boolean"
    no annotation: as str.   Optional[X], also written X | None or None | X: as X.
    list[X]: {"type": "array", "items": X's form}, whatever X is.   Literal["a", "b"]: {"enum": ["a", "b"]}
    required: the names of the parameters without a default.
    Other ways to write the same schema are right as well.
    Stuck? from reactlab.course import hint, then hint("04.1"), up to three times.
    Example: schema(price)["required"] -> ["product"]
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
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
# Many models write a call as text, such as `Tool[Oslo, 5]`: one text for all arguments. The first idea is to cut at the commas.

# %% [markdown] lang="zh" en="b90e5778"
# ## 逗号不一定是分隔符
#
# 许多模型把调用写成文字，例如 `Tool[北京, 5]`：所有参数在同一段文字里。最先想到的办法是按逗号切开。


# %% lang="en"
import csv


def weather(city: str, days: int = 3):
    return f"city={city!r} days={days!r}"


for text in ("Oslo, 5", '"Paris, Texas"'):
    print(text, "→", weather(*text.split(",")))
    print("   csv:", next(csv.reader([text], skipinitialspace=True)))

# %% lang="zh" en="82524455"
import csv


def weather(city: str, days: int = 3):
    return f"city={city!r} days={days!r}"


for text in ("北京, 5", '"北京,海淀"'):
    print(text, "→", weather(*text.split(",")))
    print("   csv:", next(csv.reader([text], skipinitialspace=True)))

# %% [markdown] lang="en"
# Neither call fails, and both are wrong: the first `days` is the text `' 5'`, and the second asks for `Texas"` days. A silent mistake is worse than a loud one, because nobody is told. The lines with `csv` cut at the right commas: that module knows quotes.
#
# ## Exercise 04.2: arguments from text

# %% [markdown] lang="zh" en="4dda04e5"
# 两次调用都没有报错，两次都不对：第一次的 `days` 是文字 `' 5'`，第二次要查的天数是 `海淀"`。悄悄出错比大声出错更糟，因为没有人知道。`csv` 的两行切对了：这个模块认得引号。
#
# ## 练习 04.2：从文字得到参数
#
# 返回字典，参数名 → 值，按 `func` 参数的顺序配对。
#
# - 逗号分隔各个值，双引号里的逗号除外。练习只考半角逗号；全角逗号留给成品 `Tool`。包住整个值的引号和两边的空格不属于值。
# - 只有一个参数的函数得到整段文字。
# - 按注解转换：`int`、`float`、`bool`（`true`/`false`，大小写不限）；其他都是文字。值不符合注解时抛出 `ValueError`。
# - 没给的参数可以不写，也可以填上默认值。值比参数多时要报错。
#
# 例：`bind("茶壶, 2", price)` 得到 `{"product": "茶壶", "units": 2}`。


# %%
def bind(text, func):
    """The arguments in a text, as a dict: name -> value, in the order of func's parameters.

    Commas separate the values, but not inside double quotes.
    Quotes around a whole value and blanks around it do not belong to it.
    A function with one parameter takes the whole text.
    Values become what the annotation says: int, float, bool (true/false in any case), else text.
    A value that does not fit its annotation: raise ValueError.
    Parameters without a value: leave them out, or give the default.
    More values than parameters: raise an error.
    Example: bind("teapot, 2", price) -> {"product": "teapot", "units": 2}
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    items = list(inspect.signature(func).parameters.values())
    values = next(csv.reader([text], skipinitialspace=True)) if len(items) > 1 else [text]
    if len(values) > len(items):
        raise ValueError(f"{len(values)} values for {len(items)} parameters")
    bound = {}
    for item, value in zip(items, values, strict=False):
        value = value.strip()
        if item.annotation is bool:
            if value.lower() not in ("true", "false"):
                raise ValueError(f"{value!r} is neither true nor false")
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
# `Tool` from the package puts the pieces together. It reads what models write more patiently: `units: 3`, JSON, full-width commas and quotes. Step through one call. Then put in a function and a text of your own, one `journey` a cell.

# %% [markdown] lang="zh" en="a69e63a0"
# ## 一个函数，五种形态
#
# 成品 `Tool` 把这些部件合在一起。它读模型的文字更有耐心：`units: 3`、JSON、全角逗号和引号都能读。一步步看完一次调用，再换成你自己的函数和文字，一个单元格一次 `journey`。

# %%
shop = Tool("Shop", CLEAR, price, language=language)
item = next(iter(prices))
journey(shop, f"{item}, 2")

# %% [markdown] lang="en"
# ## Whatever goes wrong is an observation
#
# A model that calls a tool wrongly can repair the call, if it is told what was wrong. So a `Tool` does not raise. It answers with an **observation**, the text that the model reads next. `Bare` is the price without our message: compare the last two lines of the first part. And whatever a function returns, the model gets a text that is never empty.

# %% [markdown] lang="zh" en="0d9ef6db"
# ## 出了什么错，都写进观察
#
# 模型调用错了，只要告诉它错在哪里，它就可能改正。所以 `Tool` 不抛出错误，而是用**观察**作出回答，也就是模型接下来读到的文字。`Bare` 是没有写报错信息的价格函数：比较第一部分的最后两行。而且无论函数返回什么，模型得到的都是文字，不会是空的。

# %%
for text in (f"units: 3, product: {item}", f"{item}, x", f"{item}, 2, 3", "", question):
    seen = shop.execute(text)
    print(f"[{text}] → {seen.error or 'ok'} → {seen}")
print("Bare →", Tool("Bare", "", lambda product: prices[product]).execute(question), "\n")

results = [None, "", 0, [], {"price": 24}, b"24"]
give = Tool("Give", "", lambda number: results[int(number)], language=language)
for number, value in enumerate(results):
    print(repr(value), "→", give.execute(str(number)))

# %% [markdown] lang="en"
# A **registry** holds the tools by name. It runs a `ToolCall`: a name and the text for its arguments. Case, blanks, hyphens and underscores in the name do not matter. **Predict:** which of these three names run `DeleteOrder`?

# %% [markdown] lang="zh" en="5f99c7d1"
# **注册表**按名称保存工具。它执行的是 `ToolCall`：一个名称，和给参数的文字。名称里的大小写、空格、连字符和下划线没有影响。**预测**：下面三个名称，哪些会运行 `DeleteOrder`？

# %% tags=["predict"]
guess = "…"
print("?", guess)
deleted = []
tools = [shop, Tool("DeleteOrder", "", deleted.append)]
registry = ToolRegistry(tools, language=language)
for number, name in enumerate(("delete_order", "DeleteOrders", "RemoveOrder"), 1):
    print(name, "→", registry.execute(ToolCall(name, str(number))).observation)
print(f"{deleted = }")

# %% [markdown] lang="en"
# A name that is nearly right gets a suggestion, any other only the list, and neither runs a tool. A registry that guessed would sooner or later delete an order that nobody named.
#
# ## `eval` is not a calculator
#
# Now the two tools that most agents have. A calculator in one line is `eval`, and careful people take its builtins away: no `open`, no `import`.

# %% [markdown] lang="zh" en="f5654ad4"
# 名称只差一点时，得到建议；差得多时，只有清单。两种情况都没有工具运行。会自己猜的注册表，迟早会删掉一个谁也没提过的订单。
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
# It looks locked. **Predict:** can an expression without any builtin reach a file? The file is one that we make for this.

# %% [markdown] lang="zh" en="2bd1c5ea"
# 看起来锁住了。**预测**：一个不用任何内置函数的表达式，能读到文件吗？文件是我们为此专门建的。

# %% tags=["predict"]
import math
from pathlib import Path
from tempfile import mkdtemp

guess = "…"
print("?", guess)
diary = Path(mkdtemp(), "diary.txt")
diary.write_text("PIN: 4711", encoding="utf-8")
reach = "().__class__.__base__.__subclasses__()"
steal = f"[c for c in {reach} if c.__name__ == 'FileLoader'][0]('', '').get_data({str(diary)!r})"
print("len(classes) > 100:", len(naive_calculator(reach)) > 100)
print("get_data:", naive_calculator(steal).decode("utf-8"))
print("digits(9**9**9):", f"{int(9**9 * math.log10(9)) + 1:,}")

# %% [markdown] lang="en"
# From an empty pair of brackets to its class, to the class of everything, to one that opens files. And `9**9**9` needs no trick at all: it would keep this kernel busy for a very long time. **Mechanism**, true for every model: a list of what is forbidden has to be complete; a list of what is allowed does not.
#
# ## The repair: allow, and refuse the rest
#
# Python can read the text into a tree, without running it.

# %% [markdown] lang="zh" en="8d372035"
# 从一对空括号到它的类，到万物的基类，再到一个能打开文件的类。而 `9**9**9` 不需要任何花招：它会让内核忙上很久很久。**机制**，对任何模型都成立：禁止的清单必须完整，允许的清单不必。
#
# ## 修正：允许几样，其余拒绝
#
# Python 可以把文字读成一棵树，而不运行它。

# %%
import ast
import operator

SIGNS = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Pow: operator.pow}
PLAIN = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
DIVISION = {ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}
ALLOWED = SIGNS | PLAIN | DIVISION
print(ast.dump(ast.parse("-2 * (3 + 4)", mode="eval").body))

# %% [markdown] lang="en"
# We walk the tree and work out what is on the list. What takes long is refused before it starts: a high power, a long text. And no number on the way may have more than 100 digits.

# %% [markdown] lang="zh" en="f43b2f22"
# 我们沿着树走，只计算清单上有的。耗时的在开始之前就拒绝：很高的乘方，很长的文字。中间的任何一个数都不能超过 100 位。


# %%
USE = "use digits, ( ) and + - * / // % **"


def bounded(number):
    if isinstance(number, complex):
        raise ValueError("only real numbers")
    if type(number) not in (int, float):
        raise ValueError(f"not on the list: {number!r}; {USE}")
    if not abs(number) < 10**100:
        raise ValueError("only numbers of at most 100 digits")
    return number


def work_out(node):
    """The value of one part of the tree."""
    if isinstance(node, ast.Constant):
        return bounded(node.value)
    if isinstance(node, ast.UnaryOp) and type(node.op) in ALLOWED:
        return ALLOWED[type(node.op)](work_out(node.operand))
    if isinstance(node, ast.BinOp) and type(node.op) in ALLOWED:
        left, right = work_out(node.left), work_out(node.right)
        if isinstance(node.op, ast.Pow) and abs(right) > 400:
            raise ValueError("only powers up to 400")
        return bounded(ALLOWED[type(node.op)](left, right))
    raise ValueError(f"not on the list: {ast.unparse(node)}; {USE}")


def safe_calculator(expression: str):
    if len(expression) > 500:
        raise ValueError("only texts of at most 500 characters")
    try:
        return work_out(ast.parse(expression.strip(), mode="eval").body)
    except SyntaxError:
        raise ValueError(f"not arithmetic: {USE}") from None
    except OverflowError:
        raise ValueError("only numbers of at most 100 digits") from None


for text in ("-2 * (3 + 4)", "2 plus 3", "(-8)**0.5", reach, "9**9**9"):
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

guess = "…"
print("?", guess)


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
# SQLite itself knows what a statement does. It can ask a function of ours, the **authorizer**, about each part of it, such as reading a column or calling a function, and we allow a few. `set_progress_handler` stops a statement after a million steps. And what is cut off says so, or the model takes the part for the whole.

# %% [markdown] lang="zh" en="591a11c8"
# 两个订单没了。那段文字确实以允许的词开头。
#
# ## 修正：问数据库，不看文字
#
# 一条语句要做什么，SQLite 自己知道。它可以对语句的每个部分（读某一列、调用某个函数）先问我们的一个函数，叫授权函数（authorizer），我们只允许几样。`set_progress_handler` 让语句走满一百万步就停。另外，结果截短时要说明，否则模型会把部分当成全部。

# %%
PARTS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ}
FUNCTIONS = {"count", "sum", "avg", "min", "max", "like", "lower", "upper", "round", "length"}


def only_reading(part, _, name, *rest):
    """SQLite's question about one part of a statement; `name` is a function's name."""
    is_function = part == sqlite3.SQLITE_FUNCTION and name in FUNCTIONS
    return sqlite3.SQLITE_OK if part in PARTS or is_function else sqlite3.SQLITE_DENY


def safe_sql(db, sql, most=20):
    """At most so many rows, one a line; a note says if there are more."""
    db.set_authorizer(only_reading)
    db.set_progress_handler(lambda: True, 1_000_000)  # True: stop
    rows = db.execute(sql).fetchmany(most + 1)
    note = [f"(first {most} rows; more rows exist)"] if len(rows) > most else []
    return "\n".join([*map(str, rows[:most]), *note]) or "(no rows)"


db = new_shop()
safe = Tool("Safe", "", lambda sql: safe_sql(db, sql, most=2))
for sql in (delete, "SELECT item FROM orders", "SELECT count(*) FROM orders" + ", orders" * 15):
    print(sql, "→", safe.execute(sql=sql))

# %% [markdown] lang="en"
# ## The finished tools, and the same attacks
#
# `Calculator` and `QueryDatabase` follow the same idea, with more arithmetic and more bounds: the finished tools also limit the time and the size of each value. SQLite asks this function there, with a longer list of functions (skip its type hints):

# %% [markdown] lang="zh" en="d17125ce"
# ## 成品，和同样的攻击
#
# `Calculator` 和 `QueryDatabase` 用的是同样的办法，算术更全，限制也更多：时间和每个值的大小也有上限。那里 SQLite 问的是这个函数，允许的函数清单更长（其中的类型注解可以跳过）：

# %%
from reactlab.tools.database import _authorize

show(_authorize)

# %% [markdown] lang="en"
# Every tool in the table is really called by the next cell. Note the lines of everyday use as well: a tool that refuses everything is safe and useless. `[]` means that it ran and returned no row; the last line counts the orders that are left.

# %% [markdown] lang="zh" en="dae2fbcc"
# 表里的每个工具都由下一个单元格真正调用。也请看日常用法的那几行：什么都拒绝的工具很安全，也没有用。`[]` 表示运行了，没有返回任何行；最后一行数一数还剩几个订单。

# %%
from functools import partial

from reactlab.course import Attacks

where = Path(mkdtemp(), "shop.db")
new_shop(where).close()
builtins = {tool.name: tool for tool in builtin_tools(database=where, language=language)}
calculators = [Tool("Naive", "", naive_calculator), Tool("Safe", "", safe_calculator)]
calculators += [builtins["Calculator"]]
rows = {"9**9**9": [None, *(tool.execute("9**9**9") for tool in calculators[1:])]}
for text in (steal, "2 * (3 + 4)"):
    name = text.replace(repr(str(diary)), "'diary.txt'")
    rows[name] = [tool.execute(text) for tool in calculators]

databases = [
    Tool("Naive", "", partial(naive_sql, new_shop())),
    Tool("Safe", "", partial(safe_sql, new_shop())),
    builtins["QueryDatabase"],
]
one, stacked = "SELECT item FROM orders WHERE id = 9", "SELECT 1; DELETE FROM orders"
for sql in (delete, stacked, "DROP TABLE orders", one, "SELECT count(*) FROM orders"):
    rows[sql] = [tool.execute(sql=sql) for tool in databases]
Attacks(rows)

# %% [markdown] lang="en"
# `SELECT 1; DELETE …` is refused in every column: Python's `sqlite3` runs one statement at a time. Not every attack works, and that is worth knowing too. Paths and addresses, the other two ways out, are for notebook 10.
#
# ## The built-in tools
#
# Five tools come with the package, each bounded to what you give it.
#
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
# - Name, description and parameters are all that a model can choose by. Whether yours work, measure.
# - A tool answers, also when it was called wrongly.
# - Allow a few things and refuse the rest. Put the limit where the model cannot talk its way past.

# %% [markdown] lang="zh" en="10f7ec25"
# `SELECT 1; DELETE …` 在每一列都被拒绝：Python 的 `sqlite3` 一次只运行一条语句。不是每种攻击都能成功，这也值得知道。另外两个可能的漏洞，文件路径和网址，留给第 10 课。
#
# ## 内置工具
#
# 成品自带五个工具，每个都只能碰你给它的东西。
#
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
# - 模型只能凭名称、描述和参数来选。你写的管不管用，要实测。
# - 工具总要作出回答，调用错了也一样。
# - 允许几样，其余拒绝。把限制放在模型说什么都绕不过去的地方。

# %%
from reactlab.course import quiz

quiz("04")

# %% [markdown] lang="en"
# Your run with the clear description, beside a **stored run**, kept when this notebook was made. With the embedded model there is no difference. To see one, set `REACTLAB_MODEL="openai:MODEL"` before Jupyter starts, or put another sentence in place of `CLEAR`; then run the first three code cells and this one. Did it choose the shop? Did it fill in the product?

# %% [markdown] lang="zh" en="f4353975"
# 你用清楚的描述得到的运行，和**存档的运行**（制作本课时保存下来的）并排放在一起。用内置模型时没有差别。想看到差别，就在启动 Jupyter 之前设置 `REACTLAB_MODEL="openai:MODEL"`，或者把 `CLEAR` 换成别的句子；然后运行最前面的三个代码单元格，再运行这一个。它选了商店吗？商品名填对了吗？

# %%
from reactlab.course import compare, stored_run

compare(stored_run("04.price"), runs[CLEAR])

# %% [markdown] lang="en"
# **Next:** `05_the_loop`. Tools answer now, one call at a time. Who carries the answer to the next call?

# %% [markdown] lang="zh" en="9dad2133"
# **下一课**：`05_the_loop`。现在工具能一次次地作出回答了。是谁把这次的回答带到下一次调用里？
