# Breaks: "every number of o_parts and L_parts once" (the log-sum-exps are loaded once for their maximum, and again one by one beside each split's output)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    there = split < splits
    L = tl.load(L_splits_ptr + here, mask=there, other=float("-inf"))
    top = tl.max(L, axis=0)
    top = tl.where(top == float("-inf"), 0.0, top)
    acc = tl.zeros((D,), tl.float32)
    total = 0.0
    for i in range(0, splits):
        weight = tl.exp(tl.load(L_splits_ptr + head * splits + i) - top)
        acc += weight * tl.load(o_splits_ptr + (head * splits + i) * D + columns)
        total += weight
    full = tl.where(total == 0, 1.0, total)
    tl.store(o_ptr + head * D + columns, acc / full)
    tl.store(L_ptr + head, tl.where(total == 0, float("-inf"), top + tl.log(full)))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
