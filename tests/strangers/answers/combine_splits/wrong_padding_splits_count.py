# Padding splits (beyond S, up to a power of two) get L = 0 instead of -inf.
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
    i = tl.arange(0, SPLITS)
    L = tl.load(L_splits_ptr + head * splits + i, mask=i < splits, other=0.0)
    top = tl.max(L, 0)
    w = tl.exp(L - tl.where(top == float("-inf"), 0.0, top))
    total = tl.sum(w, 0)
    c = tl.arange(0, D)
    o = tl.load(o_splits_ptr + (head * splits + i)[:, None] * D + c[None, :], mask=(i < splits)[:, None], other=0)
    tl.store(o_ptr + head * D + c, tl.sum(o * w[:, None], 0) / tl.where(total > 0, total, 1.0))
    tl.store(L_ptr + head, top + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
