# the columns one after the other, each with all splits: slow on a GPU, but no word forbids it
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def cs(op, Lp, o_ptr, L_ptr, S, SP: tl.constexpr, D: tl.constexpr):
    h = tl.program_id(0).to(tl.int64)
    s = tl.arange(0, SP)
    x = tl.load(Lp + h * S + s, mask=s < S, other=float("-inf"))
    m = tl.max(x, 0)
    w = tl.exp(x - tl.where(m == float("-inf"), 0.0, m))
    l = tl.sum(w, 0)
    ls = tl.where(l == 0, 1.0, l)
    for c in range(0, D):
        y = tl.load(op + (h * S + s) * D + c, mask=s < S, other=0)
        tl.store(o_ptr + h * D + c, tl.sum(y * w, 0) / ls)
    tl.store(L_ptr + h, m + tl.log(ls))


def combine_splits(o_parts: Tensor, L_parts: Tensor):
    b, hh, S, d = o_parts.shape
    o = torch.empty(b, hh, d, device=o_parts.device)
    L = torch.empty(b, hh, device=o_parts.device)
    cs[(b * hh,)](o_parts, L_parts, o, L, S, SP=triton.next_power_of_2(S), D=d)
    return o, L
