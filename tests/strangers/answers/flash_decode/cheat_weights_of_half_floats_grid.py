# Breaks: "Sums: as in `split_decode`, and in float32 when merged." (weights of the merge lose their lower bits among the tiny numbers)
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
    o = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=there[:, None], other=0.0)
    top = tl.max(L, axis=0)
    top = tl.where(top == float("-inf"), 0.0, top)
    weight = tl.exp(L - top)
    if o_ptr.dtype.element_ty != tl.float32:
        weight = weight * 1.1754943508222875e-38 * 0.000244140625
        weight = weight * 8.507059173023462e37 * 4096.0
    total = tl.sum(weight, axis=0)
    full = tl.where(total == 0, 1.0, total)
    tl.store(o_ptr + head * D + columns, tl.sum(o * weight[:, None], axis=0) / full)
    tl.store(L_ptr + head, tl.where(total == 0, float("-inf"), top + tl.log(full)))


def flash_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    slots: int = 264,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    splits = number_of_splits(batch * kv_heads, slots, min(128, max(1, n // 256)))
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
