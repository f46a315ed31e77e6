"""Servers that refuse, stream or fail: over real HTTP, blocking, awaited and streamed."""

from __future__ import annotations

import asyncio
import gc
import warnings
from typing import Any

import openai
import pytest
from conftest import Runner
from http_server import Answer, chat, chunk, fails, piece, serve, stream

from reactlab import (
    ConfigError,
    Delta,
    LLMError,
    Message,
    OpenAILLM,
    ReActAgent,
    ReActAgentFunctionCall,
    ReactlabError,
    ReactlabWarning,
    Request,
    StopReason,
    builtin_tools,
)
from reactlab.errors import ContextOverflow, RateLimited, Refused, Unavailable
from reactlab.llm.servers import SERVERS, refused
from reactlab.policies.retrying import retry_when_down, wait_when_limited


def ask(text: str = "hello", **options: Any) -> Request:
    return Request((Message("user", text),), **options)


def blocking(llm: OpenAILLM, request: Request) -> Any:
    return llm.complete(request)


def awaited(llm: OpenAILLM, request: Request) -> Any:
    return asyncio.run(llm.acomplete(request))


def streamed(llm: OpenAILLM, request: Request) -> Any:
    pieces = llm.stream(request)
    while True:
        try:
            next(pieces)
        except StopIteration as done:
            return done.value


@pytest.fixture(params=[blocking, awaited, streamed], ids=["complete", "acomplete", "stream"])
def complete(request: pytest.FixtureRequest) -> Any:
    return request.param


REFUSALS = [
    ("max_tokens", "max_completion_tokens",
     "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
     "'max_completion_tokens' instead."),
    ("stop", None, "Unsupported parameter: 'stop' is not supported with this model."),
    ("stop", None, "1 validation error: body.stop Extra inputs are not permitted"),
    ("temperature", None, "Unsupported value: 'temperature' does not support 0.5 with this model. "
     "Only the default (1) value is supported."),
    ("max_tokens", "max_completion_tokens", "unsupported parameter, use max_completion_tokens"),
    ("max_tokens", "max_completion_tokens", "Parameter max_tokens is deprecated for this model."),
    ("stop", None, "This model doesn't support the stopSequences field."),
    ("stop", None, "Stop sequences are not supported by this model"),
    ("stop", None, "stop: extra fields forbidden"),
    ("stop", None, "该模型不支持stop参数"),
    ("temperature", None, "invalid temperature: only 1 is allowed for this model"),
]  # fmt: skip
EXTRA = {
    "type": "extra_forbidden",
    "loc": ["body", "stop"],
    "msg": "Extra inputs are not permitted",
}
BODIES = {
    "detail list": (422, {"detail": [EXTRA]}),
    "detail in message": (422, {"object": "error", "message": {"detail": [EXTRA]}, "code": None}),
    "list of errors": (400, [{"error": {"code": 400, "message": 'Unknown name "stop"'}}]),
    "error as text": (400, {"error": "Argument not supported on this model: stop"}),
    "parameter and code": (400, {"error": {"message": "Wrong.", "param": "stop",
                                           "code": "unsupported_parameter"}}),
    "status 500": (500, {"error": {"message": "stop is not supported"}}),
    "status 501": (501, {"error": {"message": "stop is not implemented"}}),
    "plain text": (400, b"stop is not supported"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "instead", "told"), REFUSALS)
def test_what_a_server_refuses_is_sent_otherwise_after_one_warning(complete, name, instead, told):
    def answer(body: Any) -> Any:
        return fails(400, told) if name in body else chat("a\nObservation: b")

    with serve(answer) as (web, seen):
        llm = OpenAILLM("m", base_url=web)
        request = ask(stop=("\nObservation:",), temperature=0.5, max_tokens=500)
        with pytest.warns(ReactlabWarning, match=f"refuses '{name}'") as warned:
            first = complete(llm, request)
        again = complete(llm, request)
    assert first.text == again.text == "a"  # ended here where the server does not
    assert len(warned) == 1
    assert [name in body for body in seen] == [True, False, False]
    assert (seen[1].get(instead) == 500) if instead else True


