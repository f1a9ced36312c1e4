"""What a check of Triton kernels takes longest for, begun before it is asked for, in processes beside each other.

The kernels of each case are compiled for the GPU at hand, each case is called in the interpreter, and the compiler says
what it makes of a launch at the size of a real problem. The calls on the GPU come one after another, each as soon as
its own kernels are compiled. One after another, all this takes as many seconds as there are cases.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any

from ..processes.child_link import Child
from ..processes.helpers import Cells, forked, launched, taken
from ..processes.portable import closure
from ..runner.arrays import BFLOAT16, arrays_in
from ..runner.helper.cache import CORES
from ..runner.meters.traffic import OutOfBounds
from ..runner.observe import Observation
from ..runner.protocol import ProtocolError
from ..runner.translate import TARGETS
from ..spec.exercise import Arguments
from .assembly import Compiled, Unfinished, assembled_all

LOST = (EOFError, OSError, ProtocolError, CancelledError)  # a process that has died, takes too long, or was ended


class Ahead:
    """Calls of one answer, and its compilation, begun in the order in which they are needed.

    Use as a context manager: what is still running ends with it. Raises OSError where the answer has no source.
    """

    def __init__(self, function: Callable[..., Any]):
        self.name: str = function.__name__
        self.cells: Cells = closure(function)
        self.cases: list[Arguments] = []
        self.looks: list[Future[Observation | None]] = []
        self.reports: list[Future[list[Compiled]]] = []
        self.filling: Future[Child | None] | None = None
        # Half of the cores interpret: a process takes longer to define the answer than to call it on a case.
        self.threads = ThreadPoolExecutor(1 + len(TARGETS) + max(1, CORES // 2))
        self.opened: list[Child] = []
        self.ended = False
        self.idle: list[Child] = []  # those that interpret, between two cases

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, *_: Any) -> None:
        self.ended = True
        self.threads.shutdown(wait=False, cancel_futures=True)
        for process in self.opened:
            process.close()

    def begin(self, cases: Sequence[Arguments], launch: Arguments | None) -> None:
        """Begin with these cases, and with the compiler's report on this launch."""
        self.cases = list(cases)
        if cases:
            self.filling = self.threads.submit(self._fill)
        if launch is not None:
            self.reports = [self.threads.submit(self._report, launch, target) for target in TARGETS]
        self.looks = [self.threads.submit(self._interpret, case) for case in cases]

    def call(self, arguments: Arguments, spied: Sequence[str]) -> Observation | str:
        """What a call on the GPU does, after the interpreter's look: an Observation, or "timeout".

        arguments: one of the cases. An access out of bounds, which the interpreter names with its line, is never
        launched.
        """
        number = next(i for i, case in enumerate(self.cases) if case is arguments)
        look = self.looks[number].result()
        if look and look.failure and look.failure.kind == OutOfBounds.__name__:
            return look
        self._wait_for_kernels(number)
        seen = launched(self.cells, self.name, arguments, spied=spied)
        if isinstance(seen, Observation) and look and not look.failure:
            seen.counts, seen.lines = look.counts | seen.counts, look.lines | seen.lines
        return seen

    def compiled(self) -> list[Compiled]:
        """What the compiler says of the launch. Empty where no compiler finishes."""
        try:
            return [kernel for report in self.reports for kernel in report.result()]
        except (*LOST, Unfinished):
            return []

    def _fork(self, does: str) -> Child | None:
        process = forked(does, self.cells)
        if process:
            self.opened.append(process)
            if self.ended:  # meanwhile, so that nobody else will close it
                process.close()
        return process

    def _fill(self) -> Child | None:
        """The process that compiles for the cases; None where there is none, and the kernels are compiled as needed."""
        with contextlib.suppress(*LOST):
            process = self._fork("compiles") if capability() else None
            for case in self.cases if process else ():
                assert process
                process.fill(self.name, case, capability())
            return process
        return None

    def _wait_for_kernels(self, number: int) -> None:
        assert self.filling
        if process := self.filling.result():
            with contextlib.suppress(*LOST):
                process.filled(number, capability())

    def _interpret(self, arguments: Arguments) -> Observation | None:
        """What the interpreter sees, but in bfloat16, which it lacks."""
        if any(array.dtype == BFLOAT16 for array in arrays_in(arguments)):
            return None
        with contextlib.suppress(*LOST):
            process = taken(self.idle) or self._fork("interprets")
            if process:
                seen = process.call(self.name, arguments, "triton", once=True)
                self.idle.append(process)
                return seen
        return None

    def _report(self, arguments: Arguments, target: str) -> list[Compiled]:
        process = self._fork("compiles")
        return assembled_all(process.translate(self.name, arguments, [target])) if process else []


@functools.cache
def capability() -> int:
    """Of the GPU here, e.g. 90; 0 where there is none."""
    import torch

    if not torch.cuda.is_available():
        return 0
    major, minor = torch.cuda.get_device_capability()
    return 10 * major + minor
