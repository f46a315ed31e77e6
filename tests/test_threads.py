"""Threads that make one call after another: reused, never shared, never waited for."""

from __future__ import annotations

import contextvars
import gc
import os
import subprocess
import sys
import threading
import weakref

import pytest

from reactlab.threads import IDLE, idle, in_thread, side_by_side


def test_calls_one_after_another_share_a_thread() -> None:
    first = in_thread(threading.get_ident).result()
    assert {in_thread(threading.get_ident).result() for _ in range(20)} == {first}


def test_calls_at_once_have_a_thread_each() -> None:
    everybody = threading.Barrier(8)

    def meet() -> int:
        everybody.wait(timeout=30)
        return threading.get_ident()

    assert len(set(side_by_side([meet] * 8))) == 8


def test_a_call_that_hangs_holds_up_nobody() -> None:
    end = threading.Event()
    hanging = in_thread(end.wait)
    try:
        assert [in_thread(lambda: "here").result(30) for _ in range(5)] == ["here"] * 5
        assert not hanging.done()
    finally:
        end.set()
    assert hanging.result(30) is True


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(3)])
def test_whatever_is_raised_reaches_who_waits_and_the_thread_goes_on(error: BaseException) -> None:
    def fail() -> None:
        raise error

    before = in_thread(threading.get_ident).result()
    with pytest.raises(type(error)):
        in_thread(fail).result(30)
    assert in_thread(threading.get_ident).result(30) == before


def test_each_call_sees_the_context_of_its_caller() -> None:
    who = contextvars.ContextVar("who", default="nobody")
    told = []
    for name in ("Ann", "Bo"):
        who.set(name)
        told.append(in_thread(who.get).result(30))
    assert told == ["Ann", "Bo"]


def test_a_thread_without_work_ends_and_another_takes_its_place() -> None:
    in_thread(bool).result(30)
    resting = list(idle)
    for worker in resting:
        worker.join(timeout=30 + IDLE)
        assert not worker.is_alive()
    assert not set(resting) & set(idle)
    assert in_thread(lambda: 5).result(30) == 5


def test_a_resting_thread_keeps_nothing_of_its_last_call_alive() -> None:
    class Thing: ...

    thing = Thing()
    held = weakref.ref(thing)
    in_thread(lambda thing=thing: id(thing)).result(30)
    del thing
    for worker in list(idle):  # another call passes: what was before is gone
        worker.join(timeout=30 + IDLE)
    gc.collect()
    assert held() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_starts_threads_of_its_own() -> None:
    code = """if True:
        import os, warnings
        warnings.simplefilter("ignore")
        from reactlab.threads import in_thread
        in_thread(bool).result(30)
        child = os.fork()
        if not child:
            os._exit(in_thread(lambda: 7).result(30))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("7", "")
