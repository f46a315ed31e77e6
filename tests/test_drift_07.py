"""What notebook 07 builds by hand agrees with the finished pieces on shared cases."""

from __future__ import annotations

import json
from functools import partial
from types import SimpleNamespace

import pytest
from handmade import definitions
from openai import BadRequestError, OpenAI

from reactlab import (
    Completion,
    ReActAgentFunctionCall,
    ScriptedLLM,
    SimulatedLLM,
    Tool,
    ToolCall,
    ToolRegistry,
    flight_tools,
)
from reactlab.course.lesson import find_example
from reactlab.course.lessons.n07 import same_calls, streams, turns
from reactlab.course.staged import Eager, Limited, Once
from reactlab.llm.assembly import assemble
from reactlab.llm.wire import to_body
from reactlab.serve import start

NAMES = {"loop", "trusting", "careful", "ask", "first_call", "departures"}
BROKEN = ToolCall("SearchBooking", '{"order_id": "12346"', "call_1")
INVENTED = ToolCall("FindBooking", '{"order_id": "12346"}', "call_1")
MODELS = {
    "one call a turn": ("compare", lambda: SimulatedLLM()),
    "two calls": ("compare", lambda: Eager(SimulatedLLM())),
    "broken JSON": ("compare", lambda: Once(SimulatedLLM(), BROKEN)),
    "unknown tool": ("compare", lambda: Once(SimulatedLLM(), INVENTED)),
    "a limit before a call": ("day", lambda: Limited(SimulatedLLM(), 4)),
    "a limit in a call": ("day", lambda: Limited(SimulatedLLM(), 13)),
}


@pytest.fixture
def made(language):
    """The notebook's functions, with its tools."""
    names = definitions("07", language, NAMES)
    tools = ToolRegistry([flight_tools(language=language)[0], names["departures"]])
    schemas, model = tools.to_openai_schema(), "reactlab-simulated"
    names["ask"].__globals__.update(tools=tools, schemas=schemas, MODEL=model)
    return names


def plainly(message):
    """A message without what only one of the two sends."""
    calls = [(c["id"], c["function"]) for c in message.get("tool_calls") or ()]
    content = message.get("content") or None
    return message["role"], content, calls, message.get("tool_call_id")


def both(made, model, question, language, **server_options):
    """The answers of both, and the messages of the last request that each of them made."""
    with start(model, **server_options) as server:
        client = OpenAI(base_url=server.address, api_key="none", max_retries=0)
        by_hand = made["loop"](question, client, made["careful"])
        asked = [plainly(message) for message in server.requests[-1]["messages"]]
        agent = ReActAgentFunctionCall(
            client, made["tools"], 4, model="reactlab-simulated", language=language
        )
        run = agent.run(question)
        told = [plainly(message) for message in server.requests[-1]["messages"]]
        client.close()
    return by_hand, run, asked, told


@pytest.mark.parametrize("name", MODELS)
def test_the_loop_of_notebook_07_gives_the_answers_of_the_agent(made, language, name):
    example, model = MODELS[name]
    question = find_example(f"07.{example}")
    by_hand, run, asked, told = both(made, model(), question, language)
    assert [message for message in told if message[0] == "system"] == told[:1]
    if "limit" not in name:
        assert asked == told[1:] or name in ("broken JSON", "unknown tool")  # told in other words
        assert [(role, calls, own) for role, _, calls, own in asked] == [
            (role, calls, own) for role, _, calls, own in told[1:]
        ]
    if name == "a limit before a call":  # the agent asks again, the loop ends
        assert by_hand is None
        assert "ParseError" in repr(run)
    else:
        assert by_hand == run.answer


