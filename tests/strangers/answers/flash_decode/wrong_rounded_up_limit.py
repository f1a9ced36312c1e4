# one split for every begun 256 keys
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor



@triton.jit
def join(op, lp, o, L, S, D: tl.constexpr):
    h = tl.program_id(0).to(tl.int64)
    e = tl.arange(0, D)
    acc = tl.zeros((D,), tl.float32)
    m = float("-inf")
    l = 0.0
    for s in range(S):
        x = tl.load(lp + h * S + s)
        y = tl.load(op + (h * S + s) * D + e)
        z = tl.maximum(m, x)
        r = tl.where(z == float("-inf"), 0.0, z)
        acc = tl.exp(m - r) * acc + tl.exp(x - r) * y
        l = tl.exp(m - r) * l + tl.exp(x - r)
        m = z
    l = tl.where(l == 0.0, 1.0, l)
    tl.store(o + h * D + e, acc / l)
    tl.store(L + h, m + tl.log(l))


def flash_decode(q, k, v, lengths, scale=None, slots=264, tile_n=64):
    batch, heads, d = q.shape
    kv_heads, room = k.shape[1:3]
    splits = number_of_splits(batch * kv_heads, slots, min(-(-room // 256), 128))
    parts = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    join[(batch * heads,)](*parts, o, L, splits, d)
    return o, L
