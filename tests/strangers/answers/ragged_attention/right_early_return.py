# style: early return of a program without rows
import math
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.memory_hierarchy import roofline_time
from kernels.paged_cache import OutOfBlocks
from kernels.serving import Request, TooLong, ToyModel, as_pairs

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def ragged_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, begins_ptr, o_ptr, max_blocks, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of packed rows of a sequence and KV head, if it has so many rows."""
    head, b, kv_heads = tl.program_id(1), tl.program_id(2), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * TILE_M  # most keys first
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP  # in the chunk
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    begin = tl.load(begins_ptr + b)
    n_q = tl.load(begins_ptr + b + 1) - begin
    if first >= n_q * GROUP:
        return
    real = (position < n_q)[:, None]
    row = (begin + position).to(tl.int64) * (kv_heads * GROUP) + head * GROUP + rows % GROUP
    q_there = row[:, None] * D + columns
    q = tl.load(q_ptr + q_there, mask=real, other=0.0)
    last = tl.minimum(position, n_q - 1) + length - n_q
    end = tl.minimum((first + TILE_M - 1) // GROUP, n_q - 1) + length - n_q + 1

    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys < end
        physical_block = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=there, other=0)
        slot = (physical_block.to(tl.int64) * kv_heads + head) * BLOCK + keys % BLOCK
        k = tl.load(k_ptr + slot[:, None] * D + columns, mask=there[:, None], other=0.0)
        v = tl.load(v_ptr + slot[:, None] * D + columns, mask=there[:, None], other=0.0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - base)
        p = tl.exp2(s - base[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


def ragged_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    begins: Tensor,
    longest: int,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    """Causal attention of the last tokens of each sequence, of each as many as it has new ones.

    q: (T, H, d), the queries of B sequences, one after the other: those of sequence b are
    q[begins[b] : begins[b + 1]], and they are its last tokens. begins: (B + 1,) int32, never
    falling, from 0 to T: a sequence may have no query. longest: the most queries that one has.
    k_pool, v_pool: (n_blocks, H_kv, block_size, d); all contiguous, of one dtype, float32 or 16
    bits wide; d: a power of two from 16 to 128. Query head h reads KV head h // (H / H_kv).
    What belongs to no sequence is not initialised, and may be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 after them.
    lengths: (B,) int32, the tokens of each sequence, those of its queries included.
    scale: factor of the scores, positive, 1/sqrt(d) if None. tile_m packed rows, each a pair of
    a position and a head of the group, meet tile_n keys at a time; both are powers of two from
    16 on, whatever block_size is.
    Query i of the n of sequence b sees the keys j <= i + lengths[b] - n.
    Returns o (T, H, d), same dtype. All sums are taken in float32, and on the way to o only P
    may be rounded to 16 bits, nothing to TF32. Memory: o alone; queries, keys and values are
    not copied. A pool may hold more than 2^31 numbers, if not as many rows of d: offsets take
    64 bits. In one launch, one program for each tile of the rows of a sequence and KV head.
    Traffic: q once; keys and values, with their blocks' numbers, for each tile of the
    n H / H_kv rows of a sequence and KV head, up to the last tile of keys that one of its rows
    sees. Only these tiles are multiplied, each once. A score takes one exponential. No load
    holds more than two tiles of rows or keys, and no product more than one of each. A program
    without rows loads nothing but its sequence's length, begin and end.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    _, heads, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group, batch = heads // kv_heads, len(lengths)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    ragged_kernel[(triton.cdiv(longest * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, begins, o, tables.shape[1], scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n, num_stages=3,
    )  # fmt: skip
    return o
