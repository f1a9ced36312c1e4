# Right: one loop with the mask under a condition, helper for the limits, raw pointers that are incremented.
import math

import torch
import triton
import triton.language as tl


@triton.jit
def limits(first, n_q, n_k, TILE_M: tl.constexpr, CAUSAL: tl.constexpr):
    """How many keys all queries of the tile see, and how many any of them does."""
    by_all = n_k
    by_any = n_k
    if CAUSAL:
        by_all = tl.minimum(tl.maximum(first + 1 + n_k - n_q, 0), n_k)
        by_any = tl.minimum(tl.maximum(first + TILE_M + n_k - n_q, 0), n_k)
    return by_all, by_any


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    column = tl.arange(0, D)[None, :]
    here = head * n_q * D + rows[:, None] * D + column
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0.0)
    key = tl.arange(0, TILE_N)
    k_tile = k_ptr + head * n_k * D + key[:, None] * D + column
    v_tile = v_ptr + head * n_k * D + key[:, None] * D + column
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    by_all, by_any = limits(first, n_q, n_k, TILE_M, CAUSAL)
    for start in range(0, by_any, TILE_N):
        inside = (start + key)[:, None] < n_k
        k = tl.load(k_tile, mask=inside, other=0.0)
        v = tl.load(v_tile, mask=inside, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee")
        if start + TILE_N > by_all:
            seen = (start + key)[None, :] < n_k
            if CAUSAL:
                seen = seen & ((start + key)[None, :] <= rows[:, None] + n_k - n_q)
            s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, scale_2 * tl.max(s, axis=1))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - base)
        p = tl.exp2(scale_2 * s - base[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = alpha[:, None] * acc
        acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
        k_tile += TILE_N * D
        v_tile += TILE_N * D
    o = acc / tl.where(l == 0.0, 1.0, l)[:, None]
    tl.store(o_ptr + here, o, mask=rows[:, None] < n_q)
    L = (m + tl.log2(l)) * 0.6931471805599453
    tl.store(L_ptr + head * n_q + rows, L, mask=rows < n_q)


def flash_causal(q, k, v, causal=False, scale=None, tile_m=64, tile_n=64):
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:-1], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    grid = lambda meta: (triton.cdiv(n_q, meta["TILE_M"]), batch * heads)
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o, L
