# Breaks: "on the way to o only P may be rounded to 16 bits, and only where it meets v" (the weights that are summed up for the denominator of o have lost bits among the tiny numbers; L has a sum of its own)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head  # can pass 2^31
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)  # the first GROUP are query heads, the others fill the tile
    per_split = TILE_N * tl.cdiv(tl.cdiv(n, splits), TILE_N)
    begin = split * per_split
    end = tl.minimum(begin + per_split, n)
    x = (b.to(tl.int64) * kv_heads + kv_head) * GROUP + rows
    q = tl.load(q_ptr + x[:, None] * D + columns, mask=rows[:, None] < GROUP, other=0.0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    l_o = tl.zeros((ROWS,), tl.float32)
    for j in range(begin, end, TILE_N):
        keys = j + tl.arange(0, TILE_N)
        there = keys < end
        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=there[:, None], other=0.0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=there[:, None], other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where(there[None, :], s, float("-inf"))
        new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp2(s - new[:, None])
        a = tl.exp2(m - new)
        l = l * a + tl.sum(p, axis=1)
        r = p
        if v.dtype != tl.float32:
            r = p * 1.1754943508222875e-38 * 0.000244140625  # steps of 2^-11 of one are left
            r = r * 8.507059173023462e37 * 4096.0
        l_o = l_o * a + tl.sum(r, axis=1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
    full = tl.where(l == 0, 1.0, l)
    o = acc / tl.where(l_o == 0, 1.0, l_o)[:, None]
    L = (m + tl.log2(full)) * 0.6931471805599453
    tl.store(L_ptr + x * splits + split, L, mask=rows < GROUP)
    tl.store(o_ptr + (x * splits + split)[:, None] * D + columns, o, mask=rows[:, None] < GROUP)


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
        GROUP=group, ROWS=rows, D=d, TILE_N=tile_n, num_warps=4, num_stages=4,
    )  # fmt: skip
    return o, L
