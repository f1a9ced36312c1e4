# causal mask aligned at the first key (j <= i), as PyTorch's is_causal
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def inner(acc, l_i, m_i, q, kp, vp, lo, hi, nk, offs_m, shift, c2, D: tl.constexpr, N: tl.constexpr, STAGE: tl.constexpr):
    for j in range(lo, hi, N):
        n = j + tl.arange(0, N)
        e = tl.arange(0, D)
        k = tl.load(kp + n[None, :] * D + e[:, None], mask=n[None, :] < nk, other=0.0)
        v = tl.load(vp + n[:, None] * D + e[None, :], mask=n[:, None] < nk, other=0.0)
        qk = tl.dot(q, k, input_precision="ieee") * c2
        if STAGE == 2:
            qk = tl.where((n[None, :] <= offs_m[:, None] + shift) & (n[None, :] < nk), qk, float("-inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        base = tl.where(m_ij == float("-inf"), 0.0, m_ij)
        p = tl.exp2(qk - base[:, None])
        alpha = tl.exp2(m_i - base)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m_i = m_ij
    return acc, l_i, m_i


@triton.jit
def fwd(Q, K, V, O, LSE, nq, nk, c2, CAUSAL: tl.constexpr, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    hz = tl.program_id(1).to(tl.int64)
    m0 = tl.program_id(0) * M
    offs_m = m0 + tl.arange(0, M)
    at = (hz * nq + offs_m)[:, None] * D + tl.arange(0, D)[None, :]
    q = tl.load(Q + at, mask=offs_m[:, None] < nq, other=0.0)
    acc = tl.zeros([M, D], tl.float32)
    l_i = tl.zeros([M], tl.float32)
    m_i = tl.full([M], float("-inf"), tl.float32)
    shift = 0
    if not CAUSAL:
        shift = nk
    full = tl.minimum(tl.maximum(m0 + shift + 1, 0), nk) // N * N
    hi = tl.minimum(tl.maximum(m0 + M + shift, 0), nk)
    kp = K + hz * nk * D
    vp = V + hz * nk * D
    acc, l_i, m_i = inner(acc, l_i, m_i, q, kp, vp, 0, full, nk, offs_m, shift, c2, D, N, 1)
    acc, l_i, m_i = inner(acc, l_i, m_i, q, kp, vp, full, hi, nk, offs_m, shift, c2, D, N, 2)
    some = l_i > 0
    tl.store(O + at, acc / tl.where(some, l_i, 1.0)[:, None], mask=offs_m[:, None] < nq)
    tl.store(LSE + hz * nq + offs_m, tl.where(some, (m_i + tl.log2(l_i)) * 0.6931471805599453, float("-inf")), mask=offs_m < nq)


def flash_causal(q, k, v, causal=False, scale=None, tile_m=64, tile_n=64):
    B, H, nq, D = q.shape
    o = torch.empty_like(q)
    lse = torch.empty((B, H, nq), device=q.device, dtype=torch.float32)
    c2 = (scale if scale is not None else 1 / math.sqrt(D)) / math.log(2)
    fwd[(triton.cdiv(nq, tile_m), B * H)](q, k, v, o, lse, nq, k.shape[2], c2, causal, D, tile_m, tile_n)
    return o, lse
