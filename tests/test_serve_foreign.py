"""Clients that nobody here wrote, against the server: the SDK's own examples, pydantic-ai, curl."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import openai
import pytest
from pydantic import BaseModel

from reactlab import ScriptedLLM, ToolCall
from reactlab.serve import LocalServer, start
from reactlab.types import Completion, Message, Usage

ASK: list[Any] = [{"role": "user", "content": "Say this is a test"}]


class Weather(BaseModel):
    """The weather in a city."""

    city: str
    degrees: int


@pytest.fixture
def server() -> Iterator[LocalServer]:
    reply = Completion("This is a test, and a longer one.", usage=Usage(5, 9))
    with start(ScriptedLLM([reply], repeat_last=True)) as made:
        yield made


@pytest.fixture
def client(server: LocalServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=server.address, api_key="k", max_retries=0) as made:
        yield made


def test_the_sdk_s_raw_and_streaming_responses(client: openai.OpenAI) -> None:
    raw = client.chat.completions.with_raw_response.create(model="m", messages=ASK)
    assert raw.headers["content-type"] == "application/json"
    assert raw.parse().choices[0].message.content == "This is a test, and a longer one."
    with client.chat.completions.with_streaming_response.create(
        model="m", messages=ASK
    ) as response:
        assert json.loads("".join(response.iter_lines()))["object"] == "chat.completion"


def test_the_sdk_s_stream_helper(client: openai.OpenAI) -> None:
    options: Any = {"include_usage": True}
    with client.chat.completions.stream(model="m", messages=ASK, stream_options=options) as stream:
        kinds = [event.type for event in stream]
        whole = stream.get_final_completion()
    assert kinds.count("content.delta") > 1
    assert kinds.count("content.done") == 1
    assert whole.choices[0].message.content == "This is a test, and a longer one."
    assert whole.usage is not None
    assert whole.usage.total_tokens == 14


def test_the_sdk_reads_streamed_calls_into_a_model() -> None:
    calls = [ToolCall("Weather", {"city": "北京", "degrees": 7}) for _ in range(2)]
    tools = [openai.pydantic_function_tool(Weather)]
    with (
        start(ScriptedLLM([calls], repeat_last=True)) as server,
        openai.OpenAI(base_url=server.address, api_key="k", max_retries=0) as client,
    ):
        parsed = client.chat.completions.parse(model="m", messages=ASK, tools=tools)
        with client.chat.completions.stream(model="m", messages=ASK, tools=tools) as stream:
            kinds = [event.type for event in stream]
            streamed = stream.get_final_completion()
        with pytest.raises(openai.BadRequestError, match="response_format"):
            client.chat.completions.parse(model="m", messages=ASK, response_format=Weather)
    assert kinds.count("tool_calls.function.arguments.done") == 2
    for whole in (parsed, streamed):
        made = whole.choices[0].message.tool_calls or []
        assert [call.function.parsed_arguments for call in made] == [
            Weather(city="北京", degrees=7)
        ] * 2


def test_the_sdk_awaited(server: LocalServer) -> None:
    async def both() -> tuple[str, str]:
        settings: Any = {"base_url": server.address, "api_key": "k", "max_retries": 0}
        async with openai.AsyncOpenAI(**settings) as client:
            whole = await client.chat.completions.create(model="m", messages=ASK)
            stream = await client.chat.completions.create(model="m", messages=ASK, stream=True)
            pieces = [chunk.choices[0].delta.content or "" async for chunk in stream]
            names = [model.id async for model in client.models.list()]
        assert names == ["scripted"]
        return whole.choices[0].message.content or "", "".join(pieces)

    assert asyncio.run(both()) == ("This is a test, and a longer one.",) * 2


def test_the_sdk_s_own_retries_get_through(server: LocalServer) -> None:
    from reactlab.serve.faults import Faults

    plan = Faults(["rate_limit", "server_error"], seconds=0.01)
    with (
        start(ScriptedLLM(["fine"], repeat_last=True), faults=plan) as faulty,
        openai.OpenAI(base_url=faulty.address, api_key="k", max_retries=2) as client,
    ):
        reply = client.chat.completions.create(model="m", messages=ASK)
    assert reply.choices[0].message.content == "fine"
    assert len(faulty.requests) == 3


@pytest.mark.skipif(not shutil.which("curl"), reason="there is no curl")
def test_curl_as_the_documentation_has_it(server: LocalServer) -> None:
    body = '{"model": "m", "stream": true, "messages": [{"role": "user", "content": "你好"}]}'
    said = subprocess.run(
        ["curl", "-sN", "--noproxy", "*", f"{server.address}/chat/completions",
         "-H", "Content-Type: application/json", "-d", body],
        capture_output=True, text=True, encoding="utf-8", timeout=30, check=True,
    ).stdout  # fmt: skip
    events = said.removesuffix("\n\n").split("\n\n")
    assert events[-1] == "data: [DONE]"
    assert all(event.startswith("data: {") for event in events[:-1])


@asynccontextmanager
async def agent_of(server: LocalServer, **options: Any) -> AsyncIterator[Any]:
    """An agent of pydantic-ai with one tool, whose client is closed at the end."""
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    async with openai.AsyncOpenAI(base_url=server.address, api_key="k") as client:
        model = OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client))
        agent: Any = Agent(model, **options)

        @agent.tool_plain  # type: ignore[untyped-decorator]
        def degrees(city: str) -> int:
            """The temperature in a city."""
            return {"北京": 7}[city]

        yield agent


def after_a_tool(last: Any) -> ScriptedLLM:
    """A model that calls a tool, and then says what it got, or calls for the output."""
    return ScriptedLLM([ToolCall("degrees", {"city": "北京"}), last])


def test_pydantic_ai_with_a_tool() -> None:
    pytest.importorskip("pydantic_ai")
    llm = after_a_tool(lambda request: f"It is {request.messages[-1].content} degrees.")

    async def asked(server: LocalServer) -> Any:
        async with agent_of(server, instructions="Be brief.") as agent:
            return await agent.run("How warm is 北京?")

    with start(llm) as server:
        result = asyncio.run(asked(server))
    assert result.output == "It is 7 degrees."
    assert llm.requests[0].messages[0] == Message("system", "Be brief.")
    assert [message.role for message in llm.requests[1].messages[-2:]] == ["assistant", "tool"]


def test_pydantic_ai_streams_a_structured_output_after_a_tool() -> None:
    pytest.importorskip("pydantic_ai")
    final = ToolCall("final_result", {"city": "北京", "degrees": 7})

    async def followed(server: LocalServer) -> tuple[int, Any]:
        seen = 0
        async with (
            agent_of(server, output_type=Weather) as agent,
            agent.run_stream("How warm is 北京?") as result,
        ):
            async for _ in result.stream_output(debounce_by=None):
                seen += 1
            return seen, await result.get_output()

    with start(after_a_tool(final)) as server:
        seen, output = asyncio.run(followed(server))
    assert output == Weather(city="北京", degrees=7)
    assert seen > 1
    assert server.requests[-1]["tool_choice"] == "required"
