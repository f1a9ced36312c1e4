# Right within its contract: The merge is a serial chain: each split is normalised into the result before the next (S logarithms and 2 S exponentials), no sum over all splits' weights.
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
    each = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    begin = split * each
    end = tl.minimum(begin + each, n)
    query = (b * kv_heads + kv_head) * GROUP + rows
    real = rows < GROUP
    q = tl.load(q_ptr + query[:, None] * D + columns, mask=real[:, None], other=0)
    acc = tl.zeros((ROWS, D), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    for start in range(begin, end, TILE_N):
        if (start >= begin) & (start < end):
            keys = start + tl.arange(0, TILE_N)
            there = keys < end
            k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=there[:, None], other=0)
            v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=there[:, None], other=0)
            s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
            s = tl.where((keys < end)[None, :], s, float("-inf"))
            new = tl.maximum(m, tl.max(s, axis=1))
            p = tl.exp2(s - new[:, None])
            fix = tl.exp2(m - new)
            l = l * fix + tl.sum(p, axis=1)
            acc = acc * fix[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = new
    some = tl.where(l == 0, 1.0, l)
    out = query * splits + split
    tl.store(o_ptr + out[:, None] * D + columns, acc / some[:, None], mask=real[:, None])
    L = tl.where(l == 0, float("-inf"), (m + tl.log2(some)) * 0.6931471805599453)
    tl.store(L_ptr + out, L, mask=real)


def split_decode(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, splits: int,
    scale: float | None = None, tile_n: int = 64,
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


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s):
        return s * programs / (-(-s * programs // slots) * slots)

    best = max(efficiency(s) for s in range(1, most + 1))
    return next(s for s in range(1, most + 1) if efficiency(s) >= 0.85 * best)


@triton.jit
def combine_again_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, D)
    o = tl.zeros((D,), tl.float32)
    L = tl.full((1,), float("-inf"), tl.float32)
    for s in range(0, splits):
        there = head * splits + s
        mine = tl.load(L_splits_ptr + there + tl.arange(0, 1))
        part = tl.load(o_splits_ptr + there * D + columns)
        top = tl.maximum(L, mine)
        safe = tl.where(top == float("-inf"), 0.0, top)
        a, c = tl.exp(L - safe), tl.exp(mine - safe)
        total = tl.where(a + c == 0, 1.0, a + c)
        o = o * (a / total) + part * (c / total)
        L = tl.where(a + c == 0, float("-inf"), safe + tl.log(total))
    tl.store(o_ptr + head * D + columns, o.to(o_ptr.dtype.element_ty))
    tl.store(L_ptr + head + tl.arange(0, 1), L)


def flash_decode(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None,
    slots: int = 264, tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    splits = number_of_splits(batch * kv_heads, slots, max(1, min(128, n // 256)))
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    combine_again_kernel[(batch * heads,)](o_parts, L_parts, o, L, splits, D=d)
    return o, L
