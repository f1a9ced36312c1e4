"""`python -m bench.resident_warps OUT.json`, on a GPU: how fast a vector is scaled with so many warps resident.

`scale_vector` over 2^28 float32 in blocks of 256 threads, 8 warps. Shared memory that nobody uses holds blocks back,
until 1, 2, ..., 8 are left on a multiprocessor.
"""

from __future__ import annotations

import json
import statistics
from datetime import date
from functools import partial
from pathlib import Path

import torch

from autograder.benchmark.timing.clock import GpuClock
from autograder.benchmark.timing.roofline import this_device, versions
from bench.asked import json_file
from simt import kernel

N, THREADS = 1 << 28, 256
CALLS, WARM = 9, 3


def by_warps(clock: GpuClock) -> dict[int, float]:
    """TB/s, read and written together, for each number of resident warps."""
    capacity = torch.cuda.get_device_properties(clock.device).shared_memory_per_multiprocessor
    x = torch.ones(N, device=clock.device)
    y = torch.empty_like(x)
    found = {}
    for blocks in range(1, 9):
        unused = capacity // blocks // 128 * 128 - 1024  # 1024 more are the system's
        call = partial(kernel("scale_vector")[N // THREADS, THREADS, unused], x, y, N, 3.0)
        times = [clock.time("", call)[0] for _ in range(WARM + CALLS)]
        found[blocks * THREADS // 32] = round((x.nbytes + y.nbytes) / statistics.median(times[WARM:]) / 1e9, 3)
    return found


def main(out: Path) -> None:
    clock = GpuClock()
    about = {"device": this_device().name, "versions": versions(), "date": date.today().isoformat()}
    data = about | {"tb_per_s": by_warps(clock)}
    out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(json_file())
