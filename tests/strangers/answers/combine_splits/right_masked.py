# style: plain
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
    """One program: merge the splits of one query head; SPLITS is a power of two >= splits."""
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    L = tl.load(L_splits_ptr + here, mask=split < splits, other=float("-inf"))
    o = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=split[:, None] < splits, other=0.0)
    top = tl.max(L, 0)
    base = tl.where(top == float("-inf"), 0.0, top)
    w = tl.exp(L - base)
    total = tl.sum(w, 0)
    divisor = tl.where(total == 0.0, 1.0, total)
    tl.store(o_ptr + head * D + columns, tl.sum(w[:, None] * o, 0) / divisor)
    tl.store(L_ptr + head, top + tl.log(divisor))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    """Attention with all keys, from the results of each split of them.

    o_parts: (B, H, S, d), L_parts: (B, H, S) float32, contiguous, as `split_decode` returns
    them; d: a power of two; S: up to 128. An empty split has o = 0 and L = -inf.
    Returns o (B, H, d) and L (B, H), float32; a query without any key gives 0 and -inf.
    Traffic: every number of o_parts and L_parts once. In one launch, one program for each query
    head. Memory: o and L.

        L = log sum_s e^(L_s)        o = sum_s e^(L_s - L) o_s

    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
