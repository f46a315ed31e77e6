# %% [markdown] lang="en"
# # 03 · The parser
#
# **A parser that refuses costs one more request to the model. A parser that guesses costs the truth.** You will write the two regular expressions that come to mind first, watch both fail without an error, build a parser that refuses where they guess, and write errors that a model can use.
#
# **Minutes:** 45, in two halves: 03a (15) stands alone, and exercise 03.3 may be skipped. **Needs:** nothing from other notebooks, but regular expressions with named groups, `(?P<name>…)`. New here? Begin with `00_start_here`.

# %% [markdown] lang="zh" en="55ba6f3b"
# # 03 · 解析器
#
# **肯拒绝的解析器不过多花一次请求，爱猜的解析器却会把真相弄丢**。你将写出最先想到的两个正则表达式，看它们不声不响地读错，再写一个不猜而是拒绝的解析器，并写出模型用得上的报错。
#
# **时间**：45 分钟，分两半；前一半 03a（15 分钟）可以单独学，练习 03.3 可以跳过。**前提**：不依赖其他课，但要会用带命名分组 `(?P<name>…)` 的正则表达式。第一次来？请从 `00_start_here` 开始。

# %% [markdown] lang="en"
# ## 03a · A reply is text, a step is a decision
#
# A model only writes text. Before a tool can run, something has to find in it which tool and which input. That is the parser. The prompt, the text sent to the model, ended with a question and the word `Thought:`; many replies write that word again. Here is one as it should be (`example` fetches a text of this edition and prints it):

# %% [markdown] lang="zh" en="515bdce0"
# ## 03a · 回复只是文字，解析器要从中读出一个决定
#
# 模型只会写文字。工具要运行，先得从文字里找出用哪个工具、给什么输入。这就是解析器的工作。提示词是发给模型的文字，它以问题和“思考：”结尾；许多回复会把这个词再写一遍。下面是一条标准的回复（`example` 取出本语言版的一段文字并打印）：

# %%
import json
import re
from itertools import pairwise

from reactlab.course import check, edition, example, gallery, parser_xray, scoreboard, show

language = edition("en")
good = example("03.good")

# %% [markdown] lang="en"
# The words that begin a part are its markers. The shortest pattern for an action finds the marker, a name, and what stands in brackets. A second pattern finds the final answer; `groupdict` makes a dict of the named groups. `Observation:` begins a tool's result and `Question:` the user's question; the model should write neither.

# %% [markdown] lang="zh" en="794de241"
# 每一部分开头的词叫标记。提示词里中英文标记都有人用，所以下面的模式两种都认，冒号全角半角都行。最短的行动模式找：行动标记、一个名字、方括号里的内容。另一个模式找最终答案；`groupdict` 把命名分组变成字典。“观察：”后面是工具的结果，“问题：”后面是用户的问题，这两个标记模型都不该写。

# %% lang="en"
THOUGHT, ACTION, INPUT = "Thought:", "Action:", "Action Input:"
OBSERVATION, ANSWER = "(?:Observation|Question):", "Final Answer:"

# %% lang="zh" en="7c832ce3"
THOUGHT, ACTION, INPUT = (
    "(?:思考|Thought)[:：]",
    "(?:行动|Action)[:：]",
    "(?:行动输入|Action Input)[:：]",
)
OBSERVATION = "(?:观察|问题|Observation|Question)[:：]"
ANSWER = "(?:最终答案|Final Answer)[:：]"

# %%
CALL = re.compile(ACTION + r"\s*(?P<tool>\w+)\[(?P<input>.+?)\]")
END = re.compile(ANSWER + r"\s*(?P<answer>.*)")


def bracket(reply):
    """A call or an answer as a dict; None if there is neither."""
    found = END.search(reply) or CALL.search(reply)
    return found.groupdict() if found else None


print(bracket(good))
parser_xray(CALL, good)

# %% [markdown] lang="en"
# A box shows what a group took; the line below lists the rest, without lone signs. The same step is often asked for on two lines. Another pattern reads those. With `re.S`, `.` matches line breaks too:

