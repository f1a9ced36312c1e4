# visits hidden tiles and masks them
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def dq_sideways(Q, K, V, DO, DQ, M, DELTA, sm_scale, NQ, NK, CAUSAL: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    bh = tl.program_id(1).to(tl.int64)
    m0 = tl.program_id(0) * BM
    m = m0 + tl.arange(0, BM)
    e = tl.arange(0, D)
    qo = bh * NQ * D + m[:, None] * D + e[None, :]
    q = tl.load(Q + qo, mask=m[:, None] < NQ, other=0.0)
    do = tl.load(DO + qo, mask=m[:, None] < NQ, other=0.0)
    lse = tl.load(M + bh * NQ + m, mask=m < NQ, other=float("inf"))
    lse = tl.where(lse == float("-inf"), float("inf"), lse)
    Di = tl.load(DELTA + bh * NQ + m, mask=m < NQ, other=0.0)
    dqT = tl.zeros([D, BM], tl.float32)
    hi = NK
    if CAUSAL:
        hi = NK
    for back in range(tl.cdiv(hi, BN), 0, -1):
        n0 = (back - 1) * BN
        n = n0 + tl.arange(0, BN)
        kv = bh * NK * D + n[None, :] * D + e[:, None]
        kT = tl.load(K + kv, mask=n[None, :] < NK, other=0.0)
        vT = tl.load(V + kv, mask=n[None, :] < NK, other=0.0)
        p = tl.exp(tl.dot(q, kT, input_precision="ieee") * sm_scale - lse[:, None])
        ok = n[None, :] < NK
        if CAUSAL:
            ok = ok & (n[None, :] <= m[:, None] + NK - NQ)
        p = tl.where(ok, p, 0.0)
        ds = p * (tl.dot(do, vT, input_precision="ieee") - Di[:, None])
        dqT += tl.dot(kT, tl.trans(ds.to(kT.dtype)), input_precision="ieee")
    tl.store(DQ + qo, tl.trans(dqT) * sm_scale, mask=m[:, None] < NQ)


def query_gradients(q, k, v, do, L, delta, causal=False, scale=None, tile_m=None, tile_n=None):
    B, H, NQ, D = q.shape
    NK = k.shape[2]
    q, k, v, do = q.contiguous(), k.contiguous(), v.contiguous(), do.contiguous()
    dq = torch.empty_like(q)
    tile_m, tile_n = tile_m or 32, tile_n or 32
    dq_sideways[(triton.cdiv(NQ, tile_m), B * H)](q, k, v, do, dq, L, delta, D**-0.5 if scale is None else scale, NQ, NK, causal, D, tile_m, tile_n)
    return dq
