"""The line below a cell while its check, trace or measurement runs; in the end the card takes its place."""

from __future__ import annotations

import contextlib
import linecache
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

from ...runner.failure import is_learners
from ...showing.markup import MUTED, Shown, clip, esc
from ...showing.terminal import saying, told_every
from ...spec.folders import is_ours
from .listener import Listener

NOTHING = {"text/html": "", "text/plain": ""}  # takes the place of a line that no card replaces
LONG = 10.0  # seconds that an official grade gives a call
MEASURED = 3.0  # seconds in which a call's memory is measured, and nothing is said: saying it takes memory too


class Line:
    """The line's place below the cell; there is none until something is said, or it is kept free."""

    def __init__(self) -> None:
        self.handle: Any = None

    def keep_free(self) -> None:
        """Above all that the cell prints, of which there may be much."""
        if _is_notebook():
            self.handle = display(Shown("", ""), display_id=True)

    def say(self, text: str) -> None:
        shown = Shown(text, f'<div role="status" style="{MUTED}">{esc(text, 600)}</div>')
        if self.handle:
            self.handle.update(shown)
        else:
            self.handle = display(shown, display_id=True)

    def give_way_to(self, card: Any) -> None:
        """Show the card in the line's place."""
        if self.handle:
            self.handle.update(card)
        else:
            display(card)

    def clear(self) -> None:
        if self.handle:
            self.handle.update(NOTHING, raw=True)


def tell(text: str) -> None:
    """Say a sentence below the cell. JupyterLab breaks what is printed in the middle of words."""
    display(Shown(text, f'<div style="white-space:pre-wrap;overflow-wrap:anywhere">{esc(text, 2000)}</div>'))


def telling(text: str) -> str:
    """The code that tells the sentence, as a line of a cell: it leaves no name behind."""
    return f"__import__({__name__!r}, fromlist=['tell']).tell({text!r})\n"


def display(what: Any, display_id: bool | None = None) -> Any:
    """IPython's, which is not there where only kernels are tried."""
    from IPython.display import display

    return display(what, display_id=display_id)


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


@contextlib.contextmanager
def waiting(says: Callable[[float], str], line: Line, at_once: bool = False) -> Iterator[None]:
    """After a second, and then every second, `line` says says(seconds). Outside of notebooks a terminal's line does.

    at_once: it does so from the beginning on, for what takes long in any case.
    """
    if not _is_notebook():
        with saying(says(0).partition(",")[0]):
            yield
        return
    begin = time.monotonic()

    def tell() -> None:
        if text := says(time.monotonic() - begin):
            line.say(text)

    if at_once:
        tell()
    with told_every(1, tell):
        yield


def of_check(listener: Listener) -> Callable[[float], str]:
    """What is said of a check: at first what it does, and of a call that takes long where it is and how to stop it."""
    name, asked = listener.exercise.name, threading.get_ident()

    def says(seconds: float) -> str:
        called = time.monotonic() - listener.since if listener.since else 0.0
        if tracemalloc.is_tracing() and called < MEASURED:
            return ""
        if called < LONG:
            return f"{name}: {listener.known}{listener.doing}, {seconds:.0f} s; press I I to stop"
        return (
            f"{name}: {listener.doing} has run for {called:.0f} s{_where(asked)}. Does a loop never end? "
            "Press I I (the key I twice, outside of a cell) to stop it and see its card."
        )

    return says


def _where(thread: int) -> str:
    """The line of the learner's code at which the thread is."""
    frame = sys._current_frames().get(thread)
    while frame and (not is_learners(frame.f_code.co_filename) or is_ours(frame.f_code.co_filename)):
        frame = frame.f_back
    if frame is None:
        return ""
    text = clip(linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip(), 80)
    return f' and is in line {frame.f_lineno}, in {frame.f_code.co_name}, "{text}"'
