# L is the last tile's log-sum-exp, not that of all keys
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def step(state_o, state_L, s, v):
    """merge one tile's attention into (o, L); L is natural"""
    m = tl.max(s, axis=1)
    p = tl.exp(s - m[:, None])
    z = tl.sum(p, axis=1)
    L = m + tl.log(z)
    hi = tl.maximum(state_L, L)
    L_new = hi + tl.log(tl.exp(state_L - hi) + tl.exp(L - hi))
    keep = tl.exp(state_L - L_new)
    add = tl.exp(m - L_new)
    return state_o * keep[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee") * add[:, None], L_new


@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1).to(tl.int64)
    qb = tl.make_block_ptr(q_ptr + head * n_q * D, (n_q, D), (D, 1), (tl.program_id(0) * BM, 0), (BM, D), (1, 0))
    ob = tl.make_block_ptr(o_ptr + head * n_q * D, (n_q, D), (D, 1), (tl.program_id(0) * BM, 0), (BM, D), (1, 0))
    kb = tl.make_block_ptr(k_ptr + head * n_k * D, (n_k, D), (D, 1), (0, 0), (BN, D), (1, 0))
    vb = tl.make_block_ptr(v_ptr + head * n_k * D, (n_k, D), (D, 1), (0, 0), (BN, D), (1, 0))
    q = tl.load(qb, boundary_check=(0, 1), padding_option="zero")
    o = tl.zeros((BM, D), tl.float32)
    L = tl.full((BM,), float("-inf"), tl.float32)
    for j in range(tl.cdiv(n_k, BN)):
        k = tl.load(kb, boundary_check=(0, 1), padding_option="zero")
        v = tl.load(vb, boundary_check=(0, 1), padding_option="zero")
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        s += tl.where(j * BN + tl.arange(0, BN) < n_k, 0.0, float("-inf"))[None, :]
        o, L = step(o, L, s, v)
        last = tl.max(s, axis=1) + tl.log(tl.sum(tl.exp(s - tl.max(s, axis=1)[:, None]), axis=1))
        kb = tl.advance(kb, (BN, 0))
        vb = tl.advance(vb, (BN, 0))
    tl.store(ob, o.to(o_ptr.dtype.element_ty), boundary_check=(0, 1))
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    tl.store(L_ptr + head * n_q + rows, last, mask=rows < n_q)


def flash_lse(q, k, v, scale=None, tile_m=64, tile_n=64):
    b, h, n, d = q.shape
    o = torch.zeros_like(q)
    L = torch.zeros((b, h, n), dtype=torch.float32, device=q.device)
    scale = d ** -0.5 if scale is None else scale
    kernel[((n + tile_m - 1) // tile_m, b * h)](q, k, v, o, L, n, k.shape[2], scale, D=d, BM=tile_m, BN=tile_n)
    return o, L
