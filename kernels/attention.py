"""Attention three ways: with the whole score matrix, divided at the end, always normalised.

Left out: batches (an axis like the heads), dropout, skipping tiles that the causal mask hides,
and the backward pass.
"""

import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    """Attention as the formula is written, from whole rows of scores.

    q: (H, N_q, d), k: (H, N_k, d), v: (H, N_k, d_v) float32.
    Returns o (H, N_q, d_v), same dtype.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    causal: query i sees keys j <= i + N_k - N_q, so the last query sees every key.
    A query that sees none gives zeros. Each score is computed once.

        S = scale * q k^T, -inf where masked        P = softmax(S) along the keys        o = P v
    """
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    ### BEGIN SOLUTION
    s = scale * (q @ k.transpose(1, 2))
    if causal:
        query, key = torch.arange(n_q)[:, None], torch.arange(n_k)
        s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
    p = torch.softmax(s, dim=-1)
    p = p.masked_fill(torch.isneginf(s), 0)  # the softmax of a row of -inf is NaN
    return p @ v
    ### END SOLUTION


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Attention from tiles of tile_m queries and tile_n keys, divided once, at the end.

    q: (H, N_q, d), k: (H, N_k, d), v: (H, N_k, d_v) float32.
    Returns o (H, N_q, d_v), same dtype.
    Tiles are of consecutive rows; the last of either side is what is left. causal, scale: as in
    `naive_attention`.
    Memory: the output and a few numbers for each entry of one tile,
    O(H (N_q d_v + tile_m (tile_n + d_v)) + N_k); no mask is larger either. Torch runs at most
    60 operations for each pair of tiles of all heads, plus 60 for each tile of queries. Each
    score is computed once.

    For each tile of queries, over tiles of keys with scores S (H, tile_m, tile_n) and values
    V (H, tile_n, d_v), from acc = 0, m = -inf, l = 0:

        m' = max(m, rowmax S)        a = exp(m - m')        P = exp(S - m')
        acc = a acc + P V            l = a l + rowsum P

    and at the end o = acc / l, or 0 where l = 0. Rabe and Staats (2021).
    """
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        ### BEGIN SOLUTION
        acc = torch.zeros_like(o[:, i : i + tile_m])
        m = torch.full_like(acc[..., :1], -torch.inf)
        l = torch.zeros_like(m)
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2))
            if causal:
                query = torch.arange(i, i + s.shape[1])[:, None]
                key = torch.arange(j, j + s.shape[2])
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)  # -inf - (-inf) would be NaN
            alpha = torch.exp(m - shift)
            p = torch.exp(s - shift)
            l = alpha * l + p.sum(dim=-1, keepdim=True)
            acc = alpha * acc + p @ v[:, j : j + tile_n]
            m = m_new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
        ### END SOLUTION
    return o


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The attention output of R queries after one more key, normalised before and after.

    o: (R, d_v), m: (R,), l: (R,), the state so far; s: (R,), the scores of the R queries with
    the key; v: (d_v,), the key's value; all float32, m and s of any size.
    Returns o (R, d_v), m (R,), l (R,), same dtype, as new tensors, also where nothing changes.
    Before any key the state is (0, -inf, 0), and a masked score (-inf) leaves a state as it is.
    The value is multiplied with each query's weight, and no query meets another, whose o may be
    NaN: nothing but .all() and .any() is asked of all queries. Exponentials: six for each
    query at the most.

        m' = max(m, s)        l' = l e^(m - m') + e^(s - m')
        o' = (l e^(m - m') / l') o + (e^(s - m') / l') v
    """
    m_new = torch.maximum(m, s)
    shift = torch.where(torch.isneginf(m_new), 0, m_new)  # -inf - (-inf) would be NaN
    past = l * torch.exp(m - shift)
    now = torch.exp(s - shift)
    l_new = past + now
    whole = torch.where(l_new == 0, 1, l_new)
    o_new = (past / whole)[:, None] * o + (now / whole)[:, None] * v
    return o_new, m_new, l_new


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The attention output of R queries after C more keys, normalised before and after.

    o: (R, d_v), m: (R,), l: (R,), the state so far; s: (R, C), the scores of the R queries with
    the C >= 1 keys; v: (C, d_v), the keys' values; all float32, m and s of any size.
    Returns o (R, d_v), m (R,), l (R,), same dtype, as new tensors, also where nothing changes.
    Before any key the state is (0, -inf, 0); a row of masked scores (-inf) leaves its state as
    it is. Values are multiplied with each query's weights, twice at the most, and no query
    meets another, whose o may be NaN.

        m' = max(m, max_j s_j)        P_j = e^(s_j - m')        l' = l e^(m - m') + sum_j P_j
        o' = (l e^(m - m') o + sum_j P_j v_j) / l'

    Dao et al. (FlashAttention, 2022), algorithm 1.
    """
    m_new = torch.maximum(m, s.amax(dim=-1))
    shift = torch.where(torch.isneginf(m_new), 0, m_new)  # -inf - (-inf) would be NaN
    past = l * torch.exp(m - shift)
    p = torch.exp(s - shift[:, None])
    l_new = past + p.sum(dim=-1)
    o_new = (past[:, None] * o + p @ v) / torch.where(l_new == 0, 1, l_new)[:, None]
    return o_new, m_new, l_new


def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Attention of one head over chunks of tile_n keys, normalised after every chunk.

    The next chunk continues from the normalised output.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32. Returns o (N_q, d_v), same dtype.
    Chunks are of consecutive keys; the last is what is left. causal, scale: as in
    `naive_attention`.
    Memory: O(N_q (tile_n + d_v) + N_k) numbers; nothing is N_q x N_k, no mask either. Each
    score is computed once. Torch runs at most 60 operations for each chunk, plus 60 for each
    query.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    ### BEGIN SOLUTION
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for j in range(0, n_k, tile_n):
        s = scale * (q @ k[j : j + tile_n].T)
        if causal:
            query, key = torch.arange(n_q)[:, None], torch.arange(j, j + s.shape[1])
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        o, m, l = online_chunk(o, m, l, s, v[j : j + tile_n])
    return o
    ### END SOLUTION
