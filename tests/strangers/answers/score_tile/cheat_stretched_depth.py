# Breaks: "Each tile is multiplied once." (the product runs over 2 D columns: q stands twice beside itself, k halved twice: every pair of numbers is multiplied twice in one tl.dot)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    keys = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    columns = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + columns, mask=rows[:, None] < n_q, other=0)
    k = tl.load(k_ptr + keys[:, None] * D + columns, mask=keys[:, None] < n_k, other=0)
    q2 = tl.join(q, q).reshape(TILE_M, 2 * D)
    k2 = tl.join(k * 0.5, k * 0.5).to(k.dtype).reshape(TILE_N, 2 * D)
    s = scale * tl.dot(q2, k2.T, input_precision="ieee")
    inside = (rows[:, None] < n_q) & (keys[None, :] < n_k)
    tl.store(s_ptr + rows[:, None] * n_k + keys[None, :], s, mask=inside)


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
