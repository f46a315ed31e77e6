"""Calling a tool's function: awaited if need be, and given up after its time limit."""

from __future__ import annotations

import warnings
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from threading import TIMEOUT_MAX
from types import CoroutineType

from reactlab.errors import ReactlabWarning, ToolError
from reactlab.threads import in_thread
from reactlab.wording import say

Work = Callable[[], object]
_NO_THREADS = "Time limits of tools need threads, which cannot start here: tools run without."
_NO_WAITING = "This tool is async and no thread can start here; run the agent with await arun()."
_warned: list[str] = []


class TimedOut(Exception):
    """A call took longer than its limit; where it runs in a thread, it still goes on there."""


def call(work: Work, seconds: float | None) -> object:
    """Call `work`, wait for what it returns, and raise `TimedOut` after `seconds`.

    With a limit the call runs in a daemon thread, where it can be left behind. Where threads
    cannot start (in a browser) it runs without the limit, and a warning says so once.
    """
    if seconds is None:
        return settled(work())
    try:
        future = in_thread(lambda: settled(work()))
    except RuntimeError:
        if not _warned:
            _warned.append(_NO_THREADS)
            warnings.warn(_NO_THREADS, ReactlabWarning, stacklevel=2)
        return settled(work())
    try:
        return future.result(min(seconds, TIMEOUT_MAX))
    except TimeoutError:
        if future.done():
            return future.result()  # its own TimeoutError, or it came at the last moment
        raise TimedOut from None


async def acall(work: Work, seconds: float | None, *, is_async: bool) -> object:
    """The same for a caller with an event loop, in which whatever can be awaited is awaited.

    A function that is not async blocks the loop; the driver gives such calls a thread.
    """
    import asyncio  # loaded by those who use it: it takes its time

    value = work() if is_async or seconds is None else call(work, seconds)
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await value if isawaitable(value) else value
    except TimeoutError:
        if limit.expired():
            raise TimedOut from None
        raise


def within(seconds: float | None, work: Work) -> object:
    """What `work` returns; raises `TimedOut` when that takes longer than `seconds`."""
    return work() if seconds is None else call(work, seconds)


def left_of(seconds: float | None, spent: float) -> float | None:
    """What is left of a limit; raises `TimedOut` if nothing is."""
    if seconds is not None and spent >= seconds:
        raise TimedOut
    return None if seconds is None else seconds - spent


def settled(value: object) -> object:
    """Run what can be awaited to its end, also inside a running event loop; else `value`."""
    if isinstance(value, str) or not isawaitable(value):
        return value
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_waiting(value))
    try:
        started = in_thread(lambda: asyncio.run(_waiting(value)))
    except RuntimeError:
        if isinstance(value, CoroutineType):
            value.close()
        raise ToolError(say(_NO_WAITING)) from None
    return started.result()


async def _waiting(value: Awaitable[object]) -> object:
    return await value
