# style: Triton tutorial 06: m_i, l_i, alpha, qk, tl.multiple_of
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def flash_full_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: TILE_M queries of one head meet all keys of the head, TILE_N at a time."""
    head = tl.program_id(1).to(tl.int64)  # offsets of whole heads can pass 2^31
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns  # (TILE_M, D): where the queries lie, and their outputs
    # The tile of queries, and the state that the tiles of keys will change: m, l and acc.
    q = tl.load(q_ptr + here)
    m_i = tl.zeros([TILE_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([TILE_M], dtype=tl.float32)
    acc = tl.zeros([TILE_M, D], dtype=tl.float32)
    for start in range(0, n_k, TILE_N):
        # A tile of keys and one of values, and the scores.
        start = tl.multiple_of(start, TILE_N)
        offs_n = start + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + offs_n[:, None] * D + columns[None, :])
        v = tl.load(v_ptr + offs_n[:, None] * D + columns[None, :])
        qk = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        # The new maximum; what was summed is rescaled to it, and the tile is added.
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp(qk - m_ij[:, None])
        # -- update l_i
        alpha = tl.exp(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        # -- update output accumulator
        acc = acc * alpha[:, None]
        acc = tl.dot(p.to(v.dtype), v, acc, input_precision="ieee")
        m_i = m_ij
    # Every key has been seen.
    acc = acc / l_i[:, None]
    tl.store(o_ptr + here, acc.to(o_ptr.type.element_ty))


def flash_full(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    """Attention whose lengths are multiples of the tiles.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d), contiguous, float32 or 16 bits wide; d: a power of
    two from 16 to 128. tile_m divides N_q and tile_n divides N_k; both are powers of two from
    16 on. scale: factor of the scores, of any sign or 0, 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype. All sums are taken in float32, and on the way to o
    only P may be rounded to 16 bits, and only where it meets v; nothing to TF32.
    Traffic: q is loaded once, k and v once for each tile of queries; o is stored once. In one
    launch, one program for each tile of consecutive queries of a head, which meets tile_n keys
    at a time; no load holds more than two tiles of tile_m queries or tile_n keys, and no
    product more than one of each. Tiles are multiplied once in each of the two products. A
    score takes one exponential. Memory: o.

        S = scale * q k^T        P = softmax(S) along the keys        o = P v

    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (n_q // tile_m, batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_full_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