# %% [markdown] lang="zh" en="b29290e7"
# 方框是各个分组取走的内容；下面一行列出其余的部分，单独的符号不列。同样的一步也常常写成两行，用另一个模式来读。加上 `re.S`，`.` 也匹配换行：

# %%
TWO = re.compile(ACTION + r"\s*(?P<tool>.*?)\s*\n" + INPUT + r"\s*(?P<input>.*)", re.S)


def two_lines(reply):
    """The same for an action with its input on the next line."""
    found = END.search(reply) or TWO.search(reply)
    return found.groupdict() if found else None


two_lines(example("03.two_lines"))

# %% [markdown] lang="en"
# ## Six replies, and neither pattern complains
#
# Models do not always write what the prompt asks. **Staged**: these replies were not produced by a model, they were written for this course, after faults that users of agent libraries reported. Above each stands the kind of fault, below it what was meant. 1 to 3 are in the bracket form, 4 to 6 on two lines.

# %% [markdown] lang="zh" en="80df47ca"
# ## 六条回复，两个模式都不吭声
#
# 模型并不总是照提示词的要求写。**演示**：这些回复不是模型写的，而是为本课写的，依据的是智能体库的用户报告过的毛病。每条上面是毛病的类别，下面是本意。1 到 3 是方括号写法，4 到 6 是两行写法。

# %%
six = example("03.six")

# %% [markdown] lang="en"
# **Predict:** which of them come out as meant? Delete the others from `guess`, then run. Each reply goes to the pattern of its own form.

# %% [markdown] lang="zh" en="9b329f10"
# **预测**：哪几条会读成本意？从 `guess` 里删去其余的，再运行。每条回复交给它那种写法的模式。

# %% tags=["predict"]
guess = [1, 2, 3, 4, 5, 6]
print("guess:", guess)
for reply in six:
    parser = bracket if reply.form == "bracket" else two_lines
    print(reply.name, parser(reply.text))

# %% [markdown] lang="en"
# Two of six: 2 and 4. Nothing was raised, nothing is `None`. In 3 a thought mentions the last line, and the user would read `' line.` as the answer. In 1 the calculator gets half a formula:

# %% [markdown] lang="zh" en="5354d344"
# 六条里只有 2 和 4 对。没有报错，也没有 `None`。第 3 条里，思考提到了最后一行，用户看到的答案就成了 `”这一行。`。第 1 条里计算器只拿到半个算式：

# %%
parser_xray(CALL, six[0].text)

# %% [markdown] lang="en"
# `.+?` takes as little as it can: it stops at the first `]`, which closes `a[0]`. The usual repair is to be greedy: take all up to the last `]`, over line breaks too, because code has several lines.
#
# **Predict:** what does that do to replies 1 and 2?

# %% [markdown] lang="zh" en="03b72788"
# `.+?` 取得越少越好：它停在第一个 `]`，而它闭合的是 `a[0]`。常见的修法是贪婪匹配：一直取到最后一个 `]`，还要跨行，因为代码有好几行。
#
# **预测**：这样改，第 1 条和第 2 条会怎样？

# %% tags=["predict"]
guess = {1: "?", 2: "?"}
print("guess:", guess)
GREEDY = re.compile(ACTION + r"\s*(?P<tool>\w+)\[(?P<input>.+)\]", re.S)
print(GREEDY.pattern)
print(GREEDY.search(six[0].text)["input"])
parser_xray(GREEDY, six[1].text)

# %% [markdown] lang="en"
# The formula is whole, and reply 2 is lost: one search for both cities and a marker. A repair of the pattern moves the fault. **Mechanism** (it follows from how the thing is built): to know which `]` closes, one must count the open ones, and Python's regular expressions cannot count.
#
# Reply 4 came out right, but without its thought. The prompt ended with `Thought:`, the reply did not repeat it, and a pattern that asks for the marker finds nothing:

