# one maximum for the whole tile, so rows far below it underflow to 0
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def attend(q, k, v, o, nq, nk, c, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    # the output is kept normalised, with a log-sum-exp as its weight
    per_head = nq // BM
    z = tl.program_id(0) // per_head
    i = tl.program_id(0) % per_head * BM + tl.arange(0, BM)
    t = tl.arange(0, D)[None, :]
    z = z.to(tl.int64)
    x = tl.load(q + (z * nq + i)[:, None] * D + t)
    out = tl.zeros((BM, D), tl.float32)
    lse = tl.full((BM,), float("-inf"), tl.float32)
    for j0 in range(0, nk, BN):
        j = z * nk + j0 + tl.arange(0, BN)
        key = tl.load(k + j[:, None] * D + t)
        s = c * tl.dot(x, tl.trans(key), input_precision="ieee")
        top = tl.max(s, axis=1) * 0 + tl.max(tl.max(s, axis=1), axis=0)
        e = tl.exp(s - top[:, None])
        here = top + tl.log(tl.sum(e, axis=1))
        big = tl.maximum(lse, here)
        both = big + tl.log(tl.exp(lse - big) + tl.exp(here - big))
        val = tl.load(v + j[:, None] * D + t)
        new = tl.dot(e.to(val.dtype), val, input_precision="ieee")
        out = out * tl.exp(lse - both)[:, None] + new * tl.exp(top - both)[:, None]
        lse = both
    tl.store(o + (z * nq + i)[:, None] * D + t, out)


def flash_full(q: Tensor, k: Tensor, v: Tensor, scale=None, tile_m: int = 64, tile_n: int = 64) -> Tensor:
    b, h, n, d = q.shape
    if scale is None:
        scale = 1 / math.sqrt(d)
    o = torch.empty_like(q)
    attend[(b * h * (n // tile_m),)](q, k, v, o, n, k.shape[-2], scale, d, tile_m, tile_n)
    return o
