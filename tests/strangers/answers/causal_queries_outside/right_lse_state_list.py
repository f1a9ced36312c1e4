# Right: the state as a list mutated by a closure, torch.tril-free mask by broadcasting, nan_to_num for rows without keys
import torch
from torch import Tensor


def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for start in range(0, n_q, tile_m):
        stop = min(start + tile_m, n_q)
        q_tile = hbm.load("Q", start, stop)
        state = [torch.zeros(stop - start, d_v), torch.full((stop - start,), -torch.inf), torch.zeros(stop - start)]

        def fold(s, values, state=state):
            acc, m, l = state
            m_new = torch.maximum(m, s.amax(dim=-1))
            ref = m_new.nan_to_num(neginf=0.0)
            a, p = torch.exp(m - ref), torch.exp(s - ref[:, None])
            state[:] = a[:, None] * acc + p @ values, m_new, a * l + p.sum(dim=-1)

        full, seen = visible_tiles(start, stop, n_q, n_k, tile_n)
        last = torch.arange(start, stop)[:, None] + (n_k - n_q)
        for t in range(seen):
            j = t * tile_n
            k_tile, v_tile = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * (q_tile @ k_tile.T)
            if t >= full:
                s = s.masked_fill(torch.arange(j, j + len(k_tile)) > last, -torch.inf)
            fold(s, v_tile)
        acc, m, l = state
        hbm.store("O", start, acc / l.where(l > 0, 1.0)[:, None])
        hbm.store("L", start, m + l.log())
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
