"""What an answer prints while it is checked: caught, so that the card comes first, and shown of the case that the
card is about."""

from __future__ import annotations

import io
import textwrap

from ...runner.observe.call import CALLED_AGAIN
from ...showing.markup import block, clip, details

LINES, WIDTH = 20, 160  # that are shown


class Printed(io.TextIOBase):
    """Takes the place of standard output; keeps the first lines, and counts all."""

    encoding = "utf-8"

    def __init__(self, case: int) -> None:
        """case: its number, counted from 1."""
        self.case = case
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
    def lines(self) -> int:
        return self.ends + self.is_open

    def _shown(self) -> tuple[str, str]:
        """What is above the lines, and the lines."""
        lines = [clip(line, WIDTH) for line in self.text.splitlines()[:LINES]]
        first = f"the first {len(lines)} of {self.lines:,} lines" if self.lines > len(lines) else "all of it"
        return f"What the answer printed in case {self.case} ({first})", "\n".join(lines)

    def as_text(self) -> str:
        """For a terminal, below the card; "" if nothing was printed."""
        title, lines = self._shown()
        return f"\n  {title}:\n{textwrap.indent(lines, '    ')}" if self.lines else ""

    def as_html(self) -> str:
        """A fold to be put below the card; "" if nothing was printed."""
        title, lines = self._shown()
        return details(title, block(lines, LINES * (WIDTH + 1))) if self.lines else ""
