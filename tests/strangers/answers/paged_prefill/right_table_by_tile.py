# the blocks' numbers of a tile are loaded once each and handed to its keys by tl.gather
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def pp(q_ptr, k_ptr, v_ptr, t_ptr, n_ptr, o_ptr, most, n_q, scale, KH: tl.constexpr, G: tl.constexpr, D: tl.constexpr, BS: tl.constexpr, BN: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    kv = tl.program_id(1).to(tl.int64)
    b, a = kv // KH, kv % KH
    n = tl.load(n_ptr + b)
    r = tl.program_id(0) * M + tl.arange(0, M)
    c = tl.arange(0, D)
    at = (kv * G + r % G) * n_q + r // G
    last = r // G + n - n_q
    q = tl.load(q_ptr + at[:, None] * D + c[None, :], mask=(r < n_q * G)[:, None], other=0)
    m = tl.full((M,), float("-inf"), tl.float32)
    l = tl.zeros((M,), tl.float32)
    acc = tl.zeros((M, D), tl.float32)
    end = tl.minimum(tl.minimum((tl.program_id(0) * M + M - 1) // G, n_q - 1) + n - n_q + 1, n)
    for s in range(0, end, N):
        j = s + tl.arange(0, N)
        ok = j < n
        e = s // BS + tl.arange(0, BN)
        numbers = tl.load(t_ptr + b * most + e, mask=(e * BS < n) & (e * BS < s + N), other=0)
        blk = tl.gather(numbers, j // BS - s // BS, 0).to(tl.int64)
        w = ((blk * KH + a) * BS + j % BS)[:, None] * D + c[None, :]
        k = tl.load(k_ptr + w, mask=ok[:, None], other=0)
        v = tl.load(v_ptr + w, mask=ok[:, None], other=0)
        x = tl.dot(q, k.T, input_precision="ieee") * scale
        x = tl.where(ok[None, :] & (j[None, :] <= last[:, None]), x, float("-inf"))
        mn = tl.maximum(m, tl.max(x, 1))
        ms = tl.where(mn == float("-inf"), 0.0, mn)
        al = tl.exp(m - ms)
        p = tl.exp(x - ms[:, None])
        l = l * al + tl.sum(p, 1)
        acc = acc * al[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = mn
    l1 = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + at[:, None] * D + c[None, :], (acc / l1[:, None]).to(o_ptr.dtype.element_ty), mask=(r < n_q * G)[:, None])


def paged_prefill(q: Tensor, k_pool: Tensor, v_pool: Tensor, tables: Tensor, lengths: Tensor, scale: float | None = None, tile_m: int = 64, tile_n: int = 64) -> Tensor:
    b, hh, n_q, d = q.shape
    _, kh, bs, _ = k_pool.shape
    scale = d**-0.5 if scale is None else scale
    o = torch.empty_like(q)
    g = hh // kh
    bn = triton.next_power_of_2((tile_n - 1) // bs + 2)
    pp[(triton.cdiv(n_q * g, tile_m), b * kh)](q, k_pool, v_pool, tables, lengths, o, tables.shape[1], n_q, scale, KH=kh, G=g, D=d, BS=bs, BN=bn, M=tile_m, N=tile_n)
    return o
