# the scores are multiplied twice, once turned for the maximum and once for the weights
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def sd(q_ptr, k_ptr, v_ptr, n_ptr, o_ptr, L_ptr, scale, KH, S, kb, kh, kr, vb, vh, vr, G: tl.constexpr, R: tl.constexpr, D: tl.constexpr, N: tl.constexpr):
    kv = tl.program_id(1).to(tl.int64)
    b, a = kv // KH, kv % KH
    n = tl.load(n_ptr + b)
    g = tl.arange(0, R)
    c = tl.arange(0, D)
    q = tl.load(q_ptr + (kv * G + g)[:, None] * D + c[None, :], mask=g[:, None] < G, other=0)
    per = tl.cdiv(tl.cdiv(n, S), N) * N
    for sp in range(tl.program_id(0), tl.program_id(0) + 1):
        m = tl.full((R,), float("-inf"), tl.float32)
        l = tl.zeros((R,), tl.float32)
        acc = tl.zeros((R, D), tl.float32)
        for s in range(sp * per, tl.minimum(sp * per + per, n), N):
            j = s + tl.arange(0, N)
            ok = j < tl.minimum(sp * per + per, n)
            k = tl.load(k_ptr + b * kb + a * kh + j[:, None] * kr + c[None, :], mask=ok[:, None], other=0)
            v = tl.load(v_ptr + b * vb + a * vh + j[:, None] * vr + c[None, :], mask=ok[:, None], other=0)
            x = tl.dot(q, k.T, input_precision="ieee") * scale
            x = tl.where(ok[None, :], x, float("-inf"))
            y = tl.dot(k, q.T, input_precision="ieee") * scale
            y = tl.where(ok[:, None], y, float("-inf"))
            mn = tl.maximum(m, tl.max(y, 0))
            al = tl.exp(m - mn)
            p = tl.exp(x - mn[:, None])
            l = l * al + tl.sum(p, 1)
            acc = acc * al[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = mn
        l1 = tl.where(l == 0, 1.0, l)
        here = (kv * G + g) * S + sp
        tl.store(o_ptr + here[:, None] * D + c[None, :], acc / l1[:, None], mask=g[:, None] < G)
        tl.store(L_ptr + here, m + tl.log(l1), mask=g < G)


def split_decode(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, splits: int, scale: float | None = None, tile_n: int = 64):
    b, hh, d = q.shape
    kh = k.shape[1]
    scale = d**-0.5 if scale is None else scale
    q = q.contiguous()
    o = torch.empty(b, hh, splits, d, device=q.device)
    L = torch.empty(b, hh, splits, device=q.device)
    G = hh // kh
    sd[(splits, b * kh)](q, k, v, lengths, o, L, scale, kh, splits, *k.stride()[:3], *v.stride()[:3], G=G, R=max(16, triton.next_power_of_2(G)), D=d, N=tile_n)
    return o, L
