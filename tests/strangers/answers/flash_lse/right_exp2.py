# style: tl.math functions, constexpr inside, loop over block numbers
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet all keys; scale_2 is scale log2(e)."""
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0.0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.full((TILE_M,), 0.0, tl.float32)
    acc = tl.full((TILE_M, D), 0.0, tl.float32)
    for block in range(0, tl.cdiv(n_k, TILE_N)):
        keys = block * TILE_N + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + keys[:, None] * D + columns, mask=keys[:, None] < n_k, other=0.0)
        v = tl.load(v_ptr + keys[:, None] * D + columns, mask=keys[:, None] < n_k, other=0.0)
        s = scale_2 * tl.dot(q, tl.trans(k), input_precision="ieee")
        s = tl.where(keys[None, :] < n_k, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.math.exp2(m - m_new)
        p = tl.math.exp2(s - m_new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    ln_2: tl.constexpr = 0.6931471805599453
    tl.store(L_ptr + rows, ln_2 * (m + tl.math.log2(l)), mask=rows < n_q)
    tl.store(o_ptr + here, (acc / l[:, None]).to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)


def flash_lse(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention and its log-sum-exp, with exponentials to base 2 inside.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d), contiguous, float32 or 16 bits wide; d: a power of
    two from 16 to 128. tile_m, tile_n: powers of two from 16 on. scale: factor of the scores,
    positive, 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, the natural logarithm

        L_i = log sum_j exp(S_ij)        S = scale * q k^T

    Lengths, sums, traffic, programs and memory: as in `flash_ragged`, with L besides.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_lse_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
