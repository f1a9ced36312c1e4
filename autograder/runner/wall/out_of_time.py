"""A call that does not end stops itself, shortly before it is ended from outside, and can say in which line it was."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Timeout(BaseException):
    """The time for a call is over. Its name is a kind of failure."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises Timeout where the code is after so many seconds. In the main thread; code that catches it goes on."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Timeout

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
