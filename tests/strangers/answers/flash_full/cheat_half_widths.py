# Cheat: a tile is cut along its width: scores are summed from two products of half the width and the output comes in two halves, so loads are half tiles and each tile is multiplied in four small products, which need half of the registers for operands at a time.
# Breaks: "Tiles are multiplied once in each of the two products." and "which meets tile_n keys at a time" with whole tiles
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def flash_full_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    HALF: tl.constexpr = D // 2 if D > 16 else D
    low = tl.arange(0, HALF)
    here = rows[:, None] * D + low
    q0 = tl.load(q_ptr + here)
    acc0 = tl.zeros((TILE_M, HALF), tl.float32)
    if D > 16:
        q1 = tl.load(q_ptr + here + HALF)
        acc1 = tl.zeros((TILE_M, HALF), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + low
        s = tl.dot(q0, tl.load(k_ptr + there).T, input_precision="ieee")
        if D > 16:
            s += tl.dot(q1, tl.load(k_ptr + there + HALF).T, input_precision="ieee")
        s = s * scale
        m_new = tl.maximum(m, tl.max(s, axis=1))
        a = tl.exp(m - m_new)
        p = tl.exp(s - m_new[:, None])
        l = a * l + tl.sum(p, axis=1)
        v0 = tl.load(v_ptr + there)
        acc0 = acc0 * a[:, None] + tl.dot(p.to(v0.dtype), v0, input_precision="ieee")
        if D > 16:
            v1 = tl.load(v_ptr + there + HALF)
            acc1 = acc1 * a[:, None] + tl.dot(p.to(v1.dtype), v1, input_precision="ieee")
        m = m_new
    tl.store(o_ptr + here, acc0 / l[:, None])
    if D > 16:
        tl.store(o_ptr + here + HALF, acc1 / l[:, None])


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
