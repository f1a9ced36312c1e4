# do is read with the strides of o
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def k(o, do, out, so_b, so_h, so_n, so_d, sg_b, sg_h, sg_n, sg_d, H, N, D: tl.constexpr, M: tl.constexpr):
    z = tl.program_id(1).to(tl.int64)
    n = tl.program_id(0) * M + tl.arange(0, M)
    d = tl.arange(0, D)
    ok = (n < N)[:, None]
    a = tl.load(o + z // H * so_b + z % H * so_h + n[:, None].to(tl.int64) * so_n + d[None, :] * so_d, mask=ok, other=0.0)
    g = tl.load(do + z // H * sg_b + z % H * sg_h + n[:, None].to(tl.int64) * sg_n + d[None, :] * sg_d, mask=ok, other=0.0)
    tl.store(out + z * N + n, tl.sum(a.to(tl.float32) * g.to(tl.float32), axis=1), mask=n < N)


def row_delta(o, do, tile_m=64):
    B, H, N, D = o.shape
    out = torch.empty((B, H, N), dtype=torch.float32, device=o.device)
    k[(triton.cdiv(N, tile_m), B * H)](o, do, out, *o.stride(), *o.stride(), H, N, D, tile_m)
    return out
