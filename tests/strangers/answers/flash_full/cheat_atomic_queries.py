# BREAKS: "Traffic: q is loaded once"
# COSTS: q is read again, and written, for every tile of keys, by an atomic that adds nothing
import math
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
    here = rows[:, None] * D + columns  # (TILE_M, D): where the queries lie, and their outputs
    # The tile of queries, and the state that the tiles of keys will change: m, l and acc.
    q = tl.load(q_ptr + here)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        # A tile of keys and one of values, and the scores.
        there = (start + tl.arange(0, TILE_N))[:, None] * D + columns
        k = tl.load(k_ptr + there)
        v = tl.load(v_ptr + there)
        q = tl.atomic_add(q_ptr + here, tl.zeros((TILE_M, D), q.dtype))
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        # The new maximum; what was summed is rescaled to it, and the tile is added.
        new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.exp(m - new)
        p = tl.exp(s - new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
    # Every key has been seen.
    tl.store(o_ptr + here, acc / l[:, None])


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
