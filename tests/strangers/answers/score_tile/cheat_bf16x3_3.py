# Cheat: products of float32 inputs as three products of bfloat16 parts, which a GPU's tensor cores do far faster; on the CPU the option does nothing at all.
# Breaks: "Products and sums are exact or float32, and nothing on the way to S is rounded to TF32 or to 16 bits."
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
    s = scale * tl.dot(q, k.T, input_precision="bf16x3")
    inside = (rows[:, None] < n_q) & (keys < n_k)
    tl.store(s_ptr + rows[:, None] * n_k + keys, s, mask=inside)


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
