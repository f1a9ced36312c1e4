# Right: everything stands transposed: scores are (keys, queries), sums run along axis 0, acc is (D, TILE_M)
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
    here = rows[None, :] * D + columns[:, None]  # (D, TILE_M)
    q_t = tl.load(q_ptr + here, mask=rows[None, :] < n_q, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc_t = tl.zeros((D, TILE_M), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + keys[:, None] * D + columns[None, :], mask=keys[:, None] < n_k, other=0)
        s_t = scale_2 * tl.dot(k, q_t, input_precision="ieee")
        s_t = tl.where(keys[:, None] < n_k, s_t, float("-inf"))
        m_new = tl.maximum(m, tl.max(s_t, axis=0))
        p_t = tl.exp2(s_t - m_new[None, :])
        alpha = tl.exp2(m - m_new)
        l = l * alpha + tl.sum(p_t, axis=0)
        v_t = tl.load(v_ptr + keys[None, :] * D + columns[:, None], mask=keys[None, :] < n_k, other=0)
        acc_t = acc_t * alpha[None, :] + tl.dot(v_t, p_t.to(v_t.dtype), input_precision="ieee")
        m = m_new
    tl.store(o_ptr + here, acc_t / l[None, :], mask=rows[None, :] < n_q)
    tl.store(L_ptr + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


def flash_lse(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention and its log-sum-exp, with exponentials to base 2 inside."""
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_lse_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
