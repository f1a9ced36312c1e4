# style: own merge kernel beside the function, grid as a lambda, namedtuple of partial results
from typing import NamedTuple

import torch
import triton
import triton.language as tl
from torch import Tensor


class Partial(NamedTuple):
    o: Tensor
    L: Tensor


@triton.jit
def reduce_segments(o_parts, L_parts, o_out, L_out, S, S_PAD: tl.constexpr, D: tl.constexpr):
    """vLLM calls it so: the segments of one query head, merged."""
    head = tl.program_id(0).to(tl.int64)
    s = tl.arange(0, S_PAD)
    c = tl.arange(0, D)
    lse = tl.load(L_parts + head * S + s, mask=s < S, other=float("-inf"))
    top = tl.max(lse, axis=0)
    top = tl.where(top == float("-inf"), 0.0, top)
    weight = tl.exp(lse - top)
    total = tl.sum(weight, axis=0)
    part = tl.load(o_parts + (head * S + s)[:, None] * D + c[None, :], mask=(s < S)[:, None], other=0.0)
    out = tl.sum(part * weight[:, None], axis=0) / tl.where(total == 0.0, 1.0, total)
    tl.store(o_out + head * D + c, out.to(o_out.dtype.element_ty))
    tl.store(L_out + head, top + tl.log(total))


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
    splits = number_of_splits(batch * kv_heads, slots, min(128, n // 256 or 1))
    parts = Partial(*split_decode(q, k, v, lengths, splits, scale, tile_n))
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    reduce_segments[(batch * heads,)](
        *parts, o, L, splits, S_PAD=triton.next_power_of_2(splits), D=d
    )
    return o, L
