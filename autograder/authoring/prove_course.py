"""Lessons proved beside each other, by a process for each core."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from multiprocessing.pool import Pool

from . import prove


def problems_of(stems: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each lesson, in the order given, with its problems, as soon as they are known. One alone is proved right here."""
    if len(stems) == 1:
        yield stems[0], _problems(stems[0])
        return
    processes = min(os.cpu_count() or 1, len(stems))
    with _pool(processes) as pool:
        yield from zip(stems, pool.imap(_problems, stems), strict=True)


def _pool(processes: int) -> Pool:
    """Workers that ignore Ctrl-C from their beginning: it ends this process, which ends them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return multiprocessing.get_context("spawn").Pool(processes, _begin)
    finally:
        signal.signal(signal.SIGINT, before)


def _begin() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"  # of the notebooks: the cores are taken, and threads that wait would turn


def _problems(stem: str) -> list[str]:
    return list(prove.prove([stem]))
