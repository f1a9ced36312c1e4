# Right: splits one after another with an online maximum in a loop, scalars in the kernel, no tile of splits
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def combine_splits_kernel(o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, D: tl.constexpr):
    """One program: merge the splits of one query head, one after another."""
    head = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, D)
    acc = tl.zeros((D,), tl.float32)
    m = float("-inf")
    l = 0.0
    for s in range(splits):
        here = head * splits + s
        L = tl.load(L_splits_ptr + here)
        o = tl.load(o_splits_ptr + here * D + columns)
        m_new = tl.maximum(m, L)
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        old, new = tl.exp(m - base), tl.exp(L - base)
        acc = acc * old + o * new
        l = l * old + new
        m = m_new
    tl.store(o_ptr + head * D + columns, acc / tl.where(l == 0.0, 1.0, l))
    tl.store(L_ptr + head, m + tl.log(l))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    """Attention with all keys, from the results of each split of them."""
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](o_parts, L_parts, o, L, splits, D=d)
    return o, L
