# hidden keys are left out of the output but stay in the denominator
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, nq, nk, s2, causal: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    # walks the keys from the diagonal backwards, so every row meets its last key first
    n_tiles = tl.num_programs(0)
    t = n_tiles - 1 - tl.program_id(0)
    bh = tl.program_id(1).to(tl.int64)
    i = t * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (bh * nq + i[:, None]) * D + d, mask=(i < nq)[:, None], other=0)
    sees = tl.full((BM,), nk, tl.int32)
    if causal:
        sees = tl.minimum(i + 1 + nk - nq, nk)
    tiles = tl.cdiv(tl.maximum(tl.max(sees, axis=0), 0), BN)
    o = tl.zeros((BM, D), tl.float32)
    z = tl.zeros((BM,), tl.float32)
    m = tl.full((BM,), float("-inf"), tl.float32)
    for back in range(tiles):
        j = (tiles - 1 - back) * BN + tl.arange(0, BN)
        k = tl.load(k_ptr + (bh * nk + j[:, None]) * D + d, mask=(j < nk)[:, None], other=0)
        v = tl.load(v_ptr + (bh * nk + j[:, None]) * D + d, mask=(j < nk)[:, None], other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        s = tl.where((j < nk)[None, :], s * s2, float("-inf"))
        top = tl.maximum(m, tl.max(s, axis=1))
        none = top == float("-inf")
        safe = tl.where(none, 0.0, top)
        p = tl.exp2(s - safe[:, None])
        a = tl.where(none, 1.0, tl.exp2(m - safe))
        z = z * a + tl.sum(p, axis=1)
        p = tl.where(j[None, :] < sees[:, None], p, 0.0)
        o = tl.dot(p.to(v.dtype), v, o * a[:, None], input_precision="ieee")
        m = top
    z = tl.where(z == 0, 1.0, z)
    tl.store(o_ptr + (bh * nq + i[:, None]) * D + d, o / z[:, None], mask=(i < nq)[:, None])
    tl.store(L_ptr + bh * nq + i, (m + tl.log2(z)) * 0.6931471805599453, mask=i < nq)


def flash_causal(q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None, tile_m: int = 64, tile_n: int = 64) -> tuple[Tensor, Tensor]:
    b, h, nq, d = q.shape
    o, L = torch.empty_like(q), q.new_empty((b, h, nq), dtype=torch.float32)
    s2 = (d**-0.5 if scale is None else scale) * 1.4426950408889634
    kernel[-(-nq // tile_m), b * h](q, k, v, o, L, h, nq, k.shape[2], s2, causal, d, tile_m, tile_n)
    return o, L
