# A tile of keys is loaded in two halves of its columns, which are joined.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)
    heads = (b * kv_heads + kv_head) * GROUP + rows
    real = rows < GROUP
    each = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * each
    end = tl.minimum(begin + each, n)
    q = tl.load(q_ptr + heads[:, None] * D + columns, mask=real[:, None], other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        inside = keys < end
        half = tl.arange(0, D // 2)
        k0 = tl.load(k_ptr + keys[:, None] * k_row + half, mask=inside[:, None], other=0)
        k1 = tl.load(k_ptr + keys[:, None] * k_row + D // 2 + half, mask=inside[:, None], other=0)
        k = tl.reshape(tl.permute(tl.join(k0, k1), (0, 2, 1)), (TILE_N, D))
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where(inside[None, :], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp2(s - m_new[:, None])
        alpha = tl.exp2(m - m_new)
        l = l * alpha + tl.sum(p, axis=1)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=inside[:, None], other=0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    there = heads * splits + split
    tl.store(L_ptr + there, (m + tl.log2(l)) * 0.6931471805599453, mask=real)
    tl.store(o_ptr + there[:, None] * D + columns, acc / l[:, None], mask=real[:, None])


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
    rows = max(16, triton.next_power_of_2(group))
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, scale_2, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=rows, D=d, TILE_N=tile_n, num_warps=4, num_stages=4,
    )
    return o, L
