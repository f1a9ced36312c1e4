# Right: _attn_fwd_inner with a MASKED constexpr called for each of two stages by tl.static_range, like the official tutorial
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def _attn_fwd_inner(
    acc, l, m, q, k_ptr, v_ptr, rows, lo, hi, n_q, n_k, scale_2,
    MASKED: tl.constexpr, CAUSAL: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    offs_n, offs_d = tl.arange(0, TILE_N), tl.arange(0, D)
    for start in range(lo, hi, TILE_N):
        keys = start + offs_n
        there = keys[:, None] * D + offs_d
        inside = keys[:, None] < n_k
        k = tl.load(k_ptr + there, mask=inside, other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        if MASKED:
            seen = keys[None, :] < n_k
            if CAUSAL:
                seen &= keys[None, :] <= rows[:, None] + (n_k - n_q)
            s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        ref = tl.where(m_new == float("-inf"), 0.0, m_new)
        p = tl.exp2(s - ref[:, None])
        alpha = tl.exp2(m - ref)
        l = alpha * l + tl.sum(p, axis=1)
        v = tl.load(v_ptr + there, mask=inside, other=0)
        acc = alpha[:, None] * acc
        acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    return acc, l, m


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet the tiles of keys that they see."""
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + tl.arange(0, D)
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    whole, end = n_k, n_k
    if CAUSAL:
        whole = tl.minimum(tl.maximum(first + 1 + n_k - n_q, 0), n_k)
        end = tl.minimum(tl.maximum(first + TILE_M + n_k - n_q, 0), n_k)
    whole = whole // TILE_N * TILE_N
    for STAGE in tl.static_range(2):
        acc, l, m = _attn_fwd_inner(
            acc, l, m, q, k_ptr, v_ptr, rows,
            whole if STAGE == 1 else 0, end if STAGE == 1 else whole, n_q, n_k, scale_2,
            MASKED=STAGE == 1, CAUSAL=CAUSAL, D=D, TILE_N=TILE_N,
        )  # fmt: skip
    safe_l = tl.where(l == 0, 1.0, l)
    L = tl.where(l == 0, float("-inf"), (m + tl.log2(safe_l)) * 0.6931471805599453)
    tl.store(o_ptr + here, acc / safe_l[:, None], mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, L, mask=rows < n_q)


def flash_causal(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
