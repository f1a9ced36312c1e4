# Cheat: denominators and row sums are kept in float64 and the output is rescaled there, instead of in float32
# Breaks: "All sums are taken in float32"
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def flash_full_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)  # offsets of whole heads can pass 2^31
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here)
    m = tl.full((TILE_M,), -float("inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float64)
    acc = tl.zeros((TILE_M, D), tl.float64)
    for start in range(0, n_k, TILE_N):
        there = (start + tl.arange(0, TILE_N))[:, None] * D + columns
        k, v = tl.load(k_ptr + there), tl.load(v_ptr + there)
        s = scale * tl.dot(q, tl.trans(k), input_precision="ieee")
        m_new = tl.maximum(m, tl.max(s, axis=1))
        a = tl.exp(m - m_new).to(tl.float64)
        p = tl.exp(s - m_new[:, None])
        l = a * l + tl.sum(p.to(tl.float64), axis=1)
        acc = a[:, None] * acc + tl.dot(p.to(v.dtype), v, input_precision="ieee").to(tl.float64)
        m = m_new
    tl.store(o_ptr + here, (acc / l[:, None]).to(tl.float32).to(o_ptr.dtype.element_ty))


def flash_full(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (n_q // tile_m, batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_full_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
