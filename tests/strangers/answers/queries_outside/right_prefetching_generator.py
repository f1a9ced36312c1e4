# Right: a generator that loads K and V one turn early (double buffering), the contract allows that
import torch
from torch import Tensor


def _prefetched(hbm, n_k, tile_n):
    """Yields tiles of K and V; the next pair is on its way while one is used."""
    ready = hbm.load("K", 0, tile_n), hbm.load("V", 0, tile_n)
    for start in range(tile_n, n_k, tile_n):
        following = hbm.load("K", start, start + tile_n), hbm.load("V", start, start + tile_n)
        yield ready
        ready = following
    yield ready


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        acc = q_tile.new_zeros(len(q_tile), d_v)
        l = q_tile.new_zeros(len(q_tile), 1)
        m = torch.full_like(l, -torch.inf)
        for k_tile, v_tile in _prefetched(hbm, n_k, tile_n):
            s = (q_tile @ k_tile.T).mul_(scale)
            m_new = torch.maximum(m, s.amax(dim=1, keepdim=True))
            a, p = torch.exp(m - m_new), torch.exp(s - m_new)
            acc.mul_(a).addmm_(p, v_tile)
            l.mul_(a).add_(p.sum(dim=1, keepdim=True))
            m = m_new
        hbm.store("O", i, acc.div_(l))
        hbm.store("L", i, (m + l.log()).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