@pytest.mark.parametrize(("status", "told"), BODIES.values(), ids=BODIES)
def test_a_refusal_is_read_wherever_a_server_puts_it(complete, status, told):
    refuses = serve(lambda body: Answer(told, status) if "stop" in body else chat("a"))
    with refuses as (web, seen), pytest.warns(ReactlabWarning, match="refuses 'stop'"):
        complete(OpenAILLM("m", base_url=web), ask(stop=("X",)))
    assert len(seen) == 2


def test_a_model_that_refuses_to_stream_is_asked_for_the_whole():
    told = "Unsupported value: 'stream' does not support true with this model."
    with serve(lambda body: fails(400, told) if body.get("stream") else chat("a")) as (web, seen):
        llm = OpenAILLM("m", base_url=web)
        with pytest.warns(ReactlabWarning, match="refuses 'stream'"):
            assert streamed(llm, ask()).text == "a"
        assert streamed(llm, ask()).text == "a"
    assert len(seen) == 3


def test_a_limit_that_was_not_set_is_not_sent(complete):
    with serve(lambda body: chat()) as (web, seen):
        complete(OpenAILLM("m", base_url=web), ask())
    assert not {"max_tokens", "max_completion_tokens", "stop", "temperature"} & set(seen[0])


def test_a_quirk_may_be_told_beforehand():
    with serve(lambda body: chat()) as (web, seen), warnings.catch_warnings():
        warnings.simplefilter("error")
        llm = OpenAILLM("m-2026-01-01", base_url=web, quirks={"stop": None})
        llm.complete(ask(stop=("x",)))
    assert "stop" not in seen[0]


def test_a_server_that_refuses_both_names_of_a_limit_gets_neither():
    def answer(body: Any) -> Any:
        found = [name for name in ("max_tokens", "max_completion_tokens") if name in body]
        return (
            fails(400, f"Unrecognized request argument supplied: {found[0]}") if found else chat()
        )

    with serve(answer) as (web, seen), pytest.warns(ReactlabWarning):
        OpenAILLM("m", base_url=web).complete(ask(max_tokens=5))
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (400, "Unsupported value: 'messages[0].role' does not support 'system'."),
        (500, "System role not supported"),
        (400, "Only user and assistant roles are supported!"),
    ],
)
def test_a_server_without_the_system_role_gets_it_as_the_user(status, told):
    def answer(body: Any) -> Any:
        roles = [message["role"] for message in body["messages"]]
        if "system" in roles:
            return fails(status, told)
        return chat(",".join(roles))

    request = Request((Message("system", "rules"), Message("user", "hello")))
    with serve(answer) as (web, _), pytest.warns(ReactlabWarning, match="'system'"):
        assert OpenAILLM("m", base_url=web).complete(request).text == "user,user"


@pytest.mark.parametrize(
    "told",
    [
        "max_tokens is too large: 500. This model supports at most 100 completion tokens.",
        "Invalid value for stop: too many sequences.",
        "stop: at most 0 sequences are supported",
        "The messages are too long.",
    ],
)
def test_a_wrong_value_is_no_refusal_of_the_parameter(told):
    refuses = serve(lambda body: fails(400, told))
    with refuses as (web, seen), pytest.raises(LLMError, match="failed"):
        OpenAILLM("m", base_url=web).complete(ask(max_tokens=500, stop=("x",)))
    assert len(seen) == 1


def test_a_model_without_tools_is_one_clear_error_that_names_the_way_out(run: Runner):
    told = "registry.example/some-model does not support tools"
    with serve(lambda body: fails(400, told) if body.get("tools") else chat()) as (web, seen):
        agent = ReActAgentFunctionCall(OpenAILLM("m", base_url=web), builtin_tools())
        with pytest.raises(ConfigError, match=r"takes no tools .*ReActAgent"):
            run(agent, "q")
    assert len(seen) == 1


