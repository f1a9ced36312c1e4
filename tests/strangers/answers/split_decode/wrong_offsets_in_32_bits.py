# Head offsets in 32 bits.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv, kvs = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b * k_batch + kv * k_head
    v_ptr += b.to(tl.int64) * v_batch + kv.to(tl.int64) * v_head
    share = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * share
    end = tl.minimum(n, begin + share)
    rows = tl.arange(0, ROWS)
    c = tl.arange(0, D)
    query = (b * kvs + kv) * GROUP + rows
    q = tl.load(q_ptr + query[:, None] * D + c, mask=rows[:, None] < GROUP, other=0)
    acc = tl.zeros((ROWS, D), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    for start in range(begin, end, TILE_N):
        j = (start + tl.arange(0, TILE_N)).to(tl.int64)
        k = tl.load(k_ptr + j[:, None] * k_row + c, mask=j[:, None] < end, other=0)
        v = tl.load(v_ptr + j[:, None] * v_row + c, mask=j[:, None] < end, other=0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        s = tl.where(j[None, :] < end, s, float("-inf"))
        top = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - top[:, None])
        a = tl.exp(m - top)
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = top
    there = query * splits + split
    keep = rows < GROUP
    tl.store(L_ptr + there, m + tl.log(l), mask=keep)
    tl.store(o_ptr + there[:, None] * D + c, acc / tl.where(l > 0, l, 1.0)[:, None], mask=keep[:, None])


def split_decode(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, splits: int, scale: float | None = None, tile_n: int = 64
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads = k.shape[1]
    group = heads // kv_heads
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, d**-0.5 if scale is None else scale, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=max(16, triton.next_power_of_2(group)), D=d, TILE_N=tile_n,
    )
    return o, L
