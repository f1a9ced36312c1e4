# "L = log sum_s e^L_s" without overflow: no maximum is taken; the first split's is the reference, in 64 bits, enough in all cases
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


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
    L_splits = tl.load(L_splits_ptr + here, mask=there, other=float("-inf"))
    top = tl.sum(tl.where((L_splits > float("-inf")) & there, L_splits, 0.0), axis=0)
    top = top / tl.maximum(tl.sum((L_splits > float("-inf")).to(tl.float32), axis=0), 1.0)
    shift = tl.where(top == float("-inf"), 0.0, top)  # -inf - (-inf) would be NaN
    weights = tl.exp((L_splits - shift).to(tl.float64))
    total = tl.sum(weights, axis=0)
    L = tl.log(total) + shift
    total = tl.where(total == 0, 1.0, total)
    o_splits = tl.load(
        o_splits_ptr + here[:, None] * D + columns, mask=there[:, None], other=0
    )  # fmt: skip
    o = tl.sum(weights[:, None] * o_splits, axis=0) / total
    tl.store(o_ptr + head * D + columns, o)
    tl.store(L_ptr + head, L)


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    """Attention with all keys, from the results of each split of them.

    o_parts: (B, H, S, d), L_parts: (B, H, S) float32, contiguous, as `split_decode` returns
    them; d: a power of two; S: up to 128. An empty split has o = 0 and L = -inf.
    Returns o (B, H, d) and L (B, H), float32; a query without any key gives 0 and -inf.
    Traffic: every number of o_parts and L_parts once. One program for each query head. Memory:
    o and L.

        L = log sum_s e^(L_s)        o = sum_s e^(L_s - L) o_s
    """
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
