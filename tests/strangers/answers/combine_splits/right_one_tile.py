# Style: the lesson: all splits of a query head in one tile.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    """One program: merge the splits of one query head; SPLITS is a power of two >= splits."""
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    there = split < splits
    L_parts = tl.load(L_splits_ptr + here, mask=there, other=float("-inf"))
    o_parts = tl.load(
        o_splits_ptr + here[:, None] * D + columns, mask=there[:, None], other=0.0
    )
    m = tl.max(L_parts, axis=0)
    shift = tl.where(m == float("-inf"), 0.0, m)
    a = tl.exp(L_parts - shift)
    total = tl.sum(a, axis=0)
    o = tl.sum(a[:, None] * o_parts, axis=0) / tl.where(total == 0, 1.0, total)
    tl.store(o_ptr + head * D + columns, o)
    tl.store(L_ptr + head, m + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
