"""A real HTTP server with a script, for tests: what it answers, and what it was sent."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def chat(text: str | None = "hi", **more: Any) -> dict[str, Any]:
    finish = more.pop("finish", "stop")
    message = {"role": "assistant", "content": text, **more}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "m",
            "choices": [choice], "usage": usage}  # fmt: skip


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m",
            "choices": [choice]}  # fmt: skip


def piece(index: int | None, id: str | None = None, name: str | None = None, text: str = "") -> Any:
    made = {"index": index, "id": id, "function": {"name": name, "arguments": text}}
    return {key: value for key, value in made.items() if value is not None}


class Answer:
    """What a server does with a request: a status and a body, or raw bytes of a stream."""

    def __init__(self, body: Any, status: int = 200, **headers: str) -> None:
        self.body, self.status, self.headers = body, status, headers
        self.cut_at = 0  # where a packet ends in between


class Endless(Answer):
    """Streams without end, or answers nothing at all, until the client is gone; `gone` tells."""

    def __init__(self, chunk: Any = None) -> None:
        super().__init__(b"")
        self.line = f"data: {json.dumps(chunk)}\n\n".encode() if chunk else b""
        self.gone = threading.Event()

    def carry_out(self, handler: BaseHTTPRequestHandler) -> None:
        try:
            if not self.line:
                handler.rfile.read(1)  # returns when the client closes its end
                return
            handler.send_response(200)
            handler.send_header("Content-Type", "text/event-stream")
            handler.end_headers()
            while True:
                handler.wfile.write(self.line)
        except OSError:
            pass
        finally:
            handler.close_connection = True
            self.gone.set()


def fails(status: int, message: str, parameter: str | None = None, **headers: str) -> Answer:
    return Answer(
        {"error": {"message": message, "param": parameter, "type": "x"}}, status, **headers
    )


def stream(*chunks: Any, end: bool = True) -> Answer:
    lines = [f"data: {json.dumps(one, ensure_ascii=False)}\n\n" for one in chunks]
    return Answer("".join([*lines, "data: [DONE]\n\n" if end else ""]).encode())


def streamed(reply: dict[str, Any]) -> Answer:
    """A whole reply as the server would stream it: text in two pieces, calls in three."""
    choice = (reply.get("choices") or [{}])[0]
    message = choice.get("message") or {}
    plain = {name: value for name, value in message.items() if name in PLAIN and value}
    chunks = [chunk(**{name: value}) for name, value in plain.items()]
    text = message.get("content")
    if isinstance(text, str):
        chunks += [chunk(content=part) for part in (text[:1], text[1:]) if part]
    for index, call in enumerate(message.get("tool_calls") or []):
        function, rest = call.get("function") or {}, {**call, "index": index}
        chunks.append(chunk(tool_calls=[{**rest, "function": {**function, "arguments": ""}}]))
        given = function.get("arguments")
        parts = (given[:3], given[3:]) if isinstance(given, str) else (given,)
        pieces = [{"index": index, "function": {"arguments": part}} for part in parts]
        chunks += [chunk(tool_calls=[one]) for one in pieces]
    usage = {**chunk(), "choices": [], "usage": reply.get("usage")}
    return stream(*chunks, chunk(choice.get("finish_reason")), usage)


PLAIN = ("reasoning_content", "reasoning", "refusal")


class Body(dict[str, Any]):
    """A request's body, with its path and headers."""

    path: str
    headers: dict[str, str]


@contextmanager
def serve(answer: Any, *, streams: bool = False) -> Iterator[tuple[str, list[Any]]]:
    """A real server; `answer` is a function of the body, or a list of answers in order.

    With `streams`, a reply is streamed to whom asks for it; else he gets it whole.
    """
    seen: list[Body] = []
    queue = list(answer) if isinstance(answer, (list, tuple)) else None
    models = {"object": "list", "data": [{"id": "m", "object": "model"}]}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(Answer(models if self.path == "/v1/models" else {}, 200))

        def do_POST(self) -> None:
            body = Body(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            body.path, body.headers = self.path, {k.lower(): v for k, v in self.headers.items()}
            seen.append(body)
            one = queue.pop(0) if queue else answer(body)
            if streams and body.get("stream") and isinstance(one, dict) and one.get("choices"):
                one = streamed(one)
            self._answer(one if isinstance(one, Answer) else Answer(one))

        def _answer(self, one: Answer) -> None:
            if isinstance(one, Endless):
                one.carry_out(self)
                return
            raw = isinstance(one.body, bytes)
            data = one.body if raw else json.dumps(one.body).encode()
            self.send_response(one.status)
            kind = "text/event-stream" if raw else "application/json"
            if not raw:
                self.send_header("Content-Length", str(len(data)))
            for name, value in {"Content_Type": kind, **one.headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(data[: one.cut_at])
            self.wfile.flush()
            time.sleep(0.05 if one.cut_at else 0)
            self.wfile.write(data[one.cut_at :])

        def log_message(self, *args: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as web:
        threading.Thread(target=web.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{web.server_port}/v1", seen
        web.shutdown()
