"""The clock: cold L2, CUDA events, medians, and every function in turn on the same fresh inputs.

What would make a function look fast without being fast, and what prevents it:

    outputs kept from an earlier call    the inputs are new in every round, and the outputs of one round, drawn at
                                         random, are compared with the truth
    work on another stream               the device has to be idle when the clock stops, and a call may not take longer
                                         without the flush, during which such work could hide
    data still in the cache              more than the L2 cache is written before each call
    a machine that warms up              round-robin, in an order that rotates
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from ..problems.peers import Call, Column
from ..problems.sizes import Problem
from .gate import poison, refusal

FLUSHED = 256 << 20  # bytes, at least
FLUSHES = 8  # a call is launched while they run, so that the host's time is not counted
LATE = 0.2  # milliseconds until the host notices that the device is idle
TARGET, FEWEST, MOST = 200.0, 9, 51  # milliseconds for each function; rounds
WARM = 3  # calls before the first that counts
ALONE = 5  # calls without the flush


@dataclass(frozen=True)
class Timing:
    """Milliseconds of one function on one problem: median, 20th and 80th percentile of `times` calls."""

    ms: float
    low: float
    high: float
    times: int

    @property
    def spread(self) -> float:
        """Half the distance of the percentiles, relative to the median."""
        return (self.high - self.low) / 2 / self.ms


class Clock(Protocol):
    """Times one call. Tests have their own."""

    device: torch.device

    def time(self, name: str, call: Call) -> tuple[float, float, Any]:
        """Milliseconds on a cold cache, those from then until the device is idle, and what the call returned."""

    def alone(self, name: str, call: Call) -> float:
        """Milliseconds from idle device to idle device, less those that the host spent in the call."""


class GpuClock:
    """The clock of the current CUDA device."""

    def __init__(self) -> None:
        self.device = torch.device("cuda", torch.cuda.current_device())
        size = max(FLUSHED, 4 * torch.cuda.get_device_properties(self.device).L2_cache_size)
        self._flushed = torch.empty(size, dtype=torch.int8, device=self.device)
        self._start, self._end, self._idle = (torch.cuda.Event(enable_timing=True) for _ in range(3))

    def time(self, name: str, call: Call) -> tuple[float, float, Any]:
        for _ in range(FLUSHES):
            self._flushed.zero_()
        self._start.record()
        result = call()
        self._end.record()
        self._wait()
        return self._start.elapsed_time(self._end), self._end.elapsed_time(self._idle), result

    def alone(self, name: str, call: Call) -> float:
        torch.cuda.synchronize()
        self._start.record()
        begin = time.perf_counter()
        call()
        host = 1e3 * (time.perf_counter() - begin)
        self._wait()
        ms: float = self._start.elapsed_time(self._idle)
        return ms - host

    def _wait(self) -> None:
        """Wait until every stream is idle."""
        torch.cuda.synchronize()
        self._idle.record()
        self._idle.synchronize()


def interleaved(
    clock: Clock, problem: Problem, columns: Sequence[Column], generator: torch.Generator
) -> tuple[dict[str, Timing], dict[str, str]]:
    """Time all columns on one problem. Returns the timings by column, and why judged ones are refused."""
    inputs = problem.empty(clock.device)
    problem.fill(inputs, generator)

    def called(column: Column, how: Callable[[str, Call], Any]) -> Any:
        with column.around():
            call = column.prepare(problem, inputs)
            poison(problem, clock.device)
            return how(column.name, call)

    slowest = max(min(called(c, clock.time)[0] for _ in range(WARM)) for c in columns)
    rounds = min(max(int(TARGET / slowest), FEWEST), MOST)
    held = random.randrange(rounds)
    times: dict[str, list[float]] = {column.name: [] for column in columns}
    late: dict[str, float] = {}  # the least of every column
    refused: dict[str, str] = {}
    for i in range(rounds):
        problem.fill(inputs, generator)
        for column in (*columns[i % len(columns) :], *columns[: i % len(columns)]):
            ms, after, outputs = called(column, clock.time)
            times[column.name].append(ms)
            late[column.name] = min(after, late.get(column.name, after))
            if i == held and column.judged:
                said = refusal(problem, inputs, outputs)
                if said:
                    refused[column.name] = f"right when checked, wrong when timed: {said} ({problem.label})"
            del outputs
    timings = {name: summary(ms) for name, ms in times.items()}
    for column in columns:
        if column.judged and column.name not in refused:
            seen = timings[column.name].ms
            alone = min(called(column, clock.alone) for _ in range(ALONE))
            if late[column.name] > LATE or alone > 1.2 * seen + LATE:
                took = max(alone, seen + late[column.name])
                refused[column.name] = (
                    f"the clock saw {seen:.2f} ms of a call that takes {took:.2f} ms: "
                    f"part of the work was done on another stream ({problem.label})"
                )
    return timings, refused


def summary(ms: Sequence[float]) -> Timing:
    """Median and percentiles of some times."""
    fifths = statistics.quantiles(ms, n=5, method="inclusive")
    return Timing(statistics.median(ms), fifths[0], fifths[-1], len(ms))


def fastest(clock: Clock, call: Call, times: int) -> float:
    """Milliseconds of the fastest of several calls, after a warm-up: what the device can do."""
    return min(clock.time("", call)[0] for _ in range(times + WARM))


def random_like(shape: Sequence[int], dtype: torch.dtype, device: torch.device) -> Tensor:
    """Normal numbers, since zeros would take less power and run faster."""
    return torch.empty(*shape, dtype=dtype, device=device).normal_()
