# one loop, hidden tiles skipped by a condition before they are loaded
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def wf(q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale, qb, qh, qr, qc, kb, kh, kr, kc, vb, vh, vr, vc, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    bh = tl.program_id(1).to(tl.int64)
    b, h = bh // H, bh % H
    first = tl.program_id(0) * M
    r = first + tl.arange(0, M)
    c = tl.arange(0, D)
    pos = r + n_k - n_q
    q = tl.load(q_ptr + b * qb + h * qh + r[:, None] * qr + c[None, :] * qc, mask=r[:, None] < n_q, other=0)
    m = tl.full((M,), float("-inf"), tl.float32)
    l = tl.zeros((M,), tl.float32)
    acc = tl.zeros((M, D), tl.float32)
    end = tl.minimum(first + M + n_k - n_q, n_k)
    for s in range(0, end, N):
        j = s + tl.arange(0, N)
        seen = (s < sinks) | (s + N - 1 > first + n_k - n_q - window)
        ok = j[:, None] < n_k
        if seen:
            k = tl.load(k_ptr + b * kb + h * kh + j[:, None] * kr + c[None, :] * kc, mask=ok, other=0)
            v = tl.load(v_ptr + b * vb + h * vh + j[:, None] * vr + c[None, :] * vc, mask=ok, other=0)
            x = tl.dot(q, k.T, input_precision="ieee") * scale
            see = (j[None, :] <= pos[:, None]) & ((j[None, :] > pos[:, None] - window) | (j[None, :] < sinks)) & (j[None, :] < n_k)
            x = tl.where(see, x, float("-inf"))
            mn = tl.maximum(m, tl.max(x, 1))
            ms = tl.where(mn == float("-inf"), 0.0, mn)
            al = tl.exp(m - ms)
            p = tl.exp(x - ms[:, None])
            l = l * al + tl.sum(p, 1)
            acc = acc * al[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = mn
    l1 = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + bh * n_q * D + r[:, None] * D + c[None, :], (acc / l1[:, None]).to(o_ptr.dtype.element_ty), mask=r[:, None] < n_q)
    tl.store(L_ptr + bh * n_q + r, m + tl.log(l1), mask=r < n_q)


def window_flash(q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int = 0, scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None):
    b, hh, n_q, d = q.shape
    n_k = k.shape[2]
    scale = d**-0.5 if scale is None else scale
    tile_m, tile_n = tile_m or 64, tile_n or 64
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(b, hh, n_q, device=q.device)
    wf[(triton.cdiv(n_q, tile_m), b * hh)](q, k, v, o, L, hh, n_q, n_k, min(window, n_k), min(sinks, n_k), scale, *q.stride(), *k.stride(), *v.stride(), D=d, M=tile_m, N=tile_n)
    return o, L
