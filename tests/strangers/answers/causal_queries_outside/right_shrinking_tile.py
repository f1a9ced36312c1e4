# Right within its contract: in tiles that the diagonal cuts it multiplies row by row only what each query sees and masks nothing, so that the loaded tile is not what is multiplied and less work is done than a tile has.
# Breaks: "Of K and V it loads the `visible_tiles` of each tile of queries, multiplies them, no others and each once, and masks what a query does not see."
import torch
from torch import Tensor


def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        Q = hbm.load("Q", i, i + tile_m)
        rows = len(Q)
        acc = Q.new_zeros(rows, d_v)
        m, l = Q.new_full((rows,), -torch.inf), Q.new_zeros(rows)
        full, seen = visible_tiles(i, i + rows, n_q, n_k, tile_n)
        for t in range(seen):
            j = t * tile_n
            K, V = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            # the first row that sees anything of this tile; rows before it do not take part
            first = max(0, j - (n_k - n_q) - i) if t >= full else 0
            q_part = Q[first:]
            S = Q.new_full((rows - first, len(K)), -torch.inf)
            if t < full:
                S = scale * (q_part @ K.T)
            else:
                step = 8
                for r in range(0, rows - first, step):
                    stop = min(r + step, rows - first)
                    keys = min(len(K), i + first + stop + n_k - n_q - j)
                    S[r:stop, :keys] = scale * (q_part[r:stop] @ K[:keys].T)
                last = torch.arange(i + first, i + rows)[:, None] + n_k - n_q - j
                S = S.masked_fill(torch.arange(len(K)) > last, -torch.inf)
            m_new = torch.maximum(m[first:], S.amax(dim=1))
            shift = m_new.masked_fill(m_new == -torch.inf, 0)
            a, P = torch.exp(m[first:] - shift), torch.exp(S - shift[:, None])
            acc[first:] = a[:, None] * acc[first:] + P @ V
            l[first:] = a * l[first:] + P.sum(dim=1)
            m[first:] = m_new
        hbm.store("O", i, acc / l.masked_fill(l == 0, 1)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
