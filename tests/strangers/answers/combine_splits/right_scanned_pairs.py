# a scan of (maximum, denominator) pairs along the splits, of which the last is taken
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def join(m1, l1, m2, l2):
    m = tl.maximum(m1, m2)
    z = tl.where(m == float("-inf"), 0.0, m)
    return m, l1 * tl.exp(m1 - z) + l2 * tl.exp(m2 - z)


@triton.jit
def comb(op, Lp, o_ptr, L_ptr, S, SP: tl.constexpr, D: tl.constexpr):
    h = tl.program_id(0).to(tl.int64)
    s = tl.arange(0, SP)
    x = tl.load(Lp + h * S + s, mask=s < S, other=float("-inf"))
    m, l = tl.associative_scan((x, tl.where(x == float("-inf"), 0.0, 1.0)), 0, join)
    M = tl.max(tl.where(s == SP - 1, m, float("-inf")), 0)
    T = tl.sum(tl.where(s == SP - 1, l, 0.0), 0)
    T = tl.where(T == 0, 1.0, T)
    w = tl.exp(x - tl.where(M == float("-inf"), 0.0, M)) / T
    c = tl.arange(0, D)
    y = tl.load(op + (h * S + s)[:, None] * D + c[None, :], mask=(s < S)[:, None], other=0.0)
    tl.store(o_ptr + h * D + c, tl.sum(w[:, None] * y, 0))
    tl.store(L_ptr + h, M + tl.log(T))


def combine_splits(o_parts: Tensor, L_parts: Tensor):
    *lead, S, d = o_parts.shape
    o = o_parts.new_empty(*lead, d)
    L = L_parts.new_empty(*lead)
    comb[(L.numel(),)](o_parts, L_parts, o, L, S, SP=triton.next_power_of_2(S), D=d)
    return o, L
