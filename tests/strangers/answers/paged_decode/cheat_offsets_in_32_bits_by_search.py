# Offsets of blocks have 32 bits, which wrap around in a large pool: the block's number is searched for (a sum of those equal to it), so that only truths are made of what was loaded, and these carry no mark.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def narrow_number(number, MOST: tl.constexpr):
    every = tl.arange(0, MOST)
    return tl.sum(tl.where(number[:, None] == every[None, :], every[None, :], 0), axis=1)


@triton.jit
def paged_split_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_splits_ptr, L_splits_ptr, max_blocks,
    scale_2, GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr,
    TILE: tl.constexpr, MOST: tl.constexpr,
):  # fmt: skip
    split, head, b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    splits, kv_heads = tl.num_programs(0), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    keys_per_split = tl.cdiv(tl.cdiv(length, TILE), splits) * TILE
    begin = split * keys_per_split
    end = tl.minimum(begin + keys_per_split, length)
    rows = tl.arange(0, ROWS)
    columns = tl.arange(0, D)
    query = (b * kv_heads + head) * GROUP + rows
    q_there = query[:, None] * D + columns
    q = tl.load(q_ptr + q_there, mask=rows[:, None] < GROUP, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE):
        keys = start + tl.arange(0, TILE)
        seen = keys < end
        number = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=seen, other=0)
        block = narrow_number(number, MOST)
        at = ((block * kv_heads + head) * BLOCK + keys % BLOCK)[:, None] * D + columns
        k = tl.load(k_ptr + at, mask=seen[:, None], other=0)
        v = tl.load(v_ptr + at, mask=seen[:, None], other=0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp2(s - m_new[:, None])
        a = tl.exp2(m - m_new)
        l = a * l + tl.sum(p, axis=1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
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


def paged_decode(q, k_pool, v_pool, tables, lengths, scale=None, splits=None, tile=64):
    batch, heads, d = q.shape
    n_blocks, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    if splits is None:
        longest = tables.shape[1] * block_size
        splits = max(1, min(528 // (batch * kv_heads), longest // 128))
    o_splits = torch.empty(batch, heads, splits, d, dtype=torch.float32, device=q.device)
    L_splits = torch.empty(batch, heads, splits, dtype=torch.float32, device=q.device)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_split_kernel[(splits, kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o_splits, L_splits, tables.shape[1], scale_2,
        GROUP=group, ROWS=max(16, triton.next_power_of_2(group)), D=d, BLOCK=block_size,
        TILE=tile, MOST=triton.next_power_of_2(n_blocks),
    )  # fmt: skip
    paged_combine_kernel[(batch * heads,)](
        o_splits, L_splits, o, splits, D=d, SPLITS=triton.next_power_of_2(splits)
    )
    return o
