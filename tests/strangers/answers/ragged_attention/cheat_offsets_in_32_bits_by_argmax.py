# Offsets of blocks have 32 bits: the block's number is where a comparison is true (tl.argmax), and what is made of truths carries no mark.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

@triton.jit
def ragged_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, begins_ptr, o_ptr, max_blocks, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr, MOST: tl.constexpr,
):  # fmt: skip
    head, b, kv_heads = tl.program_id(1), tl.program_id(2), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    begin = tl.load(begins_ptr + b)
    n = tl.load(begins_ptr + b + 1) - begin
    if first >= n * GROUP:
        return
    query = (begin + position).to(tl.int64) * (kv_heads * GROUP) + head * GROUP + rows % GROUP
    q_there, real = query[:, None] * D + columns, position[:, None] < n
    q = tl.load(q_ptr + q_there, mask=real, other=0)
    last = position + length - n
    end = tl.minimum(length, tl.minimum((first + TILE_M - 1) // GROUP, n - 1) + length - n + 1)
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys < end
        number = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=there, other=0)
        is_it = number[:, None] == tl.arange(0, MOST)[None, :]
        block = tl.argmax(is_it.to(tl.int32), axis=1)
        at = ((block * kv_heads + head) * BLOCK + keys % BLOCK)[:, None] * D + columns
        k = tl.load(k_ptr + at, mask=there[:, None], other=0)
        v = tl.load(v_ptr + at, mask=there[:, None], other=0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(there & (keys <= last[:, None]), s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        p = tl.exp2(s - shift[:, None])
        a = tl.exp2(m - shift)
        l = a * l + tl.sum(p, axis=1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


def ragged_attention(q, k_pool, v_pool, tables, lengths, begins, longest, scale=None, tile_m=64, tile_n=64):
    _, heads, d = q.shape
    n_blocks, kv_heads, block_size, _ = k_pool.shape
    group, batch = heads // kv_heads, len(lengths)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    ragged_kernel[(triton.cdiv(longest * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, begins, o, tables.shape[1], scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n,
        MOST=triton.next_power_of_2(n_blocks), num_stages=3,
    )  # fmt: skip
    return o