# %% [markdown] lang="zh" en="dfe05391"
# 算式完整了，第 2 条却坏了：一次搜索里塞进了两个城市和一个标记。每修一次模式，毛病就换一个地方。**机制**（由构造决定）：要知道哪个 `]` 闭合，就得数还开着几个，而 Python 的正则表达式不会数数。
#
# 第 4 条读对了，但没有思考：提示词以“思考：”结尾，回复没有再写一遍，要求有这个标记的模式就什么也找不到：

# %%
parser_xray(re.compile(THOUGHT + r"\s*(?P<thought>.*)"), six[3].text)

# %% [markdown] lang="en"
# ## Loud costs a request, silent costs the truth
#
# In reply 5 no tool had run: the model wrote the observation itself. Reply 6 was cut off, and the tool would get half a report.
#
# | outcome | what follows | the price |
# |---|---|---|
# | **pass** | | none |
# | **loud**: refused | the loop, the program around the model, asks again | one request |
# | **silent**: read as something else | no error from the parser | a wrong action or answer |
#
# Score them apart. Each pattern now reads all six, also those in the other form:

# %% [markdown] lang="zh" en="3370101f"
# ## 报错的失败只多花一次请求，误读会丢掉真相
#
# 第 5 条里工具还没运行过，观察是模型自己写的。第 6 条被截断了，工具会拿到半份报告。
#
# | 结果 | 接下来 | 代价 |
# |---|---|---|
# | **通过** | | 无 |
# | **报错**：拒绝 | 循环（模型外面的程序）再问一次 | 一次请求 |
# | **误读**：读成了别的 | 解析器不报错 | 错误的行动或答案 |
#
# 三种结果要分开计。这一次每个模式都读全部六条，包括另一种写法的：

# %%
scoreboard({"bracket": bracket, "two lines": two_lines}, six)

# %% [markdown] lang="en"
# **Checkpoint 03a.** The bracket pattern passes 6 only because it sees no bracket there. Every failure in a pattern's own form was silent: no error, no `None`. Here the first half ends.
#
# ## 03b · A marker counts where a line begins
#
# First repair: find markers only at the very beginning of a line. Inside a sentence they are words. With `re.M` the `^` matches at every line; `lastgroup` names the kind that was found. The markers of reply 3:

# %% [markdown] lang="zh" en="0a878c56"
# **检查点 03a**。方括号模式读对第 6 条，只是因为那里没有方括号。在自己的写法里，每一次失败都是误读：没有报错，也没有 `None`。前一半到此结束。
#
# ## 03b · 行首的标记才算数
#
# 第一处修正：只在一行的最开头找标记。句子中间的只是一个词。加上 `re.M`，`^` 匹配每一行的开头，`lastgroup` 说明找到的是哪一类。下面是第 3 条里的标记：

# %%
NAMES = ("thought", "action", "input", "observation", "answer")
MARKERS = zip(NAMES, (THOUGHT, ACTION, INPUT, OBSERVATION, ANSWER), strict=True)
LINE = re.compile(f"^(?:{'|'.join(f'(?P<{name}>{marker})' for name, marker in MARKERS)})", re.M)

for mark in LINE.finditer(six[2].text):
    print(mark.lastgroup, mark.group())

# %% [markdown] lang="en"
# The final answer inside the thought is no longer found. Now cut the reply at these markers. What stands before the first one is a thought, because the prompt ended with `Thought:`. Replies 3 and 4:

# %% [markdown] lang="zh" en="8779abf2"
# 思考里的“最终答案”不再被当作标记。现在就在这些标记处切开。第一个标记之前的内容是思考，因为提示词以“思考：”结尾。第 3 条和第 4 条：


# %%
def parts(reply):
    """The reply as pairs of kind and text, cut where a marker begins a line."""
    found, kind, start = [], "thought", 0
    for mark in LINE.finditer(reply):
        found.append((kind, reply[start : mark.start()].strip()))
        kind, start = mark.lastgroup, mark.end()
    return [*found, (kind, reply[start:].strip())]


