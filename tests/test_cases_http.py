"""The cases of function calling and providers, each against a real server through the real SDK."""

from __future__ import annotations

import datetime
import enum
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Optional

import pytest
from conftest import Runner
from http_server import Body, chat, chunk, fails, piece, serve, stream

from reactlab import (
    ConfigError,
    Message,
    MissingKey,
    OpenAILLM,
    ReActAgent,
    ReActAgentFunctionCall,
    ReactlabWarning,
    Request,
    SimulatedLLM,
    StopReason,
    Tool,
    ToolRegistry,
    Trace,
    builtin_tools,
    tool,
)
from reactlab.apps.flights import FlightAgent
from reactlab.effects import Ask, Sleep, Together
from reactlab.errors import RateLimited, ToolDefinitionError
from reactlab.policies.retrying import wait_when_limited

MISSING = object()


def call(name: Any, arguments: Any = "{}", id: Any = "a") -> dict[str, Any]:
    function = {"name": name} if arguments is MISSING else {"name": name, "arguments": arguments}
    made = {"type": "function", "function": function}
    return made if id is MISSING else {"id": id, **made}


def turn(*calls: dict[str, Any], text: Any = None, finish: str = "tool_calls", **more: Any) -> Any:
    return chat(text, tool_calls=list(calls), finish=finish, **more)


def server(*replies: Any) -> Any:
    """A server that gives these replies in turn, whole or as a stream."""
    return serve(list(replies), streams=True)


def agent(web: str, *tools: Any, **options: Any) -> ReActAgentFunctionCall:
    return ReActAgentFunctionCall(OpenAILLM("m", base_url=web), tools, **options)


def told(body: Body) -> list[dict[str, Any]]:
    """The tool messages of a request."""
    return [message for message in body["messages"] if message["role"] == "tool"]


def asked(body: Body) -> list[dict[str, Any]]:
    """The turns of the model in a request."""
    return [message for message in body["messages"] if message["role"] == "assistant"]


