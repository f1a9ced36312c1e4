# masks with -1000, which is not below every score
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def fwd(Q, K, V, O, LSE, NQ, NK, c2, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    hz = tl.program_id(1).to(tl.int64)
    row0 = tl.program_id(0) * M
    r = row0 + tl.arange(0, M)
    ok = r < NQ
    e = tl.arange(0, D)
    qp = Q + (hz * NQ + r)[:, None] * D + e[None, :]
    q = tl.load(qp, mask=ok[:, None], other=0.0)
    mx = tl.full([M], -float("inf"), tl.float32)
    den = tl.zeros([M], tl.float32)
    num = tl.zeros([M, D], tl.float32)
    for n0 in tl.range(0, NK, N):
        n = n0 + tl.arange(0, N)
        live = n < NK
        kt = tl.load(K + (hz * NK + n)[None, :] * D + e[:, None], mask=live[None, :], other=0.0)
        s = tl.dot(q, kt, input_precision="ieee") * c2
        s = tl.where(live[None, :], s, -1e3)
        new = tl.maximum(mx, tl.max(s, 1))
        w = tl.exp2(s - new[:, None])
        a = tl.exp2(mx - new)
        den = a * den + tl.sum(w, 1)
        v = tl.load(V + (hz * NK + n)[:, None] * D + e[None, :], mask=live[:, None], other=0.0)
        num = a[:, None] * num + tl.dot(w.to(v.dtype), v, input_precision="ieee")
        mx = new
    tl.store(O + (hz * NQ + r)[:, None] * D + e[None, :], num / den[:, None], mask=ok[:, None])
    tl.store(LSE + hz * NQ + r, (mx + tl.log2(den)) * 0.6931471805599453, mask=ok)


def flash_lse(q: Tensor, k: Tensor, v: Tensor, scale: float | None = None, tile_m: int = 64, tile_n: int = 64):
    *bh, nq, d = q.shape
    o, lse = torch.empty_like(q), torch.empty(*bh, nq, device=q.device, dtype=torch.float32)
    sc = scale if scale is not None else d ** -0.5
    fwd[triton.cdiv(nq, tile_m), bh[0] * bh[1]](q, k, v, o, lse, nq, k.size(2), sc * 1.4426950408889634, d, tile_m, tile_n)
    return o, lse
