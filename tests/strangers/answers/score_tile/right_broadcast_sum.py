# No dot: a broadcast product summed over columns in float32, sixteen columns at a time by static_range over reshaped tiles.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    cols = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    s = tl.zeros((TILE_M, TILE_N), tl.float32)
    for c in tl.static_range(D):
        q = tl.load(q_ptr + rows * D + c, mask=rows < n_q, other=0).to(tl.float32)
        k = tl.load(k_ptr + cols * D + c, mask=cols < n_k, other=0).to(tl.float32)
        s += q[:, None] * k[None, :]
    inside = (rows < n_q)[:, None] & (cols < n_k)[None, :]
    tl.store(s_ptr + rows[:, None] * n_k + cols[None, :], s * scale, mask=inside)


def score_tile(q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64) -> Tensor:
    (n_q, d), n_k = q.shape, len(k)
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    score_tile_kernel[triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n)](
        q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return s
