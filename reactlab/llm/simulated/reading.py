"""What a request shows: language, dialect, tools, question, and the steps so far."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reactlab.llm.simulated.text import language
from reactlab.names import clean_name
from reactlab.prompts.words import WORDS
from reactlab.types import Request

MOST = 200_000  # characters of a prompt that are read: head and tail
MOST_ASKED = 1_200  # the same for a question, and for a tool's description
_QUESTION = r"Question|Query|Task|User|问题|任务|用户|提问"
_MARKER = re.compile(
    r"^(?:(?P<thought>Thought|思考)|(?P<input>Action ?Input|行动输入|动作输入)|(?P<action>Action|行动|动作)"
    r"|(?P<observation>Observation|观察)|(?P<answer>Final ?Answer|Answer|最终答案|答案)"
    rf"|(?P<question>{_QUESTION}))[ \t]*\d*[ \t]*[:：][ \t]*",
    re.MULTILINE | re.IGNORECASE,
)
_TOOL_LINE = re.compile(
    r"^[ \t]{0,3}(?:[-*•]|\d{1,2}[.)、])[ \t]*[*`]*(?P<name>[^\s\[\]()（）:：*`][^\n\[\]()（）:：*`]{0,60}?)[*`]*"
    r"[ \t]*(?P<form>[\[(（][^\n\])）]{0,200}[\])）])?[*`]*[ \t]*(?:[:：]|[-–—]+(?= ))[ \t]*(?P<text>[^\n]*)"
    r"(?:\n[ \t]+(?:Parameters|Arguments|参数)[ \t]*[:：][ \t]*(?P<params>[^\n]*))?",
    re.MULTILINE,
)
_TOOL_FORM = re.compile(
    r"^(?P<name>[^\W\d]\w{1,40})(?P<form>[\[(][^\n\])]{0,100}[\])])[ \t]*[:：-][ \t]*(?P<text>[^\n]+)",
    re.M,
)
_TOOL_NAMES = re.compile(r"(?:tools?|工具)[^\n:：]{0,40}[:：][ \t]*([^\n]+)", re.IGNORECASE)
_ONCE = re.compile(
    r"one tool, once|at most one (?:tool|action)|only one (?:tool|action)|只能用一次|最多.{0,6}一次",
    re.I,
)
_PLACEHOLDER = re.compile(r"tool|name|action|finish|final", re.IGNORECASE)
_QUOTED = re.compile(
    r"^> (?=[ \t>*#\-]*[\w\u3400-\u9fff ]{2,14}[ \t]*\d*[ \t*]*[:：\[［])", re.MULTILINE
)
_DIGEST = re.compile(r"^[ \t]*- \d+\. (?P<body>.*)$")
_CALLED = re.compile(
    r"(?:^|\| |; )(?P<name>[^\s\[|;][^\[|;]{0,60})\[(?P<args>.*?)\] -> (?P<seen>.*?)(?=; [^\s\[;|]{1,60}\[|$)"
)


@dataclass(frozen=True)
class Param:
    """One parameter of a tool: its JSON type ("string" where unknown), choices and description."""

    name: str
    type: str = "string"
    about: str = ""
    required: bool = True
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class ToolSpec:
    """A tool as it was described."""

    name: str
    about: str
    params: tuple[Param, ...] = ()


@dataclass(frozen=True)
class Seen:
    """A step that is shown: its thought, call and observation. `short`: cut for the digest."""

    thought: str = ""
    tool: str = ""
    args: str = ""
    observation: str | None = None
    short: bool = False


@dataclass(frozen=True)
class Reading:
    """Everything that was read from a request; nothing else is known."""

    question: str
    lang: str
    dialect: str  # bracket, action_input, json, tools, or prose where no form is asked for
    tools: tuple[ToolSpec, ...] = ()
    steps: tuple[Seen, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()  # earlier questions and answers
    thoughts: bool = True
    once: bool = False
    cue: str = ""  # the marker that the prompt ends with
    finish: str = "Final Answer: "
    words: str = "en"  # the language of the markers
    today: str = ""  # the date that the prompt gives as today's


_TODAY = re.compile(
    r"(?:\btoday\b|今天|当前日期|current date)[^\n]{0,20}?(\d{4}-\d{2}-\d{2}|\d{4}年\d{1,2}月\d{1,2}日)",
    re.I,
)


def _today(text: str) -> str:
    found = _TODAY.search(text)
    return found[1] if found else ""


def read(request: Request) -> Reading:
    """Read a request, whatever it holds."""
    if request.tools or any(m.calls or m.role == "tool" for m in request.messages):
        return _read_messages(request)
    prompt = request.prompt
    return _read_prompt(_bounded(prompt, MOST))


def _bounded(text: str, most: int = MOST_ASKED) -> str:
    """A long text without its middle."""
    return text if len(text) <= most else text[: most // 2] + "\n" + text[-most // 2 :]


def _read_prompt(prompt: str) -> Reading:
    marks = list(_MARKER.finditer(prompt))
    asked = [mark for mark in marks if mark["question"]]
    start = asked[-1].start() if asked else _unmarked_question(prompt, marks)
    head, tail = prompt[:start], prompt[start:]
    later = [mark for mark in marks if mark.start() > start]
    form = head if len(head) > 40 or not later else prompt
    tools = _prompt_tools(head)
    parts = _sections(prompt, [*(asked[-1:]), *later])
    question = unquote(parts[0][1] if asked and parts else _first_block(tail))
    question, notes = _cut_notes(question)
    cue = next((k for k, v in (later[-1].groupdict() if later else {}).items() if v), "")
    ends = bool(later) and not prompt[later[-1].end() :].strip()
    steps = _text_steps(parts[1:] if asked else parts, ends)
    more, turns = _notes(notes)
    words = "zh" if re.search(r"^(?:思考|行动|问题|最终答案)[:：]", prompt, re.M) else "en"
    if not tools:
        shown = [step.tool for step in steps] + re.findall(r"\b([A-Z][a-z]\w*)\[", head)
        tools = tuple(
            ToolSpec(name, "")
            for name in dict.fromkeys(shown)
            if name and not _PLACEHOLDER.match(name)
        )
    acting = any(m["action"] for m in marks) or bool(tools)
    return Reading(
        question=_bounded(question.strip()),
        lang=language(question) if question.strip() else words,
        dialect=_dialect(form, marks) if acting or marks else "prose",
        tools=tools,
        steps=(*more, *steps),
        turns=turns,
        thoughts=any(m["thought"] for m in marks),
        once=bool(_ONCE.search(head)),
        cue=cue if ends else "",
        finish=_finish(prompt, words),
        today=_today(prompt),
        words=words,
    )


def _unmarked_question(prompt: str, marks: list[re.Match[str]]) -> int:
    """Where the question begins in a prompt that does not mark it: the last paragraph that asks."""
    body = prompt[: marks[0].start()] if marks else prompt
    blocks = [m for m in re.finditer(r"[^\n]+", body) if re.search(r"[?？]\s*$", m[0])]
    blocks = blocks or list(re.finditer(r"[^\n]+", body))
    return blocks[-1].start() if blocks else 0


def _first_block(text: str) -> str:
    mark = _MARKER.search(text)
    return text[: mark.start()] if mark else text


def _sections(prompt: str, marks: list[re.Match[str]]) -> list[tuple[str, str]]:
    """(kind, text) for each marked section."""
    ends = [*(mark.start() for mark in marks[1:]), len(prompt)][: len(marks)]
    return [
        (next(k for k, v in mark.groupdict().items() if v), prompt[mark.end() : end].strip("\n"))
        for mark, end in zip(marks, ends, strict=True)
    ]


def unquote(text: str) -> str:
    """Take away the "> " that keeps data from looking like a step."""
    return _QUOTED.sub("", text)


def _text_steps(parts: list[tuple[str, str]], cued: bool) -> list[Seen]:
    steps: list[Seen] = []
    thought, tool, args, open_step = "", "", "", False
    for kind, text in parts[:-1] if cued else parts:
        if kind == "thought":
            thought = unquote(text).strip()
        elif kind == "action":
            tool, args = _action(text)
            open_step = True
        elif kind == "input":
            args = unquote(text).strip()
        elif kind == "observation":
            steps.append(Seen(thought, tool, args, _before_notes(unquote(text)).strip()))
            thought, tool, args, open_step = "", "", "", False
    if open_step:
        steps.append(Seen(thought, tool, args, None))
    return steps


def _before_notes(text: str) -> str:
    return _cut_notes(text)[0]


def _action(text: str) -> tuple[str, str]:
    """Tool and arguments of an action line in any of the three forms."""
    if (
        found := re.search(r"\{.*\}", text, re.DOTALL)
        if text.lstrip().startswith(("```", "{"))
        else None
    ):
        try:
            blob = json.loads(found[0])
            given = blob.get("action_input", "")
            return str(blob.get("action", "")), given if isinstance(given, str) else dumps(given)
        except (ValueError, AttributeError, RecursionError):
            return "", text
    name, bracket, rest = text.partition("[")
    return name.strip(), unquote(rest.rstrip().removesuffix("]")) if bracket else ""


def dumps(value: Any) -> str:
    """JSON as it stands in prompts."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _dialect(form: str, marks: list[re.Match[str]]) -> str:
    if re.search(r"```json|[\"']action_input[\"']", form):
        return "json"
    return "action_input" if any(mark["input"] for mark in marks) else "bracket"


