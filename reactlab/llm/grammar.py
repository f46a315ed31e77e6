"""What a model may write and nothing else: grammars made of the tools that are registered.

A grammar is enforced while a reply is written: of all next tokens, those that would break it are
left out. It decides the form, never whether the choice is right. Text dialects get a text in
llama.cpp's notation (GBNF), tool calls a JSON schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from reactlab.errors import ConfigError
from reactlab.prompts import words
from reactlab.types import Completion, Message, Request, ToolCall, ToolSet

# No line end, and no bracket or quote, which would decide where an input ends.
_FREE = r"[^\n\r\[\]［］\"'“”‘’「」『』{}<>`|\\]"
_LINE = r"[^\n\r]"
_ACTIONS = {
    "bracket": '{action} tool "[" input "]"',
    "action_input": "{action} tool {action_input} input",
}


def for_tools(
    tools: ToolSet,
    dialect: str = "bracket",
    language: str = "en",
    *,
    thought: int = 160,
    begun: bool = False,
) -> str:
    """A grammar of two replies: a thought and a call of one of these tools, or an answer.

    `thought` is the most characters that the thought may have, and an input and an answer, too;
    without such a bound a small model may not end. `begun` is for `LocalLLM(chat=False)`: the
    prompt ends with the word for the thought, and the reply goes on after it. Inputs are one line
    without brackets and quotes, so that their end is never in doubt. Raises `ConfigError` for a
    dialect other than "bracket" and "action_input", and without tools.
    """
    if dialect not in _ACTIONS:
        raise ConfigError(f"There is a grammar for {', '.join(_ACTIONS)}, not for {dialect!r}.")
    if not tools.names:
        raise ConfigError("A grammar needs at least one tool.")
    if thought < 1:
        raise ConfigError(f"thought has to be 1 or more, not {thought!r}.")
    word = words(language)
    marks = {"action": _literal(word.action), "action_input": _literal(f"\n{word.action_input}")}
    begin = '" "?' if begun else _literal(word.thought)
    names = " | ".join(map(_literal, tools.names))
    return "\n".join(
        (
            f'root ::= {begin} thought "\\n" (call | answer)',
            f"thought ::= [^\\n\\r \\t] {_LINE}{{0,{thought - 1}}}",
            f"call ::= {_ACTIONS[dialect].format(**marks)}",
            f"tool ::= {names}",
            f"input ::= {_FREE}{{1,{thought}}}",
            f"answer ::= {_literal(word.answer)} [^\\n\\r \\t] {_LINE}{{0,{thought - 1}}}",
        )
    )


def _literal(text: str) -> str:
    """A text in quotes, for a grammar: escaped as in JSON; a null character is refused."""
    if "\0" in text:
        raise ConfigError(f"{text!r} holds a null character, which no grammar can.")
    return json.dumps(text, ensure_ascii=False)


def for_calls(schemas: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The JSON schema of a call of one of these tools, or of an answer.

    `schemas` are OpenAI function schemas, as `to_openai_schema()` returns them.
    """
    calls = [_call_schema(schema["function"]) for schema in schemas]
    answer = {"answer": {"type": "string", "maxLength": 160}}
    return {"anyOf": [*calls, _object(answer)]}


def with_calls(request: Request) -> tuple[Message, ...]:
    """The request's messages for a model without tool calls: tools, calls and results as text."""
    tools = [schema["function"] for schema in request.tools]
    lines = [f"- {tool['name']}: {tool.get('description', '')}".rstrip() for tool in tools]
    example = {"name": tools[0]["name"], "arguments": dict.fromkeys(_arguments(tools[0]), "…")}
    told = "\n".join(["Tools:", *lines, _HOW.format(call=_dump(example))])
    shown = [_as_text(message) for message in request.messages]
    at = next((at for at, m in enumerate(shown) if m.role != "system"), len(shown))
    first = "\n\n".join([*(m.content or "" for m in shown[:at]), told])
    return (Message("system", first), *shown[at:])


def read_call(reply: Completion) -> Completion:
    """A reply in the form of `for_calls` as a tool call or an answer; one cut off stays a text."""
    try:
        found = json.loads(reply.text)
        call = () if "answer" in found else (ToolCall(found["name"], found["arguments"], "call_1"),)
        text = str(found.get("answer", ""))
    except (ValueError, KeyError, TypeError):
        return reply
    finish = "tool_calls" if call else reply.finish
    return Completion(text, call, finish, reply.usage, reply.model)


_HOW = (
    "Reply with one JSON object. To use a tool: {call}\n"
    'As soon as you know the answer: {{"answer": "…"}}'
)


def _call_schema(function: Mapping[str, Any]) -> dict[str, Any]:
    parameters = function.get("parameters") or {"type": "object", "properties": {}}
    return _object({"name": {"const": function["name"]}, "arguments": parameters})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _arguments(function: Mapping[str, Any]) -> list[str]:
    parameters = function.get("parameters") or {}
    return list(parameters.get("required") or parameters.get("properties") or ())


def _as_text(message: Message) -> Message:
    """A message without tool calls that says the same: calls as JSON, results as the user's."""
    if message.role == "tool":
        return Message("user", message.content)
    calls = [_dump({"name": call.name, "arguments": call.arguments}) for call in message.calls]
    return Message(message.role, "\n".join([message.content or "", *calls]).strip())


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict)