for reply in six[2:4]:
    print(*parts(reply.text), "", sep="\n")

# %% [markdown] lang="en"
# ## Brackets have to be counted
#
# Second repair: an input ends at the bracket that closes its first one. That takes a counter.
#
# ## Exercise 03.1: the balanced scan
#
# Only `[` and `]` count, and none between two `"`: that is data. An apostrophe, as in *don't*, is a letter like any other. Every `"` in the cases has its partner; there are no backslashes. If the text ends first, raise `ValueError`. Stuck? `from reactlab.course import hint`, then `hint("03.1")`, up to three times.

# %% [markdown] lang="zh" en="5933ee44"
# ## 括号要数
#
# 第二处修正：输入到与开头配对的那个括号为止。这要用计数器扫一遍。
#
# ## 练习 03.1：平衡扫描
#
# 找出与某个括号配对的右括号。
#
# - 只有 `[` 和 `]` 算数。
# - 两个 `"` 之间是数据，不算数。
# - 撇号（如 *Sophie's* 里的）和普通字母一样。
# - 用例里的 `"` 总是成对的，也没有反斜杠。
# - 文字先结束了，就抛出 `ValueError`。
#
# 例如 `balanced("f[a[0]] b", 1)` 返回 6。卡住了？先 `from reactlab.course import hint`，再运行 `hint("03.1")`，最多三次。


# %%
def balanced(text, start):
    """Index of the "]" that closes the "[" at text[start].

    Only [ and ] count, and none between two double quotes. ValueError if the text ends first.
    Example: balanced("f[a[0]] b", 1) -> 6
    """
    # BEGIN SOLUTION
    # STUB: depth, inside = 0, False  # how many brackets are open; whether between two "
    # STUB: for at in range(start, len(text)):
    # STUB:     ...  # your code here
    # STUB: return ...  # the text ended first
    depth, inside = 0, False
    for at in range(start, len(text)):
        if text[at] == '"':
            inside = not inside
        elif not inside:
            depth += {"[": 1, "]": -1}.get(text[at], 0)
            if depth == 0:
                return at
    raise ValueError(f"The bracket at {start} is never closed.")
    # END SOLUTION


check("03.1", balanced)

# %% [markdown] lang="en"
# The finished scan, `closing_bracket`, returns `None` where yours raises. It also knows single quotes and full-width brackets, and that the inch sign in `5" pipe` opens no quote. First column: where the first pattern would stop. Second: the finished scan. In its code, `_tokens` finds quoted text and runs of brackets, and `FAMILIES` tells which brackets belong together.

# %% [markdown] lang="zh" en="d0a15fc4"
# 成品 `closing_bracket` 在你抛出错误的地方返回 `None`。它还认识单引号和全角括号，也知道 `5" pipe` 里的英寸符号不是引号。第一列是第一个模式会停下的位置，第二列是成品找到的位置。代码里的 `_tokens` 找出引号里的文字和成串的括号，`FAMILIES` 说明哪些括号是一家：

# %%
from reactlab.parser import closing_bracket

for text in ["[(a[0]+b[1])*2]", '["]"]', "[it's [1]]", '[5" pipe [a]]', "［a［1］］", "[cut[0]"]:
    print(f"{text:18} {text.find(']'):4} {closing_bracket(text, 0)}")

show(closing_bracket)

# %% [markdown] lang="en"
# ## Exercise 03.2: the first step if complete, and nothing after it
#
# The walk is there; `after` and `below` are the next pair. Use `closing_bracket`.
#
# - Inputs and answers may have several lines, in both forms.
# - An input that begins with `{` is JSON; `json.loads` raises if it is broken.
# - `[]` and an empty `Action Input:` are inputs; a missing one is not.
# - An action that is not complete ends the reading: raise `ValueError` (or return `None`), do not look further. No step: the same.
#
# Wanted: no silent fault, the newest thought, more replies read than by either regex.

