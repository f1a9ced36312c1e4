"""Attention over a sequence longer than the memory: chunks, windows, a ring of slots, sinks.

Token number p, counted from 0, stands at position p. In torch one head at a time; the kernel at
the end takes many and visits no tile of keys that its mask hides. Left out: positional
encodings, heads that share keys (gqa.py), and sinks in the ring.
"""

import math

import torch
import triton
import triton.language as tl
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    """Causal attention of a prompt, `chunk` queries at a time.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens, those before them are cached already. N_q = 0: there is nothing left to do.
    chunk: the most consecutive queries at a time.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v), same dtype: query i, at position i + N_k - N_q, sees every key up to
    its own. The same for every chunk size.
    Memory: beside the output a few matrices of chunk x N_k numbers. Torch runs at most 40
    operations for each chunk of queries, and 40 more for every `chunk` keys that it may see.
    Each score of a chunk is computed once, hidden ones too, at most an eighth of them twice.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    ### BEGIN SOLUTION
    for i in range(0, n_q, chunk):
        stop = min(i + chunk, n_q)
        query = torch.arange(i, stop)[:, None] + n_k - n_q
        known = stop + n_k - n_q  # the cache as it is once this chunk is in it
        s = scale * (q[i:stop] @ k[:known].T)
        s = s.masked_fill(torch.arange(known) > query, -torch.inf)
        o[i:stop] = torch.softmax(s, dim=-1) @ v[:known]
    ### END SOLUTION
    return o


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    """Causal attention to the last `window` tokens and to the first `sinks` ones.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens.
    window: from 1 to 2^63 - 1, the token itself included; from N_k on it hides nothing.
    sinks: from 0 to 2^63 - 1; with 0 a token sees its window alone.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v), same dtype: the query at position p sees the keys at positions j <= p
    with j > p - window or j < sinks, each once. Products: those of all queries with all keys,
    hidden ones too, twice at the most, for the window and for the sinks. Beltagy et al.
    (Longformer, 2020) for the window, Xiao et al. (2023) for the sinks.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    ### BEGIN SOLUTION
    query, key = torch.arange(n_k - n_q, n_k)[:, None], torch.arange(n_k)
    seen = (key <= query) & ((key > query - window) | (key < sinks))
    s = (scale * (q @ k.T)).masked_fill(~seen, -torch.inf)
    return torch.softmax(s, dim=-1) @ v
    ### END SOLUTION


class RollingCache:
    """The last tokens of one head in a ring: token p lies in slot p % slots.

    slots: tokens that fit. window: how many tokens a token sees, itself included.
    d, d_v: widths of a key and of a value; all numbers are float32.
    k (slots, d), v (slots, d_v): the ring.
    append(k, v) takes tokens, attend(q) answers the newest ones, positions() says which token
    each slot holds. Returns nothing, (n, d_v) and (slots,) respectively.
    Memory: slots (d + d_v) numbers, however long the sequence; between two calls nothing more
    but a position for each slot, and while `attend` runs at most twice as much, and scores.
    What comes is written where it belongs; the rest of the ring is neither copied for it nor
    written again. Each score is computed once, an eighth of them twice at the most.
    """

    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        """Take n more tokens, k (n, d) and v (n, d_v), each in place of the one `slots` before.

        n may be 0. It may be larger than the number of slots: then only the last ones stay.
        """
        ### BEGIN SOLUTION
        slots, n = len(self.k), len(k)
        skipped = max(n - slots, 0)
        slot = torch.arange(self.length + skipped, self.length + n) % slots
        self.k[slot], self.v[slot] = k[skipped:], v[skipped:]
        self.length += n
        ### END SOLUTION

    def positions(self) -> Tensor:
        """The position of the token in each slot, -1 where there is none: (slots,) int64."""
        ### BEGIN SOLUTION
        slot, newest = torch.arange(len(self.k)), self.length - 1
        age = (newest - slot) % len(self.k)
        return (newest - age).clamp(min=-1)
        ### END SOLUTION

    def attend(self, q: Tensor) -> Tensor:
        """Attention of the newest n >= 1 tokens, q (n, d), each to `window` up to itself.

        Returns o (n, d_v); scores are scaled by 1/sqrt(d).
        Raises LookupError if fewer than n tokens were appended, or if the first of the n would
        see a key that a newer one has replaced.
        """
        ### BEGIN SOLUTION
        first = self.length - len(q)
        oldest = max(first - self.window + 1, 0)
        if first < 0 or oldest < self.length - len(self.k):
            raise LookupError("a key that is needed is not in the cache")
        query, key = torch.arange(first, self.length)[:, None], self.positions()
        seen = (key >= 0) & (key <= query) & (key > query - self.window)
        s = (q.shape[-1] ** -0.5 * (q @ self.k.T)).masked_fill(~seen, -torch.inf)
        return torch.softmax(s, dim=-1) @ self.v
        ### END SOLUTION


