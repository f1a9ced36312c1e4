# busiest allows a program twice the largest tile, for "one that sees few keys with one that sees many": neighbouring tiles are paired, so that the last program has the two tiles that see most
import math

import torch
import triton
import triton.language as tl


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    columns = tl.arange(0, D)
    begin = tl.program_id(0) * 2 * TILE_M
    for first in range(begin, tl.minimum(begin + 2 * TILE_M, n_q), TILE_M):
        rows = first + tl.arange(0, TILE_M)
        here = rows[:, None] * D + columns
        q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
        acc = tl.zeros((TILE_M, D), tl.float32)
        l = tl.zeros((TILE_M,), tl.float32)
        m = tl.full((TILE_M,), float("-inf"), tl.float32)
        last = tl.full((TILE_M,), n_k - 1, tl.int32)
        end = n_k
        if CAUSAL:
            last = rows + n_k - n_q
            end = tl.minimum(first + TILE_M + n_k - n_q, n_k)
        for start in range(0, end, TILE_N):
            keys = start + tl.arange(0, TILE_N)
            there = keys[:, None] * D + columns
            k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
            v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
            s = tl.dot(q, k.T, input_precision="ieee")
            s = tl.where((keys <= last[:, None]) & (keys < n_k), s, float("-inf"))
            m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
            shift = tl.where(m_new == float("-inf"), 0.0, m_new)
            alpha = tl.exp2(m - shift)
            p = tl.exp2(s * scale_2 - shift[:, None])
            l = alpha * l + tl.sum(p, axis=1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = m_new
        l = tl.where(l == 0, 1.0, l)
        tl.store(o_ptr + here, acc / l[:, None], mask=rows[:, None] < n_q)
        tl.store(L_ptr + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


def flash_causal(q, k, v, causal=False, scale=None, tile_m=64, tile_n=64):
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(triton.cdiv(n_q, tile_m), 2), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
