# the total log-sum-exp is taken to be the largest of the parts'
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def merge(op, lp, o, L, S, P: tl.constexpr, D: tl.constexpr):
    h = tl.program_id(0).to(tl.int64)
    e = tl.arange(0, D)
    # one split after the other, as an online softmax
    acc = tl.zeros((D,), tl.float32)
    m = float("-inf")
    l = 0.0
    for s in range(S):
        x = tl.load(lp + h * S + s)
        y = tl.load(op + (h * S + s) * D + e)
        m_new = tl.maximum(m, x)
        z = tl.where(m_new == float("-inf"), 0.0, m_new)
        a = tl.exp(m - z)
        w = tl.exp(x - z)
        acc = a * acc + w * y
        l = a * l + w
        m = m_new
    l = tl.where(l == 0.0, 1.0, l)
    tl.store(o + h * D + e, acc / l)
    tl.store(L + h, m)


def combine_splits(o_parts, L_parts):
    B, H, S, D = o_parts.shape
    o = torch.empty((B, H, D), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((B, H), dtype=torch.float32, device=o_parts.device)
    merge[(B * H,)](o_parts, L_parts, o, L, S, triton.next_power_of_2(S), D)
    return o, L