def test_a_model_that_only_describes_a_call_has_used_no_tool(run: Runner):
    with serve(lambda body: chat("I would call Search with Oslo.")) as (web, _):
        trace = run(ReActAgentFunctionCall(OpenAILLM("m", base_url=web), builtin_tools()), "q")
    assert str(trace) == "I would call Search with Oslo."
    assert not any(step.uses for step in trace)


def test_the_name_that_is_refused_is_not_the_one_that_is_recommended():
    told = "'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    assert refused(told, "", {"max_tokens", "max_completion_tokens"}) == "max_tokens"
    assert refused("temperature is not supported", "", {"stop"}) is None
    assert refused("not supported", "stop", {"stop"}) == "stop"


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (chat(None, refusal="I will not."), Refused, "declined to answer: I will not."),
        (chat("half", finish="content_filter"), Refused, "content filter"),
        ({"choices": [], "usage": None}, LLMError, "without a message"),
        ({"choices": None}, LLMError, "without a message"),
        ({"choices": [{"index": 0, "message": None, "finish_reason": "length"}]}, LLMError,
         "finish reason length"),
    ],
)  # fmt: skip
def test_a_reply_that_is_no_answer_is_an_error_with_its_cause(complete, reply, kind, words):
    with serve(lambda body: reply) as (web, _), pytest.raises(kind, match=words):
        complete(OpenAILLM("m", base_url=web), ask())


def test_a_refusal_never_becomes_an_answer(run: Runner):
    with serve(lambda body: chat(None, refusal="I will not.")) as (web, _):
        trace = run(ReActAgentFunctionCall(OpenAILLM("m", base_url=web), builtin_tools()), "q")
    assert trace.answer is None
    assert trace.stop_reason is StopReason.MODEL_ERROR
    assert "I will not." in str(trace)


def test_a_server_error_is_tried_again_a_bounded_number_of_times(run: Runner):
    with serve(lambda body: fails(500, "boom")) as (web, seen):
        policies = [retry_when_down(attempts=3, pause=0.01)]
        trace = run(ReActAgent(OpenAILLM("m", base_url=web), policies=policies), "q")
    assert len(seen) == 3
    assert trace.stop_reason is StopReason.MODEL_ERROR
    assert "status 500: boom" in str(trace)


def test_a_server_that_comes_back_costs_a_wait_and_no_answer(run: Runner):
    replies = [fails(503, "overloaded"), fails(429, "slow down", Retry_After="0.01"), chat("fine")]
    with serve(replies) as (web, seen):
        policies = [retry_when_down(pause=0.01), wait_when_limited()]
        llm = OpenAILLM("m", base_url=web)
        trace = run(ReActAgentFunctionCall(llm, builtin_tools(), policies=policies), "q")
    assert str(trace) == "fine"
    assert len(seen) == 3
    assert len(trace) == 1


def test_a_date_as_retry_after_is_read():
    answer = fails(429, "later", Retry_After="Wed, 21 Oct 2015 07:28:00 GMT")
    with serve(lambda body: answer) as (web, _), pytest.raises(RateLimited) as limited:
        OpenAILLM("m", base_url=web).complete(ask())
    assert limited.value.retry_after == 0.0


CALLS = {
    "by index": [piece(0, "a", "f", '{"x'), piece(1, "b", "g", "{}"), piece(0, text='": 1}')],
    "without an index": [
        piece(None, "a", "f", ""),
        piece(None, text='{"x'),
        piece(None, text='": 1}'),
        piece(None, "b", "g", "{}"),
    ],
    "one index for all": [
        piece(0, "a", "f", '{"x'),
        piece(0, text='": 1}'),
        piece(0, "b", "g", "{}"),
    ],
    "id repeated": [
        piece(0, "a", "f", '{"x'),
        piece(0, "a", "f", '": 1}'),
        piece(1, "b", "g", "{}"),
    ],
}


