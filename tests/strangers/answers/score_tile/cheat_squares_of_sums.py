# Breaks: "Each tile is multiplied once." (no product of q with k: two squares for each pair of numbers, (q + k)^2 - (q - k)^2, column by column)
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
    s = tl.zeros((TILE_M, TILE_N), tl.float32)
    for c in range(D):
        q = tl.load(q_ptr + rows * D + c, mask=rows < n_q, other=0).to(tl.float32)
        k = tl.load(k_ptr + keys * D + c, mask=keys < n_k, other=0).to(tl.float32)
        up, down = q[:, None] + k[None, :], q[:, None] - k[None, :]
        s += up * up - down * down
    s *= 0.25 * scale
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
