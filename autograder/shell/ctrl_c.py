"""Ctrl-C in a terminal, and its end: one sentence, a status of its own, nothing of ours left, and no traceback."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
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
    _end_as_told()
    os._exit(STATUS)


@contextlib.contextmanager
def ending_as_well() -> Iterator[None]:
    """Within this context a request to end (SIGTERM), and the end of the terminal (SIGHUP), do what Ctrl-C does, and
    end this process as they always do. What is ignored, as SIGHUP is under nohup, stays so.
    """
    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = os.getpid()

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)  # the second one ends it on the spot
        if os.getpid() != ours:  # it was forked from this one, and has nothing to clean up
            signal.raise_signal(number)
        _told.append(number)
        if signal.getsignal(signal.SIGINT) is _leave:
            _leave(number, frame)
        raise KeyboardInterrupt

    taken = [number for number in ends if signal.getsignal(number) == signal.SIG_DFL]
    for number in taken:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


_told: list[int] = []  # signals by which this process is to end


def stop() -> None:
    """After Ctrl-C: say so, and leave at once where graders' threads would be waited for."""
    say_stopped()
    _end_as_told()
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        os._exit(STATUS)


def _end_as_told() -> None:
    for number in _told:
        signal.raise_signal(number)


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
    if wall := sys.modules.get("autograder.processes.wall"):
        wall.end_all()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
