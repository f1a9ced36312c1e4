"""Ctrl-C in a terminal, and its end: one sentence, a status of its own, nothing of ours left, and no traceback."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import NoReturn

STATUS = 130


@contextlib.contextmanager
def leaving_at_once() -> Iterator[None]:
    """Within this context Ctrl-C ends this process on the spot: for imports, during which there is nothing to lose.

    As an exception it would meet PyTorch's C++ there, which aborts on it, or drops it and goes on. Afterwards it does
    what it did before, or what it was given to do within: JupyterLab asks whether it is meant.
    """
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is _leave:
            signal.signal(signal.SIGINT, before)


def _leave(*_: object) -> None:
    say_stopped()
    os._exit(STATUS)


@contextlib.contextmanager
def ending_as_well() -> Iterator[None]:
    """Within this context a request to end (SIGTERM), and the end of the terminal (SIGHUP), end this process as they
    always do, but with what it has started, and with what hostile code has left on the disk. What is ignored, as SIGHUP
    is under nohup, stays so.
    """
    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours, before = os.getpid(), {number: signal.getsignal(number) for number in ends}

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        if os.getpid() == ours:  # and not what was forked from it
            say_stopped()
        signal.raise_signal(number)

    taken = [number for number in ends if before[number] == signal.SIG_DFL]
    for number in taken:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, before[number])


def stop() -> None:
    """After Ctrl-C: say so, and leave at once where graders' threads would be waited for."""
    say_stopped()
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        os._exit(STATUS)


def leave(status: int) -> NoReturn:
    """End this process with what it has started, at once: something runs in it that never ends."""
    _end_all()
    os._exit(status)


def say_stopped() -> None:
    """The sentence; and the end of all sandboxes."""
    goes_on = " A class run goes on from here when the same command is started again." if "grade" in sys.argv else ""
    with contextlib.suppress(OSError):  # the terminal may be gone
        print(f"\nStopped. Nothing is lost.{goes_on}", file=sys.stderr)
    _end_all()


def _end_all() -> None:
    if processes := sys.modules.get("multiprocessing"):  # an executor's, which outlive this one
        for worker in processes.active_children():
            worker.kill()
    if sandbox := sys.modules.get("autograder.processes.sandbox"):
        sandbox.close_all()
    if wall := sys.modules.get("autograder.processes.wall"):
        wall.end_unused()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
