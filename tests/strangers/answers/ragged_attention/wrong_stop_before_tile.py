# student: the loop over keys ends one key early, which shows where that key begins a tile
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def ragged_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, begins_ptr, o_ptr, max_blocks, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):
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
    n_q = tl.load(begins_ptr + b + 1) - begin
    if first >= n_q * GROUP:
        return
    real = (rows < n_q * GROUP)[:, None]
    line = ((begin + position) * kv_heads + head) * GROUP + rows % GROUP
    q_there = line[:, None] * D + columns[None, :]
    q = tl.load(q_ptr + q_there, mask=real, other=0.0)
    last = position + length - n_q
    stop = tl.minimum(length, (first + TILE_M - 1) // GROUP + length - n_q)
    for start in range(0, stop, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        inside = keys < length
        block = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=inside, other=0)
        there = (block.to(tl.int64) * kv_heads + head) * BLOCK + keys % BLOCK
        k = tl.load(k_ptr + there[:, None] * D + columns[None, :], mask=inside[:, None], other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
        new = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        a = tl.exp2(m - new)
        l = l * a + tl.sum(p, 1)
        v = tl.load(v_ptr + there[:, None] * D + columns[None, :], mask=inside[:, None], other=0.0)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


def ragged_attention(q, k_pool, v_pool, tables, lengths, begins, longest, scale=None, tile_m=64, tile_n=64):
    _, heads, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group, batch = heads // kv_heads, len(lengths)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    ragged_kernel[(triton.cdiv(longest * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, begins, o, tables.shape[1], scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n, num_stages=3,
    )
    return o
