"""An OpenAI-compatible server over any model of the package, as a Starlette application."""

from __future__ import annotations

import hmac
import itertools
import json
from collections import deque
from collections.abc import Iterator
from typing import Any

from anyio import sleep, to_thread
from starlette.applications import Starlette
from starlette.concurrency import iterate_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request as HTTPRequest
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from reactlab.errors import ConfigError, EmptyReply, ModelError, RateLimited, Refused, Unavailable
from reactlab.serve.classroom import Classroom
from reactlab.serve.faults import HEADER, Faults, spoil
from reactlab.serve.wire import BadBody, chunks, error_body, read_request, whole
from reactlab.types import LLM, Completion, Request

STATUS: dict[type[Exception], int] = {
    BadBody: 400,
    ConfigError: 400,
    RateLimited: 429,
    Unavailable: 503,
    Refused: 400,
    EmptyReply: 502,
    ModelError: 502,
}


class Service:
    """What the routes share: the model, who may use it, and which faults are due."""

    def __init__(
        self,
        llm: LLM,
        *,
        token: str | None = None,
        classroom: Classroom | None = None,
        faults: Faults | None = None,
    ) -> None:
        self.llm = llm
        self.token = token
        self.classroom = classroom
        self.faults = faults or Faults()
        self.numbers = itertools.count(1)
        self.seen: deque[dict[str, Any]] = deque(maxlen=0 if classroom else 200)

    def admit(self, request: HTTPRequest, *, spending: bool) -> None:
        """Raise unless the request's token is known and, for a learner, has requests left."""
        given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        if self.token is not None and not hmac.compare_digest(given.encode(), self.token.encode()):
            raise HTTPException(401, "The token is missing or wrong.")
        if self.classroom is None:
            return
        if not self.classroom.knows(given):
            raise HTTPException(401, "The token is missing or wrong.")
        if spending and self.classroom.spend(given) is None:
            raise HTTPException(429, "Your request budget is used up; ask your teacher for more.")

    async def models(self, request: HTTPRequest) -> Response:
        """The one model there is."""
        self.admit(request, spending=False)
        one = {"id": self.llm.model, "object": "model", "created": 0, "owned_by": "reactlab"}
        return JSONResponse({"object": "list", "data": [one]})

    async def chat(self, request: HTTPRequest) -> Response:
        """A chat completion, whole or as a stream."""
        self.admit(request, spending=True)
        try:
            body = await request.json()
        except ValueError as error:
            raise BadBody(f"The body is no JSON: {error}") from None
        asked = read_request(body)
        self.seen.append(body)
        fault = self.faults.next(request.headers.get(HEADER))
        if fault == "rate_limit":
            return _error(429, "Rate limit reached (on demand).", retry_after=self.faults.seconds)
        if fault == "server_error":
            return _error(500, "Internal error (on demand).")
        if fault == "slow":
            await sleep(self.faults.seconds)
        completion = spoil(await self.complete(asked), fault)
        name, number = self.llm.model, next(self.numbers)
        if not body.get("stream"):
            return JSONResponse(whole(completion, name, number))
        usage = bool((body.get("stream_options") or {}).get("include_usage"))
        events = chunks(completion, name, number, with_usage=usage)
        sent = _events(events, cut=fault == "cut_stream")
        return StreamingResponse(iterate_in_threadpool(sent), media_type="text/event-stream")

    async def complete(self, asked: Request) -> Completion:
        """Ask the model; one without an async twin is asked in a thread."""
        if hasattr(self.llm, "acomplete"):
            return await self.llm.acomplete(asked)  # type: ignore[no-any-return]
        return await to_thread.run_sync(self.llm.complete, asked)


def _events(made: Iterator[dict[str, Any]], *, cut: bool) -> Iterator[str]:
    for number, event in enumerate(made):
        if cut and number == 2:
            raise ConnectionAbortedError("the stream was cut on demand")
        yield f"data: {json.dumps(event, ensure_ascii=False)}\n\n"
    yield "data: [DONE]\n\n"


def make_app(service: Service) -> Starlette:
    """The routes of an OpenAI-compatible server; any page may call it (CORS)."""
    routes = [
        Route("/v1/models", service.models),
        Route("/v1/chat/completions", service.chat, methods=["POST"]),
    ]
    cors = Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"])
    handlers: dict[Any, Any] = {HTTPException: _http_error}
    handlers |= dict.fromkeys(STATUS, _model_error)
    return Starlette(routes=routes, middleware=[cors], exception_handlers=handlers)


async def _http_error(request: HTTPRequest, error: HTTPException) -> Response:
    return _error(error.status_code, error.detail)


async def _model_error(request: HTTPRequest, error: Any) -> Response:
    kinds = [kind for kind in type(error).__mro__ if kind in STATUS]
    parameter = getattr(error, "parameter", "")
    wait = getattr(error, "retry_after", None)
    return _error(STATUS[kinds[0]], error.message, parameter, retry_after=wait)


def _error(
    status: int, message: str, parameter: str = "", *, retry_after: float | None = None
) -> Response:
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
    kind = kinds.get(status, "invalid_request_error" if status < 500 else "server_error")
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
    return JSONResponse(error_body(message, kind, parameter), status, headers)
