"""`python -m bench.decode_splits OUT.json`, on a GPU: how long one token takes by the number of parts (lesson 17).

One text of 131,072 tokens, 64 query heads on 8 KV heads of width 128 in bfloat16. Needs torch and Triton only.
"""

from __future__ import annotations

import json
import statistics
import sys
from datetime import date
from pathlib import Path

import torch

from autograder.benchmark.decode import Decode
from autograder.benchmark.roofline import this_device, versions
from autograder.benchmark.timing import GpuClock
from kernels.flash_decoding import combine_splits, split_decode

PROBLEM = Decode(batch=1, context=131_072, kv_heads=8)
PARTS = range(1, 129)
CALLS, WARM = 9, 3


def microseconds(clock: GpuClock, inputs: dict[str, torch.Tensor], splits: int) -> float:
    """The median of some calls on a cold cache, both kernels."""

    def call() -> tuple[torch.Tensor, torch.Tensor]:
        return combine_splits(*split_decode(*inputs.values(), splits))

    return 1e3 * statistics.median([clock.time("", call)[0] for _ in range(WARM + CALLS)][WARM:])


def main(out: str) -> None:
    clock = GpuClock()
    inputs = PROBLEM.empty(clock.device)
    PROBLEM.fill(inputs, torch.Generator(clock.device).manual_seed(0))
    found = {splits: round(microseconds(clock, inputs, splits), 2) for splits in PARTS}
    data = {
        "device": this_device().name,
        "versions": versions(),
        "date": date.today().isoformat(),
        "bytes": PROBLEM.cached,
        "microseconds": found,
    }
    Path(out).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
