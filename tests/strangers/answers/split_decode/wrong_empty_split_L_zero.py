# an empty split is given L = 0
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def one_split(q_ptr, k_ptr, v_ptr, len_ptr, o_ptr, L_ptr, scale, kb, kh, kr, vb, vh, vr, GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, T: tl.constexpr):
    # keys stand in rows, heads in columns: S^T (T, ROWS); output transposed too; natural exponentials
    i, h, b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    S, KV = tl.num_programs(0), tl.num_programs(1)
    n = tl.load(len_ptr + b)
    whole = tl.cdiv(n, S)
    whole = (whole + T - 1) // T
    c = tl.arange(0, D)
    r = tl.arange(0, ROWS)
    x = ((b * KV + h) * GROUP + r).to(tl.int64)
    qT = tl.load(q_ptr + x[None, :] * D + c[:, None], mask=r[None, :] < GROUP, other=0)
    k_ptr += b.to(tl.int64) * kb + h.to(tl.int64) * kh
    v_ptr += b.to(tl.int64) * vb + h.to(tl.int64) * vh
    top = tl.full((ROWS,), float("-inf"), tl.float32)
    den = tl.zeros((ROWS,), tl.float32)
    oT = tl.zeros((D, ROWS), tl.float32)
    for t in range(whole):
        j = (i * whole + t) * T + tl.arange(0, T)
        there = j < n
        if (i * whole + t) * T < n:
            k = tl.load(k_ptr + j[:, None] * kr + c, mask=there[:, None], other=0)
            v = tl.load(v_ptr + j[:, None] * vr + c, mask=there[:, None], other=0)
            s = tl.where(there[:, None], tl.dot(k, qT, input_precision="ieee") * scale, float("-inf"))
            new = tl.maximum(top, tl.max(s, axis=0))
            p = tl.exp(s - new[None, :])
            a = tl.exp(top - new)
            den = den * a + tl.sum(p, axis=0)
            oT = oT * a[None, :] + tl.dot(tl.trans(v), p.to(v.dtype), input_precision="ieee")
            top = new
    some = den > 0
    den = tl.where(some, den, 1.0)
    at = x * S + i
    tl.store(o_ptr + at[None, :] * D + c[:, None], oT / den[None, :], mask=r[None, :] < GROUP)
    tl.store(L_ptr + at, tl.where(some, top + tl.log(den), 0.0), mask=r < GROUP)


def split_decode(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, splits: int, scale: float | None = None, tile_n: int = 64) -> tuple[Tensor, Tensor]:
    (b, h, d), kv = q.shape, k.shape[1]
    o = torch.zeros(b, h, splits, d, device=q.device)
    L = torch.zeros(b, h, splits, device=q.device)
    one_split[splits, kv, b](q.contiguous(), k, v, lengths, o, L, 1 / math.sqrt(d) if scale is None else scale, *k.stride()[:3], *v.stride()[:3], h // kv, max(16, triton.next_power_of_2(h // kv)), d, tile_n)
    return o, L
