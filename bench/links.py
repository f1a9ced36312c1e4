"""`python -m bench.links OUT.json`, on a GPU: how far each memory is away, and what a launch costs.

A chain of pointers through memory, each read before the next address is known: nanoseconds per step. Then the rates of
copies between the host's memory and the device's, and microseconds of a ReLU of float16 numbers: of n called from
Python, one after another, and of a few replayed from a CUDA graph. Needs torch and Triton only.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from autograder.benchmark.timing.roofline import this_device, versions
from bench.asked import json_file

LINE = 16  # int64 numbers in 128 bytes, which a GPU fetches as one
SMALL = 256  # numbers of the ReLU that is replayed


@triton.jit
def chase_kernel(next_ptr, at_ptr, steps):  # type: ignore[no-untyped-def]
    """Go on along a chain for so many steps. One program; each load waits for the one before it."""
    at = tl.load(at_ptr)
    for _ in range(steps):
        at = tl.load(next_ptr + at)
    tl.store(at_ptr, at)


def chain(megabytes: float, pinned: bool = False) -> Tensor:
    """A ring through all lines of an array of this size, in random order: entry i holds where entry i leads."""
    lines = int(megabytes * 2**20) // (8 * LINE)
    order = torch.randperm(lines, generator=torch.Generator().manual_seed(0)) * LINE
    ring = torch.zeros(lines * LINE, dtype=torch.int64)
    ring[order] = order.roll(-1)
    return ring.pin_memory() if pinned else ring.cuda()


def nanoseconds(ring: Tensor, steps: int) -> float:
    """Of one step: what a long walk takes longer than a short one, the median of nine, after walks to fill the caches.

    steps: a multiple of 16, so that one compiled kernel serves both.
    """
    at = torch.zeros(1, dtype=torch.int64, device="cuda")  # each walk goes on where the last one stopped

    def walk(steps: int) -> float:
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        chase_kernel[(1,)](ring, at, steps, num_warps=1)
        end.record()
        end.synchronize()
        ms: float = start.elapsed_time(end)
        return 1e6 * ms

    walk(4 * steps)
    return statistics.median((walk(4 * steps) - walk(steps)) / (3 * steps) for _ in range(9))


def seconds(work: Callable[[], Any], calls: int) -> float:
    """Of one call, on the host's clock, until the device is idle: the best of five rounds."""
    best = float("inf")
    for _ in range(6):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(calls):
            work()
        torch.cuda.synchronize()
        best = min(best, (time.perf_counter() - begin) / calls)
    return best


def replayed(work: Callable[[], Any], calls: int) -> float:
    """Seconds of one of so many calls that a CUDA graph replays one after another."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            work()
    return seconds(graph.replay, 5) / calls


def relu(n: int) -> Callable[[], Any]:
    x = torch.randn(n, device="cuda", dtype=torch.float16)
    y = torch.empty_like(x)
    return lambda: torch.clamp(x, min=0, out=y)


def main(out: Path) -> None:
    a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    for _ in range(200):  # to the clock of a busy device
        a @ a
    latency = {
        "L1": nanoseconds(chain(1 / 16), 32_000),
        "L2": nanoseconds(chain(8), 100_000),
        "HBM": nanoseconds(chain(2048), 100_000),
        "host": nanoseconds(chain(64, pinned=True), 8_000),
    }
    there, here = (torch.empty(2**30, dtype=torch.uint8, device=device) for device in ("cpu", "cuda"))
    there = there.pin_memory()
    rates = {
        "host to device": 2**30 / seconds(lambda: here.copy_(there, non_blocking=True), 3) / 1e9,
        "device to host": 2**30 / seconds(lambda: there.copy_(here, non_blocking=True), 3) / 1e9,
    }
    called = {2**i: 1e6 * seconds(relu(2**i), 2000 if i < 22 else 50) for i in range(4, 31, 2)}
    data: dict[str, Any] = {"device": this_device().name, "versions": versions(), "date": date.today().isoformat()}
    data |= {
        "ns": {name: round(ns, 1) for name, ns in latency.items()},
        "gb_per_s": {name: round(rate, 1) for name, rate in rates.items()},
        "replayed_us": round(1e6 * replayed(relu(SMALL), 1000), 2),
        "relu_us": {str(n): round(us, 2) for n, us in called.items()},
    }
    out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(json_file())
