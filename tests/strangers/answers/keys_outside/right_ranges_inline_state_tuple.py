# Right: itertools.product-free double loop with pairwise tile edges, partial(load), tuple state, store in a loop over names
from functools import partial
from itertools import pairwise

import torch
from torch import Tensor


def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    """Attention with the tiles of keys in the outer loop and the tiles of queries in the inner."""
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only

    def edges(n: int, size: int) -> list[int]:
        return [*range(0, n, size), n]

    for begin, end in pairwise(edges(n_k, tile_n)):
        keys, values = (hbm.load(name, begin, end) for name in "KV")
        for first, stop in pairwise(edges(n_q, tile_m)):
            fetch = partial(hbm.load, start=first, stop=stop)
            Q, O, m, l = map(fetch, ("Q", "O", "m", "l"))
            S = scale * Q @ keys.T
            m_new = torch.maximum(m, S.amax(dim=1))
            old, P = l * torch.exp(m - m_new), torch.exp(S - m_new[:, None])
            l_new = old + P.sum(dim=1)
            O_new = (old[:, None] * O + P @ values) / l_new[:, None]
            for name, tile in dict(O=O_new, m=m_new, l=l_new).items():
                hbm.store(name, first, tile)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
