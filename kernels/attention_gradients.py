"""The gradients of attention from O and L, one head, in torch: whole matrices, then tiles.

P is recomputed from L, so that nothing of the size N_q x N_k has to be kept. Left out: dropout
(dropout.py), and the gradients of L itself.
"""

import torch
from torch import Tensor


def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    """The gradient of the scores from the gradient of their softmax, row by row.

    p: (R, N), rows of probabilities; dp: (R, N), the gradient of the loss with respect to p;
    both float32. Returns ds (R, N), same dtype. A row of zeros in p gives zeros.

        dS_ij = P_ij (dP_ij - sum_t P_it dP_it)

    The Jacobian diag(P_i) - P_i P_i^T of a row, N x N, is never made, nor a matrix R x R:
    matrix products, if there are any, multiply at most 2 R N pairs of numbers.
    Memory: beside p and dp at most five of R x N numbers at a time, ds among them. Torch runs
    at most 100 + 40 (R + N) operations, no exponential among them.
    """
    return p * (dp - (p * dp).sum(dim=-1, keepdim=True))


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """The probabilities of some queries for some keys, recomputed from the log-sum-exps.

    q: (M, d), k: (N, d), L: (M,), the queries' log-sum-exps over all keys; all float32.
    mask: (M, N) bool, True where a query may see a key; None: it sees all N.
    scale: factor of the scores, any number, 1/sqrt(d) if None.
    Returns p (M, N), same dtype. A query that sees no key at all has L = -inf and False in its
    row of the mask, and gets zeros.

        P_ij = exp(scale * q_i k_j^T - L_i), 0 where masked

    Torch runs at most 100 + 40 (M + N) operations. Products: one, made twice at the most.
    """
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    ### BEGIN SOLUTION
    p = torch.exp(scale * (q @ k.T) - L[:, None])
    return p if mask is None else p.masked_fill(~mask, 0)
    ### END SOLUTION


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    """The gradient of the scores of some keys, each key on its own.

    p: (M, N), the probabilities of M queries for N keys, which need not be all the keys there
    are; v: (N, d_v), the values of these keys; o, do: (M, d_v), the queries' output over all
    keys and the gradient of the loss with respect to it; all float32.
    Returns ds (M, N), same dtype.

        dP = dO V^T        delta_i = sum_c dO_ic O_ic        dS_ij = P_ij (dP_ij - delta_i)

    Dao et al. (FlashAttention, 2022), appendix B.4. Torch runs at most 100 + 40 (M + N)
    operations, no exponential among them. Products: one, made twice at the most;
    no query's o meets another's do.
    """
    dp = do @ v.T
    delta = (do * o).sum(dim=-1, keepdim=True)
    return p * (dp - delta)


def attention_gradients(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of attention, one head, with whole matrices.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v); o: (N_q, d_v), L: (N_q,), what the forward pass
    gave, which may have seen earlier keys too; do: (N_q, d_v), the gradient of the loss with
    respect to o; all float32.
    causal: query i sees keys j <= i + N_k - N_q.
    scale: factor of the scores, any number, 1/sqrt(d) if None.
    Returns dq (N_q, d), dk (N_k, d), dv (N_k, d_v), same dtype. A query that sees no key
    (L = -inf, only if causal) adds nothing to dk and dv, and its dq is 0.

        dV = P^T dO        dQ = scale * dS K        dK = scale * dS^T Q

    with P of `recompute_probabilities` and dS of `score_gradients`, which need not be called.
    Torch runs at most 100 + 40 (N_q + N_k) operations. Products: five, and half as many again
    at the most, as where S and dP are made twice.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    mask = torch.arange(n_k) <= last_seen if causal else None
    ### BEGIN SOLUTION
    p = recompute_probabilities(q, k, L, mask, scale)
    ds = score_gradients(p, v, o, do)
    dv = p.T @ do
    dq = scale * (ds @ k)
    dk = scale * (ds.T @ q)
    return dq, dk, dv
    ### END SOLUTION


def attention_gradients_tiled(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of attention, one head, from tiles of tile_m queries and tile_n keys.

    q, k, v, o, L, do, causal, scale: as in `attention_gradients`. The last tile of either side
    is what is left.
    Returns dq (N_q, d), dk (N_k, d), dv (N_k, d_v), same dtype.
    Memory: the three gradients and a few numbers for each entry of one tile,
    O((N_q + N_k) (d + d_v) + tile_m tile_n). Torch runs at most 80 operations for each pair of
    tiles, hidden ones too, plus 80 for each tile of either side. Products: as there.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    ### BEGIN SOLUTION
    for j in range(0, n_k, tile_n):
        keys = slice(j, min(j + tile_n, n_k))
        for i in range(0, n_q, tile_m):
            queries = slice(i, min(i + tile_m, n_q))
            mask = None
            if causal:
                last_seen = torch.arange(i, queries.stop)[:, None] + n_k - n_q
                mask = torch.arange(j, keys.stop) <= last_seen
            p = recompute_probabilities(q[queries], k[keys], L[queries], mask, scale)
            ds = score_gradients(p, v[keys], o[queries], do[queries])
            dv[keys] += p.T @ do[queries]
            dk[keys] += scale * (ds.T @ q[queries])
            dq[queries] += scale * (ds @ k[keys])
    return dq, dk, dv
    ### END SOLUTION
