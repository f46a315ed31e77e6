"""Run a function in a daemon thread: what limits, side-by-side calls and async runs stand on."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


def in_thread(func: Callable[[], T]) -> Future[T]:
    """Start `func` in a thread of its own and return its future.

    The thread is a daemon, so a call that hangs never holds the exit of the program, which a
    pool's worker would. Raises `RuntimeError` where threads cannot start (in a browser).
    """
    from concurrent.futures import Future  # loaded by those who use it: it takes its time

    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # from here on, nobody can cancel it
    context = contextvars.copy_context()

    def work() -> None:
        try:
            future.set_result(context.run(func))
        except StopIteration as error:  # which would end, and not fail, whoever waits for it
            reason = RuntimeError("StopIteration was raised where a result was expected.")
            reason.__cause__ = error
            future.set_exception(reason)
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=work, daemon=True, name="reactlab").start()
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
