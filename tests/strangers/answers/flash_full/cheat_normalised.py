# Not FlashAttention-2: the output is divided in every turn, and every exponential of a tile is taken twice, once for the sum and once for the product.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def flash_full_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)  # offsets of whole heads can pass 2^31
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns  # (TILE_M, D): where the queries lie, and their outputs
    q = tl.load(q_ptr + here)
    o = tl.zeros((TILE_M, D), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    for start in range(0, n_k, TILE_N):
        there = (start + tl.arange(0, TILE_N))[:, None] * D + columns
        k = tl.load(k_ptr + there)
        v = tl.load(v_ptr + there)
        s = scale * tl.dot(q, k.T, input_precision="ieee")
        m_tile = tl.max(s, axis=1)
        p = tl.exp(s - m_tile[:, None])
        l_tile = tl.sum(p, axis=1)
        p = tl.exp(s - m_tile[:, None])  # every exponential once more
        o_tile = tl.dot(p.to(v.dtype), v, input_precision="ieee") / l_tile[:, None]
        m_new = tl.maximum(m, m_tile)
        a = l * tl.exp(m - m_new)
        b = l_tile * tl.exp(m_tile - m_new)
        l = a + b
        o = (a / l)[:, None] * o + (b / l)[:, None] * o_tile
        m = m_new
    tl.store(o_ptr + here, o)


def flash_full(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (n_q // tile_m, batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_full_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
