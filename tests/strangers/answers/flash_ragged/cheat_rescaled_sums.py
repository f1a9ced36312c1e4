# BREAKS: "Sums, traffic, programs and memory: as in `flash_full`." (there: All sums are taken in float32, only P may be rounded to 16 bits)
# COSTS: l comes out of the division o = acc / l in 16 bits: the weights are normalised in every tile and rounded again and again
import math
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
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
        s = tl.where(keys < n_k, tl.dot(q, k.T, input_precision="ieee") * scale, float("-inf"))
        new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.exp(m - new)
        p = tl.exp(s - new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        before = l - tl.sum(p, axis=1)
        acc = acc * (before / l)[:, None] + tl.dot((p / l[:, None]).to(v.dtype), v, input_precision="ieee")
        m = new
    tl.store(o_ptr + here, acc, mask=rows[:, None] < n_q)


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
