# a loop over the splits with the online merge of vectors of D, instead of one tile
import torch
import triton
import triton.language as tl


@triton.jit
def merge(o, m, l, part, L):
    top = tl.maximum(m, L)
    base = tl.where(top == float("-inf"), 0.0, top)
    a, w = tl.exp(m - base), tl.exp(L - base)
    # an empty split's part may be anything, its weight is 0
    return o * a + tl.where(w > 0, part, 0.0) * w, top, l * a + w


@triton.jit
def loop_kernel(parts, Ls, o_ptr, L_ptr, splits, D: tl.constexpr):
    head = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, D)
    o = tl.zeros((D,), tl.float32)
    m, l = float("-inf"), 0.0
    for s in range(splits):
        at = head * splits + s
        o, m, l = merge(o, m, l, tl.load(parts + at * D + c), tl.load(Ls + at))
    safe = tl.where(l > 0, l, 1.0)
    tl.store(o_ptr + head * D + c, o / safe)
    tl.store(L_ptr + head, m + tl.log(safe))


def combine_splits(o_parts, L_parts):
    *head, splits, d = o_parts.shape
    o = torch.empty((*head, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty(head, dtype=torch.float32, device=o_parts.device)
    loop_kernel[(L.numel(),)](o_parts, L_parts, o, L, splits, D=d)
    return o, L
