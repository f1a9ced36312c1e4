# scores upright, queries from the last to the first, descriptors
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def body(q_d, k_d, v_d, g_d, a_d, b_d, L_p, x_p, H, nq, nk, scale, C: tl.constexpr):
    # upright: S is (queries, keys), P and dS are turned; queries from the last to the first
    BM: tl.constexpr = q_d.block_shape[2]
    BN: tl.constexpr = k_d.block_shape[2]
    D: tl.constexpr = q_d.block_shape[3]
    z = tl.program_id(1)
    b, h = z // H, z % H
    j0 = tl.program_id(0) * BN
    j = j0 + tl.arange(0, BN)
    k = k_d.load([b, h, j0, 0]).reshape(BN, D)
    v = v_d.load([b, h, j0, 0]).reshape(BN, D)
    dk = tl.zeros((BN, D), tl.float32)
    dv = tl.zeros((BN, D), tl.float32)
    t0 = 0
    if C:
        t0 = tl.maximum(j0 + nq - nk, 0) // BM
    n_t = tl.cdiv(nq, BM)
    for r in range(n_t - t0):
        i0 = (n_t - 1 - r) * BM
        i = i0 + tl.arange(0, BM)
        q = q_d.load([b, h, i0, 0]).reshape(BM, D)
        g = g_d.load([b, h, i0, 0]).reshape(BM, D)
        at = z.to(tl.int64) * nq + i
        L = tl.load(L_p + at, mask=i < nq, other=float("inf"))
        x = tl.load(x_p + at, mask=i < nq, other=0.0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        w = tl.exp(s - L[:, None])
        if C:
            w = tl.where(j[None, :] - i[:, None] > nk - nq, 0.0, w)
        dv += tl.dot(w.T.to(g.dtype), g, input_precision="ieee")
        ds = w * (tl.dot(g, v.T, input_precision="ieee") - x[:, None])
        dk += tl.dot(ds.T.to(q.dtype), q, input_precision="ieee")
    a_d.store([b, h, j0, 0], (scale * dk).to(k.dtype).reshape(1, 1, BN, D))
    b_d.store([b, h, j0, 0], dv.to(k.dtype).reshape(1, 1, BN, D))


def key_value_gradients(q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False, scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None):
    bm, bn = tile_m or 64, tile_n or 32
    d = q.shape[-1]
    q, k, v, do = (t.contiguous() for t in (q, k, v, do))
    dk, dv = torch.empty_like(k), torch.empty_like(k)
    T = lambda t, n: TensorDescriptor.from_tensor(t, [1, 1, n, d])
    body[triton.cdiv(k.shape[2], bn), q.shape[0] * q.shape[1]](T(q, bm), T(k, bn), T(v, bn), T(do, bm), T(dk, bn), T(dv, bn), L, delta, q.shape[1], q.shape[2], k.shape[2], scale if scale is not None else d**-0.5, causal)
    return dk, dv
