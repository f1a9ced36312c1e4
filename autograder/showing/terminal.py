"""What a command shows: tables, in colour where there are colours, and a line while something is waited for."""

from __future__ import annotations

import contextlib
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

T = TypeVar("T")

# A sign and colour for each status of an exercise, in tables without room for a word.
SIGNS = {
    "pass": ("+", "green"),
    "partial": ("~", "yellow"),
    **dict.fromkeys(("fail", "error", "timeout", "memory"), ("-", "red")),
    "not_attempted": (".", "bright_black"),
}
LOOK = ("!", "bold magenta")  # any other status is for a person to review
WHOLE = ("lesson", "exercise", "points", "back end")  # columns whose head and cells stay in one line
NARROWEST = 80  # columns: a narrower terminal breaks the lines itself, since a name cut off is another name
SILENT = 10  # seconds without a word, where there is no terminal whose line changes


def show(what: RenderableType) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    console.width = max(console.width, NARROWEST)
    console.print(what)


def table(*columns: str, right: Sequence[str] = ()) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))  # 80 columns are few
    for column in columns:
        side: Any = "right" if column in right else "left"
        made.add_column(column, justify=side, overflow="fold", no_wrap=column in WHOLE)
    return made


@contextlib.contextmanager
def told_every(seconds: float, tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` again and again until the context ends, from a thread.

    Between two calls that allocates nothing: what an answer allocates may just be measured.
    """
    ended = threading.Lock()
    ended.acquire()

    def go_on() -> None:
        while not ended.acquire(timeout=seconds):
            tell()

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.release()
        thread.join()


@contextlib.contextmanager
def saying(what: str) -> Iterator[None]:
    """Within this context standard error says what is waited for: a terminal in one line that changes every second,
    anything else (a log, a pipe) in a new one every ten.
    """
    begin, shown, terminal = time.monotonic(), False, sys.stderr.isatty()

    def tell() -> None:
        nonlocal shown
        shown = True
        line = f"{what}, {time.monotonic() - begin:.0f} s"
        if terminal:
            line = f"\r{line[: shutil.get_terminal_size().columns - 1]}\x1b[K"
        print(line, end="" if terminal else "\n", file=sys.stderr, flush=True)

    try:
        with told_every(1 if terminal else SILENT, tell):
            yield
    finally:
        if shown and terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def waited_for(names: Sequence[str], doing: str, found: Iterable[T]) -> Iterator[T]:
    """What is found, one item for each name, with such a line while the next one is waited for."""
    waiting = iter(found)
    for name in names:
        try:
            with saying(f"{name}: {doing}"):
                item = next(waiting)
        except StopIteration:
            return
        except KeyboardInterrupt:
            print(f"\n{name}: stopped while {doing}.", file=sys.stderr)
            raise
        yield item
