# the splits are cut as tile_n says, but 16 keys are loaded at a time
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def part(q_ptr, k_ptr, v_ptr, n_ptr, o_ptr, L_ptr, scale, KH, kb, kh, kr, vb, vh, vr, G: tl.constexpr, R: tl.constexpr, D: tl.constexpr, N: tl.constexpr):
    split, splits = tl.program_id(1), tl.num_programs(1)
    z = tl.program_id(0).to(tl.int64)
    b, a = z // KH, z % KH
    n = tl.load(n_ptr + b)
    size = tl.cdiv(tl.cdiv(n, splits), N) * N
    lo = split * size
    hi = tl.minimum(lo + size, n)
    g = tl.arange(0, R)
    c = tl.arange(0, D)
    q = tl.load(q_ptr + (z * G + g)[:, None] * D + c, mask=(g < G)[:, None], other=0.0)
    m = tl.full([R], float("-inf"), tl.float32)
    l = tl.zeros([R], tl.float32)
    acc = tl.zeros([R, D], tl.float32)
    for s in range(lo, hi, 16):
        j = s + tl.arange(0, 16)
        there = (j < hi)[:, None]
        k = tl.load(k_ptr + b * kb + a * kh + j[:, None] * kr + c, mask=there, other=0.0)
        v = tl.load(v_ptr + b * vb + a * vh + j[:, None] * vr + c, mask=there, other=0.0)
        if R == 1:
            x = tl.sum(q.to(tl.float32) * k.to(tl.float32), axis=1)[None, :] * scale
        else:
            x = tl.dot(q, k.T, input_precision="ieee") * scale
        x = tl.where((j < hi)[None, :], x, float("-inf"))
        new = tl.maximum(m, tl.max(x, axis=1))
        f = tl.exp(m - new)
        p = tl.exp(x - new[:, None])
        l = l * f + tl.sum(p, axis=1)
        if R == 1:
            acc = acc * f[:, None] + tl.sum(tl.trans(p) * v.to(tl.float32), axis=0)[None, :]
        else:
            acc = acc * f[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
    at = (z * G + g) * splits + split
    tl.store(o_ptr + at[:, None] * D + c, acc / tl.where(l > 0, l, 1.0)[:, None], mask=(g < G)[:, None])
    tl.store(L_ptr + at, tl.where(l > 0, m + tl.log(tl.where(l > 0, l, 1.0)), float("-inf")), mask=g < G)


def split_decode(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, splits: int, scale: float | None = None, tile_n: int = 64):
    B, H, d = q.shape
    KH = k.shape[1]
    G = H // KH
    o = torch.empty((B, H, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((B, H, splits), dtype=torch.float32, device=q.device)
    R = 1 if G == 1 else max(16, triton.next_power_of_2(G))
    part[(B * KH, splits)](q.contiguous(), k, v, lengths, o, L, d**-0.5 if scale is None else scale, KH, *k.stride()[:3], *v.stride()[:3], G=G, R=R, D=d, N=tile_n)
    return o, L
