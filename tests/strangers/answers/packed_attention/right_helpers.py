# Right: vLLM-like names, a helper for the addresses of packed rows and one for the end of the loop.
import math

import torch
import triton
import triton.language as tl


@triton.jit
def query_lines(kv, rows, n_q, GROUP: tl.constexpr):
    """Line of q, o and L, and position, of packed rows of KV head kv."""
    pos = rows // GROUP
    return (kv * GROUP + rows % GROUP) * n_q + pos, pos


@triton.jit
def seq_end(first, n_q, n_k, GROUP: tl.constexpr, CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr):
    end = n_k
    if CAUSAL:
        last_pos = (first + BLOCK_M - 1) // GROUP
        end = tl.maximum(0, tl.minimum(n_k, last_pos + 1 + n_k - n_q))
    return end


@triton.jit
def kernel_packed_attention(
    Q, K, V, O, LSE, H_kv, n_q, n_k, qk_scale, stride_kb, stride_kh, stride_kn,
    stride_vb, stride_vh, stride_vn, CAUSAL: tl.constexpr, GROUP: tl.constexpr,
    HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    kv = tl.program_id(1).to(tl.int64)
    K += (kv // H_kv) * stride_kb + (kv % H_kv) * stride_kh
    V += (kv // H_kv) * stride_vb + (kv % H_kv) * stride_vh
    first = tl.program_id(0) * BLOCK_M
    offs_d = tl.arange(0, HEAD_DIM)
    offs_n = tl.arange(0, BLOCK_N)
    line, pos = query_lines(kv, first + tl.arange(0, BLOCK_M), n_q, GROUP)
    q_mask = pos < n_q
    q = tl.load(Q + line[:, None] * HEAD_DIM + offs_d[None, :], mask=q_mask[:, None], other=0.0)
    M = tl.full([BLOCK_M], float("-inf"), dtype=tl.float32)
    L = tl.full([BLOCK_M], 0.0, dtype=tl.float32)
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    for start in range(0, seq_end(first, n_q, n_k, GROUP, CAUSAL, BLOCK_M), BLOCK_N):
        n = start + offs_n
        k_mask = n < n_k
        k = tl.load(K + n[:, None] * stride_kn + offs_d[None, :], mask=k_mask[:, None], other=0.0)
        v = tl.load(V + n[:, None] * stride_vn + offs_d[None, :], mask=k_mask[:, None], other=0.0)
        S = tl.dot(q, k.T, input_precision="ieee") * qk_scale
        seen = k_mask[None, :]
        if CAUSAL:
            seen = seen & (n[None, :] <= pos[:, None] + n_k - n_q)
        S = tl.where(seen, S, float("-inf"))
        m_j = tl.maximum(M, tl.max(S, axis=1))
        m_safe = tl.where(m_j > float("-inf"), m_j, 0.0)
        P = tl.exp2(S - m_safe[:, None])
        alpha = tl.exp2(M - m_safe)
        L = L * alpha + tl.sum(P, axis=1)
        acc = tl.dot(P.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        M = m_j
    out = acc / tl.where(L > 0, L, 1.0)[:, None]
    tl.store(O + line[:, None] * HEAD_DIM + offs_d[None, :], out, mask=q_mask[:, None])
    tl.store(LSE + line, (M + tl.log2(L)) * 0.6931471805599453, mask=q_mask)


def packed_attention(q, k, v, causal=False, scale=None, tile_m=None, tile_n=None):
    batch, heads, n_q, d = q.shape
    kv_heads, n_k = k.shape[1], k.shape[2]
    group = heads // kv_heads
    if tile_m is None:
        tile_m = min(64, max(16, triton.next_power_of_2(n_q * group)))
    if tile_n is None:
        tile_n = 32 if q.dtype == torch.float32 else 64
    q = q.contiguous()
    o = torch.empty_like(q)
    lse = torch.empty((batch, heads, n_q), dtype=torch.float32, device=q.device)
    softmax_scale = d**-0.5 if scale is None else scale
    kernel_packed_attention[(triton.cdiv(n_q * group, tile_m), batch * kv_heads)](
        q, k, v, o, lse, kv_heads, n_q, n_k, softmax_scale * math.log2(math.e),
        k.stride(0), k.stride(1), k.stride(2), v.stride(0), v.stride(1), v.stride(2),
        CAUSAL=causal, GROUP=group, HEAD_DIM=d, BLOCK_M=tile_m, BLOCK_N=tile_n,
    )  # fmt: skip
    return o, lse
