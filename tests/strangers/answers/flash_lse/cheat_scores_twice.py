# scores twice for every tile: once for the denominator, once for what meets v
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def fl(q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, sc, CAUSAL: tl.constexpr, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    h = tl.program_id(1).to(tl.int64)
    r = tl.program_id(0) * M + tl.arange(0, M)
    c = tl.arange(0, D)
    q = tl.load(q_ptr + h * n_q * D + r[:, None] * D + c[None, :], mask=r[:, None] < n_q, other=0)
    m = tl.full((M,), float("-inf"), tl.float32)
    l = tl.zeros((M,), tl.float32)
    acc = tl.zeros((M, D), tl.float32)
    for s in range(0, n_k, N):
        j = s + tl.arange(0, N)
        k = tl.load(k_ptr + h * n_k * D + j[:, None] * D + c[None, :], mask=j[:, None] < n_k, other=0)
        v = tl.load(v_ptr + h * n_k * D + j[:, None] * D + c[None, :], mask=j[:, None] < n_k, other=0)
        x = tl.dot(q, k.T, input_precision="ieee") * sc
        x = tl.where(j < n_k, x, float("-inf"))
        mn = tl.maximum(m, tl.max(x, 1))
        al = tl.exp2(m - mn)
        l = l * al + tl.sum(tl.exp2(x - mn[:, None]), 1)
        x = tl.dot(q, k.T, input_precision="ieee") * sc
        x = tl.where(j < n_k, x, float("-inf"))
        p = tl.exp2(x - mn[:, None])
        acc = acc * al[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = mn

    l1 = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + h * n_q * D + r[:, None] * D + c[None, :], (acc / l1[:, None]).to(o_ptr.dtype.element_ty), mask=r[:, None] < n_q)
    tl.store(L_ptr + h * n_q + r, (m + tl.log2(l)) * 0.6931471805599453, mask=r < n_q)


def flash_lse(q: Tensor, k: Tensor, v: Tensor, scale: float | None = None, tile_m: int = 64, tile_n: int = 64) -> tuple[Tensor, Tensor]:
    b, hh, n_q, d = q.shape
    scale = d**-0.5 if scale is None else scale
    o = torch.empty_like(q)
    L = torch.empty(b, hh, n_q, device=q.device)
    fl[(triton.cdiv(n_q, tile_m), b * hh)](q, k, v, o, L, n_q, k.shape[2], scale * 1.4426950408889634, CAUSAL=False, D=d, M=tile_m, N=tile_n)
    return o, L
