# Right: helper functions for loading rows and offsets, tl.dot with acc=, tl.trans, allow_tf32=False spelled the old way
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def _rows(ptr, start, n, D: tl.constexpr, TILE: tl.constexpr):
    r = start + tl.arange(0, TILE)
    c = tl.arange(0, D)
    return tl.load(ptr + r[:, None].to(tl.int64) * D + c[None, :], mask=(r < n)[:, None], other=0.0)


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One tile of S: program (a, b) has queries from a * TILE_M on, keys from b * TILE_N on."""
    off_m, off_n = tl.program_id(0) * TILE_M, tl.program_id(1) * TILE_N
    acc = tl.zeros([TILE_M, TILE_N], dtype=tl.float32)
    acc = tl.dot(
        _rows(q_ptr, off_m, n_q, D, TILE_M), tl.trans(_rows(k_ptr, off_n, n_k, D, TILE_N)),
        acc, allow_tf32=False,
    )
    acc *= scale
    m = (off_m + tl.arange(0, TILE_M))[:, None]
    n = (off_n + tl.arange(0, TILE_N))[None, :]
    tl.store(s_ptr + m.to(tl.int64) * n_k + n, acc, mask=(m < n_q) & (n < n_k))


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    (n_q, d), (n_k, _) = q.shape, k.shape
    s = q.new_empty((n_q, n_k), dtype=torch.float32)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
