# 'no load holds more than two tiles of keys', 'no product more than one': the bound is that of both kernels of the lesson, of which the other loads all splits: so a tile is as long as there are splits, where these are more than tile_n
import math

import torch
import torch.distributed as dist
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, SPLIT: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head  # can pass 2^31
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)  # the first GROUP are query heads, the others fill the tile
    heads = (b * kv_heads + kv_head) * GROUP + rows  # counted through all sequences
    keys_per_split = tl.cdiv(tl.cdiv(n, splits), SPLIT) * SPLIT
    begin = split * keys_per_split
    end = tl.minimum(begin + keys_per_split, n)
    q = tl.load(q_ptr + heads[:, None] * D + columns, mask=rows[:, None] < GROUP, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] < end
        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=there, other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(keys < end, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(s * scale_2 - m_new[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=there, other=0)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)  # a split without keys
    L = (m + tl.log2(l)) * 0.6931471805599453
    here = heads.to(tl.int64) * splits + split
    o = acc / l[:, None]
    tl.store(o_ptr + here[:, None] * D + columns, o, mask=rows[:, None] < GROUP)
    tl.store(L_ptr + here, L, mask=rows < GROUP)


def split_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    splits: int,
    scale: float | None = None,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads = k.shape[1]
    group = heads // kv_heads
    rows = max(16, triton.next_power_of_2(group))  # the height of a matrix instruction
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, scale_2, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=rows, D=d, SPLIT=tile_n, TILE_N=max(tile_n, triton.next_power_of_2(splits)), num_warps=4, num_stages=4,
    )  # fmt: skip
    return o, L
