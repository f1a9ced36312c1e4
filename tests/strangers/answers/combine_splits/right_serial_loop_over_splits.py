# A loop over the splits, one row at a time, with the online rule.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, D)
    acc = tl.zeros((D,), tl.float32)
    m = -float("inf")
    l = 0.0
    for i in range(0, splits):
        L = tl.load(L_splits_ptr + head * splits + i)
        o = tl.load(o_splits_ptr + (head * splits + i) * D + c)
        top = tl.maximum(m, L)
        base = tl.where(top == float("-inf"), 0.0, top)
        a = tl.exp(m - base)
        w = tl.exp(L - base)
        acc = acc * a + w * o
        l = l * a + w
        m = top
    tl.store(o_ptr + head * D + c, acc / tl.where(l > 0.0, l, 1.0))
    tl.store(L_ptr + head, m + tl.log(l))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
