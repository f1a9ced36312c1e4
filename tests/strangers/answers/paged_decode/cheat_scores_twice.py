# the scores are multiplied twice, once turned for the maximum and once for the weights
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def pd(q_ptr, k_ptr, v_ptr, t_ptr, n_ptr, o_ptr, L_ptr, most, scale, KH: tl.constexpr, S, G: tl.constexpr, R: tl.constexpr, D: tl.constexpr, BS: tl.constexpr, N: tl.constexpr):
    kv = tl.program_id(1).to(tl.int64)
    sp = tl.program_id(0)
    b, a = kv // KH, kv % KH
    n = tl.load(n_ptr + b)
    g = tl.arange(0, R)
    c = tl.arange(0, D)
    q = tl.load(q_ptr + (kv * G + g)[:, None] * D + c[None, :], mask=g[:, None] < G, other=0)
    per = tl.cdiv(tl.cdiv(n, S), N) * N
    begin = sp * per
    end = tl.minimum(begin + per, n)
    m = tl.full((R,), float("-inf"), tl.float32)
    l = tl.zeros((R,), tl.float32)
    acc = tl.zeros((R, D), tl.float32)
    for s in range(begin, end, N):
        j = s + tl.arange(0, N)
        ok = j < n
        blk = tl.load(t_ptr + b * most + j // BS, mask=ok, other=0).to(tl.int64)
        at = ((blk * KH + a) * BS + j % BS)[:, None] * D + c[None, :]
        k = tl.load(k_ptr + at, mask=ok[:, None], other=0)
        v = tl.load(v_ptr + at, mask=ok[:, None], other=0)
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


@triton.jit
def pc(op, Lp, o_ptr, S, SP: tl.constexpr, D: tl.constexpr):
    h = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, D)
    s = tl.arange(0, SP)
    x = tl.load(Lp + h * S + s, mask=s < S, other=float("-inf"))
    m = tl.max(x, 0)
    w = tl.exp(x - tl.where(m == float("-inf"), 0.0, m))
    y = tl.load(op + (h * S + s[:, None]) * D + c[None, :], mask=s[:, None] < S, other=0)
    l = tl.sum(w, 0)
    o = tl.sum(y * w[:, None], 0) / tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + h * D + c, o.to(o_ptr.dtype.element_ty))


def paged_decode(q: Tensor, k_pool: Tensor, v_pool: Tensor, tables: Tensor, lengths: Tensor, scale: float | None = None, splits: int | None = None, tile: int = 64) -> Tensor:
    b, hh, d = q.shape
    _, kh, bs, _ = k_pool.shape
    scale = d**-0.5 if scale is None else scale
    S = splits or 4
    G = hh // kh
    o = torch.empty_like(q)
    op = torch.empty(b, hh, S, d, device=q.device)
    Lp = torch.empty(b, hh, S, device=q.device)
    pd[(S, b * kh)](q, k_pool, v_pool, tables, lengths, op, Lp, tables.shape[1], scale, KH=kh, S=S, G=G, R=max(16, triton.next_power_of_2(G)), D=d, BS=bs, N=tile)
    pc[(b * hh,)](op, Lp, o, S, SP=triton.next_power_of_2(S), D=d)
    return o
