# style: terse: additive mask, tl.fma, zeros_like
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet all keys of the head."""
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0.0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros_like(m)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        inside = keys < n_k
        there = keys[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=inside[:, None], other=0.0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        s += tl.where(inside, 0.0, float("-inf"))[None, :]
        m_new = tl.maximum(m, tl.max(s, axis=1))
        a, p = tl.exp(m - m_new), tl.exp(s - m_new[:, None])
        v = tl.load(v_ptr + there, mask=inside[:, None], other=0.0)
        l = tl.fma(l, a, tl.sum(p, axis=1))
        acc = tl.dot(p.to(v.dtype), v, acc * a[:, None], input_precision="ieee")
        m = m_new
    tl.store(o_ptr + here, (acc / l[:, None]).to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)


def flash_ragged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    """Attention of any number of queries with any number of keys.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d), contiguous, float32 or 16 bits wide; d: a power of
    two from 16 to 128. tile_m, tile_n: powers of two from 16 on; the last tile of either side
    is what is left. scale: factor of the scores, of any sign or 0, 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype. Nothing outside the tensors is read or written. Sums,
    traffic, programs and memory: as in `flash_full`.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
