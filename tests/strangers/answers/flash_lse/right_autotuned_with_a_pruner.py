# warps and stages autotuned, a pruner, a lambda for the grid
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


LN2 = tl.constexpr(0.6931471805599453)


@triton.jit
def step(m, l, acc, x, v):
    new = tl.maximum(m, tl.max(x, 1))
    f = tl.exp2(m - new)
    p = tl.exp2(x - new[:, None])
    return new, l * f + tl.sum(p, 1), tl.dot(p.to(v.dtype), v, acc * f[:, None], input_precision="ieee")


def fits(configs, named, **kwargs):
    return [c for c in configs if c.num_warps <= 8]


@triton.autotune(configs=[triton.Config({}, num_warps=w, num_stages=s) for w in (4, 8, 16) for s in (1, 2)], key=["n_q", "n_k", "D"], prune_configs_by={"early_config_prune": fits})
@triton.jit
def fwd(q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr):
    h = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    r = first + tl.arange(0, TILE_M)
    c = tl.arange(0, D)
    q = tl.load(q_ptr + (h * n_q + r)[:, None] * D + c[None, :], mask=(r < n_q)[:, None], other=0.0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for s in range(0, n_k, TILE_N):
        j = s + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + (h * n_k + j)[:, None] * D + c[None, :], mask=(j < n_k)[:, None], other=0.0)
        v = tl.load(v_ptr + (h * n_k + j)[:, None] * D + c[None, :], mask=(j < n_k)[:, None], other=0.0)
        x = tl.dot(q, k.T, input_precision="ieee") * scale
        x = tl.where(j[None, :] < n_k, x, float("-inf"))
        m, l, acc = step(m, l, acc, x, v)
    tl.store(o_ptr + (h * n_q + r)[:, None] * D + c[None, :], (acc / l[:, None]).to(o_ptr.dtype.element_ty), mask=(r < n_q)[:, None])
    tl.store(L_ptr + h * n_q + r, (m + tl.log2(l)) * LN2, mask=r < n_q)


def flash_lse(q: Tensor, k: Tensor, v: Tensor, scale: float | None = None, tile_m: int = 64, tile_n: int = 64):
    B, H, n_q, d = q.shape
    scale = (1 / math.sqrt(d) if scale is None else scale) * 1.4426950408889634
    o = torch.empty_like(q)
    L = torch.empty((B, H, n_q), dtype=torch.float32, device=q.device)
    grid = lambda META: (triton.cdiv(n_q, META["TILE_M"]), B * H)
    fwd[grid](q, k, v, o, L, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return o, L
