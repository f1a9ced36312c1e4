"""One function called on many tasks at once, by a process for each core."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from ..runner.wall.confine import die_with_parent
from ..spec.user_error import UserError

T = TypeVar("T")
R = TypeVar("R")


def in_order(function: Callable[[T], R], tasks: Sequence[T], names: Sequence[str]) -> Iterator[R]:
    """What the function returns for each task, in their order, as soon as it is known.

    Raises UserError, which says the task's name, if a process ends over it: by an exception, or killed, as where memory
    runs out.
    """
    found: dict[int, R] = {}
    at: dict[Connection, int] = {}  # which task each process has
    waiting = iter(enumerate(tasks))
    with _workers(function, len(tasks)) as workers:
        free = list(workers)
        for number in range(len(tasks)):
            while number not in found:
                for worker, (given, task) in zip(free, waiting):
                    at[worker] = given
                    with contextlib.suppress(BrokenPipeError):  # it has ended, as its result will not be there
                        worker.send(task)
                free = [worker for worker in wait(at) if isinstance(worker, Connection)]
                for worker in free:
                    given = at.pop(worker)
                    try:
                        found[given] = worker.recv()
                    except (EOFError, ConnectionResetError):
                        raise UserError(f"the process at {names[given]} {_end_of(workers[worker])}") from None
            yield found.pop(number)


@contextlib.contextmanager
def _workers(function: Callable[[T], R], most: int) -> Iterator[dict[Connection, SpawnProcess]]:
    """Processes that wait for tasks, one for each core, and no more than `most`.

    They ignore Ctrl-C from their beginning: it ends this process, which ends them.
    """
    spawn = multiprocessing.get_context("spawn")
    workers: dict[Connection, SpawnProcess] = {}
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for _ in range(min(os.cpu_count() or 1, most)):
            ours, theirs = spawn.Pipe()
            workers[ours] = spawn.Process(target=_work, args=(theirs, function), daemon=True)
            workers[ours].start()
            theirs.close()  # so that the pipe ends with the process
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        yield workers
    finally:
        for ours, process in workers.items():
            process.terminate()
            process.join()
            ours.close()


def _work(tasks: Connection, function: Callable[[Any], object]) -> None:
    os.environ["OMP_NUM_THREADS"] = "1"  # of the notebooks: the cores are taken, and threads that wait would turn
    if sys.platform == "linux":
        die_with_parent()
    while True:
        tasks.send(function(tasks.recv()))


def _end_of(process: SpawnProcess) -> str:
    process.join()
    code = process.exitcode or 0
    how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
    return f"{how}; mend that and start the command again"
