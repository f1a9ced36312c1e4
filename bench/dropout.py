"""`python -m bench.dropout OUT.json`, on a GPU: what the random numbers of dropout cost.

`dropout` on eight matrices of 8192 x 8192 with four words of each call of Philox and with one, and the forward pass of
attention (16,384 tokens, N = 4096, hidden size 2048) with its mask and with one that keeps everything. In bfloat16;
medians of interleaved calls on a cold cache. Needs torch and Triton only.
"""

from __future__ import annotations

import importlib.util
import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import torch

from autograder.benchmark.problems.attention import Attention
from autograder.benchmark.timing.clock import GpuClock, random_like
from autograder.benchmark.timing.roofline import this_device, versions
from bench.asked import json_file
from kernels import dropout as course

CALLS, WARM = 15, 4
HOW: dict[str, Any] = {"dropout_p": 0.1, "seed": 2026, "offset": 7}
FOUR_WORDS = """    groups = start // 4 + tl.arange(0, TILE_N // 4)
    w0, w1, w2, w3 = tl.philox(seed, groups[None, :], rows[:, None], head, offset)
    ### END SOLUTION
    # Each w is (TILE_M, TILE_N / 4); joined twice, the four of a group stand side by side.
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape((rows.shape[0], TILE_N))
"""
ONE_WORD = """    columns = start + tl.arange(0, TILE_N)
    words, _, _, _ = tl.philox(seed, columns[None, :], rows[:, None], head, offset)
"""
NO_WORD = """    words = tl.full((rows.shape[0], TILE_N), 0xFFFFFFFF, tl.uint32)
"""


def with_words(body: str, folder: str) -> Any:
    """kernels/dropout.py with other words in `keep_tile`. Raises ValueError if those of today stand elsewhere."""
    text = Path(course.__file__).read_text(encoding="utf-8")
    if text.count(FOUR_WORDS) != 1:
        raise ValueError("keep_tile is not what this replaces")
    path = Path(folder, f"dropout_{len(body)}.py")
    path.write_text(text.replace(FOUR_WORDS, body), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def medians(clock: GpuClock, calls: Mapping[str, Callable[[], Any]]) -> dict[str, float]:
    """Milliseconds of each, in turns."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(WARM + CALLS):
        for name, call in calls.items():
            times[name].append(clock.time(name, call)[0])
    return {name: statistics.median(found[WARM:]) for name, found in times.items()}


def main(out: Path) -> None:
    clock = GpuClock()
    four: Any = course
    with tempfile.TemporaryDirectory() as folder:
        one, none = with_words(ONE_WORD, folder), with_words(NO_WORD, folder)
        x = random_like((8, 8192, 8192), torch.bfloat16, clock.device)
        y = torch.empty_like(x)
        calls = {
            "four words": lambda: four.dropout(x, **HOW),
            "one word": lambda: one.dropout(x, **HOW),
            "copy": lambda: y.copy_(x),
        }
        moved = {name: round(2 * x.nbytes / ms / 1e9, 2) for name, ms in medians(clock, calls).items()}
        tflops = {}
        for d in (64, 128):
            problem = Attention(batch=4, heads=2048 // d, n=4096, d=d, causal=False)
            inputs = problem.empty(clock.device)
            problem.fill(inputs, torch.Generator(clock.device).manual_seed(0))
            kernels = {"dropout": four, "all kept": none}
            attention = {name: partial(kernel.dropout_forward, **inputs, **HOW) for name, kernel in kernels.items()}
            found = medians(clock, attention)
            tflops[str(d)] = {name: round(problem.work / ms / 1e9, 1) for name, ms in found.items()}
    data = {"device": this_device().name, "versions": versions(), "date": date.today().isoformat()}
    out.write_text(json.dumps(data | {"tb_per_s": moved, "tflops": tflops}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(json_file())
