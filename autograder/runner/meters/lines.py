"""How many lines a call executes, its peak memory and the line that allocates most: for plain Python and numpy."""

from __future__ import annotations

import builtins
import gc
import sys
import tracemalloc
from collections.abc import Callable
from tracemalloc import get_traced_memory, reset_peak
from types import CodeType, FrameType, TracebackType
from typing import Any

import numpy as np

FEW = 256  # Python keeps the whole numbers up to it: those above are allocated, and traced, each time that one is added
CALLS = 4  # of functions in libraries' Python, which count as one line: a loop of numpy's or of map's has none
LOOPING = getattr(np.apply_along_axis, "_implementation").__code__  # noqa: B009 -- numpy's stubs do not know it


class Lines:
    """Context that counts executed lines of the learner's code and the peak of bytes allocated meanwhile.

    numpy reports its allocations to tracemalloc, so arrays count with their exact size. home: the answer's file, to
    whose lines they are attributed. Each line is watched the first FEW times that it is begun, which takes long; what
    has been added later and is there at the function's end is laid to the line that made most of it. What it takes to
    print an array is no part of the peak.
    """

    def __init__(self, is_learners: Callable[[str], bool], home: str):
        self.is_learners, self.home = is_learners, home
        self.steps = 0
        self.peak_line = 0
        self._lines = self._calls = 0  # since the last FEW of them
        self._begun: dict[int, int] = {}  # line -> how often, up to FEW
        self._is_watched = True  # the line that runs
        self._outermost: CodeType | None = None  # of the learner's functions
        self._largest = 0
        self._line = 0
        self._start = self._before = self._high = 0  # bytes: at first, before this line, at the most
        self.was_stopped = False  # by the learner's code: then nothing of this is true

    def __enter__(self) -> Lines:
        self._outer_trace = sys.gettrace()
        self._started = not tracemalloc.is_tracing()
        if self._started:
            tracemalloc.start()
        _give_back()
        reset_peak()
        self._start = self._before = self._high = get_traced_memory()[0]
        self._print, builtins.print = builtins.print, self._printing
        self._trace, self._each_line = self._on_call, self._on_line  # once: a method is made anew when it is named
        sys.settrace(self._trace)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.was_stopped = sys.gettrace() is not self._trace or not tracemalloc.is_tracing()
        sys.settrace(self._outer_trace)
        builtins.print = self._print
        self.steps += self._lines + self._calls // CALLS
        self._note(get_traced_memory()[1])
        if self._started:
            tracemalloc.stop()

    @property
    def peak(self) -> int:
        """Bytes allocated at the most, beyond those at the start."""
        return self._high - self._start

    def _printing(self, *values: Any, **how: Any) -> None:
        """Print; what is written by nothing of the learner's code takes text alone, however much."""
        if how or not all(map(_is_plain, values)) or np.get_printoptions()["formatter"]:
            return self._print(*values, **how)
        self._note(get_traced_memory()[1])
        self._print(*values)
        _give_back()
        reset_peak()

    def _on_call(self, frame: FrameType, event: str, arg: Any) -> Any:
        if self.is_learners(frame.f_code.co_filename):
            self._outermost = self._outermost or frame.f_code
            return self._each_line
        caller = frame.f_back  # which was seen before, unless Python itself calls
        if caller and (caller.f_code is LOOPING or self.is_learners(caller.f_code.co_filename)):
            self._calls += 1
            if self._calls == FEW:
                self.steps += FEW // CALLS
                self._calls = 0
        return None

    def _on_line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":  # what stands here is done for each line of an answer
            self._lines += 1
            if self._lines == FEW:
                self.steps += FEW
                self._lines = 0
            begun = self._begun.get(frame.f_lineno, 0)
            if begun == FEW:
                self._is_watched = False
                return self._each_line
            self._begun[frame.f_lineno] = begun + 1
            now, peak = get_traced_memory()
            if peak > self._high or peak - self._before > self._largest:
                self._note(peak)
            if peak != now:
                reset_peak()
            self._before, self._is_watched = now, True
            if frame.f_code.co_filename == self.home:
                self._line = frame.f_lineno
        elif event == "return" and not self._is_watched and frame.f_code is self._outermost:
            self._note(get_traced_memory()[1])
        return self._each_line

    def _note(self, peak: int) -> None:
        """Attribute what has been added to the peak to the line that ran, or to one of those that were not watched."""
        added = peak - (self._before if self._is_watched else self._high)
        if added > self._largest:
            self._largest, self.peak_line = added, self._line if self._is_watched else self._made_most(added)
        self._high = max(self._high, peak)

    def _made_most(self, added: int) -> int:
        """The line that made most of what is there, if that is half of what has been added; else the one of before."""
        there = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, self.home)]).statistics("lineno")
        line = next((most.traceback[0].lineno for most in there[:1] if 2 * most.size > added), self.peak_line)
        del there
        reset_peak()
        return line


def _is_plain(value: Any) -> bool:
    """Whether Python and numpy alone say how a value is written."""
    if type(value) is tuple:  # a shape
        return all(type(n) is int for n in value)
    return type(value) in (str, int, float, bool) or (type(value) is np.ndarray and not value.dtype.hasobject)


def _give_back() -> None:
    """Give back what Python keeps of freed tuples and numbers for those to come, which tracemalloc would not see.

    A full collection does that. Nothing is looked through meanwhile, which takes long where there are many objects.
    """
    gc.freeze()
    gc.collect()
    gc.unfreeze()
