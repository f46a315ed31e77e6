"""Measure what the package adds to the official SDK, and how it keeps many runs going at once.

    python tests/perf/servers.py              both, with a local server in a process of its own
    python tests/perf/servers.py sdk 20       only 20 runs with the bare SDK (to count instructions)
    python tests/perf/servers.py agent 20     the same runs with an agent

Figures belong into docs/speed.md with date and conditions. Nothing here is a test. Instructions
are counted with `valgrind --tool=callgrind` around the second and third form: the difference of two
counts leaves out the start of Python and the imports.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from reactlab import (
    Completion,
    OpenAILLM,
    ReActAgentFunctionCall,
    Request,
    Tool,
    ToolCall,
    ToolRegistry,
)
from reactlab.prompts import PromptTemplate, load

RUNS, CALL = 200, 0.05
ADDRESS = "REACTLAB_PERF_ADDRESS"
QUESTION = "Say it twice."


def echo(text: str) -> str:
    """Say it again."""
    return text


# Over the bare SDK


def replies() -> Iterator[dict[str, Any]]:
    """What the server says, over and over: two tool calls, one after the other, then an answer."""
    while True:
        for number in (1, 2):
            function = {"name": "echo", "arguments": json.dumps({"text": f"word {number}"})}
            call = {"id": f"call_{number}", "type": "function", "function": function}
            yield {"role": "assistant", "content": None, "tool_calls": [call]}
        yield {"role": "assistant", "content": "done"}


class Handler(BaseHTTPRequestHandler):
    """The smallest server that the SDK takes for one: connections stay open."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet: else each reply waits for an acknowledgement
    said = replies()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        message = next(self.said)
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        choice = {"index": 0, "message": message, "finish_reason": finish}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        body = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
        sent = json.dumps({**body, "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *args: Any) -> None: ...


@contextmanager
def server() -> Iterator[str]:
    """The server in a process of its own, so that what it does is not counted."""
    own = [sys.executable, __file__, "serve"]
    with subprocess.Popen(own, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def serve() -> None:
    """Serve until killed; the address is printed first."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as web:
        print(f"http://127.0.0.1:{web.server_port}/v1", flush=True)
        web.serve_forever()


def by_sdk(address: str) -> Callable[[], str]:
    """The same two calls by hand with the bare SDK, same bodies: no trace, no validation."""
    from openai import OpenAI

    tools = ToolRegistry([Tool("echo", "Say it again.", echo)])
    system = PromptTemplate(load("tools", "en")).format(
        tool_descriptions=tools.to_prompt(), question=QUESTION
    )
    (schema,) = tools.to_openai_schema()
    client = OpenAI(base_url=address, api_key="none", max_retries=0)

    def run() -> str:
        messages: list[Any] = [
            {"role": "system", "content": system},
            {"role": "user", "content": QUESTION},
        ]
        while True:
            reply = client.chat.completions.create(model="m", messages=messages, tools=[schema])
            message = reply.choices[0].message
            if not message.tool_calls:
                return message.content or ""
            calls = [call.model_dump() for call in message.tool_calls]
            said = {"role": "assistant", "content": message.content, "tool_calls": calls}
            messages.append(said)
            for call in message.tool_calls:
                told = echo(**json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": told})

    return run


def by_agent(address: str) -> Callable[[], str]:
    """The same run with our agent."""
    llm = OpenAILLM("m", base_url=address)
    agent = ReActAgentFunctionCall(llm, [Tool("echo", "Say it again.", echo)])
    return lambda: str(agent.run(QUESTION))


def instructions(kind: str, runs: int, address: str) -> int:
    """Instructions of a process that makes so many runs, as callgrind counts them."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable]
    done = subprocess.run(
        [*command, __file__, kind, str(runs)],
        env={**os.environ, ADDRESS: address, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found, done.stderr
    return int(found[1])


def seconds_each(run: Callable[[], str], runs: int = 60) -> float:
    """CPU seconds of one run, the best of five rounds."""
    rounds = []
    for _ in range(5):
        began = time.process_time()
        for _ in range(runs):
            run()
        rounds.append((time.process_time() - began) / runs)
    return min(rounds)


# Many runs at once


class Slow:
    """A model that takes 50 ms for each reply: three tool calls, then the answer."""

    model = "slow"

    def reply(self, request: Request) -> Completion:
        done = sum(message.role == "tool" for message in request.messages)
        if done == 3:
            return Completion("done")
        return Completion(calls=(ToolCall("echo", {"text": f"word {done}"}, f"call_{done}"),))

    def complete(self, request: Request) -> Completion:
        time.sleep(CALL)
        return self.reply(request)

    async def acomplete(self, request: Request) -> Completion:
        await asyncio.sleep(CALL)
        return self.reply(request)


def at_once() -> tuple[float, float, float]:
    """CPU seconds and wall seconds of 200 runs with `arun`, and the ideal wall time."""
    agent = ReActAgentFunctionCall(Slow(), [Tool("echo", "Say it again.", echo)])

    async def everything() -> None:
        answers = await asyncio.gather(*(agent.arun(QUESTION) for _ in range(RUNS)))
        assert {str(trace) for trace in answers} == {"done"}

    return _timed(lambda: asyncio.run(everything()))


def in_threads() -> tuple[float, float, float]:
    """The same with `run` in 200 threads."""
    agent = ReActAgentFunctionCall(Slow(), [Tool("echo", "Say it again.", echo)])

    def everything() -> None:
        threads = [threading.Thread(target=agent.run, args=(QUESTION,)) for _ in range(RUNS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return _timed(everything)


def _timed(func: Callable[[], None]) -> tuple[float, float, float]:
    func()  # what is loaded at the first use
    cpu, wall = time.process_time(), time.perf_counter()
    func()
    return time.process_time() - cpu, time.perf_counter() - wall, 4 * CALL


def main() -> None:
    """Print every figure."""
    kind, *rest = [*sys.argv[1:], ""]
    if kind == "serve":
        return serve()
    if kind in ("sdk", "agent"):
        run = {"sdk": by_sdk, "agent": by_agent}[kind](os.environ[ADDRESS])
        for _ in range(int(rest[0])):
            assert run() == "done"
        return None
    for name, (cpu, wall, ideal) in {"arun": at_once(), "threads": in_threads()}.items():
        print(
            f"{RUNS} runs, {name}: {cpu:.2f} s CPU, {wall:.2f} s wall, {wall / ideal:.2f} x ideal"
        )
    with server() as address:
        bare, ours = (seconds_each(make(address)) * 1e3 for make in (by_sdk, by_agent))
        print(f"a run of three calls: SDK {bare:.2f} ms CPU, ours {ours:.2f}: {ours / bare:.3f} x")
        counts = {
            kind: (instructions(kind, 12, address) - instructions(kind, 4, address)) / 8
            for kind in ("sdk", "agent")
        }
        ratio = counts["agent"] / counts["sdk"]
        print(f"instructions a run: {counts}: {ratio:.3f} x")
    return None


if __name__ == "__main__":
    main()
