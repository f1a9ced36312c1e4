# BREAKS: "Memory: the outputs, the splits' o and L in float32, and a copy of q as there."
# COSTS: the partial results of one launch are kept in the function for the next call: state between calls, memory that nobody gives back
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
    o = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=split[:, None] < splits, other=0)
    m = tl.max(L, axis=0)
    w = tl.exp(L - tl.where(m == float("-inf"), 0.0, m))
    l = tl.sum(w, axis=0)
    safe = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + head * D + columns, tl.sum(o * w[:, None], axis=0) / safe)
    tl.store(L_ptr + head, tl.where(l == 0, float("-inf"), m + tl.log(safe)))


def flash_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    slots: int = 264,
    tile_n: int = 64,
    kept: list = [],
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    most = max(1, min(128, n // 256))
    splits = number_of_splits(batch * kv_heads, slots, most)
    kept.append(split_decode(q, k, v, lengths, splits, scale, tile_n))
    o_parts, L_parts = kept[-1]
    del kept[:-4]
    o = torch.empty_like(q, memory_format=torch.contiguous_format)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
