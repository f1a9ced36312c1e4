# Style: the online softmax once more, a split at a time, scalars m and l.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    """One program: merge the splits of one query head, one after the other."""
    head = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, D)
    m = float("-inf")
    l = 0.0
    acc = tl.zeros((D,), tl.float32)
    for i in range(splits):
        at = head * splits + i
        x = tl.load(L_splits_ptr + at)
        part = tl.load(o_splits_ptr + at * D + columns)
        m_new = tl.maximum(m, x)
        shift = tl.where(m_new > float("-inf"), m_new, 0.0)
        keep = tl.exp(m - shift)
        add = tl.exp(x - shift)
        acc = acc * keep + part * add
        l = l * keep + add
        m = m_new
    tl.store(o_ptr + head * D + columns, acc / tl.where(l > 0, l, 1.0))
    tl.store(L_ptr + head, m + tl.log(l))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
