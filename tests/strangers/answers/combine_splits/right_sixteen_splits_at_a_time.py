# Sixteen splits at a time with a running maximum, as attention itself goes, so that d = 128 and 128 splits fit registers.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, CHUNK: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, D)
    m = float("-inf")
    l = 0.0
    acc = tl.zeros((D,), tl.float32)
    for start in range(0, splits, CHUNK):
        split = start + tl.arange(0, CHUNK)
        here = head * splits + split
        L = tl.load(L_splits_ptr + here, mask=split < splits, other=float("-inf"))
        o = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=split[:, None] < splits, other=0.0)
        m_new = tl.maximum(m, tl.max(L, axis=0))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        old = tl.exp(m - base)
        w = tl.exp(L - base)
        l = l * old + tl.sum(w, axis=0)
        acc = acc * old + tl.sum(w[:, None] * o, axis=0)
        m = m_new
    tl.store(o_ptr + head * D + columns, acc / tl.where(l == 0, 1.0, l))
    tl.store(L_ptr + head, tl.where(l == 0, float("-inf"), m + tl.log(tl.where(l == 0, 1.0, l))))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](o_parts, L_parts, o, L, splits, CHUNK=16, D=d)
    return o, L
