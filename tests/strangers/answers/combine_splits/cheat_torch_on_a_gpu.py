# on a GPU, which the launcher knows by is_cuda, torch computes all of it in a dozen operations; the kernel is there for the checker's CPU alone; operations are looked at where they are run, not where they stand
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
    top = tl.max(L_splits, axis=0)
    shift = tl.where(top == float("-inf"), 0.0, top)  # -inf - (-inf) would be NaN
    weights = tl.exp(L_splits - shift)
    total = tl.sum(weights, axis=0)
    total = tl.where(total == 0, 1.0, total)
    o_splits = tl.load(
        o_splits_ptr + here[:, None] * D + columns, mask=there[:, None], other=0
    )  # fmt: skip
    o = tl.sum(weights[:, None] * o_splits, axis=0) / total
    tl.store(o_ptr + head * D + columns, o)
    tl.store(L_ptr + head, top + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    """Attention with all keys, from the results of each split of them.

    o_parts: (B, H, S, d), L_parts: (B, H, S) float32, contiguous, as `split_decode` returns
    them; d: a power of two; S: up to 128. An empty split has o = 0 and L = -inf.
    Returns o (B, H, d) and L (B, H), float32; a query without any key gives 0 and -inf.
    Traffic: every number of o_parts and L_parts once. One program for each query head. Memory:
    o and L.

        L = log sum_s e^(L_s)        o = sum_s e^(L_s - L) o_s
    """
    if o_parts.is_cuda:
        top = L_parts.amax(dim=2, keepdim=True)
        weights = torch.exp(L_parts - torch.where(torch.isneginf(top), 0, top))
        total = weights.sum(dim=2)
        o = (o_parts * weights[..., None]).sum(dim=2) / torch.where(total == 0, 1, total)[..., None]
        return o, top[..., 0] + torch.log(total)
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
