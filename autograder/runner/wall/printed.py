"""What an answer prints while it is called: caught, so that the card comes first; its first lines are kept."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass

from ..meters import CALLED_AGAIN

LINES, WIDTH = 20, 160  # that are shown


@dataclass(frozen=True)
class Printed:
    """What a call printed: the text of its first lines, and how many lines there were."""

    text: str = ""
    lines: int = 0


class Listener(io.TextIOBase):
    """Takes the place of standard output."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text, self.ends, self.is_open = "", 0, False

    def write(self, text: str) -> int:
        if CALLED_AGAIN.get():
            return len(text)
        if self.ends < LINES:
            self.text += text[: max(LINES * WIDTH - len(self.text), 0)]
        self.ends += text.count("\n")
        self.is_open = not text.endswith("\n") if text else self.is_open
        return len(text)

    def writable(self) -> bool:
        return True

    @property
    def printed(self) -> Printed:
        return Printed(self.text, self.ends + self.is_open)


@contextlib.contextmanager
def listening() -> Iterator[Listener]:
    """Within this context what is printed goes to the listener, and nowhere else."""
    heard = Listener()
    with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
        yield heard
