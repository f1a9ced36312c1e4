# pointers, one loop over sinks and window
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def kern(Q, K, V, O, LSE, H, NQ, NK, W, S, c2, sqb, sqh, sqn, sqd, skb, skh, skn, skd, svb, svh, svn, svd, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    z = tl.program_id(1).to(tl.int64)
    b = z // H
    h = z % H
    m0 = tl.program_id(0) * M
    i = m0 + tl.arange(0, M)
    e = tl.arange(0, D)
    pos = i + NK - NQ
    q = tl.load(Q + b * sqb + h * sqh + i[:, None] * sqn + e[None, :] * sqd, mask=(i < NQ)[:, None], other=0.0)
    first_pos = m0 + NK - NQ
    last_pos = tl.minimum(m0 + M, NQ) - 1 + NK - NQ
    n_sink = tl.cdiv(S, N)
    n_lo = tl.maximum(first_pos - W + 1, 0) // N
    n_hi = tl.cdiv(last_pos + 1, N)
    hidden = tl.maximum(n_lo - n_sink, 0)
    acc = tl.zeros((M, D), tl.float32)
    l = tl.zeros((M,), tl.float32)
    m = tl.full((M,), float("-inf"), tl.float32)
    for t in range(n_hi - hidden):
        tile = tl.where(t < n_sink, t, t + hidden)
        j = tile * N + tl.arange(0, N)
        k = tl.load(K + b * skb + h * skh + j[:, None] * skn + e[None, :] * skd, mask=(j < NK)[:, None], other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * c2
        back = pos[:, None] - j[None, :]
        ok = (back >= 0) & ((back < W) | (j < S)[None, :])
        s = tl.where(ok, s, float("-inf"))
        m2 = tl.maximum(m, tl.max(s, 1))
        z2 = tl.where(m2 == float("-inf"), 0.0, m2)
        p = tl.exp2(s - z2[:, None])
        a = tl.exp2(m - z2)
        l = l * a + tl.sum(p, 1)
        v = tl.load(V + b * svb + h * svh + j[:, None] * svn + e[None, :] * svd, mask=(j < NK)[:, None], other=0.0)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m2
    l = tl.where(l == 0, 1.0, l)
    at = z * NQ + i
    tl.store(O + at[:, None] * D + e[None, :], acc / l[:, None], mask=(i < NQ)[:, None])
    tl.store(LSE + at, (m + tl.log2(l)) * 0.6931471805599453, mask=i < NQ)


def window_flash(q, k, v, window, sinks=0, scale=None, tile_m=None, tile_n=None):
    B, H, NQ, D = q.shape
    NK = k.shape[2]
    M, N = tile_m or 32, tile_n or 32
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    lse = torch.empty((B, H, NQ), dtype=torch.float32, device=q.device)
    c2 = (D ** -0.5 if scale is None else scale) * 1.4426950408889634
    kern[(triton.cdiv(NQ, M), B * H)](q, k, v, o, lse, H, NQ, NK, min(window, NK), min(sinks, NK), c2, *q.stride(), *k.stride(), *v.stride(), D, M, N)
    return o, lse