def long_prefill(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    chunk: int,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
) -> Tensor:
    """`sink_attention`, `chunk` queries at a time, each chunk with the keys that it can see.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens.
    chunk: the most consecutive queries at a time.
    window, sinks, scale: as in `sink_attention`.
    Returns o (N_q, d_v), same dtype.
    Memory: a chunk sees at most M = sinks + window + chunk - 1 keys. Beside the output: a few
    matrices of chunk x M numbers and a copy of M keys and values; nothing grows with N_k.
    Operations and products: as in `chunked_prefill`.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    ### BEGIN SOLUTION
    for i in range(0, n_q, chunk):
        stop = min(i + chunk, n_q)
        first, known = i + n_k - n_q, stop + n_k - n_q
        head, start = min(sinks, known), max(first - window + 1, sinks)
        keys = torch.cat([k[:head], k[start:known]])
        values = torch.cat([v[:head], v[start:known]])
        o[i:stop] = sink_attention(q[i:stop], keys, values, window, sinks, scale)
    ### END SOLUTION
    return o


@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale_2,
    q_batch, q_head, q_row, q_column, k_batch, k_head, k_row, k_column,
    v_batch, v_head, v_row, v_column,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of queries of one head meets the tiles of keys that they see."""
    head = tl.program_id(1).to(tl.int64)  # counts the heads of all batches
    q_ptr += head // H * q_batch + head % H * q_head
    k_ptr += head // H * k_batch + head % H * k_head
    v_ptr += head // H * v_batch + head % H * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    ### BEGIN SOLUTION from packed_attention
    real = rows < n_q
    here = head * n_q + rows
    q = tl.load(q_ptr + rows[:, None] * q_row + columns * q_column, mask=real[:, None], other=0)
    last = rows + n_k - n_q
    end = tl.minimum(first + TILE_M + n_k - n_q, n_k)
    oldest = tl.maximum(first + n_k - n_q - window + 1, 0)
    sink_tiles = tl.cdiv(sinks, TILE_N)
    hidden = tl.maximum(oldest // TILE_N - sink_tiles, 0)
    for i in range(tl.cdiv(end, TILE_N) - hidden):
        start = tl.where(i < sink_tiles, i, i + hidden) * TILE_N
        keys = start + tl.arange(0, TILE_N)
        held = keys[:, None] < n_k
        k = tl.load(k_ptr + keys[:, None] * k_row + columns * k_column, mask=held, other=0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns * v_column, mask=held, other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        near = keys > last[:, None] - window
        s = tl.where((keys <= last[:, None]) & (near | (keys < sinks)), s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s - shift[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    tl.store(o_ptr + here[:, None] * D + columns, acc / l[:, None], mask=real[:, None])
    tl.store(L_ptr + here, (m + tl.log2(l)) * 0.6931471805599453, mask=real)
    ### END SOLUTION


def window_flash(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    """`sink_attention` of many heads, which visits no tile of keys that is hidden whole.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16, N_q <= N_k: the
    queries are the last N_q of the N_k tokens; d: a power of two from 16 to 128. Any strides,
    0 too, and nothing is copied; batches and heads may lie 2^30 elements apart, the rows of a
    head lie within 2^31.
    window, sinks: as in `sink_attention`.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    tile_m queries meet tile_n keys at a time, powers of two from 16 on.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, the natural log-sum-exp.
    All sums are taken in float32, and on the way to o only P may be rounded to 16 bits, and
    only where it meets v; nothing to TF32.
    Traffic: q once; for each tile of queries no more of k and v than the tiles, cut from key 0
    on, that hold a key which one of its queries sees, once each. No more than these is asked
    for, not even under a mask that leaves all of it out, or multiplied. A score takes one
    exponential. In one launch, each program takes one tile of consecutive queries of one head,
    and no load holds more than one tile, and no product more than one of queries and one of
    keys.
    """
    batch, heads, n_q, d = q.shape
    n_k = k.shape[2]
    tile_m = tile_m or (32 if q.dtype == torch.float32 else 64)
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    window_flash_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, heads, n_q, n_k, min(window, n_k), min(sinks, n_k), scale_2,
        *q.stride(), *k.stride(), *v.stride(), D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
