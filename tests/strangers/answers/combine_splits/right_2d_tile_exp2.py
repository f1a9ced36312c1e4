# Right: 2d tile with expand_dims, exp2/log2 throughout, tl.sum with keep_dims, nested helper for the safe maximum
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def _or_zero(x):
    return tl.where(x == float("-inf"), 0.0, x)


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    """One program: merge the splits of one query head; SPLITS is a power of two >= splits."""
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    real = split < splits
    L = tl.load(L_splits_ptr + here, mask=real, other=float("-inf"))
    top = _or_zero(tl.max(L, axis=0))
    w = tl.exp2((L - top) * 1.4426950408889634)
    total = tl.sum(w, axis=0)
    o = tl.load(
        o_splits_ptr + tl.expand_dims(here, 1) * D + tl.expand_dims(columns, 0),
        mask=tl.expand_dims(real, 1), other=0.0,
    )
    safe = tl.where(total > 0, total, 1.0)
    tl.store(o_ptr + head * D + columns, tl.sum(o * (w / safe)[:, None], axis=0))
    tl.store(L_ptr + head, tl.where(total > 0, top + tl.log2(safe) * 0.6931471805599453, float("-inf")))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
