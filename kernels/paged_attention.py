"""Attention over a paged cache (paged_cache.py): by copying, and by walking its block tables.

Left out: chunks of different lengths in one launch.
"""

import math

import torch
import triton
import triton.language as tl
from torch import Tensor


def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:
    """Causal attention of the last tokens of each sequence over keys and values in blocks.

    q: (B, H, N_q, d) float32, the queries of the last N_q tokens of each of B sequences.
    k_pool, v_pool: (n_blocks, H_kv, block_size, d) float32; query head h reads KV head
    h // (H / H_kv). What belongs to no sequence is not initialised, and may be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 after them.
    lengths: (B,) int32, the tokens of each sequence, those of the queries included; there may
    be fewer than N_q, or none.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Query i of sequence b sees the keys j <= i + lengths[b] - N_q.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros.
    Products: queries meet the blocks in their own sequence's table, once, an eighth of them
    twice at the most, and no others.
    """
    group, block_size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        ### BEGIN SOLUTION
        table = tables[b, : -(-length // block_size)]
        k, v = (
            pool[table].transpose(0, 1).flatten(1, 2)[:, :length] for pool in (k_pool, v_pool)
        )
        k, v = (x.repeat_interleave(group, dim=0) for x in (k, v))
        s = scale * (q[b] @ k.transpose(1, 2))
        query, key = torch.arange(n_q)[:, None], torch.arange(length)
        s = s.masked_fill(key > query + length - n_q, -torch.inf)
        p = torch.softmax(s, dim=-1).masked_fill(torch.isneginf(s), 0)
        o[b] = p @ v
        ### END SOLUTION
    return o


@triton.jit
def paged_split_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_splits_ptr, L_splits_ptr, max_blocks,
    scale_2, GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr,
    TILE: tl.constexpr,
):  # fmt: skip
    """One program: all queries that share a KV head meet one split of a sequence's keys."""
    split, head, b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    splits, kv_heads = tl.num_programs(0), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    keys_per_split = tl.cdiv(tl.cdiv(length, TILE), splits) * TILE  # whole tiles, shared out
    begin = split * keys_per_split
    end = tl.minimum(begin + keys_per_split, length)
    rows = tl.arange(0, ROWS)  # the queries of the group; the rest is padding
    columns = tl.arange(0, D)
    query = (b * kv_heads + head) * GROUP + rows
    q_there = query[:, None] * D + columns
    q = tl.load(q_ptr + q_there, mask=rows[:, None] < GROUP, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    ### BEGIN SOLUTION from split_decode
    table_ptr = tables_ptr + b * max_blocks
    for start in range(begin, end, TILE):
        keys = start + tl.arange(0, TILE)
        here = keys < end
        block = tl.load(table_ptr + keys // BLOCK, mask=here, other=0).to(tl.int64)
        slot = (block * kv_heads + head) * BLOCK + keys % BLOCK
        there = slot[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=here[:, None], other=0)
        v = tl.load(v_ptr + there, mask=here[:, None], other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(here, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(s * scale_2 - m_new[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    ### END SOLUTION
    l = tl.where(l == 0, 1.0, l)
    there = query * splits + split
    tl.store(L_splits_ptr + there, m + tl.log2(l), mask=rows < GROUP)
    o_there = there[:, None] * D + columns
    tl.store(o_splits_ptr + o_there, acc / l[:, None], mask=rows[:, None] < GROUP)


@triton.jit
def paged_combine_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, n_splits, D: tl.constexpr, SPLITS: tl.constexpr
):
    """One program: the splits of one query, merged by their log-sum-exps (to base 2)."""
    query = tl.program_id(0)
    split, columns = tl.arange(0, SPLITS), tl.arange(0, D)
    there = query * n_splits + split
    L = tl.load(L_splits_ptr + there, mask=split < n_splits, other=float("-inf"))
    o_there = there[:, None] * D + columns
    o = tl.load(o_splits_ptr + o_there, mask=split[:, None] < n_splits, other=0)
    top = tl.max(L, axis=0)
    weight = tl.exp2(L - tl.where(top == float("-inf"), 0.0, top))
    total = tl.sum(weight, axis=0)
    o = tl.sum(o * weight[:, None], axis=0) / tl.where(total == 0, 1.0, total)
    tl.store(o_ptr + query * D + columns, o)


def paged_decode(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    splits: int | None = None,
    tile: int = 64,
) -> Tensor:
    """Attention of one new token of each sequence over keys and values in blocks.

    q: (B, H, d), k_pool, v_pool: (n_blocks, H_kv, block_size, d), contiguous, of one dtype,
    float32 or 16 bits wide; d: a power of two from 16 to 128. Query head h reads KV head
    h // (H / H_kv), at most 128 one. What belongs to no sequence is not initialised, and may
    be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 after them.
    lengths: (B,) int32, the tokens of each sequence, the new one included; 0 marks an empty
    slot in the batch.
    scale: factor of the scores, positive, 1/sqrt(d) if None. splits: how many the tiles of keys
    of each sequence are cut into; if None, the function has its own number. tile: keys at a
    time, a power of two from 16 on, whatever block_size is.
    Returns o (B, H, d), same dtype; zeros where the length is 0. All sums are taken in float32,
    and on the way to o only P may be rounded to 16 bits, and only where it meets v; nothing
    to TF32. A pool may hold more than 2^31 numbers, if not as many rows of d: offsets take 64
    bits. Traffic: each key and value once for each KV head, its block's number with it; q once
    for each split; the partial outputs and their log-sum-exps, in float32, there and back; o
    once. In one launch, one program for each split of each KV head, then, in another, one for
    each query; no load holds more than two tiles of keys, of a KV head's queries, or of a
    query's splits, and no product more than one tile of keys. Each tile of keys is multiplied
    once in each of the two products. A score takes one exponential. Memory: o, and the partial
    outputs and their log-sum-exps; no copy of keys or values.
    """
    batch, heads, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    if splits is None:  # an H200 runs 528 of these programs at a time
        longest = tables.shape[1] * block_size
        splits = max(1, min(528 // (batch * kv_heads), longest // 128))
    o_splits = torch.empty(batch, heads, splits, d, dtype=torch.float32, device=q.device)
    L_splits = torch.empty(batch, heads, splits, dtype=torch.float32, device=q.device)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_split_kernel[(splits, kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o_splits, L_splits, tables.shape[1], scale_2,
        GROUP=group, ROWS=max(16, triton.next_power_of_2(group)), D=d, BLOCK=block_size,
        TILE=tile,
    )  # fmt: skip
    paged_combine_kernel[(batch * heads,)](
        o_splits, L_splits, o, splits, D=d, SPLITS=triton.next_power_of_2(splits)
    )
    return o


@triton.jit
def paged_prefill_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of packed rows of a sequence and KV head meets the keys they see."""
    head, b, kv_heads = tl.program_id(1), tl.program_id(2), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * TILE_M  # most keys first
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP  # in the chunk
    query = ((b * kv_heads + head).to(tl.int64) * GROUP + rows % GROUP) * n_q + position
    q_there, real = query[:, None] * D + columns, position[:, None] < n_q
    q = tl.load(q_ptr + q_there, mask=real, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    ### BEGIN SOLUTION from paged_decode
    last = position + length - n_q
    seen_by_all = first // GROUP + 1 + length - n_q
    seen_by_any = tl.minimum((first + TILE_M - 1) // GROUP + 1 + length - n_q, length)
    table_ptr = tables_ptr + b * max_blocks
    for start in range(0, seen_by_any, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        here = keys < seen_by_any
        block = tl.load(table_ptr + keys // BLOCK, mask=here, other=0).to(tl.int64)
        slot = (block * kv_heads + head) * BLOCK + keys % BLOCK
        there = slot[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=here[:, None], other=0)
        v = tl.load(v_ptr + there, mask=here[:, None], other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        if start + TILE_N > seen_by_all:
            s = tl.where(keys <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s * scale_2 - shift[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    ### END SOLUTION
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


def paged_prefill(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    """Causal attention of the last tokens of each sequence over keys and values in blocks.

    q: (B, H, N_q, d), the queries of the last N_q tokens of each of B sequences; k_pool,
    v_pool: (n_blocks, H_kv, block_size, d); all contiguous, of one dtype, float32 or 16 bits
    wide; d: a power of two from 16 to 128. Query head h reads KV head h // (H / H_kv). What
    belongs to no sequence is not initialised, and may be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 after them.
    lengths: (B,) int32, the tokens of each sequence, those of the queries included; there may
    be fewer than N_q, or none.
    scale: factor of the scores, positive, 1/sqrt(d) if None. tile_m packed rows, each a pair of
    a position and a head of the group, meet tile_n keys at a time; both are powers of two from
    16 on, whatever block_size is.
    Query i of sequence b sees the keys j <= i + lengths[b] - N_q.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros. All sums are
    taken in float32, and on the way to o only P may be rounded to 16 bits, and only where it
    meets v; nothing to TF32.
    A pool may hold more than 2^31 numbers, if not as many rows of d: offsets take 64 bits.
    Traffic: q once; keys and values, with their blocks' numbers, for each tile of the
    N_q H / H_kv rows of a KV head, up to the last tile of keys that one of its rows sees. Only
    these tiles are multiplied, each once. A score takes one exponential. In one launch, one
    program for each tile of rows of a KV head; of more than 128 tiles in all a program may take
    several. No load holds more than two tiles of rows or keys, and no product more than one of
    each. Memory: o; no copy of keys or values.
    """
    batch, heads, n_q, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_prefill_kernel[(triton.cdiv(n_q * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o, tables.shape[1], n_q, scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n, num_stages=3,
    )  # fmt: skip
    return o
