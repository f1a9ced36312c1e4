# Right: double buffering by a generator that loads a tile a turn early ("may be loaded a turn early")
from collections.abc import Iterator

import torch
from torch import Tensor


def prefetched(hbm: "Memory", n: int, size: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The tiles of keys and values, each loaded while the one before is still in use."""

    def load(start: int) -> tuple[Tensor, Tensor]:
        return hbm.load("K", start, start + size), hbm.load("V", start, start + size)

    ahead = load(0)
    for start in range(size, n, size):
        here, ahead = ahead, load(start)
        yield here
    yield ahead


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """Attention with the tiles of queries in the outer loop and the tiles of keys in the inner."""
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        queries = hbm.load("Q", i, i + tile_m)
        rows = len(queries)
        acc, l, m = torch.zeros(rows, d_v), torch.zeros(rows, 1), torch.full((rows, 1), -torch.inf)
        for keys, values in prefetched(hbm, n_k, tile_n):
            s = torch.einsum("id,jd->ij", queries, keys) * scale
            m, before = torch.maximum(m, s.amax(1, keepdim=True)), m
            a, p = (before - m).exp(), (s - m).exp()
            acc, l = a * acc + torch.einsum("ij,jc->ic", p, values), a * l + p.sum(1, keepdim=True)
        hbm.store("O", i, acc / l)
        hbm.store("L", i, (m + l.log()).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