def test_the_first_loop_of_notebook_07_is_refused_where_a_call_is_not_answered(made, capsys):
    with start(Eager(SimulatedLLM())) as server:
        client = OpenAI(base_url=server.address, api_key="none", max_retries=0)
        with pytest.raises(BadRequestError) as refused:
            made["first_call"](find_example("07.compare"), client)
        client.close()
    assert refused.value.status_code == 400
    assert "call_2" in refused.value.body["message"]
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize("limit", [8, 10, 13])
def test_neither_loop_runs_a_call_of_a_turn_that_was_cut(made, language, limit):
    ran = []

    def departures(date: str = "2026-07-16"):
        ran.append(date)
        return made["departures"](date)

    departures.__doc__ = made["departures"].__doc__
    tools = ToolRegistry([departures])
    made["ask"].__globals__.update(tools=tools, schemas=tools.to_openai_schema())
    both(made, Limited(SimulatedLLM(), limit), find_example("07.day"), language)
    assert set(ran) <= {"2026-07-17"}


@pytest.mark.parametrize("written", ["", '""', "[]", "null", "5", '[["date", "2026-07-17"]]', "{"])
def test_careful_runs_no_tool_with_arguments_that_are_no_object(made, written):
    ran = []

    def departures(date: str = "2026-07-16"):
        """List the flights of a date."""
        ran.append(date)

    def today():
        """Tell the date."""
        return "2026-07-16"

    made["careful"].__globals__["tools"] = ToolRegistry([departures, today])
    call = SimpleNamespace(function=SimpleNamespace(name="departures", arguments=written))
    assert made["careful"](call, "tool_calls").startswith(made["careful"].__globals__["NO_JSON"])
    assert ran == []
    call.function.name = "today"
    assert made["careful"](call, "tool_calls").startswith("2026-07-16") == (written == "")


def outcome(found, order_id: str):
    """What came of a call."""
    if isinstance(found[order_id], Exception):
        raise found[order_id]
    return found[order_id]


def test_answer_calls_of_07_1_writes_the_messages_of_the_agent(language):
    answer_calls = definitions("07", language, {"answer_calls"})["answer_calls"]
    for _, rows in turns():
        functions = [call["function"] for call, _ in rows]
        calls = [
            ToolCall(f["name"], f["arguments"], c["id"])
            for f, (c, _) in zip(functions, rows, strict=True)
        ]
        llm = ScriptedLLM([Completion(calls=tuple(calls), finish="tool_calls"), "done"])
        found = {
            json.loads(f["arguments"])["order_id"]: r
            for f, (_, r) in zip(functions, rows, strict=True)
        }
        tools = [Tool(name, name, partial(outcome, found)) for name in ("Search", "Status")]
        ReActAgentFunctionCall(llm, tools, language=language).run("?")
        theirs = to_body("x", llm.requests[-1], {})["messages"][2:]
        mine = answer_calls([call for call, _ in rows], [came for _, came in rows])
        assert [m["role"] for m in mine] == [m["role"] for m in theirs]
        for messages in (mine, theirs):
            ids = [call["id"] for call in messages[0]["tool_calls"]]
            assert len({*ids}) == len(rows)
            assert ids == [message["tool_call_id"] for message in messages[1:]]
        for ours, other, (_, came) in zip(mine[1:], theirs[1:], rows, strict=True):
            assert str(came) in ours["content"]
            assert str(came) in other["content"]
        assert [call["function"] for call in mine[0]["tool_calls"]] == functions
        assert [call["function"] for call in theirs[0]["tool_calls"]] == functions


def streamed(deltas):
    """Pieces as the chunks that the SDK hands out, and the end."""
    for delta in deltas:
        piece = json.loads(json.dumps(delta), object_hook=lambda made: SimpleNamespace(**made))
        said = SimpleNamespace(content=None, tool_calls=[piece])
        yield SimpleNamespace(choices=[SimpleNamespace(delta=said, finish_reason=None)])
    end = SimpleNamespace(content=None, tool_calls=None)
    yield SimpleNamespace(choices=[SimpleNamespace(delta=end, finish_reason="tool_calls")])


def returned(steps):
    """What a generator returns."""
    try:
        while True:
            next(steps)
    except StopIteration as done:
        return done.value


def test_assemble_of_07_2_makes_the_calls_that_the_package_makes(language):
    by_hand = definitions("07", language, {"assemble"})["assemble"]
    for case in streams():
        reply = returned(assemble(streamed(case.given[0]), "x"))
        whole = [
            {"id": call.id, "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.calls
        ]
        assert same_calls(by_hand(*case.given), whole)
