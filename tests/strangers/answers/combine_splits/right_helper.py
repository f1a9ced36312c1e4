# Right: weights normalised by a helper before they meet the outputs, exponentials to base 2.
import torch
import triton
import triton.language as tl


@triton.jit
def weights_of(L):
    """e^(L - max), their sum, and the shift, safe where all are -inf."""
    top = tl.max(L, axis=0)
    shift = tl.where(top == float("-inf"), 0.0, top)
    w = tl.exp2((L - shift) * 1.4426950408889634)
    return w, tl.sum(w, axis=0), top


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    valid = split < splits
    L = tl.load(L_splits_ptr + here, mask=valid, other=float("-inf"))
    o = tl.load(o_splits_ptr + here[:, None] * D + columns[None, :], mask=valid[:, None], other=0.0)
    w, total, top = weights_of(L)
    share = w / tl.where(total == 0.0, 1.0, total)
    tl.store(o_ptr + head * D + columns, tl.sum(share[:, None] * o, axis=0))
    tl.store(L_ptr + head, top + tl.log(total))


def combine_splits(o_parts, L_parts):
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
