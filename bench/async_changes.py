"""`python -m bench.async_changes OUT.json`, on a GPU: what each of the four changes of `flash_async` is worth.

The kernel as it is, and with one change taken back, beside `flash_mma`, which has none of them. In bfloat16, 16,384
tokens, a hidden size of 2048, N = 4096, no mask; medians of interleaved calls on a cold cache.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

import torch
from torch import Tensor

from autograder.benchmark.problems.attention import Attention
from autograder.benchmark.timing.clock import GpuClock
from autograder.benchmark.timing.roofline import this_device, versions
from bench.asked import json_file
from kernels import CUDA
from kernels.cuda_flash_forward import launch
from kernels.tensor_cores import flash_async, flash_mma
from simt.source import using

CALLS, WARM = 21, 5
PLAIN_READS = """
__device__ __forceinline__ unsigned two(const element* tile, int row, int chunk) {
    return *(const unsigned*)&tile[place(row, chunk) + threadIdx.x % 4 * 2];
}

__device__ __forceinline__ unsigned two_rows(const element* tile, int row, int chunk) {
    const unsigned short* bits = (const unsigned short*)tile + threadIdx.x % 32 / 4;
    return bits[place(row, chunk)] | (unsigned)bits[place(row + 1, chunk)] << 16;
}

// Start copying"""


@dataclass(frozen=True)
class Variant:
    """`flash_async` with one change taken back: what is replaced in its text, and its threads."""

    edits: Sequence[tuple[str, str]]
    threads: int = 128

    def text(self) -> str:
        """Raises ValueError if what an edit replaces does not stand in the kernel exactly once."""
        text = (CUDA / "flash_async.cu").read_text(encoding="utf-8")
        for old, new in self.edits:
            if text.count(old) != 1:
                raise ValueError(f"flash_async.cu has {text.count(old)} times {old!r}, and the edit needs it once")
            text = text.replace(old, new)
        return text

    def __call__(self, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        macros = {"TILE_M": 128, "TILE_N": 64}
        shared = (128 + 2 * 2 * 64) * q.shape[3] * 2
        with using("flash_async", self.text()):
            return launch("flash_async", q, k, v, False, None, 128, self.threads, shared, macros)


WITHOUT = {
    "ldmatrix": Variant(
        [
            ("\n// Start copying", PLAIN_READS),
            (
                "ldmatrix_x4(a[f], q_tile + 16 * f * D + (q_at ^ 16 * c));",
                "for (int i = 0; i < 4; ++i) a[f][i] = two(q_tile, 32 * warp + 16 * f + i % 2 * 8 + g, 2 * c + i / 2);",
            ),
            (
                "ldmatrix_x4(b, k_tile + 16 * j * D + (k_at ^ 16 * c));",
                "for (int i = 0; i < 4; ++i) b[i] = two(k_tile, 16 * j + i / 2 * 8 + g, 2 * c + i % 2);",
            ),
            (
                "ldmatrix_x4_trans(b, v_tile + 16 * j * D + (v_at ^ 16 * c));",
                "for (int i = 0; i < 4; ++i) b[i] = two_rows(v_tile, 16 * j + i % 2 * 8 + 2 * t, 2 * c + i / 2);",
            ),
        ]
    ),
    "swizzle": Variant([("(chunk ^ row % 8) * 8", "chunk * 8")]),
    "copies ahead": Variant(
        [
            ("    start_tile(stages, k, 0, TILE_N, n_k);\n    start_tile(stages + TILE, v, 0, TILE_N, n_k);\n", ""),
            (
                "        cp_async_wait<0>();\n",
                "        __syncthreads();\n"
                "        start_tile(stages, k, start, TILE_N, n_k);\n"
                "        start_tile(stages + TILE, v, start, TILE_N, n_k);\n"
                "        cp_async_commit();\n"
                "        cp_async_wait<0>();\n",
            ),
            ("        stage = 1 - stage;\n", ""),
            ("if (start + TILE_N < seen_by_any) {", "if (false) {"),
        ]
    ),
    "second fragment": Variant(
        [
            ("#define FRAGMENTS 2 ", "#define FRAGMENTS 1 "),
            ("#define THREADS TILE_M ", "#define THREADS (2 * TILE_M) "),
            ("first + 32 * warp + g", "first + 16 * warp + g"),
            ("place(32 * warp + lane % 16", "place(16 * warp + lane % 16"),
        ],
        threads=256,
    ),
}
KERNELS: dict[str, Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]] = {
    "all": flash_async,
    **{f"without {change}": variant for change, variant in WITHOUT.items()},
    "none": flash_mma,
}


def rates(clock: GpuClock, d: int) -> dict[str, float]:
    """TFLOP/s of each kernel. Raises ValueError if one does not give what `flash_async` gives."""
    problem = Attention(batch=4, heads=2048 // d, n=4096, d=d, causal=False)
    inputs = problem.empty(clock.device)
    problem.fill(inputs, torch.Generator(clock.device).manual_seed(0))
    calls = {name: partial(kernel, *inputs.values()) for name, kernel in KERNELS.items()}
    right = calls["all"]()[0].float()
    for name, call in calls.items():
        if (off := (call()[0].float() - right).abs().max().item()) > 2**-7 * right.abs().max().item():
            raise ValueError(f"{name}, d = {d}: off by {off:.1e}")
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(WARM + CALLS):
        for name, call in calls.items():
            times[name].append(clock.time(name, call)[0])
    return {name: round(problem.work / statistics.median(found[WARM:]) / 1e9, 1) for name, found in times.items()}


def main(out: Path) -> None:
    clock = GpuClock()
    about = {"device": this_device().name, "versions": versions(), "date": date.today().isoformat()}
    data = about | {"tflops": {str(d): rates(clock, d) for d in (64, 128)}}
    out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(json_file())
