"""A good reply made bad in one way, in the form and the language in which it is written."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from reactlab.dialects import TextDialect, make_dialect
from reactlab.errors import ParseError
from reactlab.faults import other_number
from reactlab.parser import parse
from reactlab.prompts.words import WORDS, Words
from reactlab.types import Completion, Decision, Request, ToolCall

NO_SUCH_TOOLS = ("AskExpert", "WebBrowser", "PythonREPL")
_NO_SUCH_PARAMETER = "my_input"
_STARTS = {"en": r"^(?:Action|Final ?Answer) ?:", "zh": r"^(?:行动|最终答案)[：:]"}
_PROSE = {
    "en": ("I had better use {name} for {given}", "So I would say {answer}"),
    "zh": ("我打算用 {name} 处理 {given}", "所以我觉得就是 {answer}"),
}
_INVENTED = {"en": "It was built in {year}.", "zh": "建于{year}年。"}
_OPPOSITE = {"Yes": "No", "No": "Yes", "是": "不是", "不是": "是", "否": "是"}
_NAME = re.compile(r"[A-Z][\w'’]+(?: [A-Z][\w'’]+)*|《[^》]+》")


@dataclass(frozen=True)
class Reply:
    """A reply with what it means; `head` is its text before the action or the answer."""

    request: Request
    completion: Completion
    decision: Decision
    language: str
    head: str = ""
    form: str = "tools"

    @property
    def words(self) -> Words:
        """The words of its language."""
        return WORDS[self.language]

    def said(self, step: str) -> Completion:
        """The reply with another step behind its thought."""
        return replace(self.completion, text=self.head + step)

    def calling(self, *calls: ToolCall) -> Completion:
        """The reply with other calls in place of its own."""
        if self.form == "tools":
            return replace(self.completion, calls=calls, finish="tool_calls")
        writer = _writer(self.form, self.language)
        return self.said("\n".join(map(writer.action, calls)))


def spoiled(
    kind: str, request: Request, completion: Completion, chance: random.Random
) -> Completion | None:
    """The reply with this fault; None where it does not apply, as there is nothing to break."""
    if kind == "empty":
        return replace(completion, text="", calls=())
    reply = _read(request, completion)
    return None if reply is None else _WAYS[kind](reply, chance)


def goes_on(request: Request) -> bool:
    """Whether a request shows an earlier step, so that there is something to shorten."""
    if any(message.calls for message in request.messages):
        return True
    return any(
        f"\n{word.observation.strip()}" in _history(request, word) for word in WORDS.values()
    )


def _history(request: Request, words: Words) -> str:
    """A prompt from its last question on."""
    return request.prompt[max(request.prompt.rfind(f"\n{words.question.strip()}"), 0) :]


def _read(request: Request, completion: Completion) -> Reply | None:
    """What a reply means; None for one that holds no step."""
    text = completion.text
    if completion.calls or request.tools:
        language = "zh" if re.search("[\u3400-\u9fff]", text or request.prompt[-200:]) else "en"
        answer = None if completion.calls else text
        decision = Decision(text, completion.calls, answer)
        return Reply(request, completion, decision, language)
    for language, words in WORDS.items():
        begin = re.search(_STARTS[language], text, re.MULTILINE)
        if begin is None:
            continue
        try:
            decision = parse(text)
        except ParseError:
            return None
        form = "json" if '"action"' in text else "bracket"
        form = "action_input" if words.action_input.strip() in text else form
        return Reply(request, completion, decision, language, text[: begin.start()], form)
    return None


@lru_cache
def _writer(form: str, language: str) -> TextDialect:
    writer = make_dialect(form, language=language)
    assert isinstance(writer, TextDialect)
    return writer


def _broken_format(reply: Reply, chance: random.Random) -> Completion | None:
    """Prose where the action should stand; a function call's JSON breaks off."""
    calls, (acting, answering) = reply.decision.calls, _PROSE[reply.language]
    if reply.form == "tools":
        cut = [replace(call, arguments=_as_text(call)[:-1] or "{") for call in calls]
        return reply.calling(*cut) if cut else None
    if calls:
        return reply.said(acting.format(name=calls[0].name, given=_given(calls[0])))
    return reply.said(answering.format(answer=reply.decision.answer))


def _invented_observation(reply: Reply, chance: random.Random) -> Completion | None:
    """The model goes on after its action, with a result of its own and an answer from it."""
    if not reply.decision.calls:
        return None
    words = reply.words
    seen = _INVENTED[reply.language].format(year=chance.randrange(1500, 2000))
    more = f"{words.observation}{seen}\n{words.thought}{seen}\n{words.answer}{seen}"
    return replace(reply.completion, text=f"{reply.completion.text}\n{more}")


