"""What a request shows: language, dialect, tools, question, and the steps so far."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any, NamedTuple

from reactlab.prompts.words import WORDS
from reactlab.types import Message, Request

from .described import Tool, from_schema
from .tables import cue
from .text import language

MOST = 200_000  # characters of a prompt that are read: head and tail
_DIGEST = re.compile(r"^[ \t]*- \d+\. (?P<body>.*)$")


class Seen(NamedTuple):
    """A step that is shown; `observation` is None while it is open. `short`: cut for a digest."""

    thought: str = ""
    tool: str = ""
    args: str = ""
    observation: str | None = None
    short: bool = False


class Reading(NamedTuple):
    """Everything that was read from a request; nothing else is known.

    `dialect` is bracket, action_input, json, tools, or prose where no form is asked for. `turns`
    are earlier questions with their answers, `cue` the marker that the prompt ends with, `words`
    the language of the markers, `today` the date that the prompt gives, `once`: one call only.
    """

    question: str
    lang: str
    dialect: str
    tools: tuple[Tool, ...] = ()
    steps: tuple[Seen, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()
    thoughts: bool = True
    once: bool = False
    cue: str = ""
    finish: str = "Final Answer: "
    words: str = "en"
    today: str = ""


def dumps(value: Any) -> str:
    """JSON as it stands in prompts."""
    return json.dumps(value, ensure_ascii=False, default=str)


def today_in(text: str) -> str:
    """The date that a text gives as today's."""
    found = cue("todays_date").search(text)
    return found[1] if found else ""


def cut_notes(text: str) -> tuple[str, str]:
    """Split off what an agent adds about earlier steps and earlier turns."""
    heads = [word for lang in WORDS.values() for word in (lang.earlier, lang.earlier_turn)]
    places = [at for head in heads if (at := ("\n" + text).find("\n" + head)) >= 0]
    return (text[: min(places)], text[min(places) :]) if places else (text, "")


def notes(text: str) -> tuple[list[Seen], list[tuple[str, str]]]:
    """The digest lines of this run, and question with answer of each earlier turn."""
    steps, turns, asked = [], [], ""
    for line in text.splitlines():
        if found := _DIGEST.match(line):
            steps += [_digested(match) for match in cue("digested").finditer(found["body"])]
        elif line.startswith("- "):
            asked, steps = line[2:].strip(), []
        elif line.startswith("  = "):
            turns.append((asked, line[4:].strip()))
            steps = []
    return steps, turns


def _digested(match: re.Match[str]) -> Seen:
    seen, args = match["seen"].strip(), match["args"]
    return Seen("", match["name"].strip(), args, seen, seen.endswith("…") or args.endswith("…"))


def read_messages(request: Request) -> Reading:
    """Read a conversation with tool calls: messages, results by id, and schemas."""
    told = tuple(words.repeat.split("{", 1)[0] for words in WORDS.values())
    asking = [
        m
        for before, m in pairwise((None, *request.messages))
        if m is not None and m.role == "user" and m.content
        if not any(note in m.content for note in told) and not _is_result(before)
    ]
    question, inside = cut_notes((asking[-1].content or "")[:MOST] if asking else "")
    systems = "\n".join(m.content or "" for m in request.messages if m.role == "system")
    steps, turns = notes(f"{inside}\n{systems}"[:MOST])
    said = [m.content or "" for m in request.messages if m.role == "assistant" and not m.calls]
    asked = [m.content or "" for m in asking[:-1]]
    return Reading(
        question.strip(),
        language(question),
        "tools" if request.tools else "prose",
        tuple(tool for tool in map(from_schema, request.tools) if tool),
        (*steps, *_called(request.messages)),
        tuple(turns or zip(asked, said, strict=False)),
        words="zh" if language(systems or question) == "zh" else "en",
        today=today_in(request.prompt[:MOST] + dumps(list(request.tools))[:MOST]),
    )


def _is_result(message: Message | None) -> bool:
    """Whether what a user says next is about a result: no question follows one at once."""
    return message is not None and message.role == "tool"


def _called(messages: tuple[Message, ...]) -> list[Seen]:
    results = {m.call_id: m.content or "" for m in messages if m.role == "tool"}
    return [
        Seen(message.content or "", call.name, _text(call.arguments), results.get(call.id))
        for message in messages
        for call in message.calls
    ]


def _text(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else dumps(arguments)
