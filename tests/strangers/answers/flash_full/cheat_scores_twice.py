# scores twice for every tile: once for the denominator, once for what meets v
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def fl(q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
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
        x = tl.dot(q, k.T, input_precision="ieee") * scale
        x = tl.where(j < n_k, x, float("-inf"))
        mn = tl.maximum(m, tl.max(x, 1))
        al = tl.exp(m - mn)
        l = l * al + tl.sum(tl.exp(x - mn[:, None]), 1)
        x = tl.dot(q, k.T, input_precision="ieee") * scale
        x = tl.where(j < n_k, x, float("-inf"))
        p = tl.exp(x - mn[:, None])
        acc = acc * al[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = mn
    o = acc / l[:, None]
    tl.store(o_ptr + h * n_q * D + r[:, None] * D + c[None, :], o.to(o_ptr.dtype.element_ty), mask=r[:, None] < n_q)


def flash_full(q: Tensor, k: Tensor, v: Tensor, scale: float | None = None, tile_m: int = 64, tile_n: int = 64) -> Tensor:
    b, hh, n_q, d = q.shape
    scale = d**-0.5 if scale is None else scale
    o = torch.empty_like(q)
    fl[(triton.cdiv(n_q, tile_m), b * hh)](q, k, v, o, n_q, k.shape[2], scale, D=d, M=tile_m, N=tile_n)
    return o
