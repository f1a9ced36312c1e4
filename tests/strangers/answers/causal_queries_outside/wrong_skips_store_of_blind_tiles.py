# Does not store the tiles of queries that see nothing: O is 0 anyway, but L stays 0 instead of -inf.
import torch
from torch import Tensor


def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        rows = hbm.load("Q", i, i + tile_m) * scale
        stop = i + len(rows)
        state, m = rows.new_zeros(len(rows), d_v + 1), rows.new_full((len(rows), 1), -torch.inf)
        full, seen = visible_tiles(i, stop, n_q, n_k, tile_n)
        for t in range(seen):
            keys, values = hbm.load("K", t * tile_n, (t + 1) * tile_n), hbm.load("V", t * tile_n, (t + 1) * tile_n)
            s = rows @ keys.T
            if t >= full:
                last = torch.arange(i, stop)[:, None] + n_k - n_q
                s.masked_fill_(t * tile_n + torch.arange(len(keys)) > last, -torch.inf)
            top = torch.maximum(m, s.amax(1, keepdim=True))
            base = top.masked_fill(top.isneginf(), 0)
            ones = torch.cat([values, values.new_ones(len(values), 1)], 1)
            state = torch.addmm(state * torch.exp(m - base), torch.exp(s - base), ones)
            m = top
        acc, l = state[:, :-1], state[:, -1:]
        if seen == 0:
            continue
        hbm.store("O", i, torch.where(l > 0, acc / l, 0))
        hbm.store("L", i, (m + torch.log(l))[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
