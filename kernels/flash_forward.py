"""FlashAttention-2 forward in Triton, in three steps: whole tiles, any length, base 2.

The order of the loops is that of Dao, *FlashAttention-2* (2023): one program for each tile of
queries of each head, and within it a loop over tiles of keys. Left out: the causal mask, views,
and what makes it fast (causal_flash.py).
"""

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
    """One program: TILE_M queries of one head meet all keys of the head, TILE_N at a time."""
    head = tl.program_id(1).to(tl.int64)  # offsets of whole heads can pass 2^31
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns  # (TILE_M, D): where the queries lie, and their outputs
    # The tile of queries, and the state that the tiles of keys will change: m, l and acc.
    ### BEGIN SOLUTION
    q = tl.load(q_ptr + here)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    ### END SOLUTION
    for start in range(0, n_k, TILE_N):
        # A tile of keys and one of values, and the scores.
        ### BEGIN SOLUTION
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        k = tl.load(k_ptr + there)
        v = tl.load(v_ptr + there)
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        ### END SOLUTION
        # The new maximum; what was summed is rescaled to it, and the tile is added.
        ### BEGIN SOLUTION
        m_new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.exp(m - m_new)
        p = tl.exp(s - m_new[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
        ### END SOLUTION
    # Every key has been seen.
    ### BEGIN SOLUTION
    tl.store(o_ptr + here, acc / l[:, None])
    ### END SOLUTION


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
    """
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (n_q // tile_m, batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_full_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o


@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet all keys of the head."""
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    ### BEGIN SOLUTION from flash_full 1-4
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        s = tl.where(keys < n_k, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.exp(m - m_new)
        p = tl.exp(s - m_new[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    tl.store(o_ptr + here, acc / l[:, None], mask=rows[:, None] < n_q)
    ### END SOLUTION


def flash_ragged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    """Attention of any number of queries with any number of keys.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d), contiguous, float32 or 16 bits wide; d: a power of
    two from 16 to 128. tile_m, tile_n: powers of two from 16 on; the last tile of either side
    is what is left. scale: factor of the scores, of any sign or 0, 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype. Nothing outside the tensors is read or written. Sums,
    traffic, programs and memory: as in `flash_full`.
    """
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o


@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet all keys; scale_2 is scale log2(e)."""
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + columns
    ### BEGIN SOLUTION from flash_ragged
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(keys < n_k, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(s * scale_2 - m_new[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    tl.store(o_ptr + here, acc / l[:, None], mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)
    ### END SOLUTION


def flash_lse(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention and its log-sum-exp, with exponentials to base 2 inside.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d), contiguous, float32 or 16 bits wide; d: a power of
    two from 16 to 128. tile_m, tile_n: powers of two from 16 on. scale: factor of the scores,
    positive, 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, the natural logarithm

        L_i = log sum_j exp(S_ij)        S = scale * q k^T

    Lengths, sums, traffic, programs and memory: as in `flash_ragged`, with L besides.
    """
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_lse_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
