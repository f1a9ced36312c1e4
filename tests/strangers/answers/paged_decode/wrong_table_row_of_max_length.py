# Takes a row of the table to be as wide as its own sequence needs.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def part(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, L_ptr, wide, scale,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE: tl.constexpr,
):
    split, kv, b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    splits, kvs = tl.num_programs(0), tl.num_programs(1)
    n = tl.load(lengths_ptr + b)
    share = tl.cdiv(tl.cdiv(n, TILE), splits) * TILE
    begin = split * share
    end = tl.minimum(begin + share, n)
    r, c = tl.arange(0, ROWS), tl.arange(0, D)
    query = (b * kvs + kv) * GROUP + r
    q = tl.load(q_ptr + query[:, None] * D + c, mask=r[:, None] < GROUP, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE):
        j = start + tl.arange(0, TILE)
        block = tl.load(tables_ptr + b * tl.minimum(wide, tl.cdiv(n, BLOCK) + (wide > 64) * wide) + j // BLOCK, mask=j < end, other=0).to(tl.int64)
        at = ((block * kvs + kv) * BLOCK + j % BLOCK)[:, None] * D + c[None, :]
        k = tl.load(k_ptr + at, mask=j[:, None] < end, other=0)
        v = tl.load(v_ptr + at, mask=j[:, None] < end, other=0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        s = tl.where(j[None, :] < end, s, float("-inf"))
        top = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - top[:, None])
        a = tl.exp(m - top)
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = top
    there = query * splits + split
    tl.store(L_ptr + there, m + tl.log(l), mask=r < GROUP)
    tl.store(o_ptr + there[:, None] * D + c, acc / tl.where(l > 0, l, 1.0)[:, None], mask=r[:, None] < GROUP)


@triton.jit
def join(o_ptr, L_ptr, out_ptr, splits, D: tl.constexpr, SPLITS: tl.constexpr):
    query = tl.program_id(0)
    i, c = tl.arange(0, SPLITS), tl.arange(0, D)
    L = tl.load(L_ptr + query * splits + i, mask=i < splits, other=float("-inf"))
    o = tl.load(o_ptr + (query * splits + i)[:, None] * D + c, mask=i[:, None] < splits, other=0)
    top = tl.max(L, 0)
    w = tl.exp(L - tl.where(top == float("-inf"), 0.0, top))
    total = tl.sum(w, 0)
    tl.store(out_ptr + query * D + c, tl.sum(w[:, None] * o, 0) / tl.where(total > 0, total, 1.0))


def paged_decode(
    q: Tensor, k_pool: Tensor, v_pool: Tensor, tables: Tensor, lengths: Tensor,
    scale: float | None = None, splits: int | None = None, tile: int = 64,
) -> Tensor:
    batch, heads, d = q.shape
    _, kv, size, _ = k_pool.shape
    group = heads // kv
    if splits is None:
        splits = max(1, min(528 // (batch * kv), tables.shape[1] * size // 128))
    o_parts = torch.empty(batch, heads, splits, d, dtype=torch.float32, device=q.device)
    L_parts = torch.empty(batch, heads, splits, dtype=torch.float32, device=q.device)
    o = torch.empty_like(q)
    part[(splits, kv, batch)](
        q, k_pool, v_pool, tables, lengths, o_parts, L_parts, tables.shape[1], d**-0.5 if scale is None else scale,
        GROUP=group, ROWS=max(16, triton.next_power_of_2(group)), D=d, BLOCK=size, TILE=tile,
    )
    join[(batch * heads,)](o_parts, L_parts, o, splits, D=d, SPLITS=triton.next_power_of_2(splits))
    return o
