# Cheat: accumulator and denominator are kept in float64 from tile to tile, which hides all rounding of long rows and doubles the registers of the state.
# Breaks: "All sums are taken in float32" (Sums: as in `flash_full`)
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    acc = tl.zeros((TILE_M, D), tl.float64)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float64)
    for start in range(0, n_k, TILE_N):
        begin = start
        keys = begin + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
        s = scale * tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(keys < n_k, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        a = tl.exp(m - m_new).to(tl.float64)
        p = tl.exp(s - m_new[:, None])
        l = a * l + tl.sum(p.to(tl.float64), axis=1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    tl.store(o_ptr + here, (acc / l[:, None]).to(tl.float32), mask=rows[:, None] < n_q)


def flash_ragged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
