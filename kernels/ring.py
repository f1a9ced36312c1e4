"""What a ring of ranks is made of: attention with a block of keys, its gradients, and a merge.

Heads stand first. Query heads share key heads as in grouped-query attention: query head h reads
KV head h // (H / H_kv). Lengths may be 0.
"""

from collections.abc import Sequence

import torch
import torch.distributed as dist
from torch import Tensor


def pass_on(blocks: Sequence[Tensor], length: int) -> tuple[list[dist.Work], list[Tensor]]:
    """Begin to send blocks to the next rank, and to receive those of the rank before.

    blocks: (H_kv, M, width) each, contiguous, not to be written to until all is waited for.
    length: how many tokens the blocks have that come.
    Returns the requests, each of which has to be waited for, and the blocks that come, as many
    and as wide, of `length` tokens. A rank that is alone gets what it has.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    if size == 1:
        return [], list(blocks)
    coming = [x.new_empty(x.shape[0], length, x.shape[2]) for x in blocks]
    sends = [dist.P2POp(dist.isend, x, (rank + 1) % size) for x in blocks]
    receives = [dist.P2POp(dist.irecv, x, (rank - 1) % size) for x in coming]
    return dist.batch_isend_irecv(sends + receives), coming


def attend(
    q: Tensor, k: Tensor, v: Tensor, seen: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Attention of all queries with one block of keys.

    q: (H, N, d), k: (H_kv, M, d), v: (H_kv, M, d_v) float32, H a multiple of H_kv.
    seen: (N, M) bool, True where a query may see a key; None: it sees all.
    Returns o (H, N, d_v), L (H, N), same dtype; a query that sees no key gives 0 and -inf.

        S = q k^T / sqrt(d), -inf where hidden      L_i = log sum_j exp(S_ij)
        o_i = sum_j exp(S_ij - L_i) v_j
    """
    s = _scores(q, k, seen)
    L = torch.logsumexp(s, dim=-1)
    o = torch.exp(s - _finite(L)[..., None]) @ v
    return o.reshape(*q.shape[:2], v.shape[2]), L.reshape(q.shape[:2])


def merge(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over two disjoint blocks of keys together, from outputs and log-sum-exps.

    o1, o2: (H, N, d_v), L1, L2: (H, N) float32; (0, -inf) is a block without keys.
    Returns o (H, N, d_v), L (H, N), same dtype.

        L = log(e^L1 + e^L2)        o = e^(L1 - L) o1 + e^(L2 - L) o2
    """
    L = torch.logaddexp(L1, L2)
    return sum_of(o1, L1, L) + sum_of(o2, L2, L), L


def sum_of(o: Tensor, L_block: Tensor, L: Tensor) -> Tensor:
    """A block's share in the output: e^(L_block - L) o; o is (H, N, d_v), the rest (H, N)."""
    return torch.exp(L_block - _finite(L))[..., None] * o


def block_gradients(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    L: Tensor,
    do: Tensor,
    delta: Tensor,
    seen: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """What one block of keys adds to dq, and what these queries add to its dk and dv.

    q: (H, N, d), k: (H_kv, M, d), v: (H_kv, M, d_v), do: (H, N, d_v) float32.
    L, delta: (H, N), the log-sum-exp over all keys and the rows' sums of do * o.
    seen: (N, M) bool, True where a query may see a key; None: it sees all.
    Returns dq (H, N, d), dk (H_kv, M, d), dv (H_kv, M, d_v), same dtype.

        P_ij = exp(S_ij - L_i)      dS_ij = P_ij (do_i . v_j - delta_i)
        dq = dS k / sqrt(d)         dk = dS^T q / sqrt(d)       dv = P^T do
    """
    p = torch.exp(_scores(q, k, seen) - _rows(_finite(L)[..., None], k))
    ds = p * (_rows(do, k) @ v.mT - _rows(delta[..., None], k)) * q.shape[2] ** -0.5
    return (ds @ k).reshape(q.shape), ds.mT @ _rows(q, k), p.mT @ _rows(do, k)


def _scores(q: Tensor, k: Tensor, seen: Tensor | None) -> Tensor:
    """(H_kv, H / H_kv * N, M): the rows of all query heads of a KV head below each other."""
    s = _rows(q, k) @ k.mT * q.shape[2] ** -0.5
    if seen is not None:
        s = s.masked_fill(~seen.repeat(q.shape[0] // k.shape[0], 1), -torch.inf)
    return s


def _rows(x: Tensor, k: Tensor) -> Tensor:
    """(H, N, ...) -> (H_kv, H / H_kv * N, ...)."""
    heads, n, width = x.shape
    return x.reshape(k.shape[0], heads // k.shape[0] * n, width)


def _finite(L: Tensor) -> Tensor:
    """L, and 0 where it is -inf: -inf - (-inf) would be NaN."""
    return torch.where(torch.isneginf(L), 0, L)
