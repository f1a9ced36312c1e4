# Style: a merge kernel of its own, weights normalised before they meet the outputs, keyword arguments throughout.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def merge_head(o_parts, L_parts, o, L, S, PADDED: tl.constexpr, D: tl.constexpr):
    """One program: merge the S partial results of one query head."""
    head = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, PADDED)
    c = tl.arange(0, D)
    x = tl.load(L_parts + head * S + i, mask=i < S, other=float("-inf"))
    top = tl.max(x, axis=0)
    w = tl.exp(x - tl.where(top == float("-inf"), 0.0, top))
    total = tl.sum(w, axis=0)
    w = w / tl.where(total == 0.0, 1.0, total)
    parts = tl.load(
        o_parts + (head * S + i[:, None]) * D + c[None, :], mask=i[:, None] < S, other=0.0
    )
    merged = tl.sum(w[:, None] * parts, axis=0)
    tl.store(o + head * D + c, merged.to(o.dtype.element_ty))
    tl.store(L + head, top + tl.log(total))


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
    whole_blocks, _ = divmod(k.shape[2], 256)
    splits = number_of_splits(
        programs=batch * k.shape[1], slots=slots, most=sorted((1, whole_blocks, 128))[1]
    )
    o_parts, L_parts = split_decode(
        q, k, v, lengths, splits=splits, scale=scale, tile_n=tile_n
    )
    o = q.new_empty(batch, heads, d)
    L = q.new_empty(batch, heads, dtype=torch.float32)
    merge_head[(batch * heads,)](
        o_parts, L_parts, o, L, splits, PADDED=triton.next_power_of_2(splits), D=d
    )
    return o, L
