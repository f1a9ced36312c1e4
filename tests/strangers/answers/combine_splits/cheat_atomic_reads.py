# BREAKS: "Traffic: every number of o_parts and L_parts once."
# COSTS: log-sum-exps are read a second time by an atomic maximum with -inf, which also writes them
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
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    L = tl.load(L_splits_ptr + here, mask=split < splits, other=float("-inf"))
    again = tl.atomic_max(L_splits_ptr + here, tl.full((SPLITS,), float("-inf"), tl.float32), mask=split < splits)
    L = tl.where(split < splits, tl.maximum(L, again), float("-inf"))
    o = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=split[:, None] < splits, other=0)
    m = tl.max(L, axis=0)
    w = tl.exp(L - tl.where(m == float("-inf"), 0.0, m))
    l = tl.sum(w, axis=0)
    safe = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + head * D + columns, tl.sum(o * w[:, None], axis=0) / safe)
    tl.store(L_ptr + head, tl.where(l == 0, float("-inf"), m + tl.log(safe)))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
