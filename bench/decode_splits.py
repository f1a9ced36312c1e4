"""`python -m bench.decode_splits OUT.json`, on a GPU: how long one token takes with each number of splits.

One sequence of 131,072 tokens, 64 query heads on 8 KV heads of width 128 in bfloat16, contiguous and in pages of 16;
the kernel for the splits and the one that merges them, together. Needs torch and Triton only.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from autograder.benchmark.problems.decode import Decode, PagedDecode
from autograder.benchmark.timing.clock import GpuClock
from autograder.benchmark.timing.roofline import this_device, versions
from bench.asked import json_file
from kernels.flash_decoding import combine_splits, split_decode
from kernels.paged_attention import paged_decode

CONTIGUOUS = Decode(batch=1, context=131_072, kv_heads=8)
PAGED = PagedDecode(batch=1, context=131_072, kv_heads=8, page=16)
SPLITS = range(1, 129)
CALLS, WARM = 9, 3


def by_splits(clock: GpuClock, problem: Decode, decode: Callable[..., Any]) -> dict[int, float]:
    """Microseconds for each number of splits, the median of several calls on a cold cache."""
    inputs = problem.empty(clock.device)
    problem.fill(inputs, torch.Generator(clock.device).manual_seed(0))
    found = {}
    for splits in SPLITS:
        call = partial(decode, *inputs.values(), splits=splits)
        times = [clock.time("", call)[0] for _ in range(WARM + CALLS)]
        found[splits] = round(1e3 * statistics.median(times[WARM:]), 2)
    return found


def in_splits(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, splits: int) -> tuple[Tensor, Tensor]:
    return combine_splits(*split_decode(q, k, v, lengths, splits))


def main(out: Path) -> None:
    clock = GpuClock()
    microseconds = {
        "contiguous": by_splits(clock, CONTIGUOUS, in_splits),
        "paged": by_splits(clock, PAGED, paged_decode),
    }
    about = {"device": this_device().name, "versions": versions(), "date": date.today().isoformat()}
    data = about | {"bytes": CONTIGUOUS.cached, "microseconds": microseconds}
    out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(json_file())