@pytest.mark.parametrize("pieces", CALLS.values(), ids=CALLS)
def test_streamed_calls_are_put_together(pieces):
    chunks = [chunk(role="assistant", content="")]
    chunks += [chunk(tool_calls=[one]) for one in pieces]
    with serve(lambda body: stream(*chunks, chunk("tool_calls"))) as (web, seen):
        whole = streamed(OpenAILLM("m", base_url=web), ask())
    assert [(c.id, c.name, c.arguments) for c in whole.calls] == [
        ("a", "f", '{"x": 1}'),
        ("b", "g", "{}"),
    ]
    assert whole.finish == "tool_calls"
    assert seen[0]["stream_options"] == {"include_usage": True}


def test_text_reasoning_and_usage_are_streamed():
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    last = {**chunk("stop"), "choices": [], "usage": usage}
    chunks = [
        chunk(reasoning_content="hm"),
        chunk(content="北"),
        chunk(content="京"),
        chunk("stop"),
        last,
    ]
    with serve(lambda body: stream(*chunks)) as (web, _):
        llm = OpenAILLM("m", base_url=web)
        assert list(llm.stream(ask())) == [Delta(reasoning="hm"), Delta("北"), Delta("京")]
        whole = streamed(llm, ask())
    assert (whole.text, whole.reasoning, whole.usage.input_tokens) == ("北京", "hm", 5)


def test_a_character_split_over_two_packets_is_one_character():
    whole = stream(chunk(content="北京"), chunk("stop"))
    whole.cut_at = whole.body.index("京".encode()) + 1
    with serve(lambda body: whole) as (web, _):
        assert streamed(OpenAILLM("m", base_url=web), ask()).text == "北京"


@pytest.mark.parametrize("sent", [[chunk(content="half")], []])
def test_a_stream_that_breaks_off_is_an_error_and_no_answer(sent):
    breaks = serve(lambda body: stream(*sent, end=False))
    with breaks as (web, _), pytest.raises(LLMError, match="broke off"):
        streamed(OpenAILLM("m", base_url=web), ask())


def test_an_agent_shows_the_pieces_while_they_come():
    replies = [
        stream(chunk(tool_calls=[piece(0, "a", "Calculator", '{"expression": "2+2"}')]),
               chunk("tool_calls")),
        stream(chunk(content="It is "), chunk(content="4."), chunk("stop")),
    ]  # fmt: skip
    with serve(replies) as (web, seen):
        agent = ReActAgentFunctionCall(OpenAILLM("m", base_url=web), builtin_tools())
        events = list(agent.iter("2+2?"))
    pieces = [event.item for event in events if event.phase == "piece"]
    assert [one.text for one in pieces if one.text] == ["It is ", "4."]
    assert events[0].item.answer == "It is 4."
    assert seen[1]["messages"][-1] == {"role": "tool", "content": "4", "tool_call_id": "a"}


def test_closing_a_stream_ends_the_request_and_the_client_goes_on():
    chunks = [chunk(content=str(number)) for number in range(50)]
    with serve(lambda body: stream(*chunks, chunk("stop"))) as (web, seen):
        llm = OpenAILLM("m", base_url=web)
        pieces = llm.stream(ask())
        assert next(pieces) == Delta("0")
        pieces.close()
        assert streamed(llm, ask()).text.startswith("0123")
    assert len(seen) == 2


def test_one_client_serves_several_event_loops_and_leaves_nothing_open():
    with serve(lambda body: chat()) as (web, seen), warnings.catch_warnings():
        warnings.simplefilter("error")
        llm = OpenAILLM("m", base_url=web)
        for _ in range(3):
            assert awaited(llm, ask()).text == "hi"
            gc.collect()
        assert len(llm._connection._aclients) == 0
    assert len(seen) == 3


def test_a_client_of_ones_own_is_used_with_its_key_and_address(run: Runner):
    with serve(lambda body: chat("mine")) as (web, seen):
        client = openai.OpenAI(base_url=web, api_key="k", max_retries=5)
        agent = ReActAgentFunctionCall(client, builtin_tools(), model="some-model")
        assert str(run(agent, "q")) == "mine"
        client.close()
    assert seen[0]["model"] == "some-model"


