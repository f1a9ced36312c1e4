# partial results laid out (B, S, H, d)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def fwd_splitk(Q, K, V, SEQ, OUT, META, qk_scale, skb, skh, skn, svb, svh, svn, S, HKV, G: tl.constexpr, R: tl.constexpr, D: tl.constexpr, N: tl.constexpr):
    pid = tl.program_id(0)
    s = pid % S
    h = (pid // S) % HKV
    b = pid // S // HKV
    n = tl.load(SEQ + b)
    chunk = tl.cdiv(tl.cdiv(n, S), N) * N
    lo = s * chunk
    hi = tl.minimum(lo + chunk, n)
    g = tl.arange(0, R)
    e = tl.arange(0, D)
    head = (b * HKV + h) * G + g
    real = g < G
    q = tl.load(Q + head[:, None] * D + e[None, :], mask=real[:, None], other=0.0)
    kp = K + b.to(tl.int64) * skb + h.to(tl.int64) * skh
    vp = V + b.to(tl.int64) * svb + h.to(tl.int64) * svh
    m = tl.full((R,), float("-inf"), tl.float32)
    l = tl.zeros((R,), tl.float32)
    acc = tl.zeros((R, D), tl.float32)
    for j0 in range(lo, hi, N):
        j = j0 + tl.arange(0, N)
        kT = tl.load(kp + j[None, :] * skn + e[:, None], mask=j[None, :] < hi, other=0.0)
        qk = tl.dot(q, kT, input_precision="ieee") * qk_scale
        qk = tl.where(j[None, :] < hi, qk, float("-inf"))
        m2 = tl.maximum(m, tl.max(qk, 1))
        a = tl.exp2(m - m2)
        p = tl.exp2(qk - m2[:, None])
        l = l * a + tl.sum(p, 1)
        v = tl.load(vp + j[:, None] * svn + e[None, :], mask=j[:, None] < hi, other=0.0)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m2
    l = tl.where(l == 0.0, 1.0, l)
    row = (head // (HKV * G) * S + s).to(tl.int64) * HKV * G + head % (HKV * G)
    tl.store(OUT + row[:, None] * D + e[None, :], acc / l[:, None], mask=real[:, None])
    tl.store(META + row, (m + tl.log2(l)) * 0.6931471805599453, mask=real)


def split_decode(q, k, v, lengths, splits, scale=None, tile_n=64):
    B, H, D = q.shape
    HKV = k.shape[1]
    G = H // HKV
    o = torch.empty((B, H, splits, D), dtype=torch.float32, device=q.device)
    L = torch.empty((B, H, splits), dtype=torch.float32, device=q.device)
    sc = (D ** -0.5 if scale is None else scale) * 1.4426950408889634
    fwd_splitk[(B * HKV * splits,)](q.contiguous(), k, v, lengths, o, L, sc, *k.stride()[:3], *v.stride()[:3], splits, HKV, G, max(16, triton.next_power_of_2(G)), D, tile_n)
    return o, L
