"""Right and wrong solutions of 03 parser."""

from __future__ import annotations

import json
import re

from reactlab import ParseError, parse
from reactlab.course.replies import tools
from reactlab.course.words import current
from reactlab.parser import closing_bracket

# 03.1


def by_counting(text, start):
    depth, inside = 0, False
    for at, sign in enumerate(text[start:], start):
        if sign == '"':
            inside = not inside
        if not inside and sign in "[]":
            depth += 1 if sign == "[" else -1
            if not depth:
                return at
    raise ValueError("cut off")


def by_blanking(text, start):
    """Blanks the quoted text out, then shrinks inner pairs with a regex."""
    bare = re.sub('"[^"]*"', lambda found: "_" * len(found[0]), text[start:])
    while (shorter := re.sub(r"(?<=.)\[([^\[\]]*)\]", r"_\1_", bare)) != bare:
        bare = shorter
    return start + bare.index("]")


def recursive(text, start):
    """Full-width brackets too; the loop ends in a ParseError."""
    at = start + 1
    while at < len(text):
        if text[at] in "]］":
            return at
        if text[at] in "[［":
            at = recursive(text, at)
        elif text[at] == '"':
            at = text.index('"', at + 1)
        at += 1
    raise ParseError("never closed")


def by_stack(text, start):
    stack = []
    at = start
    while True:
        if at >= len(text):
            raise ValueError
        if stack and stack[-1] == '"':
            if text[at] == '"':
                stack.pop()
        elif text[at] in '["':
            stack.append(text[at])
        elif text[at] == "]":
            stack.pop()
        if not stack:
            return at
        at += 1


def finished(text, start):
    end = closing_bracket(text, start)
    if end is None:
        raise ValueError
    return end


