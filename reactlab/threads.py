"""Run a function in a daemon thread: what limits, side-by-side calls and async runs stand on."""

from __future__ import annotations

import contextvars
import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
IDLE = 1.0
"""Seconds that a thread waits for another call before it ends."""


class Lock:
    """A lock that travels: a copy in another process has one of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[Lock], tuple[()]]:
        return Lock, ()


class Worker(threading.Thread):
    """A thread that makes one call after another, as long as there are any.

    It is a daemon, so a call that hangs never holds the exit of the program, which a pool's
    worker would; and nothing ever waits for a hanging one, because only idle ones are taken.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True, name="reactlab")
        self.calls: SimpleQueue[Callable[[], Callable[[], None]]] = SimpleQueue()

    def run(self) -> None:
        """Call what comes; end after some idle time, unless a call is on its way."""
        while True:
            try:
                call = self.calls.get(timeout=IDLE)
            except Empty:
                try:
                    idle.remove(self)
                except ValueError:  # taken at the last moment
                    continue
                return
            deliver = call()
            idle.append(self)  # before anybody who waits for the result can ask for the next
            deliver()
            del call, deliver  # what they hold ends with them


idle: list[Worker] = []
if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=idle.clear)


def in_thread(func: Callable[[], T]) -> Future[T]:
    """Call `func` in a thread that nobody else uses meanwhile, and return its future.

    Raises `RuntimeError` where threads cannot start (in a browser).
    """
    from concurrent.futures import Future  # loaded by those who use it: it takes its time

    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # from here on, nobody can cancel it
    context = contextvars.copy_context()

    def work() -> Callable[[], None]:
        try:
            return partial(future.set_result, context.run(func))
        except StopIteration as error:  # which would end, and not fail, whoever waits for it
            reason = RuntimeError("StopIteration was raised where a result was expected.")
            reason.__cause__ = error
            return partial(future.set_exception, reason)
        except BaseException as error:
            return partial(future.set_exception, error)

    try:
        worker = idle.pop()
    except IndexError:
        worker = Worker()
        worker.start()
    worker.calls.put(work)
    return future


def side_by_side(functions: Sequence[Callable[[], T]]) -> list[T]:
    """Call all functions at once and return their results in order, or one by one without threads.

    The first error, in order, is raised.
    """
    if len(functions) < 2:
        return [func() for func in functions]
    started: list[Callable[[], T]] = []
    for func in functions:
        try:
            started.append(in_thread(func).result)
        except RuntimeError:  # no thread left: done here, when its turn comes
            started.append(func)
    return [result() for result in started]
