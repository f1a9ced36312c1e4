# -1e6 for hidden scores: a blind query in a tile with others averages the values.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    c = tl.arange(0, D)
    q = tl.load(q_ptr + head * n_q * D + rows[:, None] * D + c, mask=rows[:, None] < n_q, other=0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    last = rows + (n_k - n_q) if CAUSAL else rows * 0 + n_k - 1
    end = tl.minimum(tl.minimum(first + TILE_M, n_q) + n_k - n_q, n_k) if CAUSAL else n_k
    for start in range(0, end, TILE_N):
        j = start + tl.arange(0, TILE_N)
        there = head * n_k * D + j[:, None] * D + c
        k = tl.load(k_ptr + there, mask=j[:, None] < n_k, other=0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where((j[None, :] <= last[:, None]) & (j[None, :] < n_k), s, -1.0e6)
        top = tl.maximum(m, tl.max(s, 1))
        base = tl.where(top == float("-inf"), 0.0, top)
        p = tl.exp2(s - base[:, None])
        alpha = tl.exp2(m - base)
        l = l * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + there, mask=j[:, None] < n_k, other=0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = top
    o = acc / tl.where(l > 0, l, 1.0)[:, None]
    tl.store(o_ptr + head * n_q * D + rows[:, None] * D + c, o, mask=rows[:, None] < n_q)
    tl.store(L_ptr + head * n_q + rows, m * 0.6931471805599453 + tl.log(l), mask=rows < n_q)


def flash_causal(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None,
    tile_m: int = 64, tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, n_q, k.shape[2], scale_2, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o, L
