"""Replies of odd shapes and streams of odd pieces: read, or one clear error, never a crash."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Runner
from http_server import Answer, chat, chunk, piece, serve, stream
from test_servers import ask, awaited, blocking, streamed

from reactlab import (
    ConfigError,
    LLMError,
    OpenAILLM,
    ReActAgentFunctionCall,
    ReactlabError,
    Tool,
)
from reactlab.errors import RateLimited, Refused, Unavailable

KEY = "sk-secret-1234567890"


@pytest.fixture(params=[blocking, awaited, streamed], ids=["complete", "acomplete", "stream"])
def complete(request: pytest.FixtureRequest) -> Any:
    return request.param


def reply(message: Any, finish: Any = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], **more}


def calls(**function: Any) -> dict[str, Any]:
    return {"content": None, "tool_calls": [{"id": "a", "type": "function", "function": function}]}


SHAPES = {
    "parts": (reply({"content": [{"type": "text", "text": "a"}, "b", None, {"text": 5}]}), "ab"),
    "a number": (reply({"content": 5}), "5"),
    "an object": (reply({"content": {"a": 1}}), '{"a": 1}'),
    "null": (reply({"content": None}), ""),
    "no model": (reply({"content": "a"}, None, model=7, usage="x"), "a"),
    "odd finish": (reply({"content": "a"}, ["x"]), "a"),
    "odd calls": (reply({"content": "a", "tool_calls": "x"}), "a"),
    "null among calls": (reply({"content": "a", "tool_calls": [None]}), "a"),
    "a byte order mark": (b"\xef\xbb\xbf" + json.dumps(reply({"content": "a"})).encode(), "a"),
}


def whole(body: Any) -> Answer:
    return Answer(body, Content_Type="application/json")


@pytest.mark.parametrize(("body", "text"), SHAPES.values(), ids=SHAPES)
def test_text_is_read_in_every_shape(complete, body, text):
    with serve(lambda _: whole(body)) as (web, _):
        made = complete(OpenAILLM("m", base_url=web), ask())
    assert (made.text, made.calls, made.finish, made.usage, made.model) == (
        text, (), "stop", None, "m"
    )  # fmt: skip


CALLS = {
    "old function_call": (
        {"content": None, "function_call": {"name": "f", "arguments": "{}"}}, ("f", "{}", "")
    ),
    "without a function": (
        {"tool_calls": [{"id": "a", "name": "f", "arguments": "{}"}]}, ("f", "{}", "a")
    ),
    "one instead of a list": ({"tool_calls": calls(name="f")["tool_calls"][0]}, ("f", "", "a")),
    "arguments as a list": (calls(name="f", arguments=[1]), ("f", "[1]", "a")),
    "arguments as an empty list": (calls(name="f", arguments=[]), ("f", "[]", "a")),
    "arguments 0": (calls(name="f", arguments=0), ("f", "0", "a")),
    "a number as name": (calls(name=5, arguments="{}"), ("", "{}", "a")),
    "a number as id": ({"tool_calls": [{"id": 7, "function": {"name": "f"}}]}, ("f", "", "7")),
}  # fmt: skip


@pytest.mark.parametrize(("message", "wanted"), CALLS.values(), ids=CALLS)
def test_calls_are_read_in_every_shape(complete, message, wanted):
    with serve(lambda _: reply(message, "function_call")) as (web, _):
        made = complete(OpenAILLM("m", base_url=web), ask())
    assert [(call.name, call.arguments, call.id) for call in made.calls] == [wanted]
    assert made.finish == "tool_calls"


@pytest.mark.parametrize("finish", ["length", "MAX_TOKENS", "model_length"])
def test_every_name_of_a_cut_off_is_one(complete, finish):
    with serve(lambda _: reply({"content": "a"}, finish)) as (web, _):
        assert complete(OpenAILLM("m", base_url=web), ask()).finish == "length"


@pytest.mark.parametrize("counts", [None, [1], {"prompt_tokens": -1, "completion_tokens": 2},
                                    {"prompt_tokens": True, "completion_tokens": 2}])  # fmt: skip
def test_counts_that_are_none_are_unknown(complete, counts):
    with serve(lambda _: reply({"content": "a"}, usage=counts)) as (web, _):
        assert complete(OpenAILLM("m", base_url=web), ask()).usage is None


NONE: dict[str, tuple[Any, type[ReactlabError], str]] = {
    **{f"choices {odd!r}": ({"choices": odd}, LLMError, "without a message")
       for odd in ("abc", [None], [{}], {}, {"0": 1}, ["x"])},
    "message as text": (reply("hello"), LLMError, "without a message"),
    "a list": ([1, 2], LLMError, "without a message"),
    "a number": (b"5", LLMError, "without a message|no JSON"),
    "half": (b'{"choices": [', LLMError, "JSON"),
    "nothing": (b"", LLMError, "JSON|without a message"),
    "deep": (b"[" * 100_000, LLMError, "Recursion"),
    "no UTF-8": (b'{"choices": "\xff"}', LLMError, "Unicode"),
    "a refusal in parts": (reply({"refusal": [{"text": "no"}]}), Refused, "declined.*no"),
    "a filter with a note": (reply({"content": "a"}, "content_filter: X"), Refused, "filter"),
    "given up": (reply({"content": "a"}, "error"), Unavailable, "gave up"),
    "no resources": (reply({}, "insufficient_system_resource"), Unavailable, "gave up"),
    "error 429": ({"error": {"message": "slow", "code": 429}}, RateLimited, "slow"),
    "error 502": ({"error": {"message": "down", "code": 502}}, Unavailable, "down"),
    "error by type": ({"error": {"message": "m", "type": "overloaded_error"}}, Unavailable, "m"),
    "error without a code": ({"error": {"message": "odd"}}, LLMError, "odd"),
    "error of a path": ({"error": "Unexpected endpoint"}, ConfigError, "version path"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "kind", "words"), NONE.values(), ids=NONE)
def test_what_is_no_reply_is_one_error_of_its_kind(complete, body, kind, words):
    with serve(lambda _: whole(body)) as (web, _), pytest.raises(kind, match=words) as raised:
        complete(OpenAILLM("m", base_url=web), ask())
    assert type(raised.value) is kind


@pytest.mark.parametrize("text", [b"<html>Welcome</html>", b"It is running"])
def test_a_page_in_the_place_of_a_reply_hints_at_the_address(complete, text):
    page = Answer(text, Content_Type="text/html")
    with serve(lambda _: page) as (web, _):
        with pytest.raises(LLMError, match="without a message"):
            complete(OpenAILLM("m", base_url=web), ask())
        bare = web.removesuffix("/v1")
        with pytest.raises(ConfigError, match=f"try {bare}/v1"):
            complete(OpenAILLM("m", base_url=bare), ask())


def one_call(*pieces: Any) -> list[Any]:
    return [*(chunk(tool_calls=[one]) for one in pieces), chunk("tool_calls")]


STREAMED_CALLS = {
    "index from 1": one_call(piece(1, "a", "f", '{"x"'), piece(1, text=": 1}")),
    "id later": one_call(piece(0, None, "f"), piece(0, "a", None, '{"x": 1}')),
    "name later": one_call(piece(0, "a"), piece(0, None, "f", '{"x": 1}')),
    "name in two pieces": one_call(piece(0, "a", "ge"), piece(0, None, "t", '{"x": 1}')),
    "nulls": one_call(piece(0, "a", "f", '{"x"'), {"index": 0, "id": None, "function": {
        "name": None, "arguments": ": 1}"}}),
    "empty, then whole": one_call(piece(0, "a", "f", "{}"), piece(0, text='{"x": 1}')),
    "index as text": one_call(piece("0", "a", "f", '{"x"'), piece("0", text=": 1}")),
    "old function_call": [
        chunk(function_call={"name": "f", "arguments": ""}),
        chunk(function_call={"arguments": '{"x": 1}'}),
        chunk("function_call"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("chunks", STREAMED_CALLS.values(), ids=STREAMED_CALLS)
def test_a_streamed_call_is_put_together_from_odd_pieces(chunks):
    with serve(lambda _: stream(*chunks)) as (web, _):
        made = streamed(OpenAILLM("m", base_url=web), ask())
    (call,) = made.calls
    assert (call.name, call.arguments) in [("f", '{"x": 1}'), ("get", '{"x": 1}')]
    assert call.id == ("" if "function_call" in str(chunks) else "a")
    assert made.finish == "tool_calls"


USED = {"usage": {"prompt_tokens": 5, "completion_tokens": 2}}
BESIDE = {"choices": [{"index": 1, "delta": {"content": "OTHER"}, "finish_reason": None}]}
STREAMS = {
    "empty choices, a role alone": [{"choices": []}, chunk(role="assistant"), chunk(content="a")],
    "odd chunks": [{"choices": "x"}, {"choices": [None]}, {"choices": [{"delta": "x"}]}, None, [1],
                   chunk(content="a"), chunk(tool_calls=[None])],
    "counts in every chunk": [{**chunk(content="a"), **USED}],
    "a message, no delta": [{"choices": [{"message": {"content": "a"}}]}],
    "another choice": [chunk(content="a"), BESIDE],
    "after the end": [chunk("stop"), chunk(content="a")],
}  # fmt: skip


@pytest.mark.parametrize("chunks", STREAMS.values(), ids=STREAMS)
def test_text_is_streamed_in_odd_chunks(chunks):
    with serve(lambda _: stream(*chunks, chunk("stop"))) as (web, _):
        assert streamed(OpenAILLM("m", base_url=web), ask()).text == "a"


@pytest.mark.parametrize("change", [
    lambda sent: sent.replace(b"\n", b"\r\n"),
    lambda sent: b": ping\n\n" + sent.replace(b"data: ", b": ping\n\ndata: "),
    lambda sent: sent.replace(b"data: [DONE]\n\n", b""),
    lambda sent: sent.replace(b"data: ", b"data:"),
])  # fmt: skip
def test_events_are_read_as_servers_write_them(change):
    answer = stream(chunk(content="a"), chunk("stop"))
    answer.body = change(answer.body)
    with serve(lambda _: answer) as (web, _):
        assert streamed(OpenAILLM("m", base_url=web), ask()).text == "a"


def test_tokens_at_the_end_end_a_stream_that_gives_no_reason():
    sent = stream(chunk(content="a"), {"choices": [], **USED})
    with serve(lambda _: sent) as (web, _):
        assert streamed(OpenAILLM("m", base_url=web), ask()).finish == "stop"


@pytest.mark.parametrize(("error", "kind"), [
    ({"error": {"message": "boom", "code": 500}}, Unavailable),
    ({"error": {"message": "boom", "code": "rate_limit_exceeded"}}, RateLimited),
    ({"error": "boom"}, LLMError),
    ({"object": "error", "message": "boom", "type": "BadRequestError"}, LLMError),
    ({"error": {"message": "boom: x does not support tools"}}, ConfigError),
    ({"error": {"message": f"boom: Incorrect API key {KEY}"}}, ConfigError),
])  # fmt: skip
@pytest.mark.parametrize("before", [[], [chunk(content="a")]])
def test_an_error_in_a_stream_is_told_and_of_its_kind(before, error, kind):
    request = ask(tools=({"type": "function"},))
    with serve(lambda _: stream(*before, error)) as (web, _), pytest.raises(kind) as raised:
        streamed(OpenAILLM("m", base_url=web, api_key=KEY), request)
    assert type(raised.value) is kind
    assert "boom" in str(raised.value)
    assert KEY not in str(raised.value)


def test_a_whole_reply_with_a_legacy_call_runs_the_tool_once():
    ran: list[str] = []
    note = Tool("note", "Note.", lambda text: ran.append(text) or "ok")
    old = {"content": None, "function_call": {"name": "note", "arguments": '{"text": "x"}'}}
    with serve([reply(old, "function_call"), chat("done")]) as (web, seen):
        trace = ReActAgentFunctionCall(OpenAILLM("m", base_url=web), [note]).run("q")
    assert (str(trace), ran) == ("done", ["x"])
    assert seen[1]["messages"][-1]["tool_call_id"]


def test_half_a_character_of_the_model_can_be_sent_back(run: Runner):
    half = {**calls(name="note", arguments='{"text": "a\ud83d"}'), "content": "b\ud83d"}
    note = Tool("note", "Note.", lambda text: "ok")
    with serve([whole_json(reply(half)), chat("done")]) as (web, seen):
        trace = run(ReActAgentFunctionCall(OpenAILLM("m", base_url=web), [note]), "q\ud83d")
    assert str(trace) == "done"
    assert len(seen) == 2


def whole_json(value: Any) -> Answer:
    return whole(json.dumps(value).encode())


THOUGHTS = {
    "<think>hm</think>done": ("done", "hm"),
    "\n<thinking>\nhm\n</thinking>\n\ndone": ("done", "hm"),
    "<think>hm</think>": ("", "hm"),
    "a <think> b </think> c": ("a <think> b </think> c", ""),
    "<think>never closed": ("<think>never closed", ""),
}


@pytest.mark.parametrize(("text", "wanted"), THOUGHTS.items())
def test_a_block_of_thought_at_the_beginning_is_reasoning(complete, text, wanted):
    with serve(lambda _: chat(text), streams=True) as (web, _):
        made = complete(OpenAILLM("m", base_url=web), ask())
    assert (made.text, made.reasoning) == wanted


def test_a_key_in_a_reply_that_is_none_is_not_repeated(complete):
    told = reply({"content": None, "refusal": f"not with {KEY}"})
    with serve(lambda _: told) as (web, _), pytest.raises(Refused, match="not with •") as raised:
        complete(OpenAILLM("m", base_url=web, api_key=KEY), ask())
    assert KEY not in str(raised.value) + repr(raised.value)