def no_quotes(text, start):
    depth = 0
    for at in range(start, len(text)):
        depth += {"[": 1, "]": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError


def any_quote(text, start):
    return by_counting(text.replace("'", '"'), start)


def none_for_cut(text, start):
    try:
        return by_counting(text, start)
    except ValueError:
        return None


def past_the_end(text, start):
    depth, at, inside = 0, start, False
    while True:
        inside ^= text[at] == '"'
        depth += 0 if inside else {"[": 1, "]": -1}.get(text[at], 0)
        if depth == 0:
            return at
        at += 1


RIGHT = [("03.1", answer) for answer in (by_counting, by_blanking, recursive, by_stack, finished)]
WRONG = [
    ("03.1", lambda text, start: text.index("]", start), "The first ] closes the inner bracket"),
    ("03.1", lambda text, start: text.rindex("]"), "The last ] need not be yours"),
    ("03.1", no_quotes, 'In say["]"] one bracket is data'),
    ("03.1", any_quote, "An apostrophe, as in don't, opens no quote"),
    ("03.1", lambda text, start: by_counting(text, start) + 1, "one behind the bracket"),
    ("03.1", lambda text, start: by_counting(text, start) - start, "counted from start"),
    (
        "03.1",
        lambda text, start: text[start + 1 : by_counting(text, start)],
        "Return the place of the bracket",
    ),
    ("03.1", none_for_cut, "returned None. Raise ValueError"),
    ("03.1", past_the_end, "IndexError"),
    ("03.1", lambda text, start: by_counting(text, start) and None, "or does it print the result?"),
    ("03.1", lambda text, start: by_counting(text, text.index("[")), "Begin at start"),
    ("03.1", 6, "Give the function itself"),
]
SAMPLES = [("03.1", lambda text, start: 6)]


# 03.2

WORDS = {
    "en": ("Thought:", "Action:", "Action Input:", "Observation:", "Final Answer:", "Question:"),
    "zh": ("思考：", "行动：", "行动输入：", "观察：", "最终答案：", "问题："),
}


def line_by_line(text):
    """Walks over the lines; returns tuples, and a Decision's thought is kept as it comes."""
    thought_word, action, given, seen, answer, question = WORDS[current()]
    thoughts, lines = [], text.split("\n")
    for at, line in enumerate(lines):
        rest = "\n".join(lines[at:])
        if line.startswith((seen, question)):
            break
        if line.startswith(answer):
            return {"answer": _until_marker(rest)[len(answer) :], "thought": thoughts[-1]}
        if line.startswith(action):
            body = rest[len(action) :].strip()
            if "[" in line:
                start = body.index("[")
                return thoughts[-1], body[:start], _whole(body[start + 1 : finished(body, start)])
            below = _until_marker("\n".join(lines[at + 1 :]))
            if below.startswith(given):
                value = below[len(given) :].strip()
                return thoughts[-1], body.split("\n")[0], _whole(value)
            break
        thoughts.append(line.removeprefix(thought_word).strip())
    raise ParseError("no step")


def _until_marker(text):
    end = re.search(f"^(?:{'|'.join(WORDS[current()])})", text[1:], re.MULTILINE)
    return text[: end and end.start() + 1]


def _whole(value):
    return json.loads(value) if value.startswith("{") else value


def with_parse(text):
    """Stands on the finished parser, and returns what it returns."""
    return parse(text, tools())


def only_brackets_refused(text):
    """Reads two lines and answers, and of brackets only those without a closer inside."""
    made = line_by_line(text)
    if isinstance(made, tuple) and "]" in str(made[2]) and not isinstance(made[2], dict):
        return None
    return made


class Thing:
    def __init__(self, thought, tool=None, given=None, answer=None):
        self.thought, self.tool, self.input, self.answer = thought, tool, given, answer


def as_object(text):
    decision = with_parse(text)
    call = decision.calls[0] if decision.calls else None
    return Thing(decision.thought, call and call.name, call and call.arguments, decision.answer)


def spoiled(kind):
    """A parser with one thing done wrongly."""

    def parser(text):
        _, action, given, seen, answer, _ = WORDS[current()]
        if kind == "mention" and answer in text and not re.search(f"^{answer}", text, re.MULTILINE):
            return {"answer": text.partition(answer)[2]}
        if kind == "invented" and seen in text:
            return {"answer": text.rpartition(answer)[2], "thought": text}
        if kind == "first ]" and (found := re.search(rf"{action}\s*(\w+)\[(.+?)\]", text)):
            return text, found[1], found[2]
        if kind == "cut" and (
            found := re.search(rf"^{action}\s*(\w+)\[(.+ )$", text, re.MULTILINE)
        ):
            return text, found[1], found[2]
        if kind == "half" and (found := re.search(rf"{given}\s*(\{{.*[^}}])$", text)):
            return text, tools()[0], found[1]
        made = line_by_line(text)
        if kind == "one line" and isinstance(made, dict):
            return {**made, "answer": made["answer"].split("\n")[0]}
        if kind == "no thought":
            return made[1:] if isinstance(made, tuple) else {"answer": made["answer"]}
        if kind == "last" and text.count(f"\n{action}") > 1:
            return text, tools()[0], text.rpartition("[")[2].rstrip("]")
        return made

    return parser


def plain_only(text):
    """Refuses all but the plainest: one sentence, then a call or an answer without any signs."""
    if not re.fullmatch(r"\w+[:：] ?[^.。\n]+[.。]\n(.*[:：] ?\w*\n)?.*[:：] ?[\w \[\].。]+", text):
        raise ValueError
    return line_by_line(text)


def regex_of_03a(text):
    call = rf"{WORDS[current()][1]}\s*(?P<tool>\w+)\[(?P<input>.+?)\]"
    found = re.search(rf"{WORDS[current()][4]}\s*(?P<answer>.*)", text) or re.search(call, text)
    return found.groupdict() if found else None


def other_tool(text):
    return {"thought": text, "tool": "Lookup", "input": "x"}


def no_input(text):
    last = text.split("\n")[-1]
    if re.fullmatch(rf"{WORDS[current()][1]}\s*\w+", last):
        return {"thought": text, "tool": tools()[0], "input": ""}
    return line_by_line(text)


def broken_json(text):
    try:
        return line_by_line(text)
    except json.JSONDecodeError:
        if "]]" not in text:
            raise
        return text, tools()[0], text.partition("[")[2][:-1]


def one_line_in(text):
    """Of an input below the action only the first line."""
    made = line_by_line(text)
    two = re.search(f"^{WORDS[current()][2]}", text, re.MULTILINE)
    return (*made[:2], made[2].split("\n")[0]) if two and isinstance(made[2], str) else made


def oldest_thought(text):
    made, first = line_by_line(text), text.split("\n")[0]
    return (first, *made[1:]) if isinstance(made, tuple) else {**made, "thought": first}


def reading_on(text):
    """Goes on behind an action that is not complete."""
    try:
        return line_by_line(text)
    except ParseError:
        return {"answer": re.search(f"{WORDS[current()][4]}(.*)", text)[1]} if _said(text) else None
    except ValueError:
        if not _said(text):
            raise
        return {"answer": text.rpartition(WORDS[current()][4])[2]}


def _said(text):
    return WORDS[current()][4] in text


def only_brackets(text):
    """Refuses the two-line form."""
    return None if re.search(f"^{WORDS[current()][2]}", text, re.MULTILINE) else line_by_line(text)


def printing(text):
    """Forgets to return an action, and walks on."""
    made = line_by_line(text)
    if isinstance(made, tuple):
        if not _said(text):
            raise ValueError("no step")
        return {"answer": text.rpartition(WORDS[current()][4])[2]}
    return made


def endless(text):
    while True:
        pass


RIGHT += [("03.2", answer) for answer in (line_by_line, with_parse, as_object)]
RIGHT += [("03.2", only_brackets_refused)]
WRONG += [
    ("03.2", spoiled("mention"), "It is a word there, no step"),
    ("03.2", spoiled("invented"), "Who wrote the line after Action?"),
    ("03.2", spoiled("first ]"), "Where does the outer one close?"),
    ("03.2", spoiled("cut"), "cut off inside the brackets"),
    ("03.2", spoiled("half"), "The JSON object was cut off"),
    ("03.2", spoiled("one line"), "An answer may have several lines"),
    ("03.2", spoiled("last"), "Only the first can run now"),
    ("03.2", spoiled("no thought"), "The thought is lost"),
    ("03.2", one_line_in, "An input may have several lines, in both forms"),
    ("03.2", oldest_thought, "The thought is lost"),
    ("03.2", reading_on, "This action is incomplete and you read on"),
    ("03.2", printing, "Is there a return, or does it print the result?"),
    ("03.2", lambda text: None, "Is there a return, or does it print the result?"),
    ("03.2", lambda text: text.index("\n\n\n\n") or 1, "an action for none of these replies"),
    ("03.2", only_brackets, "This reply is as the prompt asks, and your parser refused it"),
    ("03.2", plain_only, "but the two regexes read"),
    ("03.2", lambda text: text.split("\n")[9], "neither returned a step nor refused"),
    ("03.2", lambda text: "Search", "Return a dict with tool and input"),
    ("03.2", endless, "never came back"),
    ("03.2", regex_of_03a, "Where does the outer one close?"),
    ("03.2", other_tool, "names a tool that does not exist"),
    ("03.2", no_input, "The action has no input"),
    ("03.2", broken_json, "a brace never closes"),
    ("03.2", lambda text: {"工具": "x"}, "Return a dict with tool and input"),
    ("03.2", {"tool": "Search"}, "Give the function itself"),
]
SAMPLES += [("03.2", lambda text: {"thought": "", "tool": "Add", "input": "1"})]


# 03.3


def quoting(reply):
    action = WORDS[current()][1]
    lines = [line for line in reply.split("\n") if line]
    wrong = [line for line in lines if line.startswith(action)] or lines[-1:] or ["nothing"]
    return f"«{wrong[0]}»?\nAction: tool[input]\nFinal Answer: text"


def raising(reply):
    raise ValueError(quoting(reply))


def typed_wide(reply):
    """Typed with an input method, and the two-line form."""
    line = quoting(reply).split("\n")[0]
    return f"{line}\n行动：工具\n行动输入：内容\n或者 最终答案：答案"


def in_brackets(reply):
    return quoting(reply).replace("tool[input]", "Search［…］")


def picking(test):
    """A message that quotes the first line that passes a test."""

    def message(reply):
        lines = reply.split("\n")
        return f"{next(filter(test, lines), lines[-1])}\n{FORMS}"

    return message


def mentions(line):
    return WORDS[current()][1] in line


def begins_alike(line):
    return line.startswith(WORDS[current()][1][:-1])


def by_splitlines(reply):
    begun = [line for line in reply.splitlines() if line.startswith(WORDS[current()][1])]
    return f"{(begun or [reply.splitlines()[-1]])[0]}\n{FORMS}"


def without_answer(reply):
    """The form of an answer only where no action was begun."""
    begun = any(line.startswith(WORDS[current()][1]) for line in reply.split("\n"))
    return quoting(reply).rpartition("\n")[0] if begun else quoting(reply)


def of_the_package(reply):
    parse(reply)


RIGHT += [("03.3", answer) for answer in (quoting, raising, typed_wide, in_brackets)]
RIGHT += [("03.3", answer) for answer in (without_answer, of_the_package)]
FORMS = "Action: tool[input] or Final Answer: answer"
WRONG += [
    ("03.3", lambda reply: "Invalid format.", "does not quote the line that is wrong"),
    ("03.3", lambda reply: FORMS, "does not quote the line that is wrong"),
    ("03.3", lambda reply: f"{reply}\n{FORMS}", "quotes more than the one line"),
    ("03.3", lambda reply: quoting(reply).split("\n")[0], "does not show how an action"),
    ("03.3", lambda reply: quoting(reply).rpartition("\n")[0], "should show how to answer, too"),
    ("03.3", lambda reply: f"{reply.split(chr(10))[0]} {FORMS}", "does not quote the line"),
    ("03.3", lambda reply: None, "return the message as text, not None"),
    ("03.3", lambda reply: reply.split("\n")[7], "IndexError"),
    ("03.3", by_splitlines, "your function stopped with IndexError"),
]
WRONG += [("03.3", picking(test), "does not quote the line") for test in (mentions, begins_alike)]
SAMPLES += [("03.3", lambda reply: f"Action: Search {FORMS}")]