def _several_actions(reply: Reply, chance: random.Random) -> Completion | None:
    """A second call in the same reply, before the result of the first is known."""
    calls = reply.decision.calls
    if not calls:
        return None
    also = replace(_with_value(calls[-1], _shorter), id=calls[-1].id and f"{calls[-1].id}_b")
    return reply.calling(*calls, also)


def _unknown_tool(reply: Reply, chance: random.Random) -> Completion | None:
    """A tool that nobody offered."""
    calls = reply.decision.calls
    return reply.calling(replace(calls[0], name=chance.choice(NO_SUCH_TOOLS))) if calls else None


def _wrong_arguments(reply: Reply, chance: random.Random) -> Completion | None:
    """Nothing between the brackets; in a function call, a parameter that does not exist."""
    if not reply.decision.calls:
        return None
    call = reply.decision.calls[0]
    if reply.form != "tools":
        return reply.calling(replace(call, arguments=""))
    given = {_NO_SUCH_PARAMETER: _given(call)}
    return reply.calling(replace(call, arguments=json.dumps(given, ensure_ascii=False)))


def _repeated_action(reply: Reply, chance: random.Random) -> Completion | None:
    """The last action of the conversation once more, in place of what is due."""
    if reply.form == "tools":
        earlier = [call for message in reply.request.messages for call in message.calls]
        again = [replace(call, id=f"{call.id}_again") for call in earlier[-1:]]
        return reply.calling(*again) if again else None
    word, history = reply.words, _history(reply.request, reply.words)
    ends = re.escape(word.observation.strip())
    acted = rf"^{re.escape(word.action.strip())}.*?(?=\n{ends})"
    earlier_steps = re.findall(acted, history, re.MULTILINE | re.DOTALL)
    return reply.said(earlier_steps[-1]) if earlier_steps else None


def _truncation(reply: Reply, chance: random.Random) -> Completion | None:
    """Cut at the length limit, anywhere; a function call's arguments are cut first."""
    *calls, last = reply.completion.calls or (None,)
    if last is not None:
        written = _as_text(last)
        cut = replace(last, arguments=written[: chance.randrange(len(written))])
        return replace(reply.completion, calls=(*filter(None, calls), cut), finish="length")
    text = reply.completion.text
    return replace(reply.completion, text=text[: chance.randrange(1, len(text))], finish="length")


def _wrong_value(reply: Reply, chance: random.Random) -> Completion | None:
    """Another number, name or verdict in the answer; nothing else changes."""
    answer = reply.decision.answer
    text, at = reply.completion.text, reply.completion.text.rfind(answer or "")
    other = _other_value(answer, reply.request.prompt, chance) if answer and at >= 0 else None
    if other is None or answer is None:
        return None
    return replace(reply.completion, text=text[:at] + other + text[at + len(answer) :])


def _other_value(answer: str, prompt: str, chance: random.Random) -> str | None:
    verdict = next((word for word in _OPPOSITE if answer.startswith(word)), None)
    if verdict:
        return _OPPOSITE[verdict] + answer[len(verdict) :]
    names = sorted({name for name in _NAME.findall(prompt[-3000:]) if name not in answer})
    own = _NAME.search(answer)
    if other := other_number(answer, chance):
        return other
    return answer.replace(own[0], chance.choice(names)) if own and names else None


def _as_text(call: ToolCall) -> str:
    """The arguments as they are sent."""
    given = call.arguments
    return given if isinstance(given, str) else json.dumps(dict(given), ensure_ascii=False)


def _values(call: ToolCall) -> Mapping[str, Any] | None:
    """The arguments by name where they are an object."""
    try:
        value = json.loads(call.arguments) if isinstance(call.arguments, str) else call.arguments
    except ValueError:
        return None
    return value if isinstance(value, Mapping) else None


def _given(call: ToolCall) -> str:
    """What the tool is given, as a person would say it."""
    values = _values(call)
    return _as_text(call) if values is None else ", ".join(map(str, values.values()))


def _with_value(call: ToolCall, change: Callable[[str], str]) -> ToolCall:
    """The call with its first value changed."""
    values = _values(call)
    if values is None:
        return replace(call, arguments=change(_as_text(call)))
    named = {**values, **{name: change(str(value)) for name, value in [*values.items()][:1]}}
    sent = json.dumps(named, ensure_ascii=False) if isinstance(call.arguments, str) else named
    return replace(call, arguments=sent)


def _shorter(text: str) -> str:
    """Without its last word, or its last sign; never the same."""
    return text.rpartition(" ")[0] or text[:-1] or "1"


_WAYS: Mapping[str, Callable[[Reply, random.Random], Completion | None]] = {
    "broken_format": _broken_format,
    "invented_observation": _invented_observation,
    "several_actions": _several_actions,
    "unknown_tool": _unknown_tool,
    "wrong_arguments": _wrong_arguments,
    "repeated_action": _repeated_action,
    "truncation": _truncation,
    "wrong_value": _wrong_value,
}