def test_a_client_without_a_model_and_a_plain_function_are_refused():
    with pytest.raises(ConfigError, match="model="):
        ReActAgentFunctionCall(openai.OpenAI(api_key="k"), [])
    with pytest.raises(ConfigError, match="plain function"):
        ReActAgentFunctionCall(lambda prompt: "x", [])
    with pytest.raises(ConfigError, match="model="):
        ReActAgentFunctionCall(OpenAILLM("m", base_url="ollama"), [], model="other")


@pytest.mark.parametrize("name", [name for name in SERVERS if name != "openai"])
def test_a_preset_is_named_instead_of_its_address(name):
    llm = OpenAILLM("m", base_url=name)
    assert llm.base_url == SERVERS[name].address
    assert llm.base_url.startswith("http")


def test_an_unreachable_server_may_be_tried_again():
    with pytest.raises(Unavailable, match="cannot be reached"):
        OpenAILLM("m", base_url="http://127.0.0.1:9/v1").complete(ask())


@pytest.mark.parametrize(
    ("told", "no_tools"),
    [
        ("registry.example/some-model does not support tools", True),
        ("Tool calling is not supported for this model.", True),
        ("This model has no support for function calling", True),
        ('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser', True),
        ("tools param requires --jinja flag", True),
        ("No endpoints found that support tool use.", True),
        ("`tool calling` is not supported with this model", True),
        ("Function calling is not enabled for this model", True),
        ("does not support parameters: ['tools']", True),
        ("The model is not capable of tool calling", True),
        ("Tools are currently not supported by this backend", True),
        ("该模型不支持工具调用", True),
        ("tools.0.function.parameters: 'oneOf' is not supported", False),
        ("This model does not support additionalProperties in function parameters", False),
        ("This model does not support parallel tool calls", False),
        ("tools: array too long; at most 128 tools are supported", False),
        ("messages with role 'tool' must follow tool_calls; it is not allowed otherwise", False),
        ("An assistant message with tool_calls must be followed by tool messages.", False),
        ("Invalid schema for tool 'Search': not of type object.", False),
    ],
)
def test_an_error_about_one_tool_is_not_taken_for_a_model_without_tools(told, no_tools):
    request = ask(tools=({"type": "function"},))
    with serve(lambda body: fails(400, told)) as (web, _), pytest.raises(ReactlabError) as raised:
        OpenAILLM("m", base_url=web).complete(request)
    assert type(raised.value) is (ConfigError if no_tools else LLMError)
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (400, "This model's maximum context length is 8192 tokens. However, your messages resulted "
              "in 9000 tokens. Please reduce the length of the messages."),
        (400, {"message": "Too long.", "code": "context_length_exceeded"}),
        (413, {"message": "Too long.", "type": "exceed_context_size_error"}),
        (400, "the request exceeds the available context size. try increasing the context size"),
        (400, "prompt is too long: 210000 tokens > 200000 maximum"),
        (400, "The input token count (1048577) exceeds the maximum number of tokens allowed."),
        (400, "Range of input length should be [1, 30720]"),
        (422, "Prompt contains 40000 tokens, too large for a maximum context length of 32768"),
    ],
)  # fmt: skip
def test_a_request_that_is_too_long_is_told_from_other_refusals(complete, status, told):
    answer = fails(status, told) if isinstance(told, str) else Answer({"error": told}, status)
    with serve(lambda body: answer) as (web, seen), pytest.raises(ContextOverflow) as raised:
        complete(OpenAILLM("m", base_url=web), ask())
    assert "too long" in str(raised.value)
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (400, "max_tokens is too large: 5000. This model supports at most 4096 completion tokens."),
        (429, "Request too large for model m: limit 6000 tokens per minute"),
        (500, "context window manager crashed"),
    ],
)
def test_other_refusals_are_no_overflow(complete, status, told):
    with (
        serve(lambda body: fails(status, told)) as (web, _),
        pytest.raises(ReactlabError) as raised,
    ):
        complete(OpenAILLM("m", base_url=web), ask())
    assert not isinstance(raised.value, ContextOverflow)