def _finish(prompt: str, words: str) -> str:
    found = re.findall(r"^(Final ?Answer|最终答案|Answer|答案)([:：])", prompt, re.M)
    if found:
        word, colon = found[0]
        return f"{word}{colon}" + (" " if colon == ":" else "")
    return "Finish[" if "Finish[" in prompt else WORDS[words].answer


def _prompt_tools(head: str) -> tuple[ToolSpec, ...]:
    found: dict[str, ToolSpec] = {}
    for match in [*_TOOL_LINE.finditer(head), *_TOOL_FORM.finditer(head)]:
        name = match["name"].strip()
        given = match.groupdict().get("params") or (match["form"] or "")[1:-1]
        if not _MARKER.match(name + ":") and clean_name(name) not in found:
            found[clean_name(name)] = ToolSpec(
                name, _bounded(match["text"].strip()), _params(given[:MOST_ASKED])
            )
    if not found and (names := _TOOL_NAMES.search(head)):
        for name in re.split(r"[,，、;]|\band\b|和", names[1]):
            bare = re.sub(r"[\[(].*", "", name).strip(" .。`*\"'")
            if re.fullmatch(r"\w{2,40}", bare):
                found[clean_name(bare)] = ToolSpec(bare, "", ())
    return tuple(found.values())


