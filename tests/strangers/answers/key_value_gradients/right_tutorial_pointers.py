# pointers, scores on their side, as in Triton's tutorial
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def _bwd_dkdv(Q, K, V, DO, DK, DV, M, DELTA, sm_scale, NQ, NK, CAUSAL: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    bh = tl.program_id(1).to(tl.int64)
    Q += bh * NQ * D
    DO += bh * NQ * D
    M += bh * NQ
    DELTA += bh * NQ
    K += bh * NK * D
    V += bh * NK * D
    start_n = tl.program_id(0) * BN
    n = start_n + tl.arange(0, BN)
    e = tl.arange(0, D)
    kv = n[:, None] * D + e[None, :]
    k = tl.load(K + kv, mask=n[:, None] < NK, other=0.0)
    v = tl.load(V + kv, mask=n[:, None] < NK, other=0.0)
    dk = tl.zeros([BN, D], tl.float32)
    dv = tl.zeros([BN, D], tl.float32)
    lo = 0
    if CAUSAL:
        lo = tl.maximum(start_n - (NK - NQ), 0) // BM * BM
    for start_m in range(lo, NQ, BM):
        m = start_m + tl.arange(0, BM)
        q = tl.load(Q + m[:, None] * D + e[None, :], mask=m[:, None] < NQ, other=0.0)
        do = tl.load(DO + m[:, None] * D + e[None, :], mask=m[:, None] < NQ, other=0.0)
        lse = tl.load(M + m, mask=m < NQ, other=0.0)
        Di = tl.load(DELTA + m, mask=m < NQ, other=0.0)
        qkT = tl.dot(k, tl.trans(q), input_precision="ieee") * sm_scale
        seen = (m < NQ)[None, :] & (lse > float("-inf"))[None, :]
        if CAUSAL:
            seen = seen & (n[:, None] <= m[None, :] + (NK - NQ))
        pT = tl.where(seen, tl.exp(qkT - lse[None, :]), 0.0)
        dv += tl.dot(pT.to(do.dtype), do, input_precision="ieee")
        dpT = tl.dot(v, tl.trans(do), input_precision="ieee")
        dsT = pT * (dpT - Di[None, :])
        dk += tl.dot(dsT.to(q.dtype), q, input_precision="ieee")
    dk *= sm_scale
    out = bh * NK * D + kv
    tl.store(DK + out, dk, mask=n[:, None] < NK)
    tl.store(DV + out, dv, mask=n[:, None] < NK)


def key_value_gradients(q, k, v, do, L, delta, causal=False, scale=None, tile_m=None, tile_n=None):
    B, H, NQ, D = q.shape
    NK = k.shape[2]
    q, k, v, do = q.contiguous(), k.contiguous(), v.contiguous(), do.contiguous()
    dk, dv = torch.empty_like(k), torch.empty_like(v)
    tile_m, tile_n = tile_m or 32, tile_n or 32
    _bwd_dkdv[(triton.cdiv(NK, tile_n), B * H)](q, k, v, do, dk, dv, L, delta, D**-0.5 if scale is None else scale, NQ, NK, causal, D, tile_m, tile_n)
    return dk, dv
