# Right: offsets of packed rows in a helper, mask logic in a jit function with constexpr flags, positional launcher by dict of keyword arguments
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def _where_queries(kv, rows, n_q, GROUP: tl.constexpr):
    """Number of each packed row's query among all heads' queries."""
    return (kv * GROUP + rows % GROUP) * n_q + rows // GROUP


@triton.jit
def _online(acc, m, l, s, v):
    m_new = tl.maximum(m, tl.max(s, 1))
    base = tl.where(m_new > float("-inf"), m_new, 0.0)
    p, alpha = tl.exp2(s - base[:, None]), tl.exp2(m - base)
    acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
    return acc, m_new, l * alpha + tl.sum(p, 1)


@triton.jit
def packed_attention_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M packed rows of one KV head meet the keys that they see."""
    kv = tl.program_id(1).to(tl.int64)  # counts the KV heads of all batches
    k_ptr += kv // H_kv * k_batch + kv % H_kv * k_head
    v_ptr += kv // H_kv * v_batch + kv % H_kv * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    real = rows < n_q * GROUP
    query = _where_queries(kv, rows, n_q, GROUP)
    q = tl.load(q_ptr + query[:, None] * D + columns, mask=real[:, None], other=0)
    end = n_k
    if CAUSAL:
        newest = tl.minimum((first + TILE_M - 1) // GROUP, n_q - 1)
        end = tl.minimum(n_k, tl.maximum(newest + n_k - n_q + 1, 0))
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = (keys < n_k)[:, None]
        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=there, other=0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=there, other=0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        seen = (keys < n_k)[None, :]
        if CAUSAL:
            seen = seen & (keys[None, :] <= (rows // GROUP + n_k - n_q)[:, None])
        acc, m, l = _online(acc, m, l, tl.where(seen, s, float("-inf")), v)
    tl.store(o_ptr + query[:, None] * D + columns, acc / tl.where(l > 0, l, 1.0)[:, None], mask=real[:, None])
    tl.store(L_ptr + query, (m + tl.log2(l)) / 1.4426950408889634, mask=real)


def packed_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention of grouped heads that loads keys and values once for all heads of a group."""
    batch, heads, n_q, d = q.shape
    kv_heads, n_k = k.shape[1:3]
    group = heads // kv_heads
    tile_m = tile_m or min(64, max(16, triton.next_power_of_2(n_q * group)))
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    q = q.contiguous()
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    constants = dict(CAUSAL=causal, GROUP=group, D=d, TILE_M=tile_m, TILE_N=tile_n)
    packed_attention_kernel[(triton.cdiv(n_q * group, tile_m), batch * kv_heads)](
        q, k, v, o, L, kv_heads, n_q, n_k, scale_2, *k.stride()[:3], *v.stride()[:3], **constants
    )
    return o, L
