"""Flash-decoding: one new query against a long cache, with the keys of a sequence split.

The split and the merge behind it follow Dao, Haziza, Massa and Sizov, *Flash-Decoding for
long-context inference* (2023); the packing of the query heads that share keys is that of
gqa.py. Left out: several new queries at once, and paged caches (paged_attention.py).
"""

import math

import torch
import triton
import triton.language as tl
from torch import Tensor


def number_of_splits(programs: int, slots: int, most: int) -> int:
    """Into how many splits the keys are cut, so that few slots are idle in the last wave.

    programs: one for each sequence and KV head, as many as there are without a split.
    slots: programs that the GPU runs at once. most: the largest number of splits allowed.
    All three are whole numbers from 1 on.
    Returns splits, a whole number (int) from 1 to most: the smallest s whose efficiency is at
    least 0.85 of the best one's, in floats or exactly, where s * programs of equal length run
    in waves of slots:

        w(s) = s * programs / slots        efficiency(s) = w(s) / ceil(w(s))

    The rule of the FlashAttention library's num_splits_heuristic, without its shortcuts: 80 %
    of the slots filled by one split, or more programs than slots, are no reason to stop there.
    """
    waves = [s * programs / slots for s in range(1, most + 1)]
    efficiencies = [w / math.ceil(w) for w in waves]
    wanted = 0.85 * max(efficiencies)
    return next(s for s, e in enumerate(efficiencies, start=1) if e >= wanted)


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
    ### BEGIN SOLUTION
    heads = (b * kv_heads + kv_head) * GROUP + rows  # counted through all sequences
    keys_per_split = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
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
    ### END SOLUTION


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


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    """One program: merge the splits of one query head; SPLITS is a power of two >= splits."""
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    ### BEGIN SOLUTION
    there = split < splits
    L_splits = tl.load(L_splits_ptr + here, mask=there, other=float("-inf"))
    top = tl.max(L_splits, axis=0)
    shift = tl.where(top == float("-inf"), 0.0, top)  # -inf - (-inf) would be NaN
    weights = tl.exp(L_splits - shift)
    total = tl.sum(weights, axis=0)
    total = tl.where(total == 0, 1.0, total)
    o_splits = tl.load(
        o_splits_ptr + here[:, None] * D + columns, mask=there[:, None], other=0
    )  # fmt: skip
    o = tl.sum(weights[:, None] * o_splits, axis=0) / total
    tl.store(o_ptr + head * D + columns, o)
    tl.store(L_ptr + head, top + tl.log(total))
    ### END SOLUTION


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    """Attention with all keys, from the results of each split of them.

    o_parts: (B, H, S, d), L_parts: (B, H, S) float32, contiguous, as `split_decode` returns
    them; d: a power of two; S: up to 128. An empty split has o = 0 and L = -inf.
    Returns o (B, H, d) and L (B, H), float32; a query without any key gives 0 and -inf.
    Traffic: every number of o_parts and L_parts once. In one launch, one program for each query
    head. Memory: o and L.

        L = log sum_s e^(L_s)        o = sum_s e^(L_s - L) o_s
    """
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L


def flash_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    slots: int = 264,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention of one new query per sequence with its cache, by two kernels.

    q, k, v, lengths, scale, tile_n: as for `split_decode`; q may have any strides.
    slots: programs that the GPU runs at once; two on each of an H200's 132 multiprocessors.
    Returns o (B, H, d), in the dtype of q, and L (B, H) float32, natural logarithm; a sequence
    without keys gives 0 and -inf. Sums: as in `split_decode`, and in float32 when merged.
    There are as many splits as `number_of_splits` says for B * H_kv programs, but at most 128,
    and at most one for every whole 256 keys that the cache has room for (one, if it has less).
    Memory: the outputs, the splits' o and L in float32, and a copy of q as there. Each kernel
    is launched once: a program of the first has one split of a KV head, one of the second
    merges one query head.
    """
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    ### BEGIN SOLUTION
    most = min(128, max(1, n // 256))
    splits = number_of_splits(batch * kv_heads, slots, most)
    o_splits, L_splits = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    padded = triton.next_power_of_2(splits)
    combine_splits_kernel[(batch * heads,)](o_splits, L_splits, o, L, splits, padded, d)
    ### END SOLUTION
    return o, L
