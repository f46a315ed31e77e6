"""Calling a tool's function: awaited if need be, and given up after its time limit."""

from __future__ import annotations

import warnings
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from functools import partial
from inspect import isawaitable

from reactlab.errors import ReactlabWarning
from reactlab.threads import in_thread

Work = Callable[[], object]
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
        _warn_once("Time limits of tools need threads, which cannot start here: tools run without.")
        return settled(work())
    return _result(future, seconds)


async def acall(work: Work, seconds: float | None, *, is_async: bool) -> object:
    """The same for a caller with an event loop, in which whatever can be awaited is awaited.

    A function that is not async blocks the loop; the driver gives such calls a thread.
    """
    value = work() if is_async or seconds is None else call(work, seconds)
    if not isawaitable(value):
        return value
    return await (value if seconds is None else _within(value, seconds))


def settled(value: object) -> object:
    """Run what can be awaited to its end, also inside a running event loop; else `value`."""
    if isinstance(value, str) or not isawaitable(value):
        return value
    import asyncio

    run: Callable[[], object] = partial(asyncio.run, _waiting(value))
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run()
    return in_thread(run).result()


async def _waiting(value: Awaitable[object]) -> object:
    return await value


async def _within(value: Awaitable[object], seconds: float) -> object:
    import asyncio

    task = asyncio.ensure_future(value)
    try:
        await asyncio.wait({task}, timeout=seconds)
        if not task.done():
            raise TimedOut
        return task.result()
    finally:
        task.cancel()


def _result(future: Future[object], seconds: float) -> object:
    try:
        return future.result(seconds)
    except FutureTimeout:
        if not future.done():
            raise TimedOut from None
        return future.result()  # the function's own TimeoutError, or it came at the last moment


def _warn_once(message: str) -> None:
    if message not in _warned:
        _warned.append(message)
        warnings.warn(message, ReactlabWarning, stacklevel=2)
