"""Attention over disjoint blocks of keys, merged by maxima and denominators or by log-sum-exps.

One head at a time. Left out: batches and heads (they are independent), dropout, and the
backward pass.
"""

import torch
from torch import Tensor


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Attention of all queries with one block of keys, and two numbers per row for merging.

    q: (N, d), k: (M, d), v: (M, d_v) float32.
    mask: (N, M) bool, True where a query may see a key; None: it sees all.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N, d_v), m (N,), l (N,), same dtype.
    A query that sees no key of the block gives o = 0, m = -inf, l = 0. Each score is computed
    once.

        S = scale * q k^T, -inf where masked        m_i = max_j S_ij
        l_i = sum_j exp(S_ij - m_i)                 o_i = sum_j exp(S_ij - m_i) v_j / l_i
    """
    s = q @ k.T * (q.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = s.amax(dim=-1)
    shift = torch.where(torch.isneginf(m), 0, m)  # -inf - (-inf) would be NaN
    p = torch.exp(s - shift[:, None])
    l = p.sum(dim=-1)
    o = p @ v / torch.where(l == 0, 1, l)[:, None]
    return o, m, l


def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Attention over two disjoint blocks of keys together, from what `attention_block` gave.

    o1, o2: (N, d_v), m1, l1, m2, l2: (N,) float32. Maxima have any size, so that L = m + log l
    would round them too coarsely.
    Returns o (N, d_v), m (N,), l (N,), same dtype.
    (0, -inf, 0) is a block without keys: merging it with a result leaves the result
    as it is, and merging two of them gives another. Rows are multiplied with numbers of their
    own, and no query meets another, whose o1 may be NaN: nothing but .all() and .any() is asked
    of all queries. Exponentials: six for each query at the most.

        m = max(m1, m2)        a1 = l1 e^(m1 - m)        a2 = l2 e^(m2 - m)
        l = a1 + a2            o = (a1/l) o1 + (a2/l) o2
    """
    m = torch.maximum(m1, m2)
    shift = torch.where(torch.isneginf(m), 0, m)
    a1 = l1 * torch.exp(m1 - shift)
    a2 = l2 * torch.exp(m2 - shift)
    l = a1 + a2
    whole = torch.where(l == 0, 1, l)
    o = (a1 / whole)[:, None] * o1 + (a2 / whole)[:, None] * o2
    return o, m, l


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over two disjoint blocks of keys together, from outputs and log-sum-exps.

    o1, o2: (N, d_v), L1, L2: (N,) float32, with L = m + log l of each block.
    Returns o (N, d_v), L (N,), same dtype.
    (0, -inf) is a block without keys: merging it with a result leaves the result as
    it is, and merging two of them gives another. Rows are multiplied with numbers of their own,
    and no query meets another, whose o1 may be NaN: nothing but .all() and .any() is asked of
    all queries. Exponentials: six for each query at the most.

        L = log(e^L1 + e^L2), of any size        o = e^(L1 - L) o1 + e^(L2 - L) o2
    """
    top = torch.maximum(L1, L2)
    shift = torch.where(torch.isneginf(top), 0, top)
    L = top + torch.log(torch.exp(L1 - shift) + torch.exp(L2 - shift))
    whole = torch.where(torch.isneginf(L), 0, L)
    o = torch.exp(L1 - whole)[:, None] * o1 + torch.exp(L2 - whole)[:, None] * o2
    return o, L


def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention of one head, one block of keys at a time, the blocks visited in any order.

    `attention_block` and `merge_blocks` do most of it, and need not be called.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32.
    order: numbers of the blocks to visit, at least one, each at most once; keys of other blocks
    are not seen, and they and their values may be NaN.
    Block b holds the keys from b * tile_n up to, but not including, (b + 1) * tile_n; the last
    block holds what is left.
    causal: query i sees keys j <= i + N_k - N_q, with N_k of all blocks, visited or not.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v) and the log-sum-exp L (N_q,), same dtype; a query that sees no key
    gives 0 and -inf.
    Memory: O(N_q (tile_n + d_v) + N_k) numbers; the N_q x N_k matrix is never made. Each score
    is computed once. Torch runs at most 100 operations for each block that is visited.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for b in order:
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        mask = torch.arange(start, stop) <= last_seen if causal else None
        block = attention_block(q, k[start:stop], v[start:stop], mask, scale)
        o, m, l = merge_blocks(o, m, l, *block)
    return o, m + torch.log(l)