@pytest.mark.parametrize("status", [404, 422, 500, 501])
def test_a_model_without_tools_is_told_from_a_failing_server_by_its_words(complete, status):
    request = ask(tools=({"type": "function"},))
    refuses = serve(lambda body: fails(status, "tools are not supported"))
    with refuses as (web, seen), pytest.raises(ConfigError, match="takes no tools"):
        complete(OpenAILLM("m", base_url=web), request)
    assert len(seen) == 1


STATUSES = {
    402: LLMError, 405: ConfigError, 408: Unavailable, 409: Unavailable, 410: LLMError,
    413: LLMError, 425: Unavailable, 451: LLMError, 502: Unavailable, 529: Unavailable,
    600: Unavailable,
}  # fmt: skip


@pytest.mark.parametrize(("status", "kind"), STATUSES.items())
def test_a_status_says_whether_asking_again_may_help(complete, status, kind):
    page = Answer(b"<html><h1>It is down</h1></html>", status, Content_Type="text/html")
    with serve(lambda body: page) as (web, _), pytest.raises(ReactlabError) as raised:
        complete(OpenAILLM("m", base_url=web), ask())
    assert type(raised.value) is kind
    assert str(raised.value).endswith(": It is down")


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        ({"message": "m", "code": "insufficient_quota"}, LLMError, "paid for"),
        ({"message": "m", "code": "content_filter"}, Refused, "content filter"),
        ({"message": "API key not valid. Please pass one."}, ConfigError, "refuses the key"),
        ({"message": "m", "code": ["odd"]}, LLMError, "failed: m"),
    ],
)
def test_a_code_or_a_word_says_what_a_status_does_not(complete, error, kind, words):
    fails = serve(lambda body: Answer({"error": error}, 400))
    with fails as (web, _), pytest.raises(kind, match=words):
        complete(OpenAILLM("m", base_url=web), ask())


WAITS = [
    ({"Retry_After": "7.5"}, 7.5),
    ({"Retry_After": "-3"}, 0.0),
    ({"Retry_After": "soon"}, None),
    ({"Retry_After": "Wed, 21 Oct 2015 07:28:00"}, 0.0),
    ({"Retry_After": "Mon, 99 Foo 2020"}, None),
    ({"Retry_After": "9", "retry_after_ms": "2500"}, 2.5),
    ({}, None),
]


@pytest.mark.parametrize(("headers", "wait"), WAITS)
def test_the_wait_that_a_server_asks_for_is_read(complete, headers, wait):
    limits = serve(lambda body: fails(429, "later", **headers))
    with limits as (web, _), pytest.raises(RateLimited) as limited:
        complete(OpenAILLM("m", base_url=web), ask())
    assert limited.value.retry_after == wait


WRONG = [
    {"model": 5}, {"model": None}, {"base_url": 5}, {"base_url": "http://"},
    {"base_url": "http://localhost:abc/v1"}, {"base_url": "http://[::1/v1"},
    {"base_url": "http://a b/v1"}, {"base_url": "http://.../v1"},
    {"base_url": "http://localhost/v1?x=1"}, {"base_url": "http://localhost/v1#m"},
    {"api_key": 5}, {"timeout": "x"}, {"timeout": 0}, {"timeout": float("nan")},
    {"quirks": ["stop"]}, {"quirks": {"bogus": None}}, {"quirks": {"stop": 5}},
    {"max_tokens": "5"}, {"max_tokens": 0}, {"client": 5},
]  # fmt: skip


@pytest.mark.parametrize("given", WRONG, ids=str)
def test_what_is_wrong_in_a_model_is_told_when_it_is_made(given):
    with pytest.raises(ConfigError):
        OpenAILLM(**{"model": "m", "base_url": "ollama", **given})


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(ConfigError, match="api_key") as raised:
        OpenAILLM("m", base_url="http://user:secret@localhost/v1")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("before", ["HTTP://127.0.0.1:1//v1", "http://127.0.0.1:1/v1/models/"])
def test_an_address_is_tidied(before):
    assert OpenAILLM("m", base_url=before).base_url == "http://127.0.0.1:1/v1"
