# sharing: the heads of a sequence one after another in the program of its first head; the other programs return
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, heads, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    program = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    if program % heads == 0:
        for head in range(program, program + heads):
            here = head * splits + split
            L = tl.load(L_splits_ptr + here, mask=split < splits, other=float("-inf"))
            o = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=split[:, None] < splits, other=0.0)
            top = tl.max(L, axis=0)
            safe = tl.where(top == float("-inf"), 0.0, top)
            w = tl.exp(L - safe)
            total = tl.sum(w, axis=0)
            tl.store(o_ptr + head * D + columns, tl.sum(o * w[:, None], axis=0) / tl.where(total == 0, 1.0, total))
            tl.store(L_ptr + head, safe + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, heads, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
