# A loop over more tiles than it works on: every split walks over the room of the whole table, empty or not, and works on its own part alone: no split is faster than one program for all
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def paged_split_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_splits_ptr, L_splits_ptr, max_blocks,
    scale_2, GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr,
    TILE: tl.constexpr,
):  # fmt: skip
    split, head, b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    splits, kv_heads = tl.num_programs(0), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    keys_per_split = tl.cdiv(tl.cdiv(length, TILE), splits) * TILE  # whole tiles, shared out
    begin = split * keys_per_split
    end = tl.minimum(begin + keys_per_split, length)
    rows = tl.arange(0, ROWS)  # the queries of the group; the rest is padding
    columns = tl.arange(0, D)
    query = (b * kv_heads + head) * GROUP + rows
    q_there = query[:, None] * D + columns
    q = tl.load(q_ptr + q_there, mask=rows[:, None] < GROUP, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(0, max_blocks * BLOCK, TILE):
        if (start >= begin) & (start < end):
            keys = start + tl.arange(0, TILE)
            inside = keys < end
            block = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=inside, other=0).to(tl.int64)
            there = ((block * kv_heads + head) * BLOCK + keys % BLOCK)[:, None] * D + columns
            k = tl.load(k_ptr + there, mask=inside[:, None], other=0)
            v = tl.load(v_ptr + there, mask=inside[:, None], other=0)
            s = tl.dot(q, k.T, input_precision="ieee") * scale_2
            s = tl.where(inside, s, float("-inf"))
            new = tl.maximum(m, tl.max(s, axis=1))
            to = tl.where(new == float("-inf"), 0.0, new)
            alpha = tl.exp2(m - to)
            p = tl.exp2(s - to[:, None])
            l = l * alpha + tl.sum(p, axis=1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = new
    l = tl.where(l == 0, 1.0, l)
    there = query * splits + split
    tl.store(L_splits_ptr + there, m + tl.log2(l), mask=rows < GROUP)
    o_there = there[:, None] * D + columns
    tl.store(o_splits_ptr + o_there, acc / l[:, None], mask=rows[:, None] < GROUP)


@triton.jit
def paged_combine_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, n_splits, D: tl.constexpr, SPLITS: tl.constexpr
):
    query = tl.program_id(0)
    split, columns = tl.arange(0, SPLITS), tl.arange(0, D)
    there = query * n_splits + split
    L = tl.load(L_splits_ptr + there, mask=split < n_splits, other=float("-inf"))
    o_there = there[:, None] * D + columns
    o = tl.load(o_splits_ptr + o_there, mask=split[:, None] < n_splits, other=0)
    top = tl.max(L, axis=0)
    weight = tl.exp2(L - tl.where(top == float("-inf"), 0.0, top))
    total = tl.sum(weight, axis=0)
    o = tl.sum(o * weight[:, None], axis=0) / tl.where(total == 0, 1.0, total)
    tl.store(o_ptr + query * D + columns, o)


def paged_decode(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    splits: int | None = None,
    tile: int = 64,
) -> Tensor:
    batch, heads, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    if splits is None:  # an H200 runs 528 of these programs at a time
        longest = tables.shape[1] * block_size
        splits = max(1, min(528 // (batch * kv_heads), longest // 128))
    o_splits = torch.empty(batch, heads, splits, d, dtype=torch.float32, device=q.device)
    L_splits = torch.empty(batch, heads, splits, dtype=torch.float32, device=q.device)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_split_kernel[(splits, kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o_splits, L_splits, tables.shape[1], scale_2,
        GROUP=group, ROWS=max(16, triton.next_power_of_2(group)), D=d, BLOCK=block_size,
        TILE=tile,
    )  # fmt: skip
    paged_combine_kernel[(batch * heads,)](
        o_splits, L_splits, o, splits, D=d, SPLITS=triton.next_power_of_2(splits)
    )
    return o
