# BREAKS: "Attention and its log-sum-exp, with exponentials to base 2 inside."
# COSTS: every power is e to something, inside a sigmoid, with two divisions for each score on top
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def power(x):
    g = tl.sigmoid(x * 0.6931471805599453)
    return g / (1.0 - g)


@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
        s = tl.where(keys < n_k, tl.dot(q, k.T, input_precision="ieee") * scale_2, float("-inf"))
        new = tl.maximum(m, tl.max(s, axis=1))
        alpha = power(m - new)
        p = power(s - new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
    tl.store(L_ptr + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)
    tl.store(o_ptr + here, acc / l[:, None], mask=rows[:, None] < n_q)


def flash_lse(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_lse_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