# %% [markdown] lang="zh" en="2c01824a"
# ## 练习 03.2：第一个步骤，完整才读，后面的都不要
#
# 逐段往下走的循环已经写好，`after` 和 `below` 是下一段的类别和文字。可以用 `closing_bracket`。
#
# - 两种写法的行动都要能读，还有最终答案；输入和答案都可能有好几行。
# - 以 `{` 开头的输入，两种写法里都是 JSON；不完整时 `json.loads` 抛出的错误也是一种 `ValueError`。
# - `[]` 和空的“行动输入：”算有输入；没写的不算。
# - 遇到不完整的行动就到此为止：抛出 `ValueError`，不要再往后找。没有步骤时也一样（返回 `None` 也算）。
# - 返回 `{"thought": …, "tool": …, "input": …}` 或 `{"thought": …, "answer": …}`。
#
# 检查要求：没有一次误读，保留最新的思考，读对的比两个正则都多。


# %%
def my_parse(text):
    """The first step of a reply, as a dict; ValueError if there is none or it is not complete.

    {"thought": ..., "tool": ..., "input": ...} or {"thought": ..., "answer": ...}
    Example: my_parse("Action: Add[1]") -> {"thought": "", "tool": "Add", "input": "1"}
    """
    # BEGIN SOLUTION
    # STUB: thought = ""
    # STUB: for (kind, body), (after, below) in pairwise([*parts(text), ("end", "")]):
    # STUB:     if kind == "thought":
    # STUB:         thought = body or thought  # the newest
    # STUB:     ...  # your code here: an answer, an action, all else
    # STUB: return ...  # there was no step
    thought = ""
    for (kind, body), (after, below) in pairwise([*parts(text), ("end", "")]):
        if kind == "thought":
            thought = body or thought  # the newest
        elif kind == "answer" and body:
            return {"thought": thought, "answer": body}
        elif kind == "action":
            tool, opener, _ = body.partition("[")
            end = closing_bracket(body, len(tool)) if opener else None
            if end is None and (opener or after != "input"):
                break  # cut off
            given = body[len(tool) + 1 : end] if opener else below
            if given.startswith("{"):
                json.loads(given)  # ValueError where the object is cut off
            return {"thought": thought, "tool": tool.strip(), "input": given}
        else:
            break
    raise ValueError("There is no complete action and no final answer.")
    # END SOLUTION


check("03.2", my_parse)

# %% [markdown] lang="en"
# ## An error is a message to the model
#
# A refusal costs a request. It is well spent if the next reply is right. "Invalid format" leaves the model to guess. This is what the finished parser says about reply 6. The loop puts it into the next prompt, where an observation would stand:

# %% [markdown] lang="zh" en="31e38f75"
# ## 报错是写给模型看的
#
# 拒绝要多花一次请求。如果下一条回复写对了，就花得值。只说“格式错误”，模型只能猜。下面是成品对第 6 条的说法，循环把它写进下一个提示词里观察的位置。它先说哪里不对，再引用那一行，最后给出写法。

# %%
from reactlab import ParseError, parse

try:
    parse(six[5].text, language=language)
except ParseError as error:
    print(error)

# %% [markdown] lang="en"
# ## Exercise 03.3: name the line and the form (may be skipped)
#
# Write such a message for a reply that holds no complete step. It quotes one line: the one that begins with `Action:`, or the last line if none does. It shows how an action is written and, if no line begins so, how a final answer is. An empty reply quotes nothing and says that it is empty. A loop may keep nothing else of such a reply, so the message has to stand alone.

# %% [markdown] lang="zh" en="26ac8f01"
# ## 练习 03.3：指出哪一行，给出写法（可以跳过）
#
# 为一条没有完整步骤的回复写这样的消息。它引用一行：以“行动：”开头的那一行；没有就引用最后一行。它还要写明行动怎样写；没有那样的一行时，再写明最终答案怎样写。空的回复没有可引用的，就说它是空的。这样的回复，循环可能什么都不再保留，所以消息要能单独看懂。`ACTION` 是模式，用 `re.match(ACTION, line)` 判断；写进消息时请直接写“行动：工具[输入]”。