_PARAM = re.compile(
    r"([^\W\d]\w*)[ \t]*[:：=]?[ \t]*((?:[^,，\[\]{}()]|\[[^\]]*\]|\{[^}]*\}|\([^)]*\))*)"
)
_TYPES = {"int": "integer", "float": "number", "str": "string", "bool": "boolean", "list": "array"}
_TYPE_WORDS = re.compile(
    r"\b(integer|number|string|boolean|array|object|int|float|str|bool|list)\b"
)


def _params(text: str) -> tuple[Param, ...]:
    return tuple(_param(match[1], match[2].strip()) for match in _PARAM.finditer(text) if match[1])


def _param(name: str, rest: str) -> Param:
    kind = _TYPE_WORDS.search(rest)
    word = kind[1] if kind else "string"
    choices = re.findall(r"[\"']([^\"']+)[\"']", rest) if "one of" in rest or "|" in rest else []
    optional = re.search(r"optional|default|=|可选|默认", rest)
    return Param(name, _TYPES.get(word, word), rest, not optional, tuple(choices))


def _cut_notes(text: str) -> tuple[str, str]:
    """Split off what the agent adds about earlier steps and earlier turns."""
    heads = [word for lang in WORDS.values() for word in (lang.earlier, lang.earlier_turn)]
    places = [at for at in (text.find("\n" + head) for head in heads) if at >= 0]
    places += [0 for head in heads if text.startswith(head)]
    return (text[: min(places)], text[min(places) :]) if places else (text, "")


