# style: plain, positional axis
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
    """One program: the query heads of one KV head meet one split of a sequence's keys."""
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head  # can pass 2^31
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)  # the first GROUP are query heads, the others fill the tile
    tiles = tl.cdiv(n, TILE_N)
    per_split = tl.cdiv(tiles, splits) * TILE_N
    begin = split * per_split
    end = tl.minimum(begin + per_split, n)
    query = (b * kv_heads + kv_head) * GROUP + rows
    real = rows < GROUP
    q = tl.load(q_ptr + query[:, None] * D + columns, mask=real[:, None], other=0.0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        valid = keys < end
        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=valid[:, None], other=0.0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=valid[:, None], other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        s = tl.where(valid[None, :], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, 1))
        a = tl.exp2(m - m_new)
        p = tl.exp2(s - m_new[:, None])
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    at = query.to(tl.int64) * splits + split
    tl.store(o_ptr + at[:, None] * D + columns, acc / l[:, None], mask=real[:, None])
    tl.store(L_ptr + at, (m + tl.log2(l)) * 0.6931471805599453, mask=real)


def split_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    splits: int,
    scale: float | None = None,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention of one query per sequence with each split of its keys.

    q: (B, H, d); k, v: (B, H_kv, N, d) caches, float32 or 16 bits wide; d: a power of two from
    16 to 128. The H / H_kv query heads from h * H / H_kv on, at most 128, use KV head h. Rows
    of d numbers are contiguous; other strides are free: sequences and heads may lie 2^30
    elements apart, the rows of a head lie within 2^31.
    lengths: (B,) int32, how many keys each sequence has, from 0 to N; what lies beyond them in
    the cache is not read.
    splits: their number S. A sequence of n keys is cut into splits of ceil(n / S) keys, rounded
    up to whole tiles of tile_n, a power of two from 16 on; the last splits may be empty.
    scale: factor of the scores, positive, 1/sqrt(d) if None.
    Returns o (B, H, S, d) and its log-sum-exps L (B, H, S), natural logarithm, both float32; an
    empty split gives o = 0 and L = -inf. All sums are taken in float32, and on the way to o
    only P may be rounded to 16 bits, and only where it meets v; nothing to TF32.
    Traffic: each key and value once; q, d numbers per head, once for each split. In one launch,
    one program for each split of each KV head; no load holds more than two tiles of keys, or
    twice the queries of a KV head, and no product more than one tile of keys; each is
    multiplied once in both products. A score takes one exponential. Memory: o, L, a copy of q
    if not contiguous.
    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
    """
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