# %% lang="en"
def complaint(reply):
    """What to tell the model about a reply without a complete step.

    Quotes the line that begins with "Action:", or the last line if none does, and no other.
    An empty reply quotes nothing and says that it is empty.
    Shows how an action with its input is written; without such a line, a final answer too.
    Example: complaint("Action: Search") -> a text with "Action: Search" and the form in it
    """
    # BEGIN SOLUTION
    # STUB: return ...  # your code here
    lines = reply.strip().split("\n")
    line = next((line for line in lines if re.match(ACTION, line)), lines[-1])
    what = f"Not readable: {line!r}." if line else "The reply is empty."
    return f"{what} Write Action: tool[input], or Final Answer: your answer."
    # END SOLUTION


check("03.3", complaint)


# %% lang="zh" en="3418964a"
def complaint(reply):
    """回复里没有完整的步骤时，告诉模型什么。

    引用以“行动：”开头的那一行，没有就引用最后一行，不引用别的行。
    空的回复没有可引用的，就说它是空的。
    写明带输入的行动怎样写；没有那样的一行时，再写明最终答案怎样写。
    例：complaint("行动：搜索") -> 一段含有“行动：搜索”和行动写法的文字
    """
    # BEGIN SOLUTION
    # STUB: return ...  # 在这里写你的代码
    lines = reply.strip().split("\n")
    line = next((line for line in lines if re.match(ACTION, line)), lines[-1])
    what = f"读不懂这一行：“{line}”。" if line else "回复是空的。"
    return f"{what}请写成 行动：工具[输入]，或者 最终答案：你的答案"
    # END SOLUTION


check("03.3", complaint)

# %% [markdown] lang="en"
# ## The finished piece
#
# `parse` works in the same order and knows more forms: bold and numbered markers, JSON, tags, a tool's name in other letters. It returns a `Decision` with `thought`, `calls` and `answer`. Reply 5 again: what the model invented is not taken.

# %% [markdown] lang="zh" en="89afcbd3"
# ## 成品
#
# `parse` 的顺序相同，认识的写法更多：加粗和编号的标记、JSON、标签、写法不同的工具名。它返回一个 `Decision`，里面有 `thought`、`calls` 和 `answer`。再看第 5 条：模型编造的部分没有取走。

# %%
parser_xray(parse, six[4].text)

# %% [markdown] lang="en"
# Now all of them on a gallery of replies in this language. To refuse forms that you have not seen, such as JSON and tags, is no fault. A name that is no tool also counts as loud: the loop cannot run it and asks again. Look at the silent bar first: a parser that passed 03.2 may still have some.
#
# `parse` guesses in one place, shown below. No reply of the gallery makes it guess wrong, so its 0 is no proof.

# %% [markdown] lang="zh" en="45281189"
# 现在让它们都来读一批中文回复。其中有些写法你没见过，例如 JSON 和标签，拒绝它们不算错。不存在的工具名也算报错：循环没法运行它，会再问一次。先看误读的那一条：通过 03.2 的解析器在这里也可能误读，因为有它没见过的写法。
#
# `parse` 有一处会猜，见下文。这批回复里没有会让它猜错的，所以它的 0 不能证明什么。

# %%
parsers = {"bracket": bracket, "two lines": two_lines, "mine": my_parse, "reactlab": parse}
scoreboard(parsers, gallery(language=language))

# %% [markdown] lang="en"
# The full score of `parse` proves little: it was developed on this gallery. It still reads broken replies without an error. These are printed first; then, after each arrow, the input that it took:

# %% [markdown] lang="zh" en="ded246a0"
# `parse` 的满分说明不了多少：它就是对着这些回复开发的。有些残缺的回复它照样读下来，并不报错。先打印回复，箭头后面依次是它取走的输入：

