# style: keeps O divided on the way, own arithmetic for the tiles, triu for the mask
import torch
from torch import Tensor


def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    shift = n_k - n_q
    for i in range(0, n_q, tile_m):
        queries = hbm.load("Q", i, min(i + tile_m, n_q)).mul_(scale)
        o, lse = queries.new_zeros(len(queries), d_v), queries.new_full((len(queries),), -torch.inf)
        end = max(0, min(n_k, i + len(queries) + shift))
        for j in range(0, end, tile_n):
            keys = hbm.load("K", j, j + tile_n)
            s = queries @ keys.mT
            if j + tile_n > i + 1 + shift:
                s[torch.ones_like(s, dtype=torch.bool).triu(i + shift - j + 1)] = -torch.inf
            top = torch.maximum(lse, s.amax(1))
            unit = top.masked_fill(top == -torch.inf, 0)
            p, past = s.sub_(unit[:, None]).exp_(), (lse - unit).exp()
            w = past + p.sum(1)
            o = (past[:, None] * o + p @ hbm.load("V", j, j + tile_n)) / w.masked_fill(w == 0, 1)[:, None]
            lse = unit + w.log()
        hbm.store("O", i, o)
        hbm.store("L", i, lse)
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
