"""What becomes of connections, clients and failures, end to end through the real SDK."""

from __future__ import annotations

import asyncio
import gc
import pickle
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai
import pytest
from conftest import Runner
from http_server import Body, Endless, chat, chunk, fails, serve

from reactlab import (
    ConfigError,
    Message,
    OpenAILLM,
    ReActAgent,
    ReActAgentFunctionCall,
    ReactlabWarning,
    Request,
    StopReason,
)
from reactlab.policies.retrying import retry_when_down, wait_when_limited


def status() -> str:
    """Say how it is."""
    return "fine"


def agent(web: str, **options: Any) -> ReActAgentFunctionCall:
    return ReActAgentFunctionCall(OpenAILLM("m", base_url=web), [status], **options)


def ours() -> set[threading.Thread]:
    """The threads that are no server's; a server's own end with it."""
    return {one for one in threading.enumerate() if "process_request" not in one.name}


def test_a_client_of_ones_own_brings_its_headers_on_every_path(run: Runner) -> None:
    with serve(lambda body: chat("done"), streams=True) as (web, seen):
        client = openai.OpenAI(
            base_url=web,
            api_key="my-own-key",
            organization="my-organization",
            default_headers={"X-Course": "seven"},
        )
        trace = run(ReActAgentFunctionCall(client, [status], model="some-model"), "q")
        client.close()
    assert str(trace) == "done"
    (body,) = seen
    assert (body["model"], trace.model) == ("some-model", "some-model")
    assert body.headers["authorization"] == "Bearer my-own-key"
    assert body.headers["openai-organization"] == "my-organization"
    assert body.headers["x-course"] == "seven"


def test_a_client_of_ones_own_is_not_closed_and_its_retries_are_off() -> None:
    with serve(lambda body: fails(500, "boom")) as (web, seen):
        client = openai.OpenAI(base_url=web, api_key="k", max_retries=5)
        llm = OpenAILLM("m", client=client)
        trace = ReActAgentFunctionCall(llm, [status], policies=()).run("q")
        del llm
        gc.collect()
        assert not client.is_closed()
        client.close()
    assert (len(seen), trace.stop_reason) == (1, StopReason.MODEL_ERROR)


def test_a_model_with_a_client_of_ones_own_travels_with_its_headers(run: Runner) -> None:
    with serve(lambda body: chat("done"), streams=True) as (web, seen):
        client = openai.OpenAI(base_url=web, api_key="k", default_headers={"X-Course": "seven"})
        llm = pickle.loads(pickle.dumps(OpenAILLM("m", client=client)))
        client.close()
        assert str(run(ReActAgentFunctionCall(llm, [status]), "q")) == "done"
    assert seen[0].headers["x-course"] == "seven"


def test_an_asynchronous_client_is_refused_with_what_to_give() -> None:
    client = openai.AsyncOpenAI(base_url="http://127.0.0.1:9/v1", api_key="k")
    for make in (
        lambda: ReActAgentFunctionCall(client, [], model="m"),
        lambda: OpenAILLM("m", client=client),  # type: ignore[arg-type]
    ):
        with pytest.raises(ConfigError, match=r"openai\.OpenAI object"):
            make()
    asyncio.run(client.close())


def test_a_server_that_stays_down_is_asked_a_bounded_number_of_times(run: Runner) -> None:
    with serve(lambda body: fails(500, "boom")) as (web, seen):
        trace = run(agent(web, policies=[retry_when_down(attempts=3, pause=0.01)]), "q")
    assert len(seen) == 3
    assert trace.stop_reason is StopReason.MODEL_ERROR
    assert "status 500: boom" in trace.detail
    assert "asked 3 times" in trace.detail


