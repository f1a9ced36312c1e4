# style: Triton tutorial: pointers that walk, acc as third argument of tl.dot, K loaded transposed, base 2
import torch
import triton
import triton.language as tl
from torch import Tensor


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
    LOG2E: tl.constexpr = 1.4426950408889634
    q = tl.load(q_ptr + here)
    m_i = tl.full([TILE_M], -float("inf"), dtype=tl.float32)
    l_i = tl.zeros([TILE_M], dtype=tl.float32)
    acc = tl.zeros([TILE_M, D], dtype=tl.float32)
    offs_n = tl.arange(0, TILE_N)
    k_tile = k_ptr + columns[:, None] + offs_n[None, :] * D
    v_tile = v_ptr + offs_n[:, None] * D + columns[None, :]
    for start in range(0, n_k, TILE_N):
        qk = tl.dot(q, tl.load(k_tile), input_precision="ieee") * (scale * LOG2E)
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp2(qk - m_ij[:, None])
        alpha = tl.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(v_tile)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m_i = m_ij
        k_tile += TILE_N * D
        v_tile += TILE_N * D
    tl.store(o_ptr + here, (acc / l_i[:, None]).to(o_ptr.dtype.element_ty))


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
