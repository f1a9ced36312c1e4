# Right: helper functions for the range of a split and for a tile, the group's rows by addition to a pointer.
import math

import torch
import triton
import triton.language as tl


@triton.jit
def split_range(split, splits, n, TILE_N: tl.constexpr):
    size = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * size
    return begin, tl.minimum(begin + size, n)


@triton.jit
def load_tile(ptr, keys, end, row_stride, D: tl.constexpr):
    at = ptr + keys[:, None] * row_stride + tl.arange(0, D)[None, :]
    return tl.load(at, mask=(keys < end)[:, None], other=0.0)


@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, b = tl.program_id(1).to(tl.int64), tl.program_id(2).to(tl.int64)
    kv_heads = tl.num_programs(1)
    n = tl.load(lengths_ptr + b)
    k_ptr += b * k_batch + kv_head * k_head
    v_ptr += b * v_batch + kv_head * v_head
    member = tl.arange(0, ROWS)
    real = member < GROUP
    row = (b * kv_heads + kv_head) * GROUP + member
    columns = tl.arange(0, D)
    q = tl.load(q_ptr + row[:, None] * D + columns[None, :], mask=real[:, None], other=0.0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    begin, end = split_range(split, splits, n, TILE_N)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = load_tile(k_ptr, keys, end, k_row, D)
        v = load_tile(v_ptr, keys, end, v_row, D)
        s = scale_2 * tl.dot(q, tl.trans(k), input_precision="ieee")
        s = tl.where((keys < end)[None, :], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp2(s - m_new[:, None])
        alpha = tl.exp2(m - m_new)
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, alpha[:, None] * acc, input_precision="ieee")
        m = m_new
    out = row * splits + split
    o = acc / tl.where(l == 0.0, 1.0, l)[:, None]
    tl.store(o_ptr + out[:, None] * D + columns[None, :], o, mask=real[:, None])
    tl.store(L_ptr + out, (m + tl.log2(l)) * 0.6931471805599453, mask=real)


def split_decode(q, k, v, lengths, splits, scale=None, tile_n=64):
    batch, heads, d = q.shape
    kv_heads = k.shape[1]
    group = heads // kv_heads
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, scale_2, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=max(16, triton.next_power_of_2(group)), D=d, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
