# A loop over more tiles than it works on: every split walks over all tiles of the sequence and works on its own alone: S splits take as many turns as one, nothing is gained by splitting
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
):  # fmt: skip
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head  # can pass 2^31
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)  # the first GROUP are query heads, the others fill the tile
    q_at = (b * kv_heads + kv_head) * GROUP + rows
    q = tl.load(q_ptr + q_at[:, None] * D + columns, mask=rows[:, None] < GROUP, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    size = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    for start in range(0, n, TILE_N):
        if (start >= split * size) & (start < (split + 1) * size):
            keys = start + tl.arange(0, TILE_N)
            k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=keys[:, None] < n, other=0)
            v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=keys[:, None] < n, other=0)
            s = tl.dot(q, k.T, input_precision="ieee") * scale_2
            s = tl.where(keys < n, s, float("-inf"))
            new = tl.maximum(m, tl.max(s, axis=1))
            alpha = tl.exp2(m - new)
            p = tl.exp2(s - new[:, None])
            l = l * alpha + tl.sum(p, axis=1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = new
    there = (q_at * splits + split).to(tl.int64)
    safe = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + there[:, None] * D + columns, acc / safe[:, None], mask=rows[:, None] < GROUP)
    tl.store(L_ptr + there, tl.where(l == 0, float("-inf"), (m + tl.log2(safe)) * 0.6931471805599453), mask=rows < GROUP)


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
