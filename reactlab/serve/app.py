"""An OpenAI-compatible server over any model of the package, as a Starlette application."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HTTPRequest
from starlette.responses import Response
from starlette.routing import Route

from reactlab.errors import ConfigError, ModelError, RateLimited, Refused, Unavailable
from reactlab.llm.servers import refuses_tools
from reactlab.serve.reading import Rejected
from reactlab.serve.service import HERE, Service
from reactlab.serve.streams import Cut, Events, Pieces, Streamed, unless_gone
from reactlab.serve.writing import Writer

LOG = logging.getLogger("reactlab.serve")
MOST_BYTES = 4_000_000
"""The largest body that is read."""

FAILURES: tuple[tuple[type[Exception], int, str], ...] = (
    (RateLimited, 429, "rate_limit_exceeded"),
    (Unavailable, 503, "model_unavailable"),
    (Refused, 400, "content_filter"),
    (ModelError, 424, "model_failed"),
    (ConfigError, 400, "model_cannot"),
    (RecursionError, 400, "nested_too_deeply"),
)
"""Status and code for what a model raises. 424 says that the same request would fail again."""


class Routes:
    """What is answered at each path."""

    def __init__(self, service: Service) -> None:
        self.service = service

    async def models(self, http: HTTPRequest) -> Response:
        """The one model there is, in a list or asked for by its name."""
        self.service.admit(http)
        name = self.service.llm.model
        asked = http.path_params.get("name", name)
        if asked != name:
            told = f"There is no model {asked!r}; there is {name!r}."
            raise Rejected(told, status=404, code="model_not_found")
        model = {"id": name, "object": "model", "created": 0, "owned_by": "reactlab"}
        return _json(model if http.path_params else {"object": "list", "data": [model]})

    async def usage(self, http: HTTPRequest) -> Response:
        """A learner's own requests: made, allowed and left."""
        learner = self.service.learner(self.service.admit(http))
        if learner is None:
            raise Rejected("This server counts no requests.", status=404)
        left = max(0, learner.budget - learner.used)
        return _json({"object": "usage", **learner._asdict(), "left": left})

    async def chat(self, http: HTTPRequest) -> Response:
        """A chat completion, whole or as a stream."""
        service = self.service
        token = service.admit(http)
        asked = service.read(await _body(http))
        fault = service.fault(http)
        if fault == "slow":
            await unless_gone(http, asyncio.sleep(service.faults.seconds))
        writer = service.writer(asked, fault)
        if asked.stream:
            events = _events(service.stream(asked, token, writer.id, fault), writer, fault)
            first = await unless_gone(http, anext(events))
            return Streamed(self._after(first, events), events)
        completion = service.complete(asked, token, writer.id, fault)
        return _json(writer.whole(await unless_gone(http, completion)))

    async def _after(self, first: bytes, rest: Events) -> Events:
        """The first event and the others; an error among them, with the status sent, is one."""
        yield first
        try:
            async for event in rest:
                yield event
        except (Rejected, ModelError, ConfigError) as error:
            yield _event(self.rejected(error).body())

    async def failed(self, http: HTTPRequest, error: Any) -> Response:
        """The error as a reply in the API's shape; some servers put it into one of status 200."""
        if isinstance(error, HTTPException) and error.status_code == 404:
            path = f"{http.method} {http.url.path}"
            if self.service.odd_paths and not http.url.path.startswith("/v1/"):
                return _json({"error": f"Unexpected endpoint or method. ({path})"})
            error = Rejected(f"Unknown request URL: {path}; paths begin with /v1.", status=404)
        told = self.rejected(error)
        return _json(told.body(), told.status, told.headers)

    def rejected(self, error: Any) -> Rejected:
        """Any error as one of the API; a classroom is told less of what went wrong."""
        if isinstance(error, Rejected):
            return error
        if isinstance(error, HTTPException):
            return Rejected(error.detail, status=error.status_code, headers=error.headers)
        found = [(status, code) for kind, status, code in FAILURES if isinstance(error, kind)]
        status, code = found[0] if found else (500, "")
        wait = getattr(error, "retry_after", None)
        headers = {} if wait is None else {"Retry-After": f"{wait:g}"}
        told = str(error) if found else f"The model failed with {type(error).__name__}: {error}"
        private = isinstance(error, ConfigError) and not refuses_tools(told)
        if self.service.classroom and (private or not found):
            LOG.warning("The model failed: %s", error if found else type(error).__name__)
            told = "The model behind this server is not set up well; tell your teacher."
        return Rejected(told, status=status, code=code, headers=headers)


def make_app(service: Service) -> Starlette:
    """The routes of an OpenAI-compatible server.

    With a token or a classroom any page may call it; else those of this machine (CORS).
    """
    routes = Routes(service)
    origins = {"allow_origin_regex": HERE.pattern} if service.open else {"allow_origins": ["*"]}
    cors: Any = Middleware(CORSMiddleware, **origins, allow_methods=["*"], allow_headers=["*"])
    kinds = (Rejected, HTTPException, ModelError, ConfigError, Exception)
    handlers: dict[Any, Any] = dict.fromkeys(kinds, routes.failed)
    return Starlette(
        routes=[
            Route("/v1/models", routes.models),
            Route("/v1/models/{name:path}", routes.models),
            Route("/v1/usage", routes.usage),
            Route("/v1/chat/completions", routes.chat, methods=["POST"]),
        ],
        middleware=[cors],
        exception_handlers={**handlers, ClientDisconnect: _nobody},
    )


async def _body(http: HTTPRequest) -> Any:
    """The JSON of a request's body."""
    read = bytearray()
    async for part in http.stream():
        read += part
        if len(read) > MOST_BYTES:
            headers = {"Connection": "close"}
            told = f"The body is over {MOST_BYTES} bytes."
            raise Rejected(told, status=413, headers=headers)
    try:
        return json.loads(read)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"We could not parse the JSON body of your request ({error}).") from None


async def _events(made: Pieces, writer: Writer, fault: str) -> Events:
    """A reply as server-sent events."""
    begun = 0
    async with aclosing(made):
        async for piece in made:
            for chunk in writer.chunks(piece):
                begun += 1
                if fault == "cut_stream" and begun == 3:
                    raise Cut
                yield _event(chunk)
    yield b"data: [DONE]\n\n"


def _event(value: Any) -> bytes:
    return b"data: " + _dumped(value) + b"\n\n"


async def _nobody(http: HTTPRequest, error: Exception) -> Response:
    """What nobody receives any more."""
    return Response(status_code=499)


def _json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(_dumped(value), status, headers, "application/json")


def _dumped(value: Any) -> bytes:
    """The value as JSON; half a surrogate pair, which JSON can hold and UTF-8 cannot, is "?"."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
