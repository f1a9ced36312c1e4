"""Answers in numpy: arrays go in and come out, and Python's lines are counted with the memory that they allocate."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from .engine import Engine, Metering, Uncounted

if TYPE_CHECKING:
    from ..meters.spies import Spies
    from ..observation import Observation


class Numpy(Engine):
    language = "numpy"
    unmeasured = ("torch", "triton")
    takes_tensors = False
    counts_lines = True
    only_counts = True
    slack = 16 << 10  # tracemalloc counts Python's objects too

    @contextlib.contextmanager
    def meters(
        self, seen: Observation, given: dict[str, Any] | None, home: str, spies: Spies | None = None
    ) -> Metering:
        from ..failure import is_learners
        from ..meters.lines import Lines

        lines = Lines(is_learners, home)
        with lines:
            yield Uncounted()
        if not lines.was_stopped:
            seen.note("peak_bytes", lines.peak, lines.peak_line)
            seen.note("steps", lines.steps)
