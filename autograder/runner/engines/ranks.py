"""Answers in torch that run on several ranks at once: what the ranks send, and when they are done, is counted."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .engine import Metering, Uncounted
from .torch import Torch

if TYPE_CHECKING:
    from ..meters.spies import Spies
    from ..observation import Observation
    from ..ranks.run import Run

PATIENCE = 3.0  # seconds that a rank may go on without a wait or an end, many times what a case takes


class Ranks(Torch):
    has_ranks = True
    only_counts = False

    @contextlib.contextmanager
    def meters(
        self, seen: Observation, given: dict[str, Any] | None, home: str, spies: Spies | None = None
    ) -> Metering:
        """Each rank has meters of its own, of which `call` notes the counts."""
        from .memory import unwritten_is_nan

        with unwritten_is_nan():
            yield Uncounted()

    def call(self, seen: Observation, function: Callable[..., Any], given: dict[str, Any]) -> list[Any]:
        """What all ranks return, those of one rank behind those of the rank before it."""
        from ..arrays import as_numpy, returned, untouched
        from ..failure import is_learners
        from ..ranks.run import run
        from .results import to_arrays, too_large

        done = run(function, given, is_learners, PATIENCE)
        common = {name: as_numpy(value) for name, value in given.items() if type(value) is not list}
        seen.inputs_changed |= any(not untouched(of_rank, common) for of_rank in done.given)
        seen.inputs_changed |= any(meter.changed for meter in done.meters)
        for rank, names in enumerate(done.names):
            seen.operations = done.meters[rank].lines | names.lines | seen.operations
        if done.error is not None:
            raise done.error
        note_run(seen, done)
        results: list[Any] = []
        for rank, result in enumerate(done.results):
            if problem := too_large(result) or to_arrays(result, self)[1]:
                raise TypeError(f"{problem}, on rank {rank}")
            results += returned(result)
        return results


def note_run(seen: Observation, done: Run) -> None:
    """What the ranks allocated, sent, received and multiplied."""
    fullest = max(done.meters, key=lambda meter: meter.peak)
    seen.note("peak_bytes", fullest.peak, fullest.largest_line)
    seen.note("operators", max(meter.count for meter in done.meters))
    seen.note("sent_bytes", done.sent_bytes, done.line)
    seen.note("messages", done.messages, done.line)
    seen.note("rounds", len(done.rounds), done.line)
    arrived = [span for span in done.spans if span.kind == "receive"]
    seen.note("astray", sum(span.rank != (span.source + 1) % len(done.given) for span in arrived), done.line)
    seen.note("received_bytes", done.received_bytes)
    seen.note("compared", done.compared)
    seen.note("work", done.work)
    seen.note("work_at_once", done.most_at_once)
    seen.note("clock", done.clock, done.waited_line)
    seen.note("waited", done.waited, done.waited_line)
