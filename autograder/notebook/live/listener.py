"""What happens while a check runs: what it is doing, and since when."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from ...judging.prepare import Prepared
from ...spec.exercise import Exercise


class Listener:
    """doing: in a few words. since: when the call at hand began, on time.monotonic(); 0.0 between calls."""

    def __init__(self, exercise: Exercise):
        self.exercise = exercise
        self.doing, self.since = "preparing", 0.0

    @contextlib.contextmanager
    def call(self, prepared: Prepared) -> Iterator[None]:
        """Within this context the answer is called on a case."""
        keys = [case.key for case in self.exercise.cases]
        number = keys.index(prepared.case.key) + 1
        self.doing, self.since = f"case {number} of {len(keys)}", time.monotonic()
        try:
            yield
        finally:
            self.since = 0.0
            if number == len(keys):
                self.doing = "comparing with known mistakes"
