"""The server as the official SDK and our own client see it, over real HTTP."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any

import httpx
import openai
import pytest

from reactlab import (
    Completion,
    ConfigError,
    Delta,
    LLMError,
    Message,
    OpenAILLM,
    ReActAgent,
    ReActAgentFunctionCall,
    ReactlabWarning,
    Request,
    ScriptedLLM,
    StopReason,
    ToolCall,
    Usage,
    builtin_tools,
)
from reactlab.errors import RateLimited, Refused, Unavailable
from reactlab.policies.retrying import retry_when_down, wait_when_limited
from reactlab.serve import LocalServer, serving, start
from reactlab.serve.faults import FAULTS, REFUSALS, Faults
from reactlab.threads import idle

ASK: list[Any] = [{"role": "user", "content": "hello"}]
TOOLS: Any = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
    for name in ("f", "g")
]
TWO_CALLS = [ToolCall("f", {"x": 1}), ToolCall("g", '{"y": "北京"}')]
WEB = httpx.Client(verify=False, limits=httpx.Limits(max_keepalive_connections=0))
"""As `httpx` itself, without the time that certificates take."""


class Streaming:
    """A model that streams its pieces one by one, and says when its generator was closed."""

    def __init__(self, *made: Any, whole: Completion | None = None, endless: bool = False) -> None:
        self.model = "streaming"
        self.made, self.whole, self.endless = made, whole, endless
        self.closed = threading.Event()
        self.go = threading.Semaphore(0)
        self.stepwise = False

    def complete(self, request: Request) -> Completion:
        raise AssertionError("a stream was asked for")

    def stream(self, request: Request) -> Generator[Delta, None, Completion]:
        try:
            for piece in self.made:
                if self.stepwise:
                    self.go.acquire()
                if isinstance(piece, Exception):
                    raise piece
                yield piece
            while self.endless:
                yield Delta("more ")
            return self.whole or Completion(
                "".join(piece.text for piece in self.made), model="streaming"
            )
        finally:
            self.closed.set()


@pytest.fixture
def made() -> Iterator[Callable[..., LocalServer]]:
    """Servers that end with the test, and leave no thread behind."""
    gc.collect()
    before = set(threading.enumerate())
    servers: list[LocalServer] = []

    def begin(*replies: Any, **options: Any) -> LocalServer:
        llm = (
            replies[0]
            if hasattr(replies[0], "complete")
            else ScriptedLLM(replies, repeat_last=True)
        )
        servers.append(start(llm, **options))
        return servers[-1]

    yield begin
    for server in servers:
        server.stop()
    until = time.monotonic() + 5
    while (left := set(threading.enumerate()) - before - set(idle)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not left  # a worker that waits for its next call ends by itself


@pytest.fixture
def sdk() -> Iterator[Callable[..., openai.OpenAI]]:
    """Clients of the official SDK, closed after the test."""
    clients: list[openai.OpenAI] = []

    def client(server: LocalServer, **options: Any) -> openai.OpenAI:
        settings = {"api_key": "k", "max_retries": 0, **options}
        clients.append(openai.OpenAI(base_url=server.address, **settings))
        return clients[-1]

    yield client
    for one in clients:
        one.close()


def post(server: LocalServer, body: Any, **headers: str) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    url = f"{server.address}/chat/completions"
    return WEB.post(url, content=content, headers={"Content-Type": "application/json", **named})


def chat(**more: Any) -> dict[str, Any]:
    return {"model": "any", "messages": ASK, **more}


def ours(server: LocalServer) -> OpenAILLM:
    return OpenAILLM("any", base_url=server.address)


def ask(*messages: Message, **more: Any) -> Request:
    return Request(messages or (Message("user", "hello"),), **more)


def test_a_plain_reply_has_the_shape_of_the_api(made, sdk):
    reply = Completion("北京 🙂", usage=Usage(7, 3), reasoning="hm")
    client = sdk(made(reply))
    first = client.chat.completions.create(model="any", messages=ASK)
    second = client.chat.completions.create(model="any", messages=ASK)
    assert first.choices[0].message.content == "北京 🙂"
    assert first.choices[0].message.reasoning_content == "hm"
    assert first.choices[0].finish_reason == "stop"
    assert first.usage.total_tokens == 10
    assert first.model == "scripted"
    assert first.id != second.id


def test_usage_that_nobody_counted_is_left_out_and_an_estimate_says_so(made):
    assert "usage" not in post(made("hi"), chat()).json()
    estimated = Completion("hi", usage=Usage(7, 3, estimated=True))
    assert post(made(estimated), chat()).json()["usage"]["estimated"] is True


def test_our_client_gets_back_what_the_model_said(made):
    for reply in [
        Completion("text", usage=Usage(1, 2), reasoning="why", model="scripted"),
        Completion("", (ToolCall("f", '{"a": 1}', "id-1"),), "tool_calls", model="scripted"),
        Completion("half", finish="length", model="scripted"),
    ]:
        server = made(reply)
        assert ours(server).complete(ask()) == reply
        assert asyncio.run(ours(server).acomplete(ask())) == reply
        assert whole(ours(server).stream(ask())) == reply


def whole(stream: Generator[Delta, None, Completion]) -> Completion:
    while True:
        try:
            next(stream)
        except StopIteration as end:
            return end.value


def test_calls_without_an_id_get_one_each_and_no_two_the_same(made, sdk):
    server = made([ToolCall("f", "{}"), ToolCall("g", "{}", "a"), ToolCall("g", "{}", "a")])
    client = sdk(server)
    ids = []
    for _ in range(2):
        made_now = client.chat.completions.create(model="any", messages=ASK, tools=TOOLS)
        ids += [call.id for call in made_now.choices[0].message.tool_calls]
    assert ids.count("a") == 2  # the model's own, once in each reply
    assert len(set(ids)) == 5
    assert all(ids)


def test_a_model_that_streams_is_passed_on_piece_by_piece(made, sdk):
    llm = Streaming(Delta(reasoning="hm"), Delta("one "), Delta("two"))
    llm.stepwise = True
    llm.go.release()
    with sdk(made(llm)).chat.completions.create(model="m", messages=ASK, stream=True) as chunks:
        seen = []
        for chunk in chunks:
            if chunk.choices[0].delta.content:
                seen.append(chunk.choices[0].delta.content)
            llm.go.release()  # the next piece is made only after this one was seen
    assert seen == ["one ", "two"]
    assert llm.closed.is_set()


def test_a_model_that_does_not_stream_is_cut_into_pieces(made, sdk):
    reply = Completion("a longer text than one piece", usage=Usage(1, 2))
    stream = sdk(made(reply)).chat.completions.create(
        model="m", messages=ASK, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    texts = [c.choices[0].delta.content for c in chunks if c.choices and c.choices[0].delta.content]
    assert "".join(texts) == reply.text
    assert len(texts) > 1
    assert chunks[-1].usage.total_tokens == 3
    assert len({chunk.id for chunk in chunks}) == 1


@pytest.mark.parametrize("streams", [True, False])
def test_streamed_calls_come_together_again(made, streams):
    parts = [
        Delta(call=ToolCall("f", "", "")),
        Delta(call=ToolCall("", '{"x"', "")),
        Delta(call=ToolCall("", ": 1}", "")),
        Delta(call=ToolCall("g", '{"y": ', "b")),
        Delta(call=ToolCall("", '"北京"}', "b")),
    ]
    llm = Streaming(*parts, whole=Completion(calls=(ToolCall("f"),), finish="tool_calls"))
    server = made(llm if streams else TWO_CALLS)
    got = whole(ours(server).stream(ask(tools=tuple(TOOLS))))
    assert [(call.name, call.arguments) for call in got.calls] == [
        ("f", '{"x": 1}'),
        ("g", '{"y": "北京"}'),
    ]
    assert len({call.id for call in got.calls} - {""}) == 2
    assert got.finish == "tool_calls"


@pytest.mark.parametrize("replies", [Streaming(Delta("a EN"), Delta("D b")), "a END b"])
def test_a_stop_sequence_ends_the_reply_also_between_two_pieces(made, replies):
    server = made(replies)
    got = whole(ours(server).stream(ask(stop=("END",))))
    assert got.text == "a "
    raw = post(server, chat(stop="END", stream=True)).text
    assert "END" not in raw
    assert '" b"' not in raw


def test_the_beginning_of_a_stop_sequence_that_does_not_come_is_text(made):
    server = made(Streaming(Delta("a EN"), Delta("X b E")))
    assert "".join(d.text for d in ours(server).stream(ask(stop=("END",)))) == "a ENX b E"


def test_who_hangs_up_ends_the_model_s_stream(made, sdk):
    llm = Streaming(endless=True)
    server = made(llm)
    with sdk(server).chat.completions.create(model="m", messages=ASK, stream=True) as chunks:
        next(chunks)
    assert llm.closed.wait(5)


def test_a_cancelled_task_ends_the_model_s_stream(made):
    llm = Streaming(endless=True)
    server = made(llm)

    async def leave() -> set[Any]:
        async with openai.AsyncOpenAI(base_url=server.address, api_key="k") as client:
            begun = asyncio.Event()

            async def follow() -> None:
                stream = await client.chat.completions.create(model="m", messages=ASK, stream=True)
                async for _ in stream:
                    begun.set()

            task = asyncio.create_task(follow())
            await begun.wait()
            task.cancel()
            await asyncio.wait({task})
            await asyncio.to_thread(llm.closed.wait, 5)
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(leave()) == set()
    assert llm.closed.is_set()


class Waiting:
    """A model that only awaits, and says when it was cancelled."""

    model = "waiting"

    def __init__(self) -> None:
        self.begun, self.cancelled = threading.Event(), threading.Event()

    def complete(self, request: Request) -> Completion:
        raise AssertionError("it is awaited")

    async def acomplete(self, request: Request) -> Completion:
        self.begun.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        return Completion("late")


@pytest.mark.parametrize("stream", [False, True])
def test_who_hangs_up_before_the_first_word_cancels_the_model(made, stream):
    llm = Waiting()
    server = made(llm)

    async def leave() -> None:
        async with httpx.AsyncClient(verify=False) as client:
            url = f"{server.address}/chat/completions"
            task = asyncio.create_task(client.post(url, json=chat(stream=stream)))
            await asyncio.to_thread(llm.begun.wait, 5)
            task.cancel()
            await asyncio.wait({task})

    asyncio.run(leave())
    assert llm.cancelled.wait(5)


def test_a_server_that_is_stopped_ends_what_is_under_way(made, sdk):
    llm = Streaming(endless=True)
    server = made(llm)
    stream = sdk(server).chat.completions.create(model="m", messages=ASK, stream=True)
    with stream as chunks:
        next(chunks)
        server.stop()
    assert llm.closed.wait(5)
    assert "stopped" in repr(server)


def test_many_models_that_sleep_are_asked_at_once(made):
    meet = threading.Barrier(60)  # more than a pool of 40 threads would let through

    class Meeting:
        model = "meeting"

        def complete(self, request: Request) -> Completion:
            meet.wait(timeout=20)
            return Completion("met")

    server = made(Meeting())

    async def all_of_them() -> list[int]:
        limits = httpx.Limits(max_connections=60)
        async with httpx.AsyncClient(verify=False, timeout=30, limits=limits) as client:
            url = f"{server.address}/chat/completions"
            replies = await asyncio.gather(*(client.post(url, json=chat()) for _ in range(60)))
        return [reply.status_code for reply in replies]

    assert asyncio.run(all_of_them()) == [200] * 60


WRONG: list[tuple[Any, str | None]] = [
    ([], None),
    ("text", None),
    ({"messages": ASK}, "model"),
    ({"model": 3, "messages": ASK}, "model"),
    ({"model": "m"}, "messages"),
    ({"model": "m", "messages": []}, "messages"),
    ({"model": "m", "messages": "hello"}, "messages"),
    ({"model": "m", "messages": ["hello"]}, "messages[0]"),
    ({"model": "m", "messages": [{"role": "robot", "content": "x"}]}, "messages[0].role"),
    ({"model": "m", "messages": [{"content": "x"}]}, "messages[0].role"),
    ({"model": "m", "messages": [{"role": "user"}]}, "messages[0].content"),
    ({"model": "m", "messages": [{"role": "user", "content": 3}]}, "messages[0].content"),
    (
        {"model": "m", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
        "messages[0].content[0].type",
    ),
    (chat(n=2), "n"),
    (chat(logprobs=True), "logprobs"),
    (chat(response_format={"type": "json_object"}), "response_format"),
    (chat(functions=[{"name": "f"}]), "functions"),
    (chat(temperature=3), "temperature"),
    (chat(temperature=True), "temperature"),
    (chat(temperature="hot"), "temperature"),
    (chat(max_tokens=0), "max_tokens"),
    (chat(max_completion_tokens=1.5), "max_completion_tokens"),
    (chat(stop=["a", "b", "c", "d", "e"]), "stop"),
    (chat(stop=""), "stop"),
    (chat(stop={"a": 1}), "stop"),
    (chat(stream=True, stream_options=[1]), "stream_options"),
    (chat(tools={"name": "f"}), "tools"),
    (chat(tools=[{"name": "f"}]), "tools[0].type"),
    (chat(tools=[{"type": "function"}]), "tools[0].function"),
    (chat(tools=[{"type": "function", "function": {}}]), "tools[0].function.name"),
    (chat(tool_choice="auto"), "tool_choice"),
    (chat(tools=TOOLS, tool_choice="always"), "tool_choice"),
    (
        chat(tools=TOOLS, tool_choice={"type": "function", "function": {"name": "h"}}),
        "tool_choice",
    ),
]


def test_a_wrong_body_is_refused_with_what_is_wrong_about_it(made):
    server = made("never")
    for body, parameter in WRONG:
        reply = post(server, body)
        assert reply.status_code == 400, body
        error = reply.json()["error"]
        assert error["type"] == "invalid_request_error"
        assert error["param"] == parameter, body
    for raw in (b"", b"{", b"\xff", b"[" * 200_000):
        reply = post(server, raw)
        assert reply.status_code == 400
        assert "JSON" in reply.json()["error"]["message"]


def test_what_no_server_honours_is_ignored_as_hosted_ones_do(made):
    harmless = {"n": 1, "response_format": {"type": "text"}, "logprobs": False, "tools": []}
    ignored = {"seed": 1, "user": "me", "top_p": 0.5, "metadata": {}, "something": "else"}
    assert post(made("hi"), chat(**harmless, **ignored)).status_code == 200


def test_the_model_sees_what_was_sent(made):
    llm = ScriptedLLM(["hi"], repeat_last=True)
    server = made(llm)
    messages = [
        {"role": "developer", "content": [{"type": "text", "text": "ru"},
                                          {"type": "text", "text": "les"}]},
        {"role": "user", "content": "q", "name": "me"},
        {"role": "assistant", "content": None, "refusal": "no"},
        {"role": "assistant", "content": None, "reasoning_content": "hm", "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "done"},
    ]  # fmt: skip
    more = {"temperature": 0, "max_tokens": 5, "stop": "END", "tools": TOOLS}
    assert post(server, chat(messages=messages, **more)).status_code == 200
    assert llm.requests[0] == Request(
        (
            Message("system", "rules"),
            Message("user", "q"),
            Message("assistant", "no"),
            Message("assistant", None, (ToolCall("f", "{}", "1"),), reasoning="hm"),
            Message("tool", "done", call_id="1"),
        ),
        tools=tuple(TOOLS),
        stop=("END",),
        temperature=0,
        max_tokens=5,
    )
    assert server.requests[-1]["messages"] == messages


def test_a_choice_of_tools_is_honoured_or_an_error(made):
    llm = ScriptedLLM(["text", "text", TWO_CALLS, TWO_CALLS], repeat_last=True)
    server = made(llm)
    named = {"type": "function", "function": {"name": "g"}}
    assert post(server, chat(tools=TOOLS, tool_choice="none")).status_code == 200
    assert llm.requests[-1].tools == ()
    unmet = post(server, chat(tools=TOOLS, tool_choice="required"))
    assert unmet.status_code == 424
    assert "made none" in unmet.json()["error"]["message"]
    assert post(server, chat(tools=TOOLS, tool_choice=named)).status_code == 200
    assert [tool["function"]["name"] for tool in llm.requests[-1].tools] == ["g"]
    one = post(server, chat(tools=TOOLS, parallel_tool_calls=False)).json()
    assert len(one["choices"][0]["message"]["tool_calls"]) == 1


def test_a_stream_may_have_one_call_too(made):
    server = made(TWO_CALLS)
    raw = post(server, chat(tools=TOOLS, parallel_tool_calls=False, stream=True)).text
    assert '"f"' in raw
    assert '"g"' not in raw


def turn(*ids: str) -> dict[str, Any]:
    made_calls = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}}
                  for id in ids]  # fmt: skip
    return {"role": "assistant", "content": None, "tool_calls": made_calls}


def result(id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": "done"}


USER = {"role": "user", "content": "and?"}
ANSWERED = [
    [turn("a"), result("a")],
    [turn("a", "b"), result("b"), result("a")],
    [turn("a", "b"), result("a"), result("b"), turn("c"), result("c"), USER],
    [turn("a"), result("a"), turn("a"), result("a")],
]
UNANSWERED = [
    [turn("a")],
    [turn("a"), USER],
    [turn("a", "b"), result("a")],
    [turn("a", "b"), result("a"), USER, result("b")],
    [turn("a", "b"), result("a"), turn("c"), result("c")],
    [turn("a"), result("b")],
    [turn("a"), result("a"), result("a")],
    [turn("a"), USER, result("a")],
    [result("a")],
    [turn("a"), result("a"), turn("b"), result("a")],
    [turn("a"), result("a"), USER, result("a")],
    [turn(""), result("")],
]


def test_every_call_has_to_be_answered_once_and_at_once(made):
    server = made("fine")
    for turns in ANSWERED:
        assert post(server, chat(messages=[*ASK, *turns])).status_code == 200, turns
    for turns in UNANSWERED:
        assert post(server, chat(messages=[*ASK, *turns])).status_code == 400, turns
    told = post(server, chat(messages=[*ASK, turn("a", "b"), result("a")])).json()["error"]
    assert told["message"].endswith("did not have response messages: b")


def test_other_paths_methods_and_sizes_are_errors_of_the_same_shape(made, sdk):
    server = made("hi")
    root = server.address.removesuffix("/v1")
    unknown = [
        WEB.get(f"{server.address}/files"),
        WEB.post(f"{root}/chat/completions", json=chat()),
        WEB.get(f"{server.address}/usage"),
    ]
    assert [reply.status_code for reply in unknown] == [404] * 3
    wrong_method = WEB.get(f"{server.address}/chat/completions")
    assert wrong_method.status_code == 405
    assert wrong_method.headers["allow"] == "POST"
    too_large = post(server, chat(user="x" * 5_000_000))
    assert too_large.status_code == 413
    for reply in [*unknown, wrong_method, too_large]:
        assert set(reply.json()["error"]) == {"message", "type", "param", "code"}
    client = sdk(server)
    assert [model.id for model in client.models.list()] == ["scripted"]
    assert ours(server).check().endswith("1 models")


def test_an_address_without_its_version_can_answer_200_with_an_error_inside(made):
    server = made("hi", odd_paths=True)
    short = OpenAILLM("m", base_url=server.address.removesuffix("/v1"))
    with pytest.raises(ConfigError, match=r"lacks the version path.*/v1"):
        short.complete(ask())
    plain = OpenAILLM("m", base_url=made("hi").address.removesuffix("/v1"))
    with pytest.raises(ConfigError, match="version path"):
        plain.complete(ask())


def test_half_a_surrogate_pair_breaks_nothing(made):
    llm = ScriptedLLM([lambda request: request.prompt])
    body = b'{"model": "m", "messages": [{"role": "user", "content": "a\\ud800b"}]}'
    reply = post(made(llm), body)
    assert reply.json()["choices"][0]["message"]["content"] == "a?b"


FAILURES = [
    (RateLimited("wait", retry_after=7), 429, RateLimited),
    (Unavailable("down"), 503, Unavailable),
    (Refused("I will not"), 400, LLMError),
    (LLMError("nothing recorded"), 424, LLMError),
    (ConfigError("x takes no tools (x does not support tools)"), 400, LLMError),
    (ValueError("a bug"), 500, Unavailable),
]


@pytest.mark.parametrize(("error", "status", "ours_is"), FAILURES)
def test_what_the_model_raises_arrives_with_its_kind(made, error, status, ours_is):
    for reply in (
        post(made(error), chat()),
        post(made(error), chat(stream=True)),
        post(made(Streaming(error)), chat(stream=True)),
    ):
        assert reply.status_code == status
        assert str(error) in reply.json()["error"]["message"]
        assert reply.headers.get("retry-after") == ("7" if status == 429 else None)
    with pytest.raises(ours_is):
        ours(made(error)).complete(ask())


def test_an_error_in_the_middle_of_a_stream_is_told_in_the_stream(made, sdk):
    server = made(Streaming(Delta("one "), LLMError("the upstream broke")))
    with sdk(server).chat.completions.create(model="m", messages=ASK, stream=True) as chunks:
        next(chunks)
        with pytest.raises(openai.APIError, match="the upstream broke"):
            list(chunks)
    bug = made(Streaming(Delta("one "), ValueError("x")))
    with pytest.raises(LLMError, match="broke off"):
        whole(ours(bug).stream(ask()))


def test_faults_come_in_the_order_of_the_plan_and_by_header(made):
    server = made(
        TWO_CALLS,
        faults=Faults(["rate_limit", "server_error", "", "missing_ids", "broken_json", "slow"],
                      seconds=0.01),
    )  # fmt: skip
    limited, broken, fine, without_ids, cut_short, slow = (post(server, chat()) for _ in range(6))
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "0.01")
    assert broken.status_code == 500
    assert all(call["id"] for call in fine.json()["choices"][0]["message"]["tool_calls"])
    calls = without_ids.json()["choices"][0]["message"]["tool_calls"]
    assert [call["id"] for call in calls] == ["", ""]
    for call in cut_short.json()["choices"][0]["message"]["tool_calls"]:
        with pytest.raises(ValueError, match="Expecting"):
            json.loads(call["function"]["arguments"])
    assert slow.status_code == 200
    assert post(server, chat(), X_ReactLab_Fault="server_error").status_code == 500
    wrong = post(server, chat(), X_ReactLab_Fault="earthquake")
    assert wrong.status_code == 400
    assert "cut_stream" in wrong.json()["error"]["message"]
    with pytest.raises(ConfigError, match="no fault 'earthquake'"):
        Faults(["earthquake"])
    assert "cut_stream" in FAULTS


@pytest.mark.parametrize("streams", [True, False])
def test_a_cut_connection_is_an_error_and_no_answer(made, streams):
    llm = Streaming(Delta("one "), Delta("two "), Delta("three "))
    server = made(llm if streams else "one two three four", faults=Faults(["cut_stream"]))
    with pytest.raises(LLMError, match="broke off"):
        whole(ours(server).stream(ask()))


def test_what_a_server_refuses_our_client_learns(made):
    system = Message("system", "rules")
    request = ask(system, Message("user", "q"), stop=("x",), temperature=0.5, max_tokens=5)
    server = made("hi", refuses=("stop", "temperature", "max_tokens", "system"))
    llm = ours(server)
    with pytest.warns(ReactlabWarning, match="refuses") as warned:
        assert llm.complete(request).text == "hi"
    assert len(warned) == 4
    last = server.requests[-1]
    assert not {"stop", "temperature", "max_tokens"} & set(last)
    assert last["max_completion_tokens"] == 5
    with pytest.raises(ConfigError, match="takes no tools"):
        ours(made("hi", refuses=["tools"])).complete(ask(tools=tuple(TOOLS)))
    with pytest.warns(ReactlabWarning, match="stream_options"):
        whole(ours(made("hi", refuses=["stream_options"])).stream(ask()))
    with pytest.raises(ConfigError, match="no 'colour' here"):
        start(ScriptedLLM([]), refuses=["colour"])
    assert "max_completion_tokens" in REFUSALS


def test_what_a_server_ignores_is_accepted_and_not_honoured(made):
    text = "Thought: x\nObservation: invented"
    raw = post(made(text, ignores=["stop"]), chat(stop="\nObservation:")).json()
    assert raw["choices"][0]["message"]["content"] == text
    assert post(made(text), chat(stop="\nObservation:")).json() != raw
    whole_reply = made("a longer reply than one piece", ignores=["stream"])
    assert whole(ours(whole_reply).stream(ask())).text == "a longer reply than one piece"


def test_a_token_is_asked_for_and_any_page_may_then_call(made):
    server = made("hi", token="sesame")
    for sent in (
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Bearer sésame".encode()},
    ):
        refused = WEB.get(f"{server.address}/models", headers=sent)
        assert refused.status_code == 401
        assert refused.json()["error"]["code"] == "invalid_api_key"
    reply = post(server, chat(), Authorization="Bearer sesame", Origin="https://elsewhere.example")
    assert reply.status_code == 200
    assert reply.headers["access-control-allow-origin"] == "*"
    with pytest.raises(ConfigError, match="refuses the key"):
        OpenAILLM("m", base_url=server.address, api_key="wrong").complete(ask())


def test_without_a_token_only_this_machine_s_pages_and_names_are_let_in(made):
    server = made("hi")
    for origin in ("http://localhost:8888", "http://127.0.0.1:8000", "http://[::1]:1"):
        reply = post(server, chat(), Origin=origin)
        assert reply.status_code == 200
        assert reply.headers["access-control-allow-origin"] == origin
    foreign = [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.elsewhere.example"},
        {"Host": "elsewhere.example"},
    ]
    for headers in foreign:
        reply = post(server, chat(), **headers)
        assert reply.status_code == 403
        assert "access-control-allow-origin" not in reply.headers
    ways = {"Origin": "http://localhost:8888", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type"}  # fmt: skip
    before = WEB.options(f"{server.address}/chat/completions", headers=ways)
    assert before.status_code == 200


def test_our_agents_wait_out_a_limit_and_give_up_on_a_broken_server(made):
    plan = Faults(["rate_limit", "server_error"], seconds=0.01)
    policies = [wait_when_limited(), retry_when_down(attempts=3, pause=0.01)]
    server = made(ToolCall("Calculator", {"expression": "6*7"}), "It is 42.", faults=plan)
    agent = ReActAgentFunctionCall(ours(server), builtin_tools(), policies=policies)
    assert str(agent.run("6*7?")) == "It is 42."
    assert len(server.requests) == 4

    broken = made("never", faults=Faults(["server_error"] * 3))
    trace = ReActAgent(ours(broken), policies=policies).run("q")
    assert trace.stop_reason is StopReason.MODEL_ERROR
    assert "status 500" in str(trace)
    assert len(broken.requests) == 3


def test_our_agent_answers_parallel_calls_without_ids_in_an_accepted_way(made):
    calls = [ToolCall("Calculator", {"expression": text}) for text in ("6*7", "2+2")]
    server = made(calls, "42 and 4.", faults=Faults(["missing_ids"]))
    trace = ReActAgentFunctionCall(ours(server), builtin_tools()).run("q")
    assert str(trace) == "42 and 4."
    assert (
        asyncio.run(
            ReActAgentFunctionCall(ours(made(calls, "42 and 4.")), builtin_tools()).arun("q")
        ).answer
        == "42 and 4."
    )


def test_the_address_is_had_with_and_without_a_block():
    with serving(ScriptedLLM(["hi"])) as address:
        assert OpenAILLM("any", base_url=address).complete(ask()).text == "hi"
    with start(ScriptedLLM(["hi"])) as server:
        assert "answers at" in repr(server)
        port = int(server.address.split(":")[2].removesuffix("/v1"))
        with pytest.raises(ConfigError, match=f"port {port} .*in use"):
            start(ScriptedLLM(["hi"]), port=port)
    server.stop()
    with pytest.raises(Unavailable):
        OpenAILLM("any", base_url=server.address).complete(ask())


OPTIONS = [
    {"llm": 5}, {"llm": "x"}, {"llm": object()}, {"port": "x"}, {"port": -1}, {"port": 70000},
    {"port": None}, {"port": 1.5}, {"host": 5}, {"token": ""}, {"token": 5}, {"token": "a b"},
    {"token": "ключ"}, {"classroom": "class.db"}, {"recordings": "r.db"}, {"faults": ["slow"]},
    {"refuses": "stop"}, {"refuses": 5}, {"ignores": "stop"}, {"ignores": [5]},
]  # fmt: skip


@pytest.mark.parametrize("given", OPTIONS, ids=range(len(OPTIONS)))
def test_a_wrong_option_is_one_clear_line(given):
    options = {"llm": ScriptedLLM(["x"]), **given}
    with pytest.raises(ConfigError):
        start(options.pop("llm"), **options)


@pytest.mark.parametrize("given", [("slow",), (5,), ([None],), ([], "x"), ([], -1), ([], None)])
def test_a_wrong_plan_of_faults_is_one_clear_line(given):
    plan, *seconds = given
    with pytest.raises(ConfigError):
        Faults(plan, **({"seconds": seconds[0]} if seconds else {}))


def test_a_function_is_served_like_any_model():
    with serving(lambda prompt: "hi") as address:
        assert OpenAILLM("any", base_url=address).complete(Request((user("q"),))).text == "hi"


def user(text: str) -> Message:
    return Message("user", text)


def test_the_address_is_the_one_it_listens_on():
    with start(ScriptedLLM(["x"]), host="localhost") as server:
        assert server.address == f"http://127.0.0.1:{server.port}/v1"


def test_the_model_may_be_asked_for_by_its_name() -> None:
    with start(ScriptedLLM([], model="small/one:2b")) as server:
        client = openai.OpenAI(base_url=server.address, api_key="none", max_retries=0)
        with client:
            assert client.models.retrieve("small/one:2b").id == "small/one:2b"
            with pytest.raises(openai.NotFoundError, match=r"there is 'small/one:2b'"):
                client.models.retrieve("other")
