"""Lessons proved beside each other, and the exercises of each, by a process for each core."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from multiprocessing.pool import Pool

from ..spec.catalogue import lesson_named
from . import prove

Part = tuple[str, str]  # a lesson, and what of it is proved


def problems_of(stems: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each lesson, in the order given, with its problems, as soon as they are known."""
    tasks = [(stem, part) for stem in stems for part in prove.parts(lesson_named(stem))]
    with workers(len(tasks)) as pool:
        found = zip(tasks, pool.imap(_problems, tasks), strict=True)
        for stem, of_parts in itertools.groupby(found, lambda pair: pair[0][0]):
            yield stem, [problem for _, problems in of_parts for problem in problems]


def workers(most: int) -> Pool:
    """One for each core, and no more than `most`. They ignore Ctrl-C from their beginning: it ends this process, which
    ends them.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return multiprocessing.get_context("spawn").Pool(max(1, min(os.cpu_count() or 1, most)), _begin)
    finally:
        signal.signal(signal.SIGINT, before)


def _begin() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"  # of the notebooks: the cores are taken, and threads that wait would turn


def _problems(task: Part) -> list[str]:
    stem, part = task
    return list(prove.part_problems(lesson_named(stem), part))