def test_waits_for_a_rate_limit_are_bounded_in_number_and_in_length(run: Runner) -> None:
    with serve(lambda body: fails(429, "slow", Retry_After="0.01")) as (web, seen):
        trace = run(agent(web, policies=[wait_when_limited(attempts=4)]), "q")
    assert (len(seen), trace.stop_reason) == (4, StopReason.MODEL_ERROR)
    with serve(lambda body: fails(429, "slow", Retry_After="86400")) as (web, seen):
        trace = run(agent(web), "q")
    assert (len(seen), trace.stop_reason) == (1, StopReason.MODEL_ERROR)


@pytest.mark.parametrize("where", ["code", "type"])
def test_a_quota_that_is_used_up_is_not_waited_for(run: Runner, where: str) -> None:
    def answer(body: Body) -> Any:
        refusal = fails(429, "You exceeded your current quota.", Retry_After="0.01")
        refusal.body["error"][where] = "insufficient_quota"
        return refusal

    with serve(answer) as (web, seen):
        trace = run(agent(web), "q")
    assert (len(seen), trace.stop_reason) == (1, StopReason.MODEL_ERROR)
    assert "paid" in trace.detail
    assert "exceeded" in trace.detail


def test_closing_a_run_in_the_middle_of_a_piece_ends_the_request() -> None:
    before, answer = ours(), Endless(chunk(content="word "))
    with serve(lambda body: answer) as (web, seen), warnings.catch_warnings():
        warnings.simplefilter("error")
        events = agent(web).iter("q")
        pieces = (event for event in events if event.phase == "piece")
        assert next(pieces).item.text == "word "
        events.close()
        assert answer.gone.wait(10)
        gc.collect()
    assert ours() <= before
    assert len(seen) == 1


@pytest.mark.parametrize("after", [0.0, 0.2])
def test_cancelling_an_awaited_run_ends_the_request_and_leaves_nothing(after: float) -> None:
    before, answer = ours(), Endless()

    async def main(one: ReActAgent) -> int:
        task = asyncio.create_task(one.arun("q"))
        while after and not seen:
            await asyncio.sleep(0.01)
        await asyncio.sleep(after)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        if after:
            assert await asyncio.to_thread(answer.gone.wait, 10)
        return len(asyncio.all_tasks())

    with serve(lambda body: answer) as (web, seen), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert asyncio.run(main(agent(web))) == 1
        gc.collect()
    assert ours() <= before


def test_a_model_serves_many_threads_and_event_loops_at_once() -> None:
    def answer(body: Body) -> Any:
        return chat(body["messages"][-1]["content"])

    async def several(one: ReActAgent, words: list[str]) -> list[str]:
        return [str(trace) for trace in await asyncio.gather(*(one.arun(word) for word in words))]

    words = [f"word{number}" for number in range(6)]
    with serve(answer) as (web, seen), warnings.catch_warnings():
        warnings.simplefilter("error")
        one = agent(web)
        with ThreadPoolExecutor(4) as pool:
            plain = [pool.submit(one.run, word) for word in words]
            loops = [pool.submit(asyncio.run, several(one, words)) for _ in range(2)]
            assert [str(done.result()) for done in plain] == words
            assert [done.result() for done in loops] == [words, words]
        gc.collect()
        assert len(one.llm._connection._aclients) == 0
    assert len(seen) == 18


def test_calls_at_once_learn_what_is_refused_once() -> None:
    refusing = threading.Barrier(4, timeout=10)

    def answer(body: Body) -> Any:
        if "stop" not in body:
            return chat("hi")
        refusing.wait()
        return fails(400, "'stop' is not supported with this model.", "stop")

    request = Request((Message("user", "q"),), stop=("x",))
    with serve(answer) as (web, seen), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        llm = OpenAILLM("m", base_url=web)
        with ThreadPoolExecutor(4) as pool:
            replies = list(pool.map(llm.complete, [request] * 4))
    assert [reply.text for reply in replies] == ["hi"] * 4
    assert len([one for one in warned if one.category is ReactlabWarning]) == 1
    assert len(seen) == 8
