"""What is asked, and what the reply shows about the model and its server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.dialects import make_dialect
from reactlab.errors import ConfigError, RateLimited, ReactlabError, Unavailable
from reactlab.llm.protocol import streamed
from reactlab.probe.asked import Asked
from reactlab.probe.report import Outcome, Row
from reactlab.prompts.digest import one_line
from reactlab.tools.calculator import calculator
from reactlab.tools.registry import ToolRegistry
from reactlab.tools.tool import Tool
from reactlab.types import Completion, Message, Request
from reactlab.wording import foreign, say

_TOOLS = ToolRegistry.of([Tool("Calculator", "Work out an expression.", calculator)])
_LIMIT = 16
_COUNT = "Write the numbers from 1 to 9 in figures, in one line."


def _answers(asked: Asked) -> Iterator[Row]:
    said = asked.say("Say hello in one word.")
    yield Row("answers", "yes" if said.text.strip() else "no", _quoted(said))
    used = said.usage
    counted = used and say("{sent} in, {got} out", sent=used.input_tokens, got=used.output_tokens)
    if used and used.estimated:
        counted = say("{counts}, estimated", counts=counted)
    yield Row("usage", "yes" if used else "no", counted or "")
    yield Row("reasoning", "yes" if said.reasoning else "no", said.reasoning)


def _listed(asked: Asked) -> Iterator[Row]:
    asked.requests += 1
    names = asked.llm.models()
    listed = asked.model in names
    yield Row("listed", "yes" if listed else "no", say("models: {count}", count=len(names)))


def _stop(asked: Asked) -> Iterator[Row]:
    said = asked.say(_COUNT, stop=("5",))
    before, _, after = said.text.partition("5")
    if "stop" in asked.quirks:
        yield Row("stop", "refused", _quoted(said))
    elif "4" not in before:
        yield Row("stop", "failed", say("it did not count: {reply}", reply=_quoted(said)))
    elif after.strip():
        yield Row("stop", "ignored", _quoted(said))
    else:  # it may have ended there by itself
        free = asked.say(_COUNT)
        goes_on = free.text.partition("5")[2].strip()
        untold = say("without stop it ends there too: {reply}", reply=_quoted(free))
        yield Row("stop", *(("yes", _quoted(said)) if goes_on else ("not tried", untold)))


def _temperature(asked: Asked) -> Iterator[Row]:
    said = asked.say("Say hello in one word.", temperature=0.0)
    yield Row("temperature", "refused" if "temperature" in asked.quirks else "yes", _quoted(said))


def _limit(asked: Asked) -> Iterator[Row]:
    said = asked.say("Write the numbers from 1 to 100.", max_tokens=_LIMIT)
    name = asked.quirks.get("max_tokens", "max_tokens")
    counted = said.usage.output_tokens if said.usage else len(said.text) // 8
    if name is None:
        yield Row("limit", "refused", _quoted(said))
    elif said.finish == "length" or counted == _LIMIT:
        yield Row("limit", "yes", say("{name}: {reply}", name=name, reply=_quoted(said)))
    elif counted > _LIMIT:
        yield Row("limit", "ignored", _quoted(said))
    else:
        short = say("the reply was shorter anyway: {reply}", reply=_quoted(said))
        yield Row("limit", "not tried", short)


def _system(asked: Asked) -> Iterator[Row]:
    rules = Message("system", "Whatever you are asked, reply with the one word Pelican.")
    said = asked.say("What is the capital of France?", rules)
    obeyed: Outcome = "yes" if "pelican" in said.text.lower() else "ignored"
    yield Row("system", "refused" if "system" in asked.quirks else obeyed, _quoted(said))


def _tools(asked: Asked) -> Iterator[Row]:
    schema = tuple(_TOOLS.to_openai_schema())
    question = Message("user", "Use the tool to work out 17*23 and 41*19, both in one turn.")
    try:
        said = asked.complete(Request((question,), tools=schema))
    except ConfigError as error:
        yield Row("tools", "refused", foreign(error.message))
        return
    calls = make_dialect("tools").parse(said, _TOOLS).calls
    yield Row("tools", "yes" if calls else "ignored", _quoted(said))
    if not calls:
        return
    several: Outcome = "yes" if len(calls) > 1 else "no"
    yield Row("parallel", several, say("calls: {count}", count=len(calls)))
    turn = [question, Message("assistant", said.text or None, calls, reasoning=said.reasoning)]
    turn += [Message("tool", str(_TOOLS.execute(one).observation), (), one.id) for one in calls]
    try:
        said = asked.complete(Request(tuple(turn), tools=schema))
    except ReactlabError as error:
        yield Row("result", "failed", foreign(error.message))
    else:
        yield Row("result", "yes" if said.text or said.calls else "no", _quoted(said))


def _stream(asked: Asked) -> Iterator[Row]:
    asked.requests += 1
    request = Request((Message("user", _COUNT),))
    pieces: list[Any] = list(streamed(asked.llm, request))
    whole = pieces.pop()
    told = say("pieces: {count}", count=len(pieces))
    streams: Outcome = "yes" if len(pieces) > 1 else "no"
    yield Row("stream", "refused" if "stream" in asked.quirks else streams, told)
    counted: Outcome = "yes" if whole.usage else "no"
    yield Row("stream_usage", "refused" if "stream_options" in asked.quirks else counted)


def _unknown(asked: Asked) -> Iterator[Row]:
    asked.requests += 1
    try:
        said = asked.llm.anew("no-such-model-of-any-name").complete(
            Request((Message("user", "Hi"),))
        )
    except (RateLimited, Unavailable):
        raise
    except ReactlabError as error:
        yield Row("unknown", "yes", foreign(error.message))
    else:
        yield Row("unknown", "no", _quoted(said))


def _text(asked: Asked) -> Iterator[Row]:
    agent = ReActAgent(asked, _TOOLS, 1, policies=())
    trace = agent.run("What is 17*23? Use the calculator.")
    said = trace.steps[0].completion if trace.steps else None
    if said is None:
        yield Row("text", "failed", trace.detail)
        return
    wrong = any(use.observation.error for use in trace.steps[0].uses)
    obeyed = trace.steps[0].decision is not None and not wrong
    yield Row("text", "yes" if obeyed else "no", _quoted(said))


CHECKS: Mapping[tuple[str, ...], Callable[[Asked], Iterator[Row]]] = {
    ("answers", "usage", "reasoning"): _answers,
    ("listed",): _listed,
    ("stop",): _stop,
    ("temperature",): _temperature,
    ("limit",): _limit,
    ("system",): _system,
    ("tools", "parallel", "result"): _tools,
    ("stream", "stream_usage"): _stream,
    ("unknown",): _unknown,
    ("text",): _text,
}


def _quoted(said: Completion) -> str:
    """A reply in one line: its text, or its calls."""
    calls = " ".join(f"{call.name}({call.arguments})" for call in said.calls)
    return one_line(f"{said.text} {calls}", 100)
