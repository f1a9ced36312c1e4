# style: vLLM-like physical block numbers
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


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
    for start in range(begin, end, TILE):
        keys = start + tl.arange(0, TILE)
        there = keys < end
        number = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=there, other=0)
        row = (number.to(tl.int64) * kv_heads + head) * BLOCK + keys % BLOCK
        at = row[:, None] * D + columns
        k = tl.load(k_ptr + at, mask=there[:, None], other=0.0)
        v = tl.load(v_ptr + at, mask=there[:, None], other=0.0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(there, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(s - m_new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
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
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
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
