"""Answers in CUDA C++: on the CPU under the instruments of `simt`, or on a GPU, which counts nothing."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from .engine import Engine, Metering, Uncounted

if TYPE_CHECKING:
    from simt.counts import Report

    from ..meters.spies import Spies
    from ..observation import Observation


FAR = "blocks far on, "  # before the fields of a `simt.far.Far`


class Cuda(Engine):
    language = "cuda"
    is_python = False
    always_counts = False  # where there is no C++ compiler, a GPU alone runs them, which counts nothing

    def at_its_place(self, spied: Sequence[str]) -> AbstractContextManager[Any]:
        said = next((name.removeprefix(FAR) for name in spied if name.startswith(FAR)), "")
        if self.on_gpu or not said:
            return contextlib.nullcontext()
        from simt import cpu
        from simt.far import Far

        return cpu.far_on(Far(**json.loads(said)))

    def beside(self) -> AbstractContextManager[Any]:
        if self.on_gpu:
            return contextlib.nullcontext()
        from simt import cpu

        return cpu.unwatched()

    @contextlib.contextmanager
    def meters(
        self, seen: Observation, given: dict[str, Any] | None, home: str, spies: Spies | None = None
    ) -> Metering:
        from simt import cpu

        from .memory import unwritten_is_nan

        with cpu.watch() as report:
            try:
                with unwritten_is_nan():
                    yield Uncounted()
            finally:
                note_kernels(seen, report)


class CudaOnGpu(Cuda):
    may_use_gpu = True

    @property
    def on_gpu(self) -> bool:
        return True


def note_kernels(seen: Observation, report: Report) -> None:
    """What the instruments have counted."""
    if not report.kernels:
        return
    total = report.total
    seen.note("loaded_bytes", total.loaded, report.busiest("moved"))
    seen.note("stored_bytes", total.stored, report.busiest("moved"))
    seen.written = None if total.stored else set()
    seen.note("sectors", total.sectors, report.busiest("wasted"))
    seen.note("scattered_loads", total.scattered_loads, report.busiest("scattered_loads"))
    seen.note("scattered_stores", total.scattered_stores, report.busiest("scattered_stores"))
    seen.note("multiplications", total.multiplied // 32)
    seen.note("fragments", total.issued, report.busiest("issued"))
    seen.note("coarse_sums", total.coarse, report.busiest("coarse"))
    if total.multiplied:
        seen.operations["mma_m16n8k16"] = report.busiest("multiplied")
    seen.note("copied_bytes", total.copied)
    seen.note("overlapped", total.overlapped // 32)
    seen.note("bank_conflicts", total.conflicts, report.busiest("conflicts"))
    seen.note("shared_requests", total.shared_requests, report.busiest("shared_requests"))
    seen.note("shared_bytes", total.shared_bytes, report.busiest("shared_bytes"))
    seen.note("handed_bytes", total.handed)
    seen.note("passed_bytes", total.passed, report.busiest("passed"))
    seen.note("thread_loads", report.most.thread_loaded, report.busiest("loaded"))
    seen.note("thread_bytes", report.most.thread_stored, report.busiest("stored"))
    seen.note("block_bytes", report.most.block_moved, report.busiest("moved"))
    seen.note("vanished", report.most.block_vanished, report.busiest("vanished"))
    seen.note("thread_exponentials", report.most.thread_exponentials, report.busiest("exponentials"))
    seen.note("shuffles", total.shuffles, report.busiest("shuffles"))
    seen.note("warp_shuffles", report.most.warp_shuffles, report.busiest("shuffles"))
    seen.note("thread_reads", report.most.thread_read, report.busiest("shared_bytes"))
    seen.note("loaded_again", report.most.block_again, report.busiest("loaded"))
    seen.note("repeated_bytes", total.repeated, report.busiest("repeated"))
    seen.note("idle_threads", report.most.idle_threads, report.busiest("exponentials"))
    seen.note("thread_taken", report.most.thread_taken, report.busiest("handed"))
    seen.note("thread_barriers", report.most.thread_barriers, report.busiest("barriers"))
    seen.note("thread_writes", report.most.thread_wrote, report.busiest("shared_bytes"))
    seen.note("block_writes", report.most.block_wrote, report.busiest("shared_bytes"))
    seen.note("rounded", total.rounded, report.busiest("rounded"))
