"""What happens while a check runs: what it is doing, and since when."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from ...judging.prepare import Prepared
from ...judging.verdict import CaseResult
from ...spec.exercise import Exercise


class Listener:
    """doing: in a few words. since: when the call at hand began, on time.monotonic(); 0.0 between calls. known: what is
    wrong, as soon as it is seen: to run the other cases, and to look for the cause, may take many times as long.
    """

    def __init__(self, exercise: Exercise):
        self.exercise = exercise
        self.doing, self.since, self.known = "preparing", 0.0, ""

    def wrong(self, number: int, result: CaseResult) -> None:
        """Case `number`, counted from 1, is the first that is wrong."""
        is_wrong = "is wrong" if result.status == "fail" else result.meaning  # the others are verbs: "crashed"
        self.known = f"case {number} {is_wrong}: {result.message}. Going on with "

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
