# style: software pipelining: a generator that loads the next tile a turn early
import torch
from torch import Tensor


def prefetched(hbm, tiles: int, tile_n: int):
    """Yield (first key, K tile, V tile); the next pair is loaded before this one is used."""
    if tiles == 0:
        return
    load = lambda t: tuple(hbm.load(name, t * tile_n, (t + 1) * tile_n) for name in "KV")  # noqa: E731
    ahead = load(0)
    for t in range(tiles):
        now, ahead = ahead, load(t + 1) if t + 1 < tiles else None
        yield t * tile_n, *now


def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        stop = min(i + tile_m, n_q)
        q_tile = hbm.load("Q", i, stop)
        full, seen = visible_tiles(i, stop, n_q, n_k, tile_n)
        acc = q_tile.new_zeros(stop - i, d_v)
        m = q_tile.new_full((stop - i, 1), -torch.inf)
        l = q_tile.new_zeros(stop - i, 1)
        last = torch.arange(i, stop)[:, None] + (n_k - n_q)
        for number, (j, k_tile, v_tile) in enumerate(prefetched(hbm, seen, tile_n)):
            s = scale * (q_tile @ k_tile.T)
            if number >= full:
                s.masked_fill_(torch.arange(j, j + len(k_tile)) > last, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=1, keepdim=True))
            safe = torch.where(m_new == -torch.inf, 0.0, m_new)
            a, p = torch.exp(m - safe), torch.exp(s - safe)
            acc, l, m = a * acc + p @ v_tile, a * l + p.sum(dim=1, keepdim=True), m_new
        hbm.store("O", i, acc / torch.where(l == 0, 1.0, l))
        hbm.store("L", i, (m + torch.log(l))[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
