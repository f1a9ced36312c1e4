# Right: the fused-attention tutorial's style with block pointers and tl.advance, K transposed in its pointer
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
    """One program: TILE_M queries of one head meet all keys of the head, TILE_N at a time."""
    start_m = tl.program_id(0)
    off_hz = tl.program_id(1).to(tl.int64)
    Q_block_ptr = tl.make_block_ptr(
        q_ptr + off_hz * n_q * D, (n_q, D), (D, 1), (start_m * TILE_M, 0), (TILE_M, D), (1, 0)
    )
    K_block_ptr = tl.make_block_ptr(
        k_ptr + off_hz * n_k * D, (D, n_k), (1, D), (0, 0), (D, TILE_N), (0, 1)
    )
    V_block_ptr = tl.make_block_ptr(
        v_ptr + off_hz * n_k * D, (n_k, D), (D, 1), (0, 0), (TILE_N, D), (1, 0)
    )
    O_block_ptr = tl.make_block_ptr(
        o_ptr + off_hz * n_q * D, (n_q, D), (D, 1), (start_m * TILE_M, 0), (TILE_M, D), (1, 0)
    )
    m_i = tl.zeros([TILE_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([TILE_M], dtype=tl.float32)
    acc = tl.zeros([TILE_M, D], dtype=tl.float32)
    qk_scale = scale * 1.44269504  # 1/log(2)
    q = tl.load(Q_block_ptr)
    for start_n in range(0, n_k, TILE_N):
        start_n = tl.multiple_of(start_n, TILE_N)
        k = tl.load(K_block_ptr)
        qk = tl.dot(q, k, input_precision="ieee") * qk_scale
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.math.exp2(qk - m_ij[:, None])
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(V_block_ptr)
        acc = tl.dot(p.to(v.dtype), v, acc, input_precision="ieee")
        m_i = m_ij
        V_block_ptr = tl.advance(V_block_ptr, (TILE_N, 0))
        K_block_ptr = tl.advance(K_block_ptr, (0, TILE_N))
    acc = acc / l_i[:, None]
    tl.store(O_block_ptr, acc.to(o_ptr.type.element_ty))


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
