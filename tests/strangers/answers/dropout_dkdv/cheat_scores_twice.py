# the scores are multiplied twice: once for the P that is dropped and once for dS
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def keep(seed, offset, h, r, start, thr, N: tl.constexpr):
    g = (start // 4 + tl.arange(0, N // 4))[None, :] + r[:, None] * 0
    w0, w1, w2, w3 = tl.philox(seed, g, r[:, None], h, offset)
    w = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape(r.shape[0], N)
    return w >= tl.cast(thr, tl.uint32)


@triton.jit
def kv(q_ptr, k_ptr, v_ptr, do_ptr, L_ptr, de_ptr, dk_ptr, dv_ptr, n_q, n_k, scale, thr, rescale, seed, offset, CAUSAL: tl.constexpr, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    head = tl.program_id(1)
    h = head.to(tl.int64)
    first = tl.program_id(0) * N
    j = first + tl.arange(0, N)
    c = tl.arange(0, D)
    at = h * n_k * D + j[:, None] * D + c[None, :]
    k = tl.load(k_ptr + at, mask=j[:, None] < n_k, other=0)
    v = tl.load(v_ptr + at, mask=j[:, None] < n_k, other=0)
    dk = tl.zeros((N, D), tl.float32)
    dv = tl.zeros((N, D), tl.float32)
    for s in range(0, n_q, M):
        r = s + tl.arange(0, M)
        here = h * n_q * D + r[:, None] * D + c[None, :]
        q = tl.load(q_ptr + here, mask=r[:, None] < n_q, other=0)
        do = tl.load(do_ptr + here, mask=r[:, None] < n_q, other=0)
        L = tl.load(L_ptr + h * n_q + r, mask=r < n_q, other=0)
        de = tl.load(de_ptr + h * n_q + r, mask=r < n_q, other=0)
        Ls = tl.where(L > float("-inf"), L, 0.0)
        ok = (j[None, :] < n_k) & (r[:, None] < n_q) & (L[:, None] > float("-inf"))
        if CAUSAL:
            ok = ok & (j[None, :] <= r[:, None] + n_k - n_q)
        w = keep(seed, offset, head, r, first, thr, N)
        x = tl.dot(q, k.T, input_precision="ieee") * scale
        p = tl.where(ok & w, tl.exp(x - Ls[:, None]) * rescale, 0.0)
        dv += tl.dot(tl.trans(p.to(do.dtype)), do, input_precision="ieee")
        x = tl.dot(q, k.T, input_precision="ieee") * scale
        p = tl.where(ok, tl.exp(x - Ls[:, None]), 0.0)
        dp = tl.where(w, tl.dot(do, v.T, input_precision="ieee") * rescale, 0.0)
        ds = p * (dp - de[:, None])
        dk += tl.dot(tl.trans(ds.to(q.dtype)), q, input_precision="ieee")
    tl.store(dk_ptr + at, (dk * scale).to(dk_ptr.dtype.element_ty), mask=j[:, None] < n_k)
    tl.store(dv_ptr + at, dv.to(dv_ptr.dtype.element_ty), mask=j[:, None] < n_k)


def dropout_dkdv(q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, dropout_p: float, seed: int, offset: int, causal: bool = False, scale: float | None = None, tile_m: int = 32, tile_n: int = 64):
    b, hh, n_q, d = q.shape
    n_k = k.shape[2]
    scale = d**-0.5 if scale is None else scale
    q, k, v, do, L, delta = (x.contiguous() for x in (q, k, v, do, L, delta))
    dk, dv = torch.empty_like(k), torch.empty_like(v)
    kv[(triton.cdiv(n_k, tile_n), b * hh)](q, k, v, do, L, delta, dk, dv, n_q, n_k, scale, int(dropout_p * 2**32), 1 / (1 - dropout_p), seed, offset, CAUSAL=causal, D=d, M=tile_m, N=tile_n)
    return dk, dv
