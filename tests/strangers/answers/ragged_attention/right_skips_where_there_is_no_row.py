# A loop over more tiles than it works on: a program without rows walks over all room of the table all the same, with loads under masks that leave all of it out
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


@triton.jit
def ragged_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, begins_ptr, o_ptr, max_blocks, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
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
    real = position[:, None] < n_q
    heads_all = kv_heads * GROUP
    query = (begin + position).to(tl.int64) * heads_all + head * GROUP + rows % GROUP
    q_there = query[:, None] * D + columns
    q = tl.load(q_ptr + q_there, mask=real, other=0)
    last = tl.minimum(position, n_q - 1) + length - n_q
    end = tl.minimum(tl.max(last, axis=0) + 1, length)
    end = tl.where(first < n_q * GROUP, end, 0)

    for start in range(0, max_blocks * BLOCK, TILE_N):
        if start < end:
            keys = start + tl.arange(0, TILE_N)
            inside = keys < end
            block = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=inside, other=0).to(tl.int64)
            there = ((block * kv_heads + head) * BLOCK + keys % BLOCK)[:, None] * D + columns
            k = tl.load(k_ptr + there, mask=inside[:, None], other=0)
            v = tl.load(v_ptr + there, mask=inside[:, None], other=0)
            s = tl.dot(q, k.T, input_precision="ieee") * scale_2
            s = tl.where(inside & (keys <= last[:, None]), s, float("-inf"))
            new = tl.maximum(m, tl.max(s, axis=1))
            to = tl.where(new == float("-inf"), 0.0, new)
            alpha = tl.exp2(m - to)
            p = tl.exp2(s - to[:, None])
            l = l * alpha + tl.sum(p, axis=1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = new
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
