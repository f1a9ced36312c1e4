"""Clocks that do not tell how long anything takes: by that an answer could feel whether meters run."""

from __future__ import annotations

import itertools
import sys
import time
from types import ModuleType

TICK = 100_000  # nanoseconds from each look at a clock to the next
CLOCKS = "monotonic perf_counter process_time thread_time time"


def stand_in() -> None:
    """From here on who imports `time` gets such clocks; those who have imported it keep theirs."""
    stands_in = ModuleType(time.__name__, time.__doc__)
    vars(stands_in).update(vars(time))
    ticks = itertools.count(time.time_ns(), TICK)
    for name in CLOCKS.split():
        setattr(stands_in, f"{name}_ns", ticks.__next__)
        setattr(stands_in, name, lambda: next(ticks) / 1e9)
    sys.modules[time.__name__] = stands_in
