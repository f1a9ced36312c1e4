# Breaks: "Only these tiles are multiplied, each once." / "k and v, for each tile of queries, up to the last tile of keys" (tiles whose every weight is below 1e-5 of the sum so far never meet their values, which are not loaded)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        if MASKED:
            s = tl.where((keys < n_k) & (keys <= last[:, None]), s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s - shift[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None]
        if tl.max(tl.max(p / tl.where(l == 0, 1.0, l)[:, None], axis=1), axis=0) > 1e-5:
            v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
            acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    return acc, m, l


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
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
    last = rows + n_k - n_q if CAUSAL else rows * 0 + n_k - 1
    end = n_k
    whole = n_k // TILE_N * TILE_N
    if CAUSAL:
        end = tl.minimum(n_k, first + TILE_M + n_k - n_q)
        whole = tl.maximum(0, tl.minimum(whole, (first + 1 + n_k - n_q) // TILE_N * TILE_N))
    acc, m, l = visit_keys(acc, m, l, q, last, k_ptr, v_ptr, 0, whole, n_k, scale_2, D, TILE_N, False)
    acc, m, l = visit_keys(acc, m, l, q, last, k_ptr, v_ptr, whole, end, n_k, scale_2, D, TILE_N, True)
    tl.store(o_ptr + here, acc / tl.where(l == 0, 1.0, l)[:, None], mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


def flash_causal(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None,
    tile_m: int = 64, tile_n: int = 64,
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