# %%
for text in example("03.guessed").split("\n\n"):
    print("→", parse(text).calls[0].arguments)

# %% [markdown] lang="en"
# Brackets are counted; where they do not add up, as in the first, `parse` falls back to the last `]` of the line. It pays for it with cut code: the second, cut off inside, is read too; your scan refuses both. That the third is cut off no parser can see. The model's service can: it reports the length limit, and the loop refuses.
#
# Curious about the other forms? `gallery("tags")` shows replies of one kind, `gallery()` lists the kinds (204 replies in both languages, 165 in this one).

# %% [markdown] lang="zh" en="51ab5ee3"
# 括号是数的；数目不对时，如第一条，`parse` 就退而取该行最后一个 `]`。代价是被截断的代码：在括号里断掉的第二条也读了下来，而你的扫描两条都会拒绝。第三条是不是被截断了，任何解析器都看不出来。提供模型的服务知道：它会报告到了长度上限，循环便拒绝这样的行动。
#
# 想看看其他写法？`gallery("tags")` 显示一类回复，`gallery()` 列出所有类别（两种语言共 204 条，中文 39 条）。

# %% [markdown] lang="en"
# ## What a real model said
#
# **Measured** (counted on what really ran, here very little): a real model with 135 million parameters, recorded. It was asked three questions with one prompt. One of the three replies holds a step.
#
# A `Request` is what is sent to the model. `read` calls a parser and tells what it made of a reply. When 03.2 is done, add `"mine"` to the names.

# %% [markdown] lang="zh" en="558eaf81"
# ## 真实的模型说了什么
#
# **实测**（真正运行后数出来的，这里次数很少）：一个有 1.35 亿参数的真实模型，重放录制好的回复。用一种提示词问了它三个问题。三条回复里，只有一条有答案的样子。
#
# `Request` 里是发给模型的内容。`read` 调用一个解析器，说出它把回复读成什么。完成 03.2 以后，可以把 `"mine"` 加进名字里。

# %%
from reactlab.course import real_model
from reactlab.course.readings import read
from reactlab.types import Message, Request

model, prompt, questions = real_model("03"), example("03.prompt"), example("03.questions")
for question in questions:
    asked = Message("user", prompt.replace("{question}", question))
    said = model.complete(Request((asked,), max_tokens=120)).text
    print(f"\n== {model.about} · {question}\n{said}")
    for name in ("bracket", "two lines", "reactlab"):
        print(f"   {name}: {read(parsers[name], said)}")

# %% [markdown] lang="en"
# Two are refused, and rightly: nothing in them is a step. The one that passes is a well-formed answer, and it is wrong: 15% of 80 is 12. (`parse` also takes the line below: an answer may have several.) A parser knows the form of an answer, never its truth. That is what observations are for.
#
# ## What to keep
#
# - Count three outcomes: pass, loud, silent. A refusal can be repaired; a silent fault goes on.
# - Markers count at the beginning of a line; brackets are counted; the first step counts if it is complete, and nothing after it.
# - An error names the line and the wanted form.

# %% [markdown] lang="zh" en="52885251"
# 两条回复被拒绝了，也该拒绝：里面没有任何步骤。通过的那一条形式完好，内容却不是答案：模型把提示词里的“答案”两个字抄了下来。解析器只认得答案的形式，不知道真假。所以才需要观察。
#
# ## 带走什么
#
# - 三种结果分开计：通过、报错、误读。拒绝可以补救，误读会一直带下去。
# - 标记看行首，括号要数；第一个步骤完整才算数，后面的都不要。
# - 报错要指出哪一行，并给出写法。

# %%
from reactlab.course import quiz

quiz("03")

# %% [markdown] lang="en"
# **Next:** 04, tools. The parser now hands over a name and a text. What may a tool do with a text that a model wrote?

# %% [markdown] lang="zh" en="d29ab31e"
# **下一课**：04，工具。解析器交出了一个名字和一段文字。模型写的文字，工具可以拿来做什么？
