# Right: packs by // and % in two helper functions, masks folded into one where, safe reciprocal
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def _place(rows, kv, H_kv, n_q, GROUP: tl.constexpr):
    """Where packed rows of KV head `kv` (of all batches) lie among the (B H N_q) rows of q."""
    position, member = rows // GROUP, rows % GROUP
    return (kv * GROUP + member) * n_q + position, position


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
    there, position = _place(rows, kv, H_kv, n_q, GROUP)
    real = position < n_q
    q = tl.load(q_ptr + there[:, None] * D + columns, mask=real[:, None], other=0)
    end = n_k
    if CAUSAL:
        last = tl.minimum((first + TILE_M - 1) // GROUP, n_q - 1)
        end = tl.minimum(n_k, last + 1 + n_k - n_q)
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=keys[:, None] < n_k, other=0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        seen = (keys < n_k)[None, :]
        if CAUSAL:
            seen = seen & (keys[None, :] <= (position + n_k - n_q)[:, None])
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        p = tl.exp2(s - shift[:, None])
        alpha = tl.exp2(m - shift)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=keys[:, None] < n_k, other=0)
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    safe = tl.where(l > 0, l, 1.0)
    tl.store(o_ptr + there[:, None] * D + columns, acc / safe[:, None], mask=real[:, None])
    tl.store(L_ptr + there, (m + tl.log2(safe)) * 0.6931471805599453, mask=real)


def packed_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    kv_heads, n_k = k.shape[1:3]
    group = heads // kv_heads
    tile_m = tile_m or min(64, max(16, triton.next_power_of_2(n_q * group)))
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    q = q.contiguous()
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    packed_attention_kernel[(triton.cdiv(n_q * group, tile_m), batch * kv_heads)](
        q, k, v, o, L, kv_heads, n_q, n_k, scale_2, *k.stride()[:3], *v.stride()[:3],
        CAUSAL=causal, GROUP=group, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
