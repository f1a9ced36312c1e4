# Cheat: the accumulator is a view of the output in main memory, rescaled and added to there in every turn, past the tally: the chip needs no room for it and the counts are those of the clean loop.
# Breaks: "acc, m and l stay on the chip; at the end, store O and L."
import torch
from torch import Tensor


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        Q = hbm.load("Q", i, i + tile_m)
        acc = hbm.tensors["O"][i : i + tile_m]
        m, l = Q.new_full((len(Q),), -torch.inf), Q.new_zeros(len(Q))
        for j in range(0, n_k, tile_n):
            K, V = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            S = scale * (Q @ K.T)
            m_new = torch.maximum(m, S.amax(dim=1))
            a, P = torch.exp(m - m_new), torch.exp(S - m_new[:, None])
            acc *= a[:, None]
            acc += P @ V
            l = a * l + P.sum(dim=1)
            m = m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