class Notes:
    """A tool that remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def note(self, text: str) -> str:
        """Note a text."""
        self.given.append(text)
        return f"noted {text}"


def echo(text: str) -> str:
    """Say it again."""
    return text


def status() -> str:
    """Say how it is."""
    return "fine"


# A-s01
def test_broken_arguments_are_told_under_their_id_and_run_nothing(run: Runner) -> None:
    notes = Notes()
    broken, whole = call("note", '{"text": "Ber'), call("note", '{"text": "Berlin"}', "b")
    with server(turn(broken), turn(whole), chat("done")) as (web, seen):
        trace = run(agent(web, notes.note), "q")
    assert (str(trace), notes.given) == ("done", ["Berlin"])
    (message,) = told(seen[1])
    assert message["tool_call_id"] == "a"
    assert "note" in message["content"]
    assert "column" in message["content"]
    assert trace.steps[0].observations[0].error == "bad_arguments"


# A-s02
@pytest.mark.parametrize("written", ["null", "[]", '"x"', "5", "true", "x" * 1_000_000])
def test_arguments_that_are_no_object_get_a_short_message(run: Runner, written: str) -> None:
    notes = Notes()
    with server(turn(call("note", written)), chat("done")) as (web, seen):
        trace = run(agent(web, notes.note), "q")
    (message,) = told(seen[1])
    assert (str(trace), notes.given) == ("done", [])
    assert "note" in message["content"]
    assert "object" in message["content"]
    assert len(message["content"]) < 4_000


# A-s03
@pytest.mark.parametrize("written", ["", "  ", None, MISSING, "{}", {}])
def test_no_arguments_in_any_form_run_a_tool_without_parameters_once(
    run: Runner, written: Any
) -> None:
    ran = []
    ping = Tool("ping", "Ping.", lambda: ran.append(1) or "pong")
    with server(turn(call("ping", written)), chat("done")) as (web, seen):
        run(agent(web, ping), "q")
    assert [message["content"] for message in told(seen[1])] == ["pong"]
    assert len(ran) == 1
    (sent,) = asked(seen[1])
    assert sent["tool_calls"][0]["function"]["arguments"].strip() in ("", "{}")


# A-s04
def test_arguments_that_are_encoded_twice_reach_the_tool(run: Runner) -> None:
    def stock(label: str, n: int) -> str:
        """Count."""
        return f"{label!r} {n!r}"

    twice = json.dumps(json.dumps({"label": "甲店", "n": 2}, ensure_ascii=False))
    with server(turn(call("stock", twice)), chat("done")) as (web, seen):
        run(agent(web, stock), "q")
    assert told(seen[1])[0]["content"] == "'甲店' 2"


# A-s05
def test_arguments_that_come_as_an_object_are_used_as_they_are(run: Runner) -> None:
    def visit(town: str = "nowhere") -> str:
        """Visit."""
        return f"been in {town}"

    calls = call("visit", {"town": "Oslo"}), call("visit", None, "b")
    with server(turn(*calls), chat("done")) as (web, seen):
        run(agent(web, visit), "q")
    assert [message["content"] for message in told(seen[1])] == ["been in Oslo", "been in nowhere"]
    (sent,) = asked(seen[1])
    assert json.loads(sent["tool_calls"][0]["function"]["arguments"]) == {"town": "Oslo"}


# A-s06, A-s07, A-s08
def test_every_id_is_answered_at_once_also_after_a_failure_and_an_unknown_name(
    run: Runner,
) -> None:
    def fail(text: str) -> str:
        """Fail."""
        raise RuntimeError(f"no {text}")

    three = (
        call("fail", '{"text": "x"}', "a"),
        call("echo", '{"text": "ok"}', "b"),
        call("ech", '{"text": "?"}', "c"),
    )
    with server(turn(*three), chat("done")) as (web, seen):
        trace = run(agent(web, fail, echo), "q")
    at = seen[1]["messages"].index(asked(seen[1])[0])
    after = seen[1]["messages"][at + 1 :]
    assert [message["tool_call_id"] for message in after] == ["a", "b", "c"]
    assert "no x" in after[0]["content"]
    assert after[1]["content"] == "ok"
    assert str(trace) == "done"


# A-s08
def test_an_unknown_tool_is_told_what_there_is_and_the_run_goes_on(run: Runner) -> None:
    search, calculator = builtin_tools()[:2]
    wrong = turn(call("serch", '{"query": "Oslo"}'))
    right = turn(call("Search", '{"query": "Oslo"}', "b"))
    with server(wrong, right, chat("done")) as (web, seen):
        trace = run(agent(web, search, calculator), "q")
    (message,) = told(seen[1])
    assert "Search" in message["content"]
    assert "Calculator" in message["content"]
    assert trace.steps[0].observations[0].error == "unknown_tool"
    assert trace.steps[1].observations[0].error == ""
    assert str(trace) == "done"


# A-s09
def test_odd_tool_names_travel_as_legal_aliases_and_come_back(run: Runner) -> None:
    odd = ["find it?", "поиск", "n" * 65, "ordinary"]
    tools = [Tool(name, "Find.", lambda text, n=name: f"{n}:{text}") for name in odd]

    def answer(body: Body) -> Any:
        if told(body):
            return chat("done")
        names = [schema["function"]["name"] for schema in body["tools"]]
        return turn(*(call(name, '{"text": "x"}', name) for name in names))

    with serve(answer, streams=True) as (web, seen):
        trace = run(agent(web, *tools), "q")
    names = [schema["function"]["name"] for schema in seen[0]["tools"]]
    assert len(set(names)) == 4
    assert all(name.isascii() and len(name) <= 64 for name in names)
    assert all(name.replace("-", "").replace("_", "").isalnum() for name in names)
    assert [str(one) for one in trace.steps[0].observations] == [f"{name}:x" for name in odd]
    replayed = [one["function"]["name"] for one in asked(seen[1])[0]["tool_calls"]]
    assert replayed == names


# A-s09
@pytest.mark.parametrize("names", [("find it", "find_it"), ("Find", "find"), ("a b", "a-b")])
def test_names_that_are_equal_once_cleaned_are_refused_at_registration(
    names: tuple[str, str],
) -> None:
    with pytest.raises(ToolDefinitionError, match=names[1]):
        ToolRegistry.of([Tool(name, "Find.", echo) for name in names])


# A-s10
def test_variadic_parameters_are_left_out_and_a_plain_one_called_args_is_kept(
    run: Runner,
) -> None:
    def g(n: int, *rest: int, **more: int) -> str:
        """Count."""
        return f"{n} {rest} {more}"

    def plain(args: str, kwargs: str = "") -> str:
        """Say."""
        return args

    calls = call("g", '{"n": 1}'), call("plain", '{"args": "x"}', "b")
    with server(turn(*calls), chat("done")) as (web, seen):
        run(agent(web, g, plain), "q")
    shapes = [schema["function"]["parameters"] for schema in seen[0]["tools"]]
    assert [list(shape["properties"]) for shape in shapes] == [["n"], ["args", "kwargs"]]
    assert [shape["required"] for shape in shapes] == [["n"], ["args"]]
    assert [message["content"] for message in told(seen[1])] == ["1 () {}", "x"]


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Place:
    town: str
    floor: int = 0


class Table:
    """Like a data frame: its == gives a table, and a table is neither true nor false."""

    def __eq__(self, other: object) -> Any:
        return self

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise ValueError("ambiguous")

    def __repr__(self) -> str:
        return "a  b\n1  2"


# A-s11, A-s12
def test_ordinary_type_hints_arrive_as_valid_schemas_without_a_strict_claim(run: Runner) -> None:
    def many(
        one: int | str,
        choice: Literal["a", "b"],
        numbers: list[int],
        prices: dict[str, float],
        colour: Colour,
        place: Place,
        title: Optional[str] = None,  # noqa: UP045
        rows: Any = Table(),  # noqa: B008
    ) -> str:
        """Take everything."""
        return f"{one} {choice} {numbers} {prices} {colour} {place.town} {title}"

    given = {"one": "x", "choice": "b", "numbers": [1], "prices": {"tea": 2.5}, "colour": "red",
             "place": {"town": "Oslo"}}  # fmt: skip
    with server(turn(call("many", json.dumps(given))), chat("done")) as (web, seen):
        run(agent(web, many), "q")
    (schema,) = seen[0]["tools"]
    shape = schema["function"]["parameters"]
    properties = shape["properties"]
    assert "strict" not in json.dumps(schema)
    assert sorted(shape["required"]) == sorted(given)
    assert properties["choice"]["enum"] == ["a", "b"]
    assert properties["numbers"]["items"] == {"type": "integer"}
    assert {"integer", "string"} <= _types(properties["one"])
    assert {"string", "null"} <= _types(properties["title"]) | {"null"}
    assert "red" in json.dumps(schema)
    assert "town" in json.dumps(schema)
    assert told(seen[1])[0]["content"].startswith("x b [1] {'tea': 2.5}")
    assert "Oslo" in told(seen[1])[0]["content"]


def _types(schema: dict[str, Any]) -> set[str]:
    kinds = [one.get("type") for one in schema.get("anyOf", [schema])]
    return {name for kind in kinds for name in (kind if isinstance(kind, list) else [kind])}


# A-s13
def test_async_tools_of_every_make_run_once(run: Runner) -> None:
    ran: list[str] = []

    async def plain(text: str) -> str:
        """Later."""
        ran.append(text)
        return text

    def wrapped(text: str) -> Any:
        """Behind a decorator that is not async."""
        return plain(text)

    class Later:
        async def __call__(self, text: str) -> str:
            ran.append(text)
            return text

    tools = [tool(plain), tool(wrapped), Tool("later", "Later.", Later())]
    calls = [call(one.name, json.dumps({"text": one.name}), one.name) for one in tools]
    with server(turn(*calls), chat("done")) as (web, seen):
        run(agent(web, *tools), "q")
    names = [one.name for one in tools]
    assert sorted(ran) == sorted(names)
    assert [message["content"] for message in told(seen[1])] == names


# A-s14
def test_a_streamed_call_without_an_index_is_put_together_across_packets() -> None:
    pieces = [piece(None, "a", "echo"), piece(None, text='{"text": '), piece(None, text='"北京"}')]
    whole = stream(*(chunk(tool_calls=[one]) for one in pieces), chunk("tool_calls"))
    whole.cut_at = whole.body.index("京".encode()) + 1
    with serve([whole, stream(chunk(content="done"), chunk("stop"))]) as (web, seen):
        events = list(agent(web, echo).iter("q"))
    assert str(events[0].item) == "done"
    assert [(message["tool_call_id"], message["content"]) for message in told(seen[1])] == [
        ("a", "北京")
    ]


# A-s15
def test_calls_of_a_turn_that_was_cut_off_are_not_carried_out(run: Runner) -> None:
    notes = Notes()
    tool = Tool("note", "Note.", notes.note, effects=True)
    cut = turn(
        call("note", '{"text": "a"}'), call("note", '{"text": "b"}', MISSING), finish="length"
    )
    whole = turn(call("note", '{"text": "whole"}', "y"))
    with server(cut, whole, chat("done")) as (web, seen):
        trace = run(agent(web, tool, approve="always"), "q")
    assert (notes.given, str(trace)) == (["whole"], "done")
    ids = [one["id"] for one in asked(seen[1])[0]["tool_calls"]]
    assert ids == [message["tool_call_id"] for message in told(seen[1])]
    assert all("cut off" in m["content"] and "again" in m["content"] for m in told(seen[1]))


class Unshowable:
    def __str__(self) -> str:
        raise ValueError("no text")

    __repr__ = __str__


VALUES = [None, {}, {"a": {1}}, {1, 2}, b"\xff", datetime.date(2026, 1, 2), float("nan"), Table(),
          Unshowable(), "", "\ud83d", [Unshowable()]]  # fmt: skip


# A-s16
@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_whatever_a_tool_returns_arrives_as_text(run: Runner, value: Any) -> None:
    odd = Tool("odd", "Odd.", lambda: value)
    with server(turn(call("odd"), call("status", "{}", "b")), chat("done")) as (web, seen):
        assert str(run(agent(web, odd, status), "q")) == "done"
    first, second = told(seen[1])
    assert isinstance(first["content"], str)
    assert first["content"].strip()
    assert second["content"] == "fine"


# A-s17
def test_an_id_that_comes_again_in_later_turns_keeps_every_result(run: Runner) -> None:
    turns = [turn(call("echo", json.dumps({"text": text}), "same")) for text in "123"]
    with server(*turns, chat("done")) as (web, seen):
        run(agent(web, echo), "q")
    results = [[message["content"] for message in told(body)] for body in seen[1:]]
    assert results == [["1"], ["1", "2"], ["1", "2", "3"]]


# A-s18
@pytest.mark.parametrize(
    "ids",
    [
        (None, None),
        ("", ""),
        ("x", "x"),
        (MISSING, MISSING),
        ("call_2_echo", None),
        ("", "call_1_echo"),
    ],
)
def test_missing_and_doubled_ids_go_out_unique_and_in_order(run: Runner, ids: Any) -> None:
    calls = [call("echo", json.dumps({"text": str(n)}), id) for n, id in enumerate(ids)]
    with server(turn(*calls), chat("done")) as (web, seen):
        run(agent(web, echo), "q")
    sent = [one["id"] for one in asked(seen[1])[0]["tool_calls"]]
    assert len(set(sent)) == 2
    assert [(m["tool_call_id"], m["content"]) for m in told(seen[1])] == list(
        zip(sent, "01", strict=True)
    )


# A-s19
@pytest.mark.parametrize("text", [None, "", MISSING])
def test_a_turn_of_calls_alone_is_sent_back_with_null_content(run: Runner, text: Any) -> None:
    first = turn(call("status"), text=None if text is MISSING else text)
    if text is MISSING:
        del first["choices"][0]["message"]["content"]
    with server(first, chat("done")) as (web, seen):
        assert str(run(agent(web, status), "q")) == "done"
    (sent,) = asked(seen[1])
    assert sent["content"] is None


# A-s20
@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("back", [True, False])
def test_reasoning_is_in_the_trace_and_goes_back_only_if_told_to(
    run: Runner, field: str, back: bool
) -> None:
    replies = turn(call("status"), **{field: "hm, status"}), chat("done", **{field: "secretly"})
    with server(*replies) as (web, seen):
        llm = OpenAILLM("m", base_url=web, send_reasoning=back)
        trace = run(ReActAgentFunctionCall(llm, [status]), "q")
    (sent,) = asked(seen[1])
    assert sent.get("reasoning_content") == ("hm, status" if back else None)
    assert [step.completion.reasoning for step in trace.steps] == ["hm, status", "secretly"]
    assert str(trace) == "done"


# A-s20
def test_a_reply_of_reasoning_alone_is_no_answer(run: Runner) -> None:
    with serve(lambda body: chat("", reasoning_content="secretly"), streams=True) as (web, _):
        trace = run(agent(web, status), "q")
    assert trace.answer is None
    assert "secretly" not in str(trace)


# A-s20
def test_reasoning_never_goes_back_in_a_text_dialect(run: Runner) -> None:
    replies = chat("Action: status[]", reasoning_content="hm"), chat("Final Answer: ok")
    with server(*replies) as (web, seen):
        llm = OpenAILLM("m", base_url=web, send_reasoning=True)
        assert str(run(ReActAgent(llm, [status]), "q")) == "ok"
    assert "reasoning" not in json.dumps(seen[1])
    assert "hm" not in json.dumps(seen[1]["messages"])


# A-s21
def test_a_limit_is_sent_under_the_name_that_the_server_takes(run: Runner) -> None:
    told = "Unsupported parameter: 'max_tokens' is not supported with this model. Use "

    def answer(body: Body) -> Any:
        refuses = "max_tokens" in body
        return fails(400, told + "'max_completion_tokens' instead.") if refuses else chat("done")

    with serve(answer, streams=True) as (web, seen):
        llm = OpenAILLM("m", base_url=web, max_tokens=500)
        with pytest.warns(ReactlabWarning, match="max_completion_tokens"):
            assert str(run(ReActAgentFunctionCall(llm, [status]), "q")) == "done"
        assert str(run(ReActAgentFunctionCall(llm, [status]), "q")) == "done"
    assert [body.get("max_completion_tokens") for body in seen] == [None, 500, 500]


# A-s21
def test_a_limit_that_was_not_set_is_not_sent(run: Runner) -> None:
    with server(chat("done")) as (web, seen):
        run(agent(web, status), "q")
    assert not {"max_tokens", "max_completion_tokens"} & set(seen[0])


# A-s22
def test_an_address_without_its_version_path_is_a_wrong_set_up(run: Runner) -> None:
    def answer(body: Body) -> Any:
        right = body.path.startswith("/v1/")
        return chat("done") if right else {"error": "Unexpected endpoint"}

    with serve(answer, streams=True) as (web, _):
        bare = web.removesuffix("/v1")
        with pytest.raises(ConfigError, match="version path") as error:
            run(agent(bare, status), "q")
        assert f"{bare}/v1" in str(error.value)
        assert str(run(agent(web, status), "q")) == "done"


# A-s23
@pytest.mark.parametrize("tail", ["/", "//", "  ", "/chat/completions", "/chat/completions/ "])
def test_sloppy_addresses_lead_to_the_same_path(run: Runner, tail: str) -> None:
    with server(chat("done")) as (web, seen):
        run(agent(f" {web}{tail}", status), "q")
    assert seen[0].path == "/v1/chat/completions"


# A-s24; other versions of the SDK are tried in fresh environments by tests/sdk_versions.py
@pytest.mark.parametrize("proxy", ["http://127.0.0.1:9", "socks5://127.0.0.1:9", "nonsense"])
def test_a_proxy_variable_does_not_come_between_us_and_a_local_server(
    run: Runner, proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"):
        monkeypatch.setenv(name, proxy)
    with server(chat("done")) as (web, _):
        assert str(run(agent(web, status), "q")) == "done"


# A-s24
def test_a_proxy_that_cannot_be_used_is_one_clear_error(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "nonsense://proxy.example")
    llm = OpenAILLM("m", api_key="k" * 20)
    with pytest.raises(ConfigError, match="proxy"):
        run(ReActAgentFunctionCall(llm, [status]), "q")


# A-s25
@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"choices": [], "usage": None}, "without a message"),
        ({"choices": None}, "without a message"),
        ({}, "without a message"),
        (
            {"choices": [{"index": 0, "message": None, "finish_reason": "content_filter"}]},
            "content_filter",
        ),
    ],
)
def test_a_response_with_nothing_in_it_ends_the_run_with_a_cause(
    run: Runner, reply: Any, words: str
) -> None:
    with serve(lambda body: reply) as (web, _):
        trace = run(agent(web, status), "q")
    assert trace.stop_reason is StopReason.MODEL_ERROR
    assert trace.answer is None
    assert words in trace.detail


def carried_out(agent: ReActAgentFunctionCall, trace: Trace) -> Iterator[float]:
    """The pauses of a run, which are told instead of being waited for."""
    program = agent.program(trace)
    step = program.send
    given: Any = None
    while True:
        try:
            effect = step(given)
        except StopIteration as done:
            trace.stop(StopReason.ANSWERED, "", done.value)
            return
        step = program.send
        if isinstance(effect, Sleep):
            yield effect.seconds
            given = None
        elif isinstance(effect, Ask):
            try:
                given = effect.llm.complete(effect.request)
            except RateLimited as error:
                step, given = program.throw, error
        else:
            assert not isinstance(effect, Together)


# A-s26
def test_a_rate_limit_is_waited_for_as_the_server_asks_and_once() -> None:
    trace = Trace("q")
    replies = server(fails(429, "slow down", Retry_After="7"), chat("done"))
    with replies as (web, seen), pytest.warns(ReactlabWarning, match="7 s") as warned:
        assert list(carried_out(agent(web, status), trace)) == [7.0]
    assert len(warned) == 1
    assert (str(trace), len(seen)) == ("done", 2)


# A-s26
def test_a_wait_over_the_limit_is_not_waited_for(run: Runner) -> None:
    policies = [wait_when_limited(longest=5)]
    with server(fails(429, "slow down", Retry_After="7")) as (web, seen):
        trace = run(agent(web, status, policies=policies), "q")
    assert (trace.stop_reason, len(seen)) == (StopReason.MODEL_ERROR, 1)


# A-s26
def test_a_wait_is_an_event_of_the_trace(run: Runner) -> None:
    with server(fails(429, "slow down", Retry_After="0.01"), chat("done")) as (web, seen):
        trace = run(agent(web, status), "q")
    waits = [event.seconds for event in trace.events if type(event).__name__ == "Waited"]
    assert waits == [0.01]
    assert (str(trace), len(seen)) == ("done", 2)


INVENTED = "Action: echo[x]\nObservation: invented\nFinal Answer: wrong"


# A-s27
@pytest.mark.parametrize("model", ["thinker", "thinker-2026-01-31"])
@pytest.mark.parametrize("way", ["refuses", "ignores"])
def test_what_a_model_invents_after_its_action_is_discarded(
    run: Runner, model: str, way: str
) -> None:
    told = "Unsupported parameter: 'stop' is not supported with this model."

    def answer(body: Body) -> Any:
        if way == "refuses" and "stop" in body:
            return fails(400, told, "stop")
        begun = "Observation: x" in body["messages"][0]["content"]
        return chat("Final Answer: right" if begun else INVENTED)

    with serve(answer, streams=True) as (web, seen), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        trace = run(ReActAgent(OpenAILLM(model, base_url=web), [echo]), "q")
    assert str(trace) == "right"
    assert [str(one) for one in trace.steps[0].observations] == ["x"]
    assert len(warned) == (1 if way == "refuses" else 0)
    assert "stop" in seen[0]
    assert seen[0]["model"] == model


# A-s27
def test_not_sending_stop_can_be_chosen(run: Runner) -> None:
    with server(chat(INVENTED), chat("Final Answer: right")) as (web, seen):
        llm = OpenAILLM("m", base_url=web, quirks={"stop": None})
        assert str(run(ReActAgent(llm, [echo]), "q")) == "right"
    assert not any("stop" in body for body in seen)


# A-s28
@pytest.mark.parametrize("key", [None, ""])
def test_nothing_needs_a_key_until_a_hosted_model_is_called(
    run: Runner, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("OPENAI_API_KEY", key)
    assert [one.name for one in builtin_tools()]
    hosted = OpenAILLM("m")
    agents = [kind(hosted, [status]) for kind in (ReActAgent, ReActAgentFunctionCall)]
    agents.append(FlightAgent(hosted))
    assert str(run(ReActAgent(SimulatedLLM(), builtin_tools()), "2 + 2?"))
    with server(chat("done")) as (web, seen):
        assert str(run(agent(web, status), "q")) == "done"
    assert len(seen) == 1
    for one in agents:
        with pytest.raises(MissingKey, match="OPENAI_API_KEY") as error:
            run(one, "q")
        assert "export" in str(error.value)
        assert "Jupyter" in str(error.value)


# A-s29
def test_a_model_without_tools_is_asked_once_and_the_way_out_is_named(run: Runner) -> None:
    def answer(body: Body) -> Any:
        return fails(400, "m does not support tools") if body.get("tools") else chat("hi")

    refusal = pytest.raises(ConfigError, match=r"takes no tools .*ReActAgent")
    with serve(answer, streams=True) as (web, seen), refusal:
        run(agent(web, status), "q")
    assert len(seen) == 1


# A-s29
def test_a_model_that_only_describes_a_call_has_used_no_tool(run: Runner) -> None:
    with server(chat('I would call status with {"x": 1}.')) as (web, _):
        trace = run(agent(web, status), "q")
    assert str(trace).startswith("I would call")
    assert not any(step.uses for step in trace.steps)


def test_what_a_request_says_goes_before_the_limit_of_the_model() -> None:
    with serve(lambda body: chat()) as (web, seen):
        llm = OpenAILLM("m", base_url=web, max_tokens=500)
        llm.complete(Request((Message("user", "q"),), max_tokens=5))
    assert seen[0]["max_tokens"] == 5
