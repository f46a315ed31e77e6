"""Replies in pieces: a model's generator awaited, ended at a stop sequence or by the client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from anyio import CancelScope
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HTTPRequest
from starlette.responses import StreamingResponse

from reactlab.llm.protocol import cut, streamed
from reactlab.threads import in_thread
from reactlab.types import LLM, Completion, Delta, Request

T = TypeVar("T")
Events = AsyncGenerator[bytes, None]
Pieces = AsyncGenerator[Delta | Completion, None]


class Cut(Exception):
    """The connection is to be closed here, in the middle of a reply."""


async def pumped(llm: LLM, request: Request) -> Pieces:
    """The deltas of `llm.stream`, each made in a thread, and at last its completion.

    Closing this ends the model's generator as soon as it yields again.
    """
    made = streamed(llm, request)
    work = in_thread(partial(next, made, None))
    try:
        while piece := await asyncio.wrap_future(work):
            yield piece
            work = in_thread(partial(next, made, None))
    finally:
        work.add_done_callback(lambda _: made.close())


async def until_stop(made: Pieces, stop: tuple[str, ...]) -> Pieces:
    """The pieces up to the first stop sequence, also where it comes in two of them."""
    held = ""
    async with aclosing(made):
        async for piece in made:
            if isinstance(piece, Completion):
                if held:
                    yield Delta(held)
                yield piece
                return
            text = held + piece.text
            shown = cut(text, stop)
            if shown != text:
                yield Delta(shown)
                yield Completion(shown)
                return
            keep = _begun(text, stop)
            held = text[len(text) - keep :]
            if keep < len(text) or piece.reasoning or piece.call:
                yield replace(piece, text=text[: len(text) - keep])


def _begun(text: str, stop: tuple[str, ...]) -> int:
    """How many characters at the end of the text may be the beginning of a stop sequence."""
    sizes = (size for word in stop for size in range(1, len(word)) if text.endswith(word[:size]))
    return max(sizes, default=0)


async def unless_gone(http: HTTPRequest, work: Coroutine[Any, Any, T]) -> T:
    """What `work` comes to; if the client hangs up first, it is cancelled."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(http.receive())
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect
    finally:
        gone.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


class Streamed(StreamingResponse):
    """A stream of events that are made from `source`; both are closed however it ends.

    `Cut` closes the connection too.
    """

    media_type = "text/event-stream"

    def __init__(self, events: Events, source: Events) -> None:
        super().__init__(events, headers={"Cache-Control": "no-cache"})
        self._made = (events, source)

    async def stream_response(self, send: Any) -> None:
        """Send what the generator yields, up to its end or a `Cut`."""
        with suppress(Cut):
            await super().stream_response(send)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            with CancelScope(shield=True):
                for made in self._made:
                    await made.aclose()