def _notes(text: str) -> tuple[list[Seen], tuple[tuple[str, str], ...]]:
    """Digest lines of this run, and question with answer of each earlier turn."""
    steps: list[Seen] = []
    turns: list[tuple[str, str]] = []
    asked = ""
    for line in text.splitlines():
        if found := _DIGEST.match(line):
            steps += _digested(found["body"])
        elif line.startswith("- "):
            asked = line[2:].strip()
        elif line.startswith("  = "):
            turns.append((asked, line[4:].strip()))
    return steps, tuple(turns)


def _digested(body: str) -> list[Seen]:
    found = []
    for match in _CALLED.finditer(body):
        seen = match["seen"].strip()
        args = match["args"]
        short = seen.endswith("…") or args.endswith("…")
        found.append(Seen("", match["name"].strip(), args, seen, short))
    return found


def _read_messages(request: Request) -> Reading:
    told = tuple(words.repeat.split("{", 1)[0] for words in WORDS.values())
    users = [
        at
        for at, m in enumerate(request.messages)
        if m.role == "user" and m.content and not any(note in m.content for note in told)
    ]
    last = users[-1] if users else 0
    question = (request.messages[last].content or "") if request.messages else ""
    question, inside = _cut_notes(question[:MOST])
    systems = [m.content or "" for m in request.messages if m.role == "system"]
    steps, turns = _notes("\n".join([inside, *systems]))
    results = {m.call_id: m.content or "" for m in request.messages if m.role == "tool"}
    for message in request.messages:
        for call in message.calls:
            args = (
                call.arguments if isinstance(call.arguments, str) else dumps(dict(call.arguments))
            )
            seen = results.get(call.id)
            steps.append(Seen(message.content or "", call.name, args, seen))
    asked = [request.messages[at].content or "" for at in users[:-1]]
    said = [m.content or "" for m in request.messages if m.role == "assistant" and not m.calls]
    return Reading(
        question=_bounded(question.strip()),
        lang=language(question),
        dialect="tools" if request.tools else "prose",
        tools=tuple(spec for spec in map(_schema_tool, request.tools) if spec),
        steps=tuple(steps),
        turns=turns or tuple(zip(asked, said, strict=False)),
        today=_today(request.prompt[:MOST] + " " + dumps(list(request.tools))[:MOST]),
        words="zh" if language(" ".join(systems) or question) == "zh" else "en",
    )


def _schema_tool(schema: Mapping[str, Any]) -> ToolSpec | None:
    function = schema.get("function", schema)
    if not isinstance(function, Mapping) or not function.get("name"):
        return None
    given = function.get("parameters")
    given = given if isinstance(given, Mapping) else {}
    properties = given.get("properties")
    required = given.get("required") or ()
    params = tuple(
        _schema_param(str(name), spec, str(name) in required)
        for name, spec in (properties.items() if isinstance(properties, Mapping) else ())
    )
    return ToolSpec(str(function["name"]), _bounded(str(function.get("description") or "")), params)


def _schema_param(name: str, spec: Any, required: bool) -> Param:
    spec = spec if isinstance(spec, Mapping) else {}
    options = spec.get("anyOf")
    options = options if isinstance(options, list) else []
    kinds = [o.get("type") for o in options if isinstance(o, Mapping) and o.get("type") != "null"]
    kind = spec.get("type") or (kinds[0] if kinds else "string")
    choices = spec.get("enum")
    return Param(
        name,
        kind if isinstance(kind, str) else "string",
        str(spec.get("description") or ""),
        required,
        tuple(map(str, choices)) if isinstance(choices, list) else (),
    )
