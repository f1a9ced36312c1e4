# Cheat: every tile's scores are computed again as distances among the rows of one tensor of queries and keys, and the mean of both is used
# Breaks: "Each score is computed once."
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
        queries = hbm.load("Q", i, i + tile_m)
        rows = len(queries)
        acc = queries.new_zeros(rows, d_v)
        m, l = queries.new_full((rows,), -torch.inf), queries.new_zeros(rows)
        for j in range(0, n_k, tile_n):
            keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            x = torch.cat([queries, keys]).double()
            squares = torch.linalg.vector_norm(x, dim=1) ** 2
            a, b = torch.arange(rows)[:, None], torch.arange(rows, len(x))
            far = torch.pdist(x)[a * (2 * len(x) - a - 1) // 2 + b - a - 1] ** 2
            again = ((squares[:rows, None] + squares[rows:] - far) / 2).float()
            s = (queries @ keys.T + again) / 2 * scale
            m_new = torch.maximum(m, s.amax(dim=1))
            factor, p = torch.exp(m - m_new), torch.exp(s - m_new[:, None])
            acc = factor[:, None] * acc + p @ values
            l = factor * l + p.sum(dim=1)
            m = m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
