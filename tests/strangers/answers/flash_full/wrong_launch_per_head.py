# Means well: a launch for each head, in loops of Python, where one grid has all; the first tile of keys is peeled off.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def scores(q, k_at, scale_2):
    """(TILE_M, TILE_N), times the scale (any sign) and log2(e)."""
    k = tl.load(k_at)
    return tl.dot(q, k.T, input_precision="ieee") * scale_2


@triton.jit
def flash_full_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: TILE_M queries of one head meet all keys of the head, TILE_N at a time."""
    head = tl.program_id(1).to(tl.int64)  # offsets of whole heads can pass 2^31
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns  # (TILE_M, D): where the queries lie, and their outputs

    scale_2 = scale * 1.4426950408889634
    q = tl.load(q_ptr + here)
    tile = tl.arange(0, TILE_N)[:, None] * D + columns
    k_at, v_at = k_ptr + tile, v_ptr + tile

    s = scores(q, k_at, scale_2)
    m = tl.max(s, axis=1)
    p = tl.exp2(s - m[:, None])
    l = tl.sum(p, axis=1)
    v = tl.load(v_at)
    acc = tl.dot(p.to(v.dtype), v, input_precision="ieee")
    for _ in range(1, n_k // TILE_N):
        k_at += TILE_N * D
        v_at += TILE_N * D
        s = scores(q, k_at, scale_2)
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp2(s - m_new[:, None])
        alpha = tl.exp2(m - m_new)
        v = tl.load(v_at)
        acc = tl.dot(p.to(v.dtype), v, acc=acc * alpha[:, None], input_precision="ieee")
        l = tl.fma(l, alpha, tl.sum(p, axis=1))
        m = m_new
    tl.store(o_ptr + here, (acc / l[:, None]).to(o_ptr.dtype.element_ty))


def flash_full(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    n_k = k.shape[2]
    assert n_q % tile_m == 0 and n_k % tile_n == 0, "whole tiles only"
    o = torch.empty_like(q)
    grid = (n_q // tile_m, batch * heads)
    scale = d**-0.5 if scale is None else scale
    for b in range(batch):
        for h in range(heads):
            flash_full_kernel[(n_q // tile_m, 1)](q[b, h], k[b, h], v[b, h], o[b, h], n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return o
