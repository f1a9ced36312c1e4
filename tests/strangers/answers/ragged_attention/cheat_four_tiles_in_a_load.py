# course style; "No load holds more than two tiles of rows or keys": one holds four, where there are as many, as whole numbers of 64 bits
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

@triton.jit
def numbers_of(words, PER: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, dtype: tl.constexpr):
    if PER == 2:
        low = words.to(tl.int32).to(dtype, bitcast=True)
        high = (words >> 32).to(tl.int32).to(dtype, bitcast=True)
        return tl.reshape(tl.join(low, high), (ROWS, D))
    a = words.to(tl.int16).to(dtype, bitcast=True)
    b = (words >> 16).to(tl.int16).to(dtype, bitcast=True)
    c = (words >> 32).to(tl.int16).to(dtype, bitcast=True)
    d = (words >> 48).to(tl.int16).to(dtype, bitcast=True)
    return tl.reshape(tl.join(tl.join(a, c), tl.join(b, d)), (ROWS, D))


@triton.jit
def one_of(words, g, GROUPS: tl.constexpr, ROWS: tl.constexpr, W: tl.constexpr):
    tiles = tl.reshape(words, (GROUPS, ROWS, W))
    return tl.sum(tl.where(tl.arange(0, GROUPS)[:, None, None] == g, tiles, 0), axis=0)


@triton.jit
def ragged_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, begins_ptr, o_ptr, max_blocks, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr, PER: tl.constexpr,
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
    if first >= n_q * GROUP:
        return
    query = ((begin + position).to(tl.int64) * kv_heads + head) * GROUP + rows % GROUP
    q_there, real = query[:, None] * D + columns, position[:, None] < n_q
    q = tl.load(q_ptr + q_there, mask=real, other=0)
    last = position + length - n_q
    seen_by_all = first // GROUP + 1 + length - n_q
    seen_by_any = tl.minimum((first + TILE_M - 1) // GROUP + 1 + length - n_q, length)
    table_ptr = tables_ptr + b * max_blocks
    W: tl.constexpr = D // PER
    words = tl.arange(0, W)
    k_words = k_ptr.to(tl.pointer_type(tl.int64))
    v_words = v_ptr.to(tl.pointer_type(tl.int64))
    ks = tl.zeros((4 * TILE_N, W), tl.int64)
    vs = tl.zeros((4 * TILE_N, W), tl.int64)
    for start in range(0, seen_by_any, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        g = start // TILE_N % 4
        if start - g * TILE_N + 4 * TILE_N <= seen_by_any:
            if g == 0:
                many = start + tl.arange(0, 4 * TILE_N)
                block = tl.load(table_ptr + many // BLOCK).to(tl.int64)
                slot = (block * kv_heads + head) * BLOCK + many % BLOCK
                ks = tl.load(k_words + slot[:, None] * W + words)
                vs = tl.load(v_words + slot[:, None] * W + words)
            k = numbers_of(one_of(ks, g, 4, TILE_N, W), PER, TILE_N, D, q.dtype)
            v = numbers_of(one_of(vs, g, 4, TILE_N, W), PER, TILE_N, D, q.dtype)
        else:
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
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n, PER=8 // q.element_size(),
    )  # fmt: skip
    return o
